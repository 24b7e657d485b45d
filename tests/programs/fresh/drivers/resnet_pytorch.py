"""A residual network."""

import importlib

import torch
from _lib import path

FILE = "resnet_pytorch-0.2.0/resnet_pytorch/model.py"
MODULE = "resnet_pytorch.model"


def setup():
    path("resnet_pytorch-0.2.0")
    importlib.import_module(MODULE)


def run(module):
    model = module.ResNet.from_name("resnet18", override_params={"num_classes": 7})
    return model(torch.randn(2, 3, 40, 40))
