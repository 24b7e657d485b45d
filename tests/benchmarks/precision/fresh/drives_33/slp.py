"""Dropout of whole modalities, hard and soft, in training and not."""

import torch

FILE = "slp-1.2.1/slp/modules/mmdrop.py"


def run(module):
    text, audio, video = torch.randn(7, 11, 3), torch.randn(7, 13, 5), torch.randn(7, 17, 2)
    layers = [
        module.HardMultimodalDropout(0.9, p_mod=[0.6, 0.3, 0.1]),
        module.SoftMultimodalDropout(0.4, p_mod=[0.1, 0.2, 0.7]),
        module.MultimodalDropout(0.95, n_modalities=3),
        module.MultimodalDropout(0.3, n_modalities=3, mode="soft"),
    ]
    outputs = []
    for layer in layers:
        outputs += [*layer(text, audio, video), *layer.eval()(text, audio, video)]
    return outputs
