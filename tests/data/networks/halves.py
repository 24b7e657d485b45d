"""Parameters of several dtypes, and a part that is frozen and called twice."""

import torch
from torch import nn


class Halves(nn.Module):
    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.shared = nn.Linear(width, width).requires_grad_(False)
        self.low = nn.Linear(width, 8, dtype=torch.bfloat16)
        self.high = nn.Linear(8, 4).double()
        self.register_buffer("steps", torch.zeros(1, dtype=torch.int32))
        self.register_buffer("mask", torch.ones(width, dtype=torch.bool), persistent=False)

    def forward(self, x):
        x = self.shared(torch.tanh(self.shared(x)))
        x = self.low(torch.where(self.mask, x, 0.0).to(torch.bfloat16))
        return self.high(x.to(torch.float64))
