import torch
from torch import nn


def set_mode(net, mode):
    for m in net.modules():
        if hasattr(m, "mode"):
            m.mode = mode


class Conv(nn.Conv2d):
    def __init__(self, i, o, k, mode="s"):
        super().__init__(i, o, k)
        self.mode = mode

    def forward(self, x):
        if self.mode == "s":
            return super().forward(x)
        return torch.stack([super(Conv, self).forward(t) for t in x])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(Conv(1, 4, 3))
        set_mode(self, mode="m")

    def forward(self, x):
        seq = x.unsqueeze(0).expand(5, -1, -1, -1, -1)  # [N, C, H, W] -> [T, N, C, H, W]
        return self.conv(seq)
