"""U-nets from lists of layers, and with the features of another network as the encoder."""

import torch
from _lib import bypass

FILE = "seg_torch-0.1.7/segmentation/models/unet.py"
MODULE = "segmentation.models.unet"


def setup():
    bypass("segmentation", "seg_torch-0.1.7/segmentation")
    bypass("segmentation.models", "seg_torch-0.1.7/segmentation/models")
    bypass("segmentation.encoders", "seg_torch-0.1.7/segmentation/encoders")


def run(module):
    from segmentation.encoders.vgg import _VGG

    def features(*widths):
        layers, channels = [], 3
        for width in widths:
            layers += [torch.nn.Conv2d(channels, width, 3, padding=1), torch.nn.ReLU()]
            layers.append(torch.nn.MaxPool2d(2))
            channels = width
        return torch.nn.Sequential(*layers)

    images = torch.randn(2, 3, 45, 70)
    unet = module.Unet(4, [5, "M", 10, "M", 20, "U", 10, "U", 5]).eval()
    bare = module.Unet(2, [7, "M", 14, "U", 7], batch_norm=False)
    shallow = module.UnetWithEncoder(3, _VGG(None, features(5, 7, 11, 13))).eval()
    deep = module.UnetWithEncoder(2, _VGG(None, features(4, 5, 6, 7, 8)), batch_norm=False)
    return unet(images), bare(images), shallow(images), deep(images)
