"""Diffusion of videos: magnitude-preserving layers over frames, rows and columns."""

import torch
from _lib import bypass

FILE = "denoising_diffusion_pytorch-2.3.4/denoising_diffusion_pytorch/karras_unet_3d.py"


def setup():
    bypass(
        "denoising_diffusion_pytorch",
        "denoising_diffusion_pytorch-2.3.4/denoising_diffusion_pytorch",
    )


def run(module):
    outputs = []
    for factorised in (False, True):
        model = module.KarrasUnet3D(
            image_size=20,
            frames=4,
            dim=14,
            dim_max=22,
            num_classes=13,
            channels=5,
            num_downsamples=1,
            num_blocks_per_stage=1,
            attn_res=(10,),
            fourier_dim=34,
            attn_dim_head=11,
            factorize_space_time_attn=factorised,
        ).eval()
        video = torch.randn(3, 5, 4, 20, 20)
        labels = torch.tensor([1, 5, 12])
        outputs.append(model(video, torch.rand(3), class_labels=labels))
    return outputs
