"""Losses of hedging over paths, and the cash that is worth as much as each."""

import torch
from _lib import bypass

FILE = "pfhedge-0.23.0/pfhedge/nn/modules/loss.py"
MODULE = "pfhedge.nn.modules.loss"


def setup():
    bypass("pfhedge", "pfhedge-0.23.0/pfhedge")
    bypass("pfhedge.nn", "pfhedge-0.23.0/pfhedge/nn")
    bypass("pfhedge.nn.modules", "pfhedge-0.23.0/pfhedge/nn/modules")


def utility(x):
    return 1 - (-x).exp()


def run(module):
    gains, target = torch.randn(37, 5), torch.randn(37, 5)
    wealth = 3 + torch.rand(37, 5)
    outputs = []
    for loss in (
        module.EntropicRiskMeasure(),
        module.EntropicLoss(a=2.0),
        module.ExpectedShortfall(p=0.3),
        module.QuadraticCVaR(lam=2.0),
    ):
        outputs += [loss(gains), loss(gains, target), loss.cash(gains, target), repr(loss)]
    for power in (0.5, 1.0):
        isoelastic = module.IsoelasticLoss(power)
        outputs += [isoelastic(wealth), isoelastic(wealth, torch.rand(37, 5)), repr(isoelastic)]
        outputs.append(isoelastic.cash(wealth[:, 0]))
    equivalent = module.OCE(utility)
    return [*outputs, equivalent(gains), equivalent(gains, target), repr(equivalent)]
