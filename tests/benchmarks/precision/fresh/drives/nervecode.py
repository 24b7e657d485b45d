"""Hard and soft assignment to the centres of a codebook, for any number of leading dims."""

import torch
from _lib import bypass

FILE = "nervecode-0.2.0/nervecode/core/assignment.py"
MODULE = "nervecode.core.assignment"


def setup():
    bypass("nervecode", "nervecode-0.2.0/nervecode")
    bypass("nervecode.core", "nervecode-0.2.0/nervecode/core")


def fields(soft, intermediates):
    return (
        soft.probs,
        soft.best_length,
        soft.entropy,
        soft.best_indices,
        soft.combined_surprise,
        *intermediates.values(),
    )


def run(module):
    assign = module.SoftAssignment(temperature=0.7, beta_distance=0.3)
    codebook = module.Codebook(11, 7)
    hard = module.hard_assign(
        torch.randn(13, 7), torch.randn(11, 7), posterior_temperature=assign.temperature
    )
    plain = module.hard_assign(torch.randn(13, 7), torch.randn(11, 7))
    return (
        fields(*assign(torch.randn(3, 5, 7), codebook)),
        fields(*assign(torch.randn(13, 7), torch.randn(11, 7))),
        (hard.squared_distances, hard.indices, hard.posterior_probabilities),
        plain.nearest_distances,
    )
