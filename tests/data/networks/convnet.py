"""Convolutions with strides, groups and pooling; names by `OrderedDict`."""

from collections import OrderedDict

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, inner: int, outer: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            OrderedDict(
                [
                    ("depth", nn.Conv2d(inner, inner, 3, stride, 1, groups=inner, bias=False)),
                    ("norm", nn.BatchNorm2d(inner)),
                    ("act", nn.SiLU()),
                    ("point", nn.Conv2d(inner, outer, 1)),
                ]
            )
        )
        self.skip = nn.Identity() if stride == 1 and inner == outer else None

    def forward(self, x):
        y = self.body(x)
        return y if self.skip is None else y + self.skip(x)


class ConvNet(nn.Module):
    def __init__(self, widths=(16, 16, 32, 64), classes: int = 10) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, widths[0], 7, stride=2, padding=3)
        blocks = []
        for inner, outer in zip(widths[:-1], widths[1:]):
            blocks.append(Block(inner, outer, 1 if inner == outer else 2))
        self.blocks = nn.ModuleList(blocks)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, image):
        x = torch.relu(self.stem(image))
        for block in self.blocks:
            x = block(x)
        return self.head(self.pool(x).flatten(1))
