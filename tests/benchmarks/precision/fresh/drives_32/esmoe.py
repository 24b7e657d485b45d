"""A mixture of depthwise experts over images: dense and sparse, every balance."""

import torch
from _lib import bypass

FILE = "esmoe-1.1.0/esmoe/module.py"
MODULE = "esmoe.module"


def setup():
    bypass("esmoe", "esmoe-1.1.0/esmoe")


def run(module):
    images = torch.randn(3, 11, 13, 17)
    layers = [
        module.ESMoE(4, 2, 11),
        module.ESMoE(5, None, 11, {"balance": "gshard"}, out_channels=7, out_norm=True).eval(),
        module.ESMoE(5, 3, out_channels=14, balance="master", dynamic_threshold=0.3).eval(),
        module.ESMoE(2, 1, 11, {"out_channels": 6}, expert_kernel_sizes=[3, 6], expert="dw"),
        module.ESMoE(3, 2, 11, dense_training=True, balance="gshard_probs", reduction=1),
        module.ESMoE(4, 2, 11, sparse_inference=False, max_kernel_size=6).eval(),
    ]
    outputs = []
    for layer in layers:
        outputs += [layer(images), layer.aux_loss, repr(layer), layer.spec()]
    layers[1].configure(balance="switch", out_norm=False)
    layers[2].configure(out_norm=True, dynamic_threshold=0.0)
    outputs += [layers[1](images), layers[2].eval()(images)]
    outputs += [module.odd_kernels(5, 8), len(list(module.blocks(torch.nn.Sequential(*layers))))]
    return outputs
