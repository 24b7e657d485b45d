"""Sound: dilated convolutions along the time, subclasses of PyTorch's layers, a `Sequential`."""

import torch
import torch.nn.functional as F
from torch import nn


class Causal(nn.Conv1d):
    def __init__(self, inner, outer, kernel, dilation=1):
        super().__init__(inner, outer, kernel, dilation=dilation)
        self.left = dilation * (kernel - 1)

    def forward(self, x):
        return super().forward(F.pad(x, (self.left, 0)))


class Gated(nn.Module):
    def __init__(self, width, dilation):
        super().__init__()
        self.convolve = Causal(width, 2 * width, 3, dilation)
        self.mix = nn.Conv1d(width, width, 1)

    def forward(self, x):
        a, b = self.convolve(x).chunk(2, dim=1)
        return x + self.mix(torch.tanh(a) * torch.sigmoid(b))


class Stack(nn.Sequential):
    def __init__(self, width, depth):
        super().__init__(*(Gated(width, 2**index) for index in range(depth)))


class Waves(nn.Module):
    def __init__(self, width: int = 12, depth: int = 4) -> None:
        super().__init__()
        self.first = Causal(1, width, 5)
        self.stack = Stack(width, depth)
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(width, 1)) for _ in range(2)])
        self.last = nn.Conv1d(width, 1, 1)

    def forward(self, sound):
        x = self.stack(self.first(sound))
        for weight in self.weights:
            x = x * weight
        return self.last(x), x.mean(dim=-1)
