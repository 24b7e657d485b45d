"""Penalties on representations with a matched, a wrong and an isotropic covariance."""

import torch
from _lib import bypass

FILE = "matching_pmh-2.0.0/pmh/training.py"
MODULE = "pmh.training"


def setup():
    bypass("pmh", "matching_pmh-2.0.0/pmh")


def run(module):
    factor = torch.randn(11, 11)
    sigma = factor @ factor.T
    basis = torch.linalg.qr(torch.randn(11, 5)).Q
    settings = module.PMHConfig()
    estimate = module.SigmaTaskEstimate(sigma, "D4", settings, metadata={"w": basis})
    outputs = []
    for mode in ("matched", "wrong_w", "isotropic"):
        for source in (sigma, estimate):
            loss = module.PMHLoss(source, mode=mode, wrong_rank=3)
            loss.set_epoch(100)
            representation = torch.randn(7, 11, requires_grad=True)
            outputs.append(loss(representation))
            outputs += loss.capped_total(torch.tensor(0.3), representation)
    return outputs
