"""A transformer over the features of two images, with and without masks."""

import torch
from _lib import bypass

FILE = "kornia-0.9.0/kornia/feature/loftr/loftr_module/transformer.py"
MODULE = "kornia.feature.loftr.loftr_module.transformer"


def setup():
    for name in ("kornia", "feature", "loftr", "loftr_module"):
        package = "kornia" if name == "kornia" else f"{package}.{name}"
        bypass(package, f"kornia-0.9.0/{package.replace('.', '/')}")


def run(module):
    outputs = []
    for attention in ("linear", "full"):
        config = {"d_model": 22, "nhead": 2, "layer_names": ["self", "cross"]}
        model = module.LocalFeatureTransformer({**config, "attention": attention}).eval()
        left, right = torch.randn(3, 7, 22), torch.randn(3, 5, 22)
        outputs.append(model(left, right))
        masks = torch.arange(7).expand(3, -1) < 6, torch.arange(5).expand(3, -1) < 4
        outputs.append(model(left, right, *masks))
    return outputs
