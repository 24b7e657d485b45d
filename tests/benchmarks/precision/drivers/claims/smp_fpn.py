"""A decoder that adds up a pyramid of feature maps."""

import torch
from _lib import bypass, stub

FILE = "segmentation_models_pytorch-0.6.0/segmentation_models_pytorch/decoders/fpn/decoder.py"
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
    for policy in ("add", "cat"):
        decoder = module.FPNDecoder(
            encoder_channels=CHANNELS,
            encoder_depth=4,
            pyramid_channels=31,
            segmentation_channels=64,
            merge_policy=policy,
        ).eval()
        maps = [torch.randn(2, c, 96 >> i, 160 >> i) for i, c in enumerate(CHANNELS)]
        outputs.append(decoder(maps))
    return outputs
