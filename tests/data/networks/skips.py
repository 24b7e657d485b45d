"""Down and up again, with skips and transposed convolutions."""

import torch
from torch import nn


def double(inner, outer):
    return nn.Sequential(
        nn.Conv2d(inner, outer, 3, padding=1),
        nn.GroupNorm(4, outer),
        nn.ReLU(inplace=True),
        nn.Conv2d(outer, outer, 3, padding=1, padding_mode="reflect"),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, widths=(8, 16, 32), classes: int = 2) -> None:
        super().__init__()
        self.down = nn.ModuleList()
        self.up = nn.ModuleList()
        inner = 1
        for width in widths:
            self.down.append(double(inner, width))
            inner = width
        self.pool = nn.MaxPool2d(2)
        self.middle = double(widths[-1], 2 * widths[-1])
        for width in reversed(widths):
            self.up.append(nn.ConvTranspose2d(2 * width, width, kernel_size=2, stride=2))
            self.up.append(double(2 * width, width))
        self.last = nn.Conv2d(widths[0], classes, kernel_size=1)

    def forward(self, x):
        skips = []
        for down in self.down:
            x = down(x)
            skips.append(x)
            x = self.pool(x)
        x = self.middle(x)
        for index, skip in enumerate(reversed(skips)):
            x = self.up[2 * index](x)
            x = self.up[2 * index + 1](torch.cat([skip, x], dim=1))
        return self.last(x)
