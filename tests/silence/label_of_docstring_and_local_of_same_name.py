# NC201, NC208: the comment's C is the docstring's C, not the local C that the coordinates' shape is unpacked to; seen in modelscope pointnet2_utils.py
import torch
import torch.nn as nn
from ops import pick


class Group(nn.Module):
    def forward(self, xyz, features):
        """
        features: (B, C, N)
        """
        B, N, C = xyz.shape
        near = pick(xyz)  # (B, 3, n, k)
        near -= xyz.transpose(1, 2).unsqueeze(-1)
        g = pick(features)
        return torch.cat([near, g], 1)  # (B, C + 3, n, k)

class Step(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.a = nn.Conv2d(cin + 3, cout, 1)
        self.group = Group()
    def forward(self, xyz, x):
        B, C, N = xyz.shape
        at = pick(xyz)  # [B, C, N]
        return torch.max(self.a(self.group(at.transpose(2, 1), x)), -1)[0]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Step(64, 128)
        self.two = Step(128, 128)
    def forward(self, pc, x):
        return self.two(pc, self.one(pc, x))
