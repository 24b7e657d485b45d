"""Gated residual convolutions with conditions, over whole signals and step by step."""

import torch
from _lib import bypass

FILE = "wavenet_vocoder-0.1.1/wavenet_vocoder/modules.py"
MODULE = "wavenet_vocoder.modules"


def setup():
    bypass("wavenet_vocoder", "wavenet_vocoder-0.1.1/wavenet_vocoder")


def run(module):
    x, c, g = torch.randn(3, 6, 29), torch.randn(3, 5, 29), torch.randn(3, 4, 29)
    sizes = {"residual_channels": 6, "gate_channels": 14, "kernel_size": 3}
    block = module.ResidualConv1dGLU(
        **sizes, skip_out_channels=11, cin_channels=5, gin_channels=4, dilation=2
    ).eval()
    plain = module.ResidualConv1dGLU(
        **sizes, causal=False, bias=False, weight_normalization=False
    ).eval()
    outputs = [*block(x, c, g), *plain(x)]
    for t in range(3):
        step = slice(t, t + 1)
        steps = [part.transpose(1, 2)[:, step] for part in (x, c, g)]
        outputs += block.incremental_forward(*steps)
    block.clear_buffer()
    embedding = module.Embedding(17, 13, padding_idx=0)
    up = module.ConvTranspose2d(2, 7, (3, 5), stride=(1, 4))
    bare = module.ConvTranspose2d(2, 7, (5, 3), weight_normalization=False, padding=(2, 1))
    maps = torch.randn(3, 2, 19, 11)
    return [*outputs, embedding(torch.randint(17, (3, 8))), up(maps), bare(maps)]
