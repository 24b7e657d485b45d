"""A feed-forward block whose second layer forgot the expansion of the first."""

import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear(dim, dim)

    def forward(self, x):
        hidden = torch.relu(self.up(self.norm(x)))
        # NC208 here:
        return x + self.down(hidden)


def run():
    torch.manual_seed(0)
    return FeedForward(5)(torch.randn(2, 7, 5))
