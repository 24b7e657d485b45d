"""Multi-query attention written with einsum and with reshapes of NCHW maps."""

import torch
from _lib import timm

FILE = "timm-1.0.31/timm/layers/attention2d.py"
MODULE = "timm.layers.attention2d"


def setup():
    timm()


def run(module):
    image = torch.randn(2, 15, 10, 14)
    outputs = [
        module.MultiQueryAttentionV2(15, 17, num_heads=3, key_dim=7, value_dim=11)(image),
    ]
    for strides in ((1, 1), (2, 2)):
        for fused in (False, True):
            attention = module.MultiQueryAttention2d(
                15,
                17,
                num_heads=3,
                key_dim=7,
                value_dim=7 if fused else 11,
                query_strides=strides[0],
                kv_stride=strides[1],
            ).eval()
            attention.fused_attn = fused
            outputs.append(attention(image))
    for first in (False, True):
        for fused in (False, True):
            attention = module.Attention2d(
                15, 21, num_heads=3, head_first=first, expand_first=first
            )
            attention.fused_attn = fused
            outputs.append(attention(image))
    return outputs
