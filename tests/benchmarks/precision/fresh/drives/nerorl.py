"""Recurrent layers fed one step at a time, and sequences that were flattened into the batch."""

import torch
from _lib import path

FILE = "neroRL-0.0.4/neroRL/nn/recurrent.py"
MODULE = "neroRL.nn.recurrent"


def setup():
    path("neroRL-0.0.4")


def run(module):
    steps = torch.randn(3, 11)
    sequences = torch.randn(3 * 5, 11)
    hidden = torch.randn(1, 3, 7)
    cell = torch.randn(1, 3, 7)
    outputs = []
    for gated in (module.GRU(11, 7), module.ResGRU(11, 7)):
        outputs += [gated(steps, hidden, 1), gated(sequences, hidden, 5)]
    for gated in (module.LSTM(11, 7), module.ResLSTM(11, 7)):
        outputs += [gated(steps, (hidden, cell), 1), gated(sequences, (hidden, cell), 5)]
    return outputs
