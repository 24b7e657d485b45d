"""A segmentation decoder of a vision transformer's feature maps and prefix tokens."""

import torch
from _lib import bypass, stub

FILE = "segmentation_models_pytorch-0.6.0/segmentation_models_pytorch/decoders/dpt/decoder.py"


def setup():
    package = "segmentation_models_pytorch"
    folder = "segmentation_models_pytorch-0.6.0/segmentation_models_pytorch"
    bypass(package, folder)
    stub("huggingface_hub")
    stub(f"{package}.base.hub_mixin")
    bypass(f"{package}.base", f"{folder}/base")


def run(module):
    channels = (11, 13, 17, 19)
    outputs = []
    for readout, tokens in (("cat", 5), ("cat", 0), ("add", 5), ("add", 0), ("ignore", 5)):
        decoder = module.DPTDecoder(
            encoder_out_channels=channels,
            encoder_output_strides=(16, 16, 16, 16),
            encoder_has_prefix_tokens=tokens > 0,
            readout=readout,
            intermediate_channels=(23, 29, 31, 37),
            fusion_channels=7,
        ).eval()
        features = [torch.randn(2, c, 6, 10) for c in channels]
        prefixes = [torch.randn(2, tokens, c) if tokens else None for c in channels]
        outputs.append(decoder(features, prefixes))
    head = module.DPTSegmentationHead(7, 3, activation="softmax2d").eval()
    return [*outputs, head(outputs[0])]
