"""Weights that are replaced from outside may have any shape."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(64, 10)
        self.table = nn.Embedding(10, 64)
        self.fc.weight = self.table.weight

    def forward(self, x: Float[Tensor, "b 10"]) -> Float[Tensor, "b 10"]:
        x @ self.fc.weight.T
        return self.fc(x)  # NC208


class Turned(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.zeros(64, 10))
        self.w.data.zero_()
        self.v = nn.Parameter(torch.zeros(64, 10))
        self.v.t_()

    def forward(self, x: Float[Tensor, "b 10"]) -> Float[Tensor, "b 64"]:
        x @ self.w  # NC203
        return x @ self.v
