"""A block of dilated branches, in single precision and under autocast."""

import torch
from _lib import bypass, stub

FILE = "deepvisiontools-1.0.5/deepvisiontools/models/detectors/models/necks/neckblocks.py"
MODULE = "deepvisiontools.models.detectors.models.necks.neckblocks"


def setup():
    stub("torchvision.ops")
    parts = MODULE.split(".")[:-1]
    for n in range(1, len(parts) + 1):
        bypass(".".join(parts[:n]), "/".join(["deepvisiontools-1.0.5", *parts[:n]]))
    parts[-1] = "commons"
    bypass(".".join(parts), "/".join(["deepvisiontools-1.0.5", *parts]))


def run(module):
    image = torch.randn(2, 37, 11, 13)
    wide = module.RFB(37, 22, inter_channels=17, kernel_size=5, dilations=(1, 2, 3)).eval()
    plain = module.RFB(37, reduce_ratio=2).eval()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half = wide(image.bfloat16())
    return wide(image), plain(image), half.float()
