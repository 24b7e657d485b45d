"""A tagger of words in sentences of different lengths, which are packed."""

import torch

FILE = "tests/programs/models/tutorials.py"


def run(module):
    tokens = torch.tensor([[1, 2, 3, 4], [5, 6, 0, 0], [7, 8, 9, 0]])
    return module.Tagger()(tokens, torch.tensor([4, 2, 3]))
