"""Similarity of images by structure, on one scale and on several, as a loss."""

import torch

FILE = "torch-tensornet-1.3.3/tensornet/models/loss/ssim.py"


def run(module):
    x, y = torch.rand(2, 5, 37, 43), torch.rand(2, 5, 37, 43)
    outputs = []
    for average in (True, False):
        single = module.SSIMLoss(size_average=average, win_size=7, channel=5)
        several = module.MSSSIMLoss(size_average=average, win_size=3, channel=5)
        outputs += [single(x, y), several(x, y)]
        outputs.append(module.ssim(x, y, 1.0, average, nonnegative_ssim=True))
        outputs.append(module.ms_ssim(x, y, 1.0, average, win_size=3, win_sigma=0.7))
    weighted = module.MSSSIM(win_size=3, channel=5, weights=[0.2, 0.3, 0.5])
    return [*outputs, weighted(x, y), module.SSIM(channel=5)(x, y)]
