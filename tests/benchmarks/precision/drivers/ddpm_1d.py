"""A one-dimensional U-Net with self-conditioning, one loss and one short sampling."""

import torch
from _lib import bypass, stub

FILE = (
    "denoising_diffusion_pytorch-2.3.4/denoising_diffusion_pytorch/"
    "denoising_diffusion_pytorch_1d.py"
)


def setup():
    for name in ("accelerate", "ema_pytorch", "tqdm.auto"):
        stub(name)
    stub("tqdm.auto", tqdm=lambda values, **named: values)
    bypass("denoising_diffusion_pytorch", FILE.rpartition("/")[0])


def run(module):
    model = module.Unet1D(
        dim=12,
        dim_mults=(1, 2),
        channels=5,
        self_condition=True,
        learned_sinusoidal_cond=True,
        learned_sinusoidal_dim=14,
        attn_dim_head=7,
        attn_heads=3,
    ).eval()
    diffusion = module.GaussianDiffusion1D(
        model, seq_length=22, timesteps=11, sampling_timesteps=2, objective="pred_v"
    )
    sequences = torch.rand(3, 5, 22)
    condition = torch.rand(3, 5, 22)
    times = torch.tensor([1, 4, 9])
    return (
        model(sequences, times, condition),
        diffusion.p_losses(sequences, times),
        diffusion.sample(batch_size=3),
        diffusion.p_sample_loop((3, 5, 22)),
    )
