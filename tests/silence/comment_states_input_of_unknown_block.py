# NC208: the comment above `x = self.block(x)` states x before it; seen in torchxrayvision inception.py
import torch.nn as nn
import torch.nn.functional as F
from model.utils import get_norm


class Block(nn.Module):
    def __init__(self, i, o, kind='none', **kwargs):
        super().__init__()
        self.conv = nn.Conv2d(i, o, bias=False, **kwargs)
        self.norm = get_norm(kind, o, eps=0.001)

    def forward(self, x):
        x = self.conv(x)
        x = self.norm(x)
        return F.relu(x, inplace=True)


class Aux(nn.Module):
    def __init__(self, c, kind='none'):
        super().__init__()
        self.conv0 = Block(c, 128, kind=kind, kernel_size=1)
        self.conv1 = Block(128, 768, kind=kind, kernel_size=5)

    def forward(self, x):
        # N x 768 x 17 x 17
        x = F.avg_pool2d(x, kernel_size=5, stride=3)
        # N x 768 x 5 x 5
        x = self.conv0(x)
        # N x 128 x 5 x 5
        x = self.conv1(x)
        # N x 768 x 1 x 1
        return F.adaptive_avg_pool2d(x, (1, 1))


class Net(nn.Module):
    def __init__(self, kind='none'):
        super().__init__()
        self.a = Block(3, 32, kind=kind, kernel_size=3, stride=2)
        self.b = Block(32, 32, kind=kind, kernel_size=3)
        self.c = Block(32, 64, kind=kind, kernel_size=3, padding=1)

    def forward(self, x):
        # N x 3 x 299 x 299
        x = self.a(x)
        # N x 32 x 149 x 149
        x = self.b(x)
        # N x 32 x 147 x 147
        x = self.c(x)
        return x
