"""A network for each feature."""

import torch

FILE = "nam_pytorch-0.0.1/nam_pytorch/nam_pytorch.py"


def run(module):
    x = torch.randn(3, 2)
    return module.NAM(2)(x), module.NAM(2, link_func="tanh")(x)
