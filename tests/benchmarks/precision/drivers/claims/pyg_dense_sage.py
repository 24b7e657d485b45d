"""Messages between the nodes of dense graphs."""

import torch
from _lib import stub

FILE = "torch_geometric-2.8.1/torch_geometric/nn/dense/dense_sage_conv.py"


def setup():
    stub("torch_geometric.typing", OptTensor=None)
    stub("torch_geometric.nn.dense.linear", Linear=Linear)
    stub("torch_geometric.nn.inits", zeros=torch.nn.init.zeros_)


class Linear(torch.nn.Linear):
    def __init__(self, inputs, outputs, bias=True, weight_initializer=None):
        super().__init__(inputs, outputs, bias)


def run(module):
    features = torch.randn(3, 7, 11)
    adjacency = (torch.rand(3, 7, 7) > 0.5).float()
    mask = torch.arange(7).expand(3, -1) < 6
    layer = module.DenseSAGEConv(11, 13).eval()
    return layer(features, adjacency, mask), layer(features, adjacency)
