"""Layers of soft and hard predicates over pairs of features."""

import torch
from _lib import bypass

FILE = "predicateneuron-0.1.4/predicateneuron/torch/layers.py"
MODULE = "predicateneuron.torch.layers"


def setup():
    bypass("predicateneuron", "predicateneuron-0.1.4/predicateneuron")
    bypass("predicateneuron.torch", "predicateneuron-0.1.4/predicateneuron/torch")


def run(module):
    x = torch.rand(3, 11, 7)
    outputs = []
    for hard_forward, hard_backward in ((False, False), (True, False), (True, True)):
        model = torch.nn.Sequential(
            module.PredicateLayer(7, theta_init=0.3),
            torch.nn.Linear(21, 13),
            module.MinimalPredicateLayer(13),
            module.MinimalJointPredicateLayer(7, temperature=0.2),
        )
        module.set_model_hard_forward(model, hard_forward)
        module.set_model_hard_backward(model, hard_backward)
        y = model(x)
        y.sum().backward()
        outputs += [y, model[0].theta.grad, model[2].theta.grad, repr(model)]
    even = module.MinimalPredicateLayer(22, hard_forward=True)
    single = module.MinimalPredicateLayer(1)
    return [*outputs, even(torch.rand(5, 22)), single(torch.rand(5, 1))]
