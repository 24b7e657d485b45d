"""Classes in a hierarchy."""

import torch
from _lib import path

FILE = "simple_hierarchy_pytorch-0.0.1/simple_hierarchy/hierarchal_model.py"
MODULE = "simple_hierarchy.hierarchal_model"


def setup():
    path("simple_hierarchy_pytorch-0.0.1")


def run(module):
    hierarchy = {("A", 2): [("B", 3), ("C", 5)], ("B", 3): [("D", 3)]}
    layers = torch.nn.ModuleList([torch.nn.Linear(10, 10) for _ in range(4)])
    model = module.HierarchalModel(model=layers, k=2, hierarchy=hierarchy, size=(10, 10, 10))
    return model(torch.rand(6, 10))
