"""A backbone of segmentation with two resolutions, and its parts."""

import torch

FILE = "echelon3-0.14.0/echelon3/nets/segmentation/backbones/ddrnet.py"


def run(module):
    backbone = module.DDRNet23SlimBackbone(planes=6, spp_planes=7).eval()
    pyramid = module.DAPPM(5, 11, 13).eval()
    down = torch.nn.Conv2d(5, 14, 1, stride=2)
    wide = module.Bottleneck(5, 7, stride=2, downsample=down, no_relu=False).eval()
    basic = module.BasicBlock(5, 11, downsample=torch.nn.Conv2d(5, 11, 1)).eval()
    maps = torch.randn(2, 5, 17, 22)
    return (
        backbone(torch.randn(2, 3, 128, 192)),
        backbone.out_channels,
        pyramid(maps),
        wide(maps),
        basic(maps),
        module.BasicBlock(5, 5, no_relu=True).eval()(maps),
    )
