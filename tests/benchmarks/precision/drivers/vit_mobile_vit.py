"""Inverted residuals and attention over unfolded patches."""

import torch

FILE = "vit_pytorch-1.26.11/vit_pytorch/mobile_vit.py"


def run(module):
    model = module.MobileViT(
        image_size=(64, 128),
        dims=[19, 23, 29],
        channels=[5, 7, 11, 11, 13, 13, 17, 17, 31, 31, 37],
        num_classes=41,
        depths=(1, 1, 1),
    ).eval()
    return model(torch.randn(3, 3, 64, 128))
