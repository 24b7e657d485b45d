"""The networks that tutorials begin with, one after another."""

import torch

FILE = "tests/programs/models/tutorials.py"


def run(module):
    calls = {
        "resnet": (module.ResNet, torch.randn(2, 3, 32, 32)),
        "vae": (module.VAE, torch.randn(4, 3, 4)),
        "vit": (module.ViT, torch.randn(2, 3, 16, 16)),
        "unet": (module.UNet, torch.randn(1, 3, 8, 8)),
        "gcn": (lambda: module.GCN(4, 3), torch.randn(5, 4), torch.randn(5, 5)),
        "dueling": (module.Dueling, torch.randn(2, 4, 8, 8)),
        "generator": (module.Generator, torch.randn(2, 5, 1, 1)),
    }
    return {name: build()(*inputs) for name, (build, *inputs) in calls.items()}
