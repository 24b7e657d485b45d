"""Outlook attention over unfolded windows, class attention, an auxiliary head with mixed tokens."""

import torch
from _lib import timm

FILE = "timm-1.0.31/timm/models/volo.py"
MODULE = "timm.models.volo"


def setup():
    timm()


def run(module):
    outputs = []
    for mixed in (False, True):
        model = module.VOLO(
            [1, 1],
            img_size=(80, 112),
            num_classes=13,
            patch_size=8,
            stem_hidden_dim=10,
            embed_dims=[21, 22],
            num_heads=[3, 2],
            downsamples=(True, False),
            outlook_attention=(True, False),
            use_mix_token=mixed,
        )
        for part in model.modules():
            if hasattr(part, "fused_attn"):
                part.fused_attn = False
        outputs.append(model.train(mixed)(torch.randn(5, 3, 80, 112)))
    return outputs
