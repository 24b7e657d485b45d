"""A decoder of feature maps with attention over a pyramid of them."""

import torch
from _lib import bypass, stub

FILE = "segmentation_models_pytorch-0.6.0/segmentation_models_pytorch/decoders/pan/decoder.py"
CHANNELS = (5, 11, 13, 17, 19)


def setup():
    package = "segmentation_models_pytorch"
    folder = "segmentation_models_pytorch-0.6.0/segmentation_models_pytorch"
    bypass(package, folder)
    stub("huggingface_hub")
    stub(f"{package}.base.hub_mixin")
    bypass(f"{package}.base", f"{folder}/base")


def run(module):
    outputs = []
    for depth in (4,):
        decoder = module.PANDecoder(
            encoder_channels=CHANNELS, encoder_depth=depth, decoder_channels=31
        ).eval()
        maps = [torch.randn(2, c, 160 >> i, 224 >> i) for i, c in enumerate(CHANNELS)]
        outputs.append(decoder(maps))
    return outputs
