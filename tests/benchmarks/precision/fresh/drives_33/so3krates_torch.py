"""Heads of a network over atoms: energies, several energies, charges, dipoles, volumes."""

import torch
from _lib import bypass

FILE = "so3krates_torch-0.2.1/so3krates_torch/blocks/output_block.py"
MODULE = "so3krates_torch.blocks.output_block"


def setup():
    bypass("so3krates_torch", "so3krates_torch-0.2.1/so3krates_torch")
    bypass("so3krates_torch.blocks", "so3krates_torch-0.2.1/so3krates_torch/blocks")
    bypass("so3krates_torch.tools", "so3krates_torch-0.2.1/so3krates_torch/tools")


def run(module):
    features = torch.randn(17, 13)
    kinds = torch.arange(17) % 5
    data = {"node_attrs": torch.nn.functional.one_hot(kinds, 5).float()}
    shifts = {"1": 0.5, "6": -1.0, "7": 2.0, "8": 0.3, "9": 0.1}
    options = {"num_elements": 5, "non_linearity": torch.nn.SiLU}
    plain = module.AtomicEnergyOutputHead(13, energy_regression_dim=7, **options)
    shifted = module.AtomicEnergyOutputHead(
        13,
        layers=3,
        final_output_features=2,
        final_non_linearity=True,
        atomic_type_shifts=dict(shifts),
        energy_learn_atomic_type_shifts=True,
        energy_learn_atomic_type_scales=True,
        **options,
    )
    several = module.MultiAtomicEnergyOutputHead(
        4, 13, energy_regression_dim=7, layers=3, atomic_type_shifts=dict(shifts), **options
    )
    single = module.MultiAtomicEnergyOutputHead(
        3, 13, layers=1, final_non_linearity=True, energy_learn_atomic_type_scales=True, **options
    )
    atoms = torch.tensor([1, 6, 7, 8, 9])[kinds]
    molecules = torch.arange(17) // 6
    charges = module.PartialChargesOutputHead(13, 11, torch.nn.SiLU)
    bare = module.PartialChargesOutputHead(13)
    hirshfeld = module.HirshfeldOutputHead(13, 22, torch.nn.SiLU)
    volumes = module.HirshfeldOutputHead(13)
    for head in (plain, shifted, charges, bare, hirshfeld, volumes):
        head.reset_parameters()
    plain.set_defined_energy_shifts(torch.randn(5))
    total = torch.tensor([0.0, 1.0, -1.0])
    partial = charges(features, atoms, total, molecules, 3)
    return (
        plain(features, data),
        shifted.to(torch.float32)(features, data),
        several(features, data),
        single(features, data),
        partial,
        bare(features, atoms, total, molecules, 3),
        module.DipoleVecOutputHead()(partial, torch.randn(17, 3), molecules, 3),
        hirshfeld(features, atoms),
        volumes(features, atoms),
    )
