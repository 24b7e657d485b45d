"""Transformers over volumes and long sequences."""

import torch
from _lib import bypass

FILE = "self_attention_cv-1.2.3/self_attention_cv/UnetTr/UnetTr.py"
MODULE = "self_attention_cv.UnetTr.UnetTr"


def setup():
    bypass("self_attention_cv", "self_attention_cv-1.2.3/self_attention_cv")
    bypass("self_attention_cv.UnetTr", "self_attention_cv-1.2.3/self_attention_cv/UnetTr")


def run(module):
    model = module.UNETR(
        img_shape=(32, 32, 32),
        input_dim=2,
        output_dim=3,
        embed_dim=12,
        patch_size=16,
        num_heads=3,
        base_filters=4,
        dim_linear_block=20,
    ).eval()
    return model(torch.randn(1, 2, 32, 32, 32))
