"""A convolutional tokenizer and pooling of the sequence, without einops."""

import torch

FILE = "vit_pytorch-1.26.11/vit_pytorch/cct.py"


def run(module):
    model = module.CCT(
        img_size=(29, 37),
        embedding_dim=22,
        n_input_channels=3,
        n_conv_layers=2,
        kernel_size=3,
        stride=2,
        padding=1,
        num_layers=2,
        num_heads=2,
        mlp_ratio=1.5,
        num_classes=13,
        positional_embedding="learnable",
    ).eval()
    return model(torch.randn(5, 3, 29, 37))
