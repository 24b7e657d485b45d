import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, enc, f=32):
        super().__init__()
        self.enc = enc
        self.mid = nn.Conv2d(256 + 8 * f, 8 * f, 3, padding=1)
        self.dec = nn.Conv2d(512 + 8 * f, 8 * f, 3, padding=1)

    def forward(self, x):
        c = self.enc(x)
        m = self.mid(c)
        return self.dec(torch.cat([m, c], 1))
