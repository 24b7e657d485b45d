"""Optical flow from two images by pyramids, warps and correlations."""

import torch
from _lib import bypass, stub

FILE = "pwcnet-0.2/pwcnet/model.py"
MODULE = "pwcnet.model"


def setup():
    def correlation(first, second):
        height, width = first.shape[2:]
        padded = torch.nn.functional.pad(second, (4, 4, 4, 4))
        moved = [
            (first * padded[:, :, y : y + height, x : x + width]).mean(1)
            for y in range(9)
            for x in range(9)
        ]
        return torch.stack(moved, 1)

    bypass("pwcnet", "pwcnet-0.2/pwcnet")
    stub("pwcnet.utils", PretrainedMixIn=type("PretrainedMixIn", (), {}))
    stub("pwcnet.correlation", correlation=correlation)


def run(module):
    model = module.PWCNet(flow_shape=(60, 120)).eval()
    first, second = torch.randn(1, 3, 50, 90), torch.randn(1, 3, 50, 90)
    flow = model.estimate_flow(first, second)
    other = model.estimate_flow(first, second, out_shape=(23, 37))
    warp = module.Backward()(torch.randn(2, 5, 7, 11), torch.randn(2, 2, 7, 11))
    return flow, other, model.flow_shape, warp
