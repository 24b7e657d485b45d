"""Patches of a time series, channel attention, masks, and every head."""

import importlib

import torch
from _lib import path

FILE = "transformers-5.23.0/transformers/models/patchtst/modeling_patchtst.py"
MODULE = "transformers.models.patchtst.modeling_patchtst"


def setup():
    path("transformers-5.23.0")
    importlib.import_module(MODULE)


def run(module):
    sizes = {
        "num_input_channels": 5,
        "context_length": 34,
        "patch_length": 4,
        "patch_stride": 3,
        "num_hidden_layers": 1,
        "d_model": 14,
        "num_attention_heads": 2,
        "ffn_dim": 23,
        "prediction_length": 13,
        "num_targets": 7,
        "attn_implementation": "eager",
    }
    series = torch.randn(3, 34, 5)
    observed = torch.rand(3, 34, 5) > 0.2
    outputs = []
    for channels, head in ((False, False), (True, True)):
        config = module.PatchTSTConfig(
            **sizes,
            channel_attention=channels,
            share_embedding=not head,
            use_cls_token=head,
            scaling="mean" if head else "std",
            loss="nll" if head else "mse",
            norm_type="layernorm" if channels else "batchnorm",
            pooling_type="max" if head else "mean",
        )
        outputs += [
            module.PatchTSTForPrediction(config)
            .eval()(series, observed, future_values=torch.randn(3, 13, 5))
            .to_tuple(),
            module.PatchTSTForClassification(config)
            .eval()(series, target_values=torch.tensor([0, 2, 6]))
            .to_tuple(),
        ]
        for kind in ("random", "forecast"):
            masked = module.PatchTSTConfig(
                **sizes, do_mask_input=True, mask_type=kind, share_embedding=not head
            )
            outputs.append(
                module.PatchTSTForPretraining(masked).eval()(series, observed).to_tuple()
            )
    regression = module.PatchTSTConfig(**sizes, loss="mse")
    targets = torch.randn(3, 7)
    outputs.append(
        module.PatchTSTForRegression(regression).eval()(series, targets, observed).to_tuple()
    )
    return outputs
