"""The U-Net of image diffusion: its stages differ in width and in resolution."""

import torch
from _lib import bypass, stub

FILE = (
    "denoising_diffusion_pytorch-2.3.4/denoising_diffusion_pytorch/denoising_diffusion_pytorch.py"
)


def setup():
    for name in ("ema_pytorch", "accelerate", "torchvision", "torchvision.transforms", "PIL"):
        stub(name)
    stub("torchvision.utils")
    stub("scipy.optimize")
    bypass(
        "denoising_diffusion_pytorch",
        "denoising_diffusion_pytorch-2.3.4/denoising_diffusion_pytorch",
    )


def run(module):
    model = module.Unet(
        dim=12,
        init_dim=20,
        dim_mults=(1, 3),
        channels=5,
        self_condition=True,
        attn_dim_head=11,
        attn_heads=3,
    ).eval()
    diffusion = module.GaussianDiffusion(model, image_size=20, timesteps=7)
    images = torch.rand(2, 5, 20, 20)
    return model(images, torch.tensor([3, 5])), diffusion(images)
