"""Distributions and their gradients."""

import torch

FILE = "tests/programs/models/densities.py"


def run(module):
    a, b = torch.rand(2), torch.rand(2)
    results = [module.facts(*pair) for pair in module.distributions(a, b)]
    others = [module.more_facts(*pair) for pair in module.more_distributions(a, b)]
    return results, module.divergences(a, b), others, module.more_divergences(a, b)
