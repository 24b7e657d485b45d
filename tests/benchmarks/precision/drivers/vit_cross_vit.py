"""Two token streams of different widths: no dim of one fits the other by chance."""

import torch

FILE = "vit_pytorch-1.26.11/vit_pytorch/cross_vit.py"


def run(module):
    model = module.CrossViT(
        image_size=35,
        num_classes=11,
        sm_dim=26,
        lg_dim=34,
        sm_patch_size=5,
        sm_enc_depth=1,
        sm_enc_heads=2,
        sm_enc_mlp_dim=37,
        sm_enc_dim_head=17,
        lg_patch_size=7,
        lg_enc_depth=1,
        lg_enc_heads=3,
        lg_enc_mlp_dim=41,
        lg_enc_dim_head=19,
        cross_attn_depth=1,
        cross_attn_heads=3,
        cross_attn_dim_head=23,
        depth=1,
    ).eval()
    return model(torch.randn(2, 3, 35, 35))
