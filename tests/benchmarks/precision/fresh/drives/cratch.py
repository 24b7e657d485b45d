"""Segmentation by attention at four scales, both kinds of output."""

import torch

FILE = "cratch-0.0.6/cratch/nn/_class_segformer.py"


def run(module):
    outputs = []
    for kind in ("original", "thermo"):
        model = module.SegFormer(
            {
                "input_height": 64,
                "input_ch": 3,
                "output_ch": 5,
                "num_heads": [1, 2, 5, 4],
                "num_layers": [1, 2, 1, 1],
                "reduction_ratio": [1, 3, 1, 2],
                "expantion_ratio": [3, 2, 2, 3],
                "stage_channels": [7, 18, 20, 24],
                "mlp_channels": 13,
                "model_type": kind,
            }
        ).eval()
        outputs.append(model(torch.randn(2, 3, 64, 96)))
    return outputs
