# NC303: the loop takes the modules from a list that it extends with their children; seen in spikingjelly set_step_mode
import torch
from torch import nn


def set_mode(net, mode):
    left = [net]
    while left:
        m = left.pop()
        if hasattr(m, "mode"):
            m.mode = mode
        left.extend(m.children())


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
        b, c, h, w = x.shape
        seq = x.unsqueeze(0).expand(5, -1, -1, -1, -1)
        return self.conv(seq)
