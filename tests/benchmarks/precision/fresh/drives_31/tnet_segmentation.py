"""Segmentation by convolutions down, unpooling up, and residuals between them."""

import torch

FILE = "tnet_segmentation-1.0.2/TNet_Segmentation/net.py"


def run(module):
    model = module.TNet(input_channel=5, emb_size=24, num_classes=7).eval()
    images = torch.randn(2, 5, 16, 32)
    block = module.TNetConvBlock(5, 11).eval()
    return (
        model(images),
        block(images)[:-1],
        *block(images)[-1],
        module.TNetConv1BnBlock(5, 13, stride_size=3).eval()(images),
        module.TNetUpscaler(5, 22).eval()(images),
    )
