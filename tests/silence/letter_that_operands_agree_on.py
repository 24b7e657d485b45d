# NC304: a letter that two operands agree on resembles the name of another size; seen in zetascale 2.8.8
import torch
from torch import nn

class Experts(nn.Module):
    def __init__(self, dim, experts=16):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(experts, dim, dim * 2))
        self.w2 = nn.Parameter(torch.randn(experts, dim * 2, dim))

    def forward(self, x):
        h = torch.einsum("end,edh->enh", x, self.w1)
        return torch.einsum("end,edh->enh", h, self.w2)
