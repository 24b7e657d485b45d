"""Pooling of graphs by modularity: matrix products and einsum of dense adjacencies."""

import itertools

import torch
from _lib import stub

FILE = "torch_geometric-2.8.1/torch_geometric/nn/dense/dmon_pool.py"
MODULE = "torch_geometric.nn.dense.dmon_pool"


class MLP(torch.nn.Sequential):
    """A stand-in for the multi-layer perceptron of the package."""

    def __init__(self, sizes, act=None, norm=None):
        pairs = itertools.pairwise(sizes)
        super().__init__(*[torch.nn.Linear(a, b) for a, b in pairs])

    def reset_parameters(self):
        for layer in self:
            layer.reset_parameters()


def setup():
    stub("torch_geometric.nn.models.mlp", MLP=MLP)
    stub("torch_geometric.nn.dense.mincut_pool", _rank3_trace=lambda x: torch.einsum("ijj->i", x))


def run(module):
    pool = module.DMoNPooling([11, 13], 5)
    features = torch.randn(3, 7, 11)
    adjacency = torch.rand(3, 7, 7)
    adjacency = adjacency + adjacency.transpose(1, 2)
    mask = torch.arange(7).expand(3, -1) < 6
    return pool(features, adjacency), pool(features, adjacency, mask)
