"""Attention with the weighted sum written the wrong way round."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)  # (B, h, T, d)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)  # (B, h, T, d)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)  # (B, h, T, d)
        scores = q @ k.transpose(-2, -1) * (C // self.heads) ** -0.5  # (B, h, T, T)
        weights = scores.softmax(dim=-1)
        # NC203 here:
        y = v @ weights
        return self.out(y.transpose(1, 2).reshape(B, T, C))


def run():
    torch.manual_seed(0)
    return Attention(15, 3)(torch.randn(2, 7, 15))
