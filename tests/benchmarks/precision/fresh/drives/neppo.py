"""Descriptors of atoms from their neighbours: radial, angular, and terms of higher order."""

from types import SimpleNamespace

import torch
from _lib import bypass, stub

FILE = "neppo-1.0/neppo/models/descriptor.py"
MODULE = "neppo.models.descriptor"


def setup():
    for name in ("ase", "ase.neighborlist", "ase.data", "scipy"):
        stub(name)
    bypass("neppo", "neppo-1.0/neppo")
    bypass("neppo.models", "neppo-1.0/neppo/models")


def run(module):
    batch = SimpleNamespace(
        n_atoms=7,
        species=torch.tensor([0, 1, 1, 0, 1, 0, 0]),
        edge_index=torch.randint(7, (2, 29)),
        edge_vectors=2 * torch.randn(29, 3),
        n_angular_edges=19,
    )
    full = module.Descriptor(
        ["C", "O"],
        radial_cutoff={"C": 7.0, "O": 6.0},
        angular_cutoff=[4.0, 5.0],
        n_max_radial=4,
        n_max_angular=2,
        n_basis_radial=10,
        n_basis_angular=8,
        l_max_3b=5,
        l_max_4b=2,
        l_max_5b=1,
        has_q_112=True,
        has_q_123=True,
        has_q_233=True,
        has_q_134=True,
    )
    plain = module.Descriptor(["C", "O"], n_max_radial=4, n_max_angular=2, l_max_3b=3, l_max_4b=0)
    return full(batch), plain(batch), str(full)
