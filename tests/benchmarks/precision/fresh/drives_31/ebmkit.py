"""A classifier as an energy: of inputs, of a class, guided, and its loss with negatives."""

import torch
from _lib import bypass

FILE = "ebmkit-0.16.0/ebm/jem.py"
MODULE = "ebm.jem"


def setup():
    bypass("ebm", "ebmkit-0.16.0/ebm")
    bypass("ebm.losses", "ebmkit-0.16.0/ebm/losses")
    bypass("ebm.samplers", "ebmkit-0.16.0/ebm/samplers")


def run(module):
    from ebm.buffer import ReplayBuffer
    from ebm.losses.cd import ContrastiveDivergence
    from ebm.samplers.langevin import LangevinDynamics

    energy = module.ClassifierEnergy(
        torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 7, 11), torch.nn.Tanh())
    )
    x, labels = torch.randn(5, 3, 7), torch.tensor([0, 10, 3, 3, 7])
    outputs = [energy(x), energy.conditional(x, labels), energy.conditional(x, 2)]
    outputs += [energy.condition(labels)(x), energy.guide(labels, 2.0)(x), energy.guide(4)(x)]
    sampler = LangevinDynamics(step_size=0.1, steps=3)
    for buffer in (None, ReplayBuffer(17, (3, 7))):
        divergence = ContrastiveDivergence(sampler, buffer, energy_reg=0.1)
        for conditional in (False, True):
            loss = module.JEMLoss(divergence, cd_weight=0.5, conditional_negatives=conditional)
            result = loss(energy, x, labels)
            outputs += [result.loss, result.x_neg, result.metrics]
    return outputs
