"""A vision transformer."""

import torch

FILE = "vit_hk-0.1.3/ViT/core.py"


def run(module):
    model = module.ViT(24, 8, 3, 11, embed_dim=20, depth=2, num_heads=4, mlp_ratio=2.0)
    return model(torch.randn(3, 3, 24, 24))
