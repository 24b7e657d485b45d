"""Recurrent layers along rows and columns."""

import torch
from _lib import timm

FILE = "timm-1.0.31/timm/models/sequencer.py"
MODULE = "timm.models.sequencer"


def setup():
    timm()


def run(module):
    outputs = []
    for union in ("cat", "add"):
        model = module.Sequencer2d(
            num_classes=31,
            img_size=None,
            layers=(1, 1),
            patch_sizes=(3, 2),
            embed_dims=(11, 13),
            hidden_sizes=(5, 7),
            mlp_ratios=(2.0, 3.0),
            union=union,
        ).eval()
        outputs.append(model(torch.randn(2, 3, 30, 42)))
    return outputs
