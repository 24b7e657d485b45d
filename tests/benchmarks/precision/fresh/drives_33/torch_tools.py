"""Networks built from chains: linear, convolutional, residual, a U-net, fixed-up residuals."""

import logging

import torch
from _lib import bypass, stub

FILE = "torch_tools-0.1.5/ttools/modules/networks.py"
MODULE = "ttools.modules.networks"


def setup():
    bypass("ttools", "torch_tools-0.1.5/ttools")
    bypass("ttools.modules", "torch_tools-0.1.5/ttools/modules")
    stub("ttools.utils", get_logger=logging.getLogger)


def run(module):
    rows, images = torch.randn(5, 7), torch.randn(2, 3, 37, 46)
    maps = torch.randn(2, 5, 29, 34)
    linear = module.FCModule(7, 11, activation="tanh", dropout=0.1).eval()
    chain = module.FCChain(7, width=[13, 17, 2], depth=3, dropout=[0.1, 0.2, 0.3]).eval()
    same = module.FCChain(7, width=11, depth=2, activation="leaky_relu", dropout=0.1).eval()
    conv = module.ConvModule(3, 7, 5, 2, activation="sigmoid", norm_layer="batch").eval()
    reflected = module.ConvModule(3, 11, padding_mode="reflection", norm_layer="instance")
    convs = module.ConvChain(
        3, ksize=[3, 5], width=[7, 11], depth=2, strides=[1, 2], pad=False, norm_layer="instance"
    )
    wide = module.ConvChain(3, width=13, depth=2, activation="leaky_relu")
    block = module.ResidualBlock(5, n_convs=3, activation="relu", norm_layer="batch").eval()
    bare = module.ResidualBlock(5, ksize=5, pad=False)
    residuals = module.ResidualChain(5, depth=2, pad=False)
    unet = module.UNet(3, 2, base_width=6, max_width=20, num_convs=2, num_levels=3)
    fixed = module.FixupResidualChain(5, depth=2)
    cropped = module.FixupBasicBlock(5, pad=False)
    return (
        linear(rows),
        chain(rows),
        same(rows),
        conv(images),
        reflected(images),
        convs(images),
        wide(images),
        block(maps),
        bare(maps),
        residuals(maps),
        unet(images),
        fixed(maps),
        cropped(maps),
        module.CropLike()(images, maps),
    )
