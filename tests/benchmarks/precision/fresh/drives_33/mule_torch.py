"""Blocks of networks without norms over spectrograms: stem, stages, pools, slow and fast."""

import torch
from _lib import bypass

FILE = "mule_torch-0.2.0/mule_torch/blocks.py"
MODULE = "mule_torch.blocks"


def setup():
    bypass("mule_torch", "mule_torch-0.2.0/mule_torch")


def run(module):
    spectrogram = torch.randn(2, 1, 29, 37)
    stem = module.Stem((3, 5, 6), ((3, 3), (3, 3), (3, 5)), ((2, 1), (1, 2), (1, 1)))
    kernels = ((1, 1), (1, 3), (3, 1), (1, 1))
    stage = module.NFNetStage(6, 20, kernels, 2, 5, 0.2, [1.0, 0.9, 0.8])
    same = module.NFNetBlock(20, 20, kernels, 1, 2, 0.3, 0.7)
    fusion = module.FastToSlowFusion(5, 7, 11)
    maps = stage(stem(spectrogram))
    slow, fast = torch.randn(2, 6, 13, 4), torch.randn(2, 5, 13, 16)
    pool = module.TfSameAvgPool2d((3, 2), (2, 2))
    with torch.no_grad():
        same.skip_gain.fill_(0.5)
    return stem.out_channels, maps, same(maps), fusion(slow, fast), pool(slow)
