"""Fourier features of two axes, cross attention from latents."""

import torch

FILE = "perceiver_pytorch-0.11.0/perceiver_pytorch/perceiver_pytorch.py"


def run(module):
    model = module.Perceiver(
        num_freq_bands=3,
        depth=2,
        max_freq=10.0,
        input_channels=5,
        input_axis=2,
        num_latents=13,
        latent_dim=23,
        cross_heads=2,
        latent_heads=3,
        cross_dim_head=11,
        latent_dim_head=17,
        num_classes=31,
        inverted_cross_attn=(False, True),
        attn_residual=True,
        attn_residual_rank=7,
    ).eval()
    mask = torch.arange(19 * 29).expand(2, -1) % 3 > 0
    return model(torch.randn(2, 19, 29, 5), mask=mask)
