"""LSTMs with scalar and matrix memories."""

import torch

FILE = "torchxlstm-0.0.3/torchxlstm/xlstm.py"


def run(module):
    model = module.xLSTM(input_size=10, head_size=5, num_heads=2, layers="msm", batch_first=True)
    output, state = model(torch.randn(3, 6, 10))
    return output, state
