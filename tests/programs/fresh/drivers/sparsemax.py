"""A softmax with zeros, whose derivative is written by hand."""

import importlib

import torch
from _lib import path

FILE = "sparsemax-0.1.9/sparsemax/sparsemax.py"
MODULE = "sparsemax.sparsemax"


def setup():
    path("sparsemax-0.1.9")
    importlib.import_module(MODULE)


def run(module):
    x = torch.randn(3, 5, 7)
    return module.Sparsemax(dim=-1)(x), module.Sparsemax(dim=1)(x), module.Sparsemax()(x[0])
