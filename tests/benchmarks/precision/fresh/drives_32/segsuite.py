"""U-nets with each norm and both ways up, on images of odd sizes."""

import torch

FILE = "segsuite-0.1.0/segsuite/model.py"


def run(module):
    images = torch.randn(2, 5, 37, 46)
    outputs = []
    for norm, up, init in (
        ("batch", "bilinear", "he"),
        ("instance", "transposed", "xavier"),
        ("group", "bilinear", "default"),
        ("none", "transposed", "he"),
    ):
        model = module.build_model(
            "unet",
            init,
            n_channels=5,
            n_classes=3,
            features=[6, 11, 14],
            norm=norm,
            dropout=0.1,
            up_mode=up,
        ).eval()
        outputs += [model(images), model.param_count()]
    block = module.UpBlock(13, 7).eval()
    return [*outputs, block(torch.randn(2, 13, 5, 8), torch.randn(2, 7, 11, 17))]
