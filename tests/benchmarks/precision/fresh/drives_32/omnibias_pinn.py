"""Neural operators in one and two dimensions, and their spectral convolutions."""

from types import SimpleNamespace

import torch
from _lib import stub

FILE = "omnibias_pinn-0.1.0/omnibias/pinn/operator/torch/fno.py"


def setup():
    stub(
        "omnibias.torch.activations.registry",
        ActivationSpec=type("ActivationSpec", (), {}),
        get_activation=lambda name: SimpleNamespace(forward=torch.nn.functional.gelu),
    )


def run(module):
    double, single = torch.float64, torch.float32
    line = module.build_fno1d(modes=5, width=7, n_layers=2, in_channels=3, out_channels=2)
    scalar = module.FNO1d(modes=4, width=6, n_layers=1, dtype=single)
    plane = module.build_fno2d(
        modes_x=3, modes_y=5, width=7, n_layers=2, in_channels=4, out_channels=2
    )
    surface = module.FNO2d(modes_x=2, modes_y=3, width=6, n_layers=1, dtype=single)
    narrow = module.SpectralConv1d(3, 5, 4)
    wide = module.SpectralConv2d(3, 5, 4, 2, dtype=single)
    return (
        line(torch.randn(2, 19, 3, dtype=double)),
        scalar(torch.randn(3, 17)),
        plane(torch.randn(2, 13, 17, 4, dtype=double)),
        surface(torch.randn(3, 11, 14)),
        narrow(torch.randn(2, 3, 23, dtype=double)),
        wide(torch.randn(2, 3, 13, 19)),
    )
