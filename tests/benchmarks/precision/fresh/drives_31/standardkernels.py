"""A gated feed-forward block, and the same block from a module's weights."""

import torch
from _lib import bypass, stub

FILE = "standardkernels-0.0.2/standardkernels/nn/geglu.py"
MODULE = "standardkernels.nn.geglu"


def setup():
    bypass("standardkernels", "standardkernels-0.0.2/standardkernels")
    stub("standardkernels", __version__="0.0.2")
    bypass("standardkernels.nn", "standardkernels-0.0.2/standardkernels/nn")


class Plain(torch.nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.gate = torch.nn.Linear(width, hidden)
        self.up = torch.nn.Linear(width, hidden)
        self.down = torch.nn.Linear(hidden, width)


def run(module):
    x = torch.randn(5, 13)
    block = module.PreNormGEGLUFFN(13, 29, eps=1e-3)
    copied = module.PreNormGEGLUFFN.from_module(Plain(13, 37).eval())
    return block(x), copied(x), copied(torch.randn(7, 13)), copied.up.weight
