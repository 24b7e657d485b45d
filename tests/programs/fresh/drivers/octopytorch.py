"""Dense blocks that segment images."""

import importlib

import torch
from _lib import path

FILE = "octopytorch-0.3/models/tiramisu.py"
MODULE = "models.tiramisu"


def setup():
    path("octopytorch-0.3")
    importlib.import_module(MODULE)


def run(module):
    model = module.Tiramisu(
        in_channels=3,
        out_channels=2,
        init_conv_filters=6,
        structure=([2, 2], 2, [2, 2]),
        growth_rate=4,
        compression=1.0,
        early_transition=False,
        include_top=True,
        checkpoint=False,
    ).eval()
    return model(torch.randn(2, 3, 16, 16))
