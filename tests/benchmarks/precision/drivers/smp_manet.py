"""A segmentation decoder with attention over positions and over channels of skip connections."""

import torch
from _lib import bypass, stub

FILE = "segmentation_models_pytorch-0.6.0/segmentation_models_pytorch/decoders/manet/decoder.py"


def setup():
    package = "segmentation_models_pytorch"
    folder = "segmentation_models_pytorch-0.6.0/segmentation_models_pytorch"
    bypass(package, folder)
    stub("huggingface_hub")
    stub(f"{package}.base.hub_mixin")
    bypass(f"{package}.base", f"{folder}/base")


def run(module):
    decoder = module.MAnetDecoder(
        encoder_channels=(3, 5, 11, 17),
        decoder_channels=(19, 13, 7),
        n_blocks=3,
        reduction=2,
        pab_channels=23,
    ).eval()
    sizes = [(40, 56), (20, 28), (10, 14), (5, 7)]
    features = [torch.randn(2, c, *s) for c, s in zip((3, 5, 11, 17), sizes, strict=True)]
    return decoder(features)
