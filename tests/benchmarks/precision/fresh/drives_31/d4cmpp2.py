"""Attention over the atoms of several molecules, and over the molecules."""

from types import SimpleNamespace

import torch
from _lib import bypass

FILE = "d4cmpp2-1.0.2/D4CMPP2/networks/src/AFP.py"
MODULE = "D4CMPP2.networks.src.AFP"


def setup():
    bypass("D4CMPP2", "d4cmpp2-1.0.2/D4CMPP2")
    bypass("D4CMPP2.networks", "d4cmpp2-1.0.2/D4CMPP2/networks")
    bypass("D4CMPP2.networks.src", "d4cmpp2-1.0.2/D4CMPP2/networks/src")


def run(module):
    settings = {"hidden_dim": 11, "dropout": 0.1}
    edges = torch.randint(7, (2, 19))
    molecules = SimpleNamespace(
        edge_index=edges, batch=torch.tensor([0, 0, 1, 1, 1, 2, 2]), num_graphs=3
    )
    node, edge = torch.randn(7, 11), torch.randn(19, 11)
    model = module.AttentiveFP({**settings, "conv_layers": 2, "T": 3}).eval()
    deep = module.AttentiveFP(settings).eval()
    return (
        model(molecules, node, edge),
        model(molecules, node, edge, only_atom=True),
        deep(SimpleNamespace(edge_index=edges), node, edge),
    )
