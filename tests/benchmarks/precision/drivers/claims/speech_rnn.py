"""Recurrent layers and cells, a decoder with attention, and light gated layers."""

import torch
from _lib import bypass, stub

FILE = "speechbrain-1.1.2/speechbrain/nnet/RNN.py"


def setup():
    stub("torchaudio")
    bypass("speechbrain", "speechbrain-1.1.2/speechbrain")
    for name in ("nnet", "utils", "dataio"):
        bypass(f"speechbrain.{name}", f"speechbrain-1.1.2/speechbrain/{name}")
    stub("speechbrain.dataio.dataio")
    stub("speechbrain.utils.logger")


def run(module):
    x = torch.randn(3, 7, 13)
    outputs = []
    for kind in (module.RNN, module.LSTM, module.GRU, module.LiGRU, module.SLiGRU):
        for both in (False, True):
            layer = kind(hidden_size=11, input_shape=x.shape, num_layers=2, bidirectional=both)
            outputs.append(layer.eval()(x))
    quasi = module.QuasiRNN(11, x.shape, num_layers=2, bidirectional=True).eval()
    outputs.append(quasi(x))
    step = torch.randn(3, 13)
    for kind in (module.RNNCell, module.GRUCell, module.LSTMCell):
        outputs.append(kind(hidden_size=11, input_size=13, num_layers=2).eval()(step))
    return outputs
