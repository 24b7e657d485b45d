"""A language model that attends in chunks."""

import torch
from _lib import path

FILE = "reformer_lm-1.0.1/reformer_lm/reformer_lm.py"
MODULE = "reformer_lm.reformer_lm"


def setup():
    path("reformer_lm-1.0.1")


def run(module):
    model = module.ReformerLM(vocab_size=11, d_in=7, d_out=7, n_layers=2, attn_k=7, attn_v=7).eval()
    return model(torch.rand(4, 7, 7))
