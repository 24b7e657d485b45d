"""Layers that project onto the principal components of what they saw in training."""

import torch
from _lib import bypass, stub

FILE = "delve-0.1.50/delve/pca_layers.py"
MODULE = "delve.pca_layers"


def setup():
    bypass("delve", "delve-0.1.50/delve")
    stub("tqdm")


def run(module):
    x, images = torch.randn(37, 7) @ torch.randn(7, 7), torch.randn(5, 3, 11, 13)
    centered = module.LinearPCALayer(7, threshold=0.8)
    bare = module.LinearPCALayer(7, threshold=0.7, centering=False, verbose=True)
    reduced = module.LinearPCALayer(7, threshold=0.6, keepdim=False, centering=False)
    conv = module.Conv2DPCALayer(3, threshold=0.9)
    small = module.Conv2DPCALayer(3, threshold=0.8, centering=True, downsampling=5, verbose=False)
    outputs = []
    for layer in (centered, bare, reduced):
        outputs += [layer(x), layer.eval()(x), layer.sat, layer.in_dim, layer.fs_dim]
    for layer in (conv, small):
        outputs += [layer(images), layer.eval()(images), layer.sat, layer.in_dim, layer.threshold]
    network = torch.nn.ModuleList([centered, conv])
    outputs.append(module.change_all_pca_layer_thresholds(0.95, network, verbose=True))
    bare.centering = True
    outputs += [centered(x), conv(images), bare(x), bare.is_floating_point()]
    random = module.change_all_pca_layer_thresholds_and_inject_random_directions(
        0.85, network, verbose=True, include_names=True
    )
    return [*outputs, random, centered(x), conv(images), module.rvs(5)]
