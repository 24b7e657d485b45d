"""Shifted windows, also where the grid does not divide into them."""

import torch
from _lib import timm

FILE = "timm-1.0.31/timm/models/swin_transformer.py"
MODULE = "timm.models.swin_transformer"


def setup():
    timm()


def run(module):
    module._NOTRACE = None
    outputs = []
    for fused in (False, True):
        model = module.SwinTransformer(
            img_size=(28, 44),
            patch_size=2,
            in_chans=3,
            num_classes=13,
            embed_dim=33,
            depths=(2, 2),
            num_heads=(3, 6),
            window_size=(5, 7),
        ).eval()
        for part in model.modules():
            if isinstance(part, module.WindowAttention):
                part.fused_attn = fused
        outputs.append(model(torch.randn(2, 3, 28, 44)))
    return outputs
