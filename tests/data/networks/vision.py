"""Patches of an image through PyTorch's own attention, with parameters of its own."""

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
        )
        self.gamma = nn.Parameter(1e-4 * torch.ones(width))

    def forward(self, x):
        y = self.norm1(x)
        x = x + self.gamma * self.attention(y, y, y, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class Vision(nn.Module):
    def __init__(self, size=32, patch=8, width=48, depth=2, heads=3, classes=10) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.places = nn.Parameter(torch.zeros(1, (size // patch) ** 2 + 1, width))
        self.layers = nn.Sequential(*[Layer(width, heads) for _ in range(depth)])
        self.head = nn.Linear(width, classes)

    def forward(self, image):
        x = self.patches(image).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], dim=1) + self.places
        return self.head(self.layers(x)[:, 0])
