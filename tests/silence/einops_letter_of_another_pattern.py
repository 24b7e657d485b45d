# NC304: the letter b of "b -> (b)", which was applied to a bias, is held for the b of a later pattern over another value; seen in clay-foundation-model factory.py
import torch.nn.functional as F
from einops import rearrange
from torch import nn


class Patches(nn.Module):
    def __init__(self, dim, patch):
        super().__init__()
        self.weights = nn.Linear(dim, patch**2 * dim)
        self.biases = nn.Linear(dim, dim)
        self.dim = dim
        self.patch = patch

    def forward(self, images, waves):
        weight, bias = self.weights(waves), self.biases(waves[-1])
        weight = rearrange(weight, "cin (cout k1 k2) -> cout cin k1 k2", k1=self.patch, k2=self.patch)
        bias = rearrange(bias, "b -> (b)")
        out = F.conv2d(images, weight, bias=bias, stride=self.patch)
        return rearrange(out, "b c h w -> b (h w) c")
