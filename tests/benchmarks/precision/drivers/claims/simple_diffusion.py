"""Diffusion of images by a U-Net with a transformer in the middle."""

import torch

FILE = "denoising_diffusion_pytorch-2.3.4/denoising_diffusion_pytorch/simple_diffusion.py"


def run(module):
    model = module.UViT(
        dim=14,
        dim_mults=(1, 2),
        channels=5,
        vit_depth=1,
        attn_dim_head=11,
        attn_heads=3,
        final_img_itransform=None,
    ).eval()
    return model(torch.randn(3, 5, 20, 20), torch.rand(3))
