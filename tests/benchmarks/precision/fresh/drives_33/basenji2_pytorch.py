"""Blocks of convolutions over sequences: towers, dilated residuals, cropping, the end."""

import torch

FILE = "basenji2_pytorch-0.1.2/basenji2_pytorch/blocks.py"


def run(module):
    x = torch.randn(3, 4, 67)
    block = module.BasenjiConvBlock(4, 7, 5, "gelu", norm_type="batch", pool_size=2).eval()
    residual = module.BasenjiConvBlock(
        4, 4, 3, dropout=0.1, norm_type="batch", residual=True, pool_size=2
    ).eval()
    tower = module.BasenjiConvTower(
        4,
        6,
        filters_end=14,
        divisible_by=2,
        repeat=3,
        kernel_size=3,
        norm_type="batch",
        pool_size=2,
    ).eval()
    grown = module.BasenjiConvTower(4, 5, filters_mult=2, repeat=2, norm_type="batch").eval()
    dilated = module.BasenjiDilatedResidual(
        4, 11, rate_mult=1.5, dropout=0.2, repeat=3, norm_type="batch", round=True
    ).eval()
    flat = module.BasenjiFinal(4 * 67, 13, "softplus", flatten=True)
    final = module.BasenjiFinal(4, 5, "softplus")
    same = module.KerasMaxPool1d(padding="same")
    return (
        block(x),
        residual(x),
        tower(x),
        tower.out_channels,
        grown(x),
        dilated(x),
        flat(x),
        final(x),
        same(x),
        module.Cropping1d(8)(x),
        sorted(module.BLOCK_REGISTRY),
    )
