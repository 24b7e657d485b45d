"""One convolution applied many times, with each norm."""

import torch

FILE = "thriftynet-1.0.12/thriftynet/ThriftyEncoder.py"


def run(module):
    images = torch.randn(2, 5, 37, 45)
    sizes = {"filters": 32, "iterations": 10, "kernel_size": 3}
    batch = module.ThriftyEncoder(**sizes).eval()
    group = module.ThriftyEncoder(**sizes, normalization="group", activation=torch.nn.Tanh)
    layer = module.ThriftyEncoder(filters=5, iterations=5, kernel_size=5, normalization="layer")
    own = module.ThriftyEncoder(
        filters=11, iterations=3, kernel_size=1, normalization=torch.nn.InstanceNorm2d
    )
    return batch(images), group(images), layer(images), own(images)
