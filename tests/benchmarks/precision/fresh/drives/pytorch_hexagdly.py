"""Convolutions and pooling on hexagonal grids in two and three dims, with every stride."""

import numpy as np
import torch

FILE = "pytorch_hexagdly-0.4.1/pytorch_hexagdly/__init__.py"
MODULE = "pytorch_hexagdly"


def run(module):
    image, volume = torch.randn(2, 3, 11, 13), torch.randn(2, 3, 7, 11, 13)
    outputs = []
    for size, stride in ((0, 1), (1, 1), (3, 1), (2, 2), (1, 3)):
        outputs += [
            module.Conv2d(3, 5, size, stride)(image),
            module.Conv3d(3, 5, (2, size), (2, stride), depth_padding="same")(volume),
            module.MaxPool2d(size, stride)(image),
            module.MaxPool3d((2, size), stride)(volume),
            module.AvgPool2d(size, stride)(image),
        ]
    for shared in ("ring", "diag", "sym"):
        outputs += [
            module.Conv2d(3, 5, 2, share_neighbors=shared)(image),
            module.Conv3d(3, 5, (3, 1), 2, bias=False, share_neighbors=shared)(volume),
        ]
    flat = [np.ones((5, 3, 3, 1)), np.ones((5, 3, 2, 2))]
    deep = [np.ones((5, 3, 2, 3, 1)), np.ones((5, 3, 2, 2, 2))]
    for stride in (1, 2):
        outputs += [
            module.Conv2d_CustomKernel(flat, stride, bias=np.ones(5))(image),
            module.Conv3d_CustomKernel(deep, stride, bias=np.ones(5))(volume),
        ]
    narrow = module.Conv2d(3, 5, 2, kernel_size_unit="pixels")(image[..., :1])
    return [*outputs, narrow, module.Conv2d(3, 5, 1)(image[..., :12])]
