"""Magnitude-preserving layers: weights normalised by hand, pixel norms, attention with memories."""

import torch
from _lib import bypass

FILE = "denoising_diffusion_pytorch-2.3.4/denoising_diffusion_pytorch/karras_unet.py"


def setup():
    bypass(
        "denoising_diffusion_pytorch",
        "denoising_diffusion_pytorch-2.3.4/denoising_diffusion_pytorch",
    )


def run(module):
    model = module.KarrasUnet(
        image_size=20,
        dim=14,
        dim_max=22,
        num_classes=13,
        channels=5,
        num_downsamples=1,
        num_blocks_per_stage=1,
        attn_res=(10,),
        fourier_dim=34,
        attn_dim_head=11,
        self_condition=True,
    ).eval()
    for part in model.modules():
        if isinstance(part, module.Gain):
            torch.nn.init.constant_(part.gain, 0.7)
    return model(
        torch.randn(3, 5, 20, 20),
        torch.rand(3),
        self_cond=torch.randn(3, 5, 20, 20),
        class_labels=torch.tensor([1, 5, 12]),
    )
