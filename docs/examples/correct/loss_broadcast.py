"""A regression with a hand-written loss: predictions drop their last dim of 1 first."""

import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self, features: int, hidden: int = 64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.body(x)


def squared_error(
    model: Regressor,
    x: torch.Tensor,  # (B, F)
    target: torch.Tensor,  # (B,)
):
    pred = model(x)
    return ((pred.squeeze(-1) - target) ** 2).mean()


def run():
    torch.manual_seed(0)
    return squared_error(Regressor(5), torch.randn(7, 5), torch.randn(7))
