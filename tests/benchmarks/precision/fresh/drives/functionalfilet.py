"""Evolved networks: a graph of neurons with and without a stack, a control net, patches around."""

import torch
from _lib import bypass, stub

FILE = "functionalfilet-0.5.2/functionalfilet/ENN_net.py"
MODULE = "functionalfilet.ENN_net"


def setup():
    stub("pylab")
    bypass("functionalfilet", "functionalfilet-0.5.2/functionalfilet")


def run(module):
    outputs = []
    for control, stack in ((True, False), (False, False), (False, True)):
        model = module.EvoNeuralNet(IO=(17, 5), BATCH=7, control=control, stack=stack).eval()
        model.checkIO(17, 5)
        outputs.append(model(torch.randn(3, 17)))
    patched = module.EvoNeuralNet(IO=(17, 5), BATCH=7, control=True).eval()
    patched.checkIO(37, 11)
    outputs.append(patched(torch.randn(3, 37)))
    model = module.EvoNeuralNet(IO=(17, 5), BATCH=7).eval()
    model.checkIO(17, 5)
    outputs += [model.update(mode).eval()(torch.randn(3, 17)) for mode in ("copy", "reset")]
    return outputs
