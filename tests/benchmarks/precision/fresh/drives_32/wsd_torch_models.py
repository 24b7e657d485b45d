"""Layers mixed by learned scalars, with and without norms over what is not masked."""

import torch
from _lib import bypass

FILE = "wsd_torch_models-0.1.3/wsd_torch_models/scalar_mix.py"
MODULE = "wsd_torch_models.scalar_mix"


def setup():
    bypass("wsd_torch_models", "wsd_torch_models-0.1.3/wsd_torch_models")


def run(module):
    layers = [torch.randn(3, 11, 7) for _ in range(4)]
    mask = torch.arange(11) < torch.tensor([[11], [9], [5]])
    plain = module.ScalarMix(4)
    normed = module.ScalarMix(4, do_layer_norm=True, trainable=False)
    given = module.ScalarMix(4, initial_scalar_parameters=[0.1, 0.5, -0.3, 0.2])
    return plain(layers), normed(layers, mask), given(layers, mask), given.gamma
