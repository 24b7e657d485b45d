import torch
from torch import nn


class ChannelNorm(nn.Module):
    def __init__(self, groups: int):
        super().__init__()
        self.groups = groups
        self.scale = nn.Parameter(torch.ones(groups))

    def forward(self, x: torch.Tensor):
        x = x.view(x.shape[0], self.groups, -1)
        scaled = self.scale.view(1, -1, 1) * x
        cubes = self.groups * self.groups * self.groups - 10**18
        return scaled + self.scale.view(1, self.groups * self.groups - 2**63, 1) + x.new_zeros(cubes, 1)
