"""Layers that take their sizes from what they are given."""

import torch
from _lib import path

FILE = "torchmore-0.1.0/torchmore/combos.py"
MODULE = "torchmore.combos"


def setup():
    path("torchmore-0.1.0")


def run(module):
    flex, layers = module.flex, module.layers
    unet = module.make_unet([6, 8, 10], repeat=2)
    blocks = torch.nn.Sequential(*module.conv2d_block(6, mp=2), *module.resnet_blocks(2, 6))
    head = torch.nn.Sequential(*module.fc_block([12, 5]))
    images = torch.randn(3, 4, 16, 16)
    x = blocks(images)
    rows = layers.BDHW_LSTM(6, 7, 5)(x)
    return unet(images), head(x), rows, flex.Conv1d(5, 3)(torch.randn(2, 4, 9))
