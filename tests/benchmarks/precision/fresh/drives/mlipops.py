"""Charges of atoms that are in balance: isolated, in a box, in a batch, solved in two ways."""

import torch
from _lib import bypass

FILE = "mlipops-0.6.0/mlipops/chargeequilibration.py"
MODULE = "mlipops.chargeequilibration"


def setup():
    bypass("mlipops", "mlipops-0.6.0/mlipops")


def run(module):
    from mlipops.neighborlist import NeighborList

    positions = 5 * torch.rand(11, 3)
    electronegativity, hardness, radius = torch.randn(11), 3 + torch.rand(11), 0.5 + torch.rand(11)
    atoms = (positions, electronegativity, hardness, radius)
    box = torch.diag(torch.tensor([6.0, 7.0, 8.0]))
    batch = torch.tensor([0] * 4 + [1] * 7)
    boxes = torch.stack([box, 1.5 * box])
    molecules = [(torch.arange(4), 1.0), (torch.arange(4, 11), -1.0)]
    charges = torch.tensor([1.0, -2.0])
    isolated = module.ChargeEquilibration(module.CoulombNC(None, 138.9))
    field = module.ChargeEquilibration(module.CoulombRF(NeighborList(2.5), None, 138.9))
    periodic = module.ChargeEquilibration(
        module.CoulombEwald(NeighborList(2.5), None, 2, 3, 4, 1.3, 138.9)
    )
    shifted = {"potential": torch.randn(11), "default_charge": torch.randn(11)}
    return (
        isolated(*atoms, total_charge=1.0),
        isolated(*atoms, molecules=molecules, solver="minres", **shifted),
        isolated(*atoms, total_charge=charges, batch=batch),
        field(*atoms, molecules=molecules, box_vectors=box),
        field(*atoms, total_charge=charges, box_vectors=boxes, batch=batch),
        periodic(*atoms, total_charge=1.0, box_vectors=box),
        periodic(*atoms, total_charge=charges, box_vectors=boxes, batch=batch),
    )
