"""Monotone layers: both constructions, residuals with gates, directions of the inputs."""

import numpy as np
import torch
from _lib import bypass

FILE = "mononet-0.0.0a1/mononet/torch/layers.py"
MODULE = "mononet.torch.layers"


def setup():
    bypass("mononet", "mononet-0.0.0a1/mononet")
    bypass("mononet.torch", "mononet-0.0.0a1/mononet/torch")


def run(module):
    x = torch.randn(3, 7)
    signs = module.MonotonicityMask(np.array([1, -1, 1, 1, -1, 1, -1]))
    own = module.InitSpec(scheme="glorot_uniform", seed=5)
    layers = [
        module.MonoLinear(7, 11, activation="elu"),
        module.MonoLinear(7, 13, mode="switch", activation="relu", bias=False),
        module.MonoLinear(7, 5, convex_fraction=0.3, activation="selu", near_zero_scale=0.1),
        module.MonoLinear(7, 2, init=own),
        module.MonoResidual(7, 11, activation="elu"),
        module.MonoResidual(7, 7, activation="softplus", mode="switch", sub_depth=1),
        module.MonoResidual(7, 5, activation="elu", sub_depth=3, alpha_gate="scaled_elu"),
        module.MonoResidual(7, 3, F=torch.nn.Linear(7, 3), init="lecun_normal"),
        module.MonoResidual(7, 17, F=lambda units: torch.nn.Linear(7, units)),
        module.MonoInput(-1),
        module.MonoInput(signs),
    ]
    return [layer(x) for layer in layers]
