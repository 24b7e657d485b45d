import torch
from torch import nn


class Att(nn.Module):
    def __init__(self, depth, heads, depth_kv):
        super().__init__()
        self.depth, self.heads, self.kv = depth, heads, depth_kv
        self.ff = nn.Linear(depth_kv, depth * 2)

    def interleave(self):
        k, v = self.ff.weight.data.split(self.depth, dim=0)
        k = k.reshape(self.heads, -1, self.depth)
        v = v.reshape(self.heads, -1, self.depth)
        self.ff.weight.data[:] = torch.cat((k, v), dim=1).reshape(self.depth * 2, self.kv)
