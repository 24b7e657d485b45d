"""Attention-free transformers."""

import torch

FILE = "aft_pytorch-0.2.2/aft_pytorch/aft_pytorch.py"


def run(module):
    x = torch.randn(3, 11, 14)
    kinds = (module.AFTFull, module.AFTSimple, module.AFTLocal)
    return [kind(max_seqlen=13, dim=14, hidden_dim=10)(x) for kind in kinds]
