"""Layers over matrices that are symmetric and positive definite: maps, biases, powers, norms."""

import torch
from _lib import bypass

FILE = "egnlib-0.2.2/egn/nn/layers.py"
MODULE = "egn.nn.layers"


def setup():
    bypass("egn", "egnlib-0.2.2/egn")
    bypass("egn.nn", "egnlib-0.2.2/egn/nn")


def run(module):
    a, b = torch.randn(3, 2, 7, 11), torch.randn(3, 1, 7, 11)
    s, single = a @ a.transpose(-1, -2) / 11, b @ b.transpose(-1, -2) / 11
    mixed = module.BiMap(7, 5, in_channels=2, out_channels=4, mix=True)
    spread = module.BiMap(7, 4, in_channels=1, out_channels=3)
    free = module.BiMap(7, 6, in_channels=2, out_channels=2, constrained=False)
    bias = module.GeometricBias(7, channels=2)
    norm = module.SPDBatchNorm(7, channels=2)
    frechet = module.SPDBatchNorm(7, channels=2, mean="frechet", iters=2, learn_reference=False)
    outputs = [mixed(s), spread(single), free(s), bias.factor(), bias(s)]
    for kind in ("rect", "power", "none"):
        activation = module.SpectralActivation(kind, floor=0.01)
        outputs += [activation(s), repr(activation)]
    for layer in (norm, frechet):
        outputs += [layer(s), layer.running_mean, layer.eval()(s), repr(layer)]
    drop = module.GeodesicDropout(0.3)
    return [*outputs, drop(s), drop.eval()(s), repr(mixed), repr(bias), repr(drop)]
