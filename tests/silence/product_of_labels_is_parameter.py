import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, i, out_channels, heads):
        super().__init__()
        self.out_channels = out_channels
        self.heads = heads
        self.lin = nn.Linear(i, out_channels)

    def aggregate(self, m):
        return self.agg(m, self.index)

    def forward(self, x):
        """Run.

        Parameters
        ----------
        x : torch.Tensor, shape = (n_k_cells, channels)
        """
        m = self.lin(x).view(-1, self.heads, self.out_channels // self.heads)
        a = self.aggregate(m)  # (n_k_cells, H, C)
        return a.view(-1, self.out_channels)  # (n_k_cells, H * C)
