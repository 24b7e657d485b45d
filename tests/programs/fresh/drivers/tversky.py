"""Similarity of sets of features."""

import torch

FILE = "tversky_neural_network_pytorch-0.0.2/tversky_neural_network/tversky_neural_network.py"


def run(module):
    results = []
    for psi in ("min", "max", "product", "mean", "gmean", "softmin"):
        for kind in ("ignore", "subtract"):
            layer = module.TverskyProjectionLayer(7, 5, 11, psi=psi, match_type=kind)
            torch.nn.init.normal_(layer.prototype)
            torch.nn.init.normal_(layer.feature_bank)
            layer = layer.to(torch.get_default_dtype())
            results.append(layer(torch.randn(3, 7)))
    return results
