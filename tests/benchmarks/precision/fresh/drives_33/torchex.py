"""Recurrent layers in both directions: joined or added up, also between the layers."""

import torch
from _lib import bypass

FILE = "torchex-0.0.16/torchex/nn/modules/rnn/basic.py"
MODULE = "torchex.nn.modules.rnn.basic"


def setup():
    for name in ("torchex", "torchex.nn", "torchex.nn.modules", "torchex.nn.modules.rnn"):
        bypass(name, "torchex-0.0.16/" + name.replace(".", "/"))


def run(module):
    x = torch.randn(3, 11, 5)
    plain = module.LSTM(5, 7)
    both = module.LSTM(5, 7, num_layers=2, bidirectional=True)
    summed = module.LSTM(5, 7, bidirectional=True, concat=False, init_xavier=False)
    between = module.LSTM(5, 6, num_layers=3, bidirectional=True, concat_between_layers=True)
    first = module.LSTM(5, 13, batch_first=False, init_normal=False)
    state = (torch.randn(1, 3, 7), torch.randn(1, 3, 7))
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, [11, 8, 3], batch_first=True)
    return (
        plain(x),
        plain(x, state),
        plain(packed)[0].data,
        both(x),
        summed(x),
        between(x),
        first(x),
    )
