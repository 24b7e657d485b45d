"""Descriptors of image patches."""

import torch
from _lib import stub

FILE = "kornia-0.9.0/kornia/feature/hardnet.py"


def setup():
    stub(
        "kornia.core.utils",
        _is_tracing_or_exporting=lambda: False,
        is_mps_tensor_safe=lambda x: False,
        _l2_normalize=torch.nn.functional.normalize,
    )
    stub("kornia.core.check")
    stub("kornia.core.download")


def run(module):
    patches = torch.randn(3, 1, 32, 32)
    return module.HardNet(False).eval()(patches), module.HardNet8(False).eval()(patches)
