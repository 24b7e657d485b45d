"""Networks from lists of layers: linear ones, and convolutions with a linear end."""

import torch
from _lib import bypass

FILE = "simple_pytorch_wrapper-0.0.6/simple_pytorch_wrapper/utils/NN_generators.py"
MODULE = "simple_pytorch_wrapper.utils.NN_generators"


def setup():
    folder = "simple_pytorch_wrapper-0.0.6/simple_pytorch_wrapper"
    bypass("simple_pytorch_wrapper", folder)
    bypass("simple_pytorch_wrapper.utils", f"{folder}/utils")


def run(module):
    layers = [
        {"out_channels": 5, "kernel_size": 3, "stride": 1, "padding": 1},
        {"out_channels": 7, "kernel_size": 5, "stride": 2, "padding": 0},
    ]
    plain = module.FNNGenerator(13, 3, [11, 17])
    given = module.FNNGenerator(13, 2, [19, 23], [torch.nn.Tanh(), None])
    pooled = module.CNNGenerator(3, layers, [11, 13], 10, 4, 28, 36, use_pooling=True)
    bare = module.CNNGenerator(2, layers, [], 6, 3, 17, 22)
    return (
        plain(torch.randn(5, 13)),
        given(torch.randn(5, 13)),
        pooled(torch.randn(4, 3, 28, 36)),
        bare(torch.randn(3, 2, 17, 22)),
        pooled.flattened_size_per_element_in_batch,
    )
