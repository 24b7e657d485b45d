"""Cross-covariance attention; local patch interaction needs a square grid of patches."""

import torch

FILE = "vit_pytorch-1.26.11/vit_pytorch/xcit.py"


def run(module):
    model = module.XCiT(
        image_size=35,
        patch_size=5,
        num_classes=11,
        dim=26,
        depth=1,
        cls_depth=1,
        heads=3,
        mlp_dim=37,
        dim_head=17,
    ).eval()
    return model(torch.randn(2, 3, 35, 35))
