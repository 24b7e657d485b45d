"""Stacked cells of an LSTM: both kinds of cell, both orders of the axes, states kept."""

import torch

FILE = "BxTorch-0.7.3/bxtorch/nn/modules/lstm.py"


def run(module):
    x = torch.randn(7, 3, 5)
    states = [(torch.randn(3, size), torch.randn(3, size)) for size in (11, 13)]
    outputs = []
    for cudnn, bias in ((True, True), (False, True), (False, False)):
        stack = module.StackedLSTM(5, [11, 13], bias=bias, cudnn=cudnn)
        first = module.StackedLSTM(5, [11, 13], bias=bias, batch_first=True, cudnn=cudnn)
        cell = module.StackedLSTMCell(5, [11, 17, 2], bias=bias, cudnn=cudnn)
        outputs += [
            stack(x),
            stack(x, list(states)),
            stack(x, return_sequence=False),
            first(x.transpose(0, 1)),
            *cell(x[0]),
        ]
    return outputs
