"""A memory that learns from the chunks that it reads: with and without momentum and decay."""

import torch
from _lib import bypass

FILE = "titans_memory-0.3.0/titans/memory/neural_memory.py"
MODULE = "titans.memory.neural_memory"


def setup():
    bypass("titans", "titans_memory-0.3.0/titans")
    bypass("titans.memory", "titans_memory-0.3.0/titans/memory")
    bypass("titans.ops", "titans_memory-0.3.0/titans/ops")


def run(module):
    x = torch.randn(3, 17, 11)
    outputs = []
    for options in (
        {"d_hidden": 13, "chunk_size": 5},
        {"n_layers": 3, "d_hidden": 7, "chunk_size": 6, "use_momentum": False},
        {"chunk_size": 4, "use_decay": False},
        {"n_layers": 1, "chunk_size": 19},
    ):
        memory = module.NeuralMemory(11, **options)
        outputs += [memory(x), memory.retrieve(x)]
    return outputs
