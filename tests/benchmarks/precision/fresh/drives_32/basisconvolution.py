"""Convolutions over particles: with a boundary, with networks on edges and vertices, one layer."""

import torch
from _lib import bypass, stub

FILE = "basisconvolution-0.2.1/BasisConvolution/convNetv2.py"
MODULE = "BasisConvolution.convNetv2"


def setup():
    stub("matplotlib.pyplot")
    stub("mpl_toolkits.axes_grid1")
    bypass("BasisConvolution", "basisconvolution-0.2.1/BasisConvolution")
    bypass("BasisConvolution.detail", "basisconvolution-0.2.1/BasisConvolution/detail")


def run(module):
    fluid, wall = torch.randn(12, 3), torch.randn(5, 4)
    i = torch.cat((torch.arange(12), torch.randint(12, (31,))))
    j = torch.cat((torch.arange(12), torch.randint(12, (31,))))
    distances = torch.rand(43, 2) * 2 - 1
    near = torch.cat((torch.arange(12), torch.randint(12, (7,))))
    walls = torch.randint(5, (19,))
    edges = (fluid, i, j, distances)
    boundary = (wall, near, walls, torch.rand(19, 2) * 2 - 1)
    sizes = {"dims": [4, 5], "rbfs": ["linear", "linear"], "batchSize": 16}
    plain = module.BasisNetwork(3, layers=[7, 11, 2], **sizes, layerMLP=True, MLPLayout=[13])
    bounded = module.BasisNetwork(3, 4, layers=[7, 11, 11, 2], **sizes, coordinateMapping="polar")
    small = {"layout": [13], "norm": False}
    rich = module.BasisNetwork(
        3,
        layers=[7, 11, 11, 6],
        **sizes,
        convBias=True,
        activation="gelu",
        windowFn=lambda x: 1 - x.clamp(0, 1),
        inputEncoder={**small, "output": 5},
        outputDecoder={**small, "inputFeatures": 9, "output": 2},
        edgeMLP=dict(small),
        vertexMLP={"layout": [17], "preNorm": True},
        fcLayerMLP={"layout": [19]},
        agglomerateViaMLP=True,
    )
    single = module.BasisNetwork(
        3, 4, layers=[8], **sizes, outputDecoder={**small, "output": 2}, ignoreCenter=False
    )
    return (
        plain(*edges),
        bounded(*edges, *boundary),
        rich(*edges, batches=2, verbose=False),
        single(*edges, *boundary),
        module.buildMLPwActivation([13, 5], 7, norm=True, postNorm=True)(torch.randn(2, 3, 7)),
    )
