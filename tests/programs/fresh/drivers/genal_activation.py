"""Activations with parameters."""

import torch

FILE = "genal_activation-1.0.0/genal_activation/activations.py"


def run(module):
    x = torch.randn(3, 5, 7)
    layers = (
        module.GenalActivation(),
        module.GenalAdvanced(7),
        module.GenalShift(),
        module.GenalLeaky(),
    )
    return [layer(x) for layer in layers]
