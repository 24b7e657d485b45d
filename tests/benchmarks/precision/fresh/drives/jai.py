"""Residual networks: the package's own settings, and blocks with the activation first."""

import torch

FILE = "jai-0.0.9.81/jai/arch/resnet.py"


def run(module):
    model = module.ResNet(module.get_settings("preserve", 11)).eval()
    settings = {
        "start": [module.StartBlock, "start", 5, 7, 5, 1, 3, 2],
        "first": [module.BasicBlock, "first", 2, 7, 1, 3, "preactivation"],
        "second": [module.BasicBlock, "second", 1, 21, 1, 1, "original"],
        "head": [module.AvgPoolHead, "head", 21, 13],
    }
    small = module.ResNet(settings).eval()
    return model(torch.randn(2, 3, 23, 29)), small(torch.randn(3, 5, 17, 19))
