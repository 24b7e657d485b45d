"""Ensembles of lattices over features, some of them monotonic."""

import torch
from _lib import bypass

FILE = "pytorch_lattice-0.2.0/pytorch_lattice/layers/rtl.py"
MODULE = "pytorch_lattice.layers.rtl"


def setup():
    bypass("pytorch_lattice", "pytorch_lattice-0.2.0/pytorch_lattice")
    bypass("pytorch_lattice.layers", "pytorch_lattice-0.2.0/pytorch_lattice/layers")


def run(module):
    up = module.Monotonicity.INCREASING
    x = torch.rand(11, 7)
    outputs = []
    for monotonicities, options in (
        ([up, None, up, None, None, None, up], {}),
        ([None, None, None, None, None, None, up], {"lattice_size": 4, "average_outputs": True}),
        ([up, up, up, up, up, up, up], {"interpolation": module.Interpolation.SIMPLEX}),
    ):
        layer = module.RTL(monotonicities, 5, 3, output_min=0.0, output_max=1.0, **options)
        layer.apply_constraints()
        outputs += [layer(x), layer.output_monotonicities(), len(layer.assert_constraints())]
    return outputs
