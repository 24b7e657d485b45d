# NC208/NC201: a comment behind the closing bracket of a tuple whose elements have comments of their own is given to every target of the unpacking; here waves is [N]; seen in clay-foundation-model
import torch
from torch import nn


class Embed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(128, 128)

    def forward(self, datacube):
        cube, waves = (
            datacube["pixels"],  # [B C H W]
            datacube["waves"],  # [N]
        )  # [B C H W]
        B, C, H, W = cube.shape
        return self.encode(waves), B

    def encode(self, waves):
        angle = waves[:, None] * torch.arange(64)[None, :]
        return self.fc(torch.cat((angle.sin(), angle.cos()), dim=1))
