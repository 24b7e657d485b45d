"""Experts by name, and contractions that are written as equations."""

import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self, width: int = 24, experts: int = 4, hidden: int = 40) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.randn(experts, width, hidden))
        self.second = nn.Parameter(torch.randn(experts, hidden, width))

    def forward(self, x, shares):
        inner = torch.einsum("btd,edh->beth", x, self.first).relu()
        outer = torch.einsum("beth,ehd->betd", inner, self.second)
        return torch.einsum("bte,betd->btd", shares, outer)


class Mixture(nn.Module):
    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.gate = nn.Linear(width, 4)
        self.experts = Experts(width)
        self.heads = nn.ModuleDict({"mean": nn.Linear(width, 1), "class": nn.Linear(width, 6)})

    def forward(self, x):
        shares = self.gate(x).softmax(dim=-1)
        x = x + self.experts(x, shares)
        return {name: head(x.mean(dim=1)) for name, head in self.heads.items()}
