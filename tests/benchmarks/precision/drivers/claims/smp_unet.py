"""A decoder of a convolutional encoder's feature maps, with attention over channels."""

import torch
from _lib import bypass, stub

FILE = "segmentation_models_pytorch-0.6.0/segmentation_models_pytorch/decoders/unet/decoder.py"
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
    for attention in ("scse", None):
        decoder = module.UnetDecoder(
            encoder_channels=CHANNELS,
            decoder_channels=(37, 31, 29, 26),
            n_blocks=4,
            attention_type=attention,
            add_center_block=attention is None,
        ).eval()
        maps = [torch.randn(2, c, 96 >> i, 160 >> i) for i, c in enumerate(CHANNELS)]
        outputs.append(decoder(maps))
    return outputs
