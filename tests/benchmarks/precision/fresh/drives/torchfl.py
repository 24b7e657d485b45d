"""A multilayer perceptron on images that are not square."""

import torch
from _lib import path

FILE = "torchfl-0.1.9/torchfl/models/sota/mlp.py"


def setup():
    path("torchfl-0.1.9")


def run(module):
    model = module.MLP(
        num_classes=11,
        num_channels=3,
        img_w=5,
        img_h=7,
        hidden_dims=(23, 19, 17),
        act_fn_name="gelu",
    ).eval()
    block = module.LinearBlock(13, 29, torch.nn.ReLU, dropout=True).eval()
    return model(torch.randn(2, 3, 7, 5)), block(torch.randn(2, 13))
