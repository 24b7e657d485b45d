"""Convolutions, transposed ones, pools and residuals over signals that come in pieces."""

import torch

FILE = "torch_streamer-0.0.2/torchstreamer/core.py"


def run(module):
    nn = torch.nn
    residual = module.Residual1d(nn.Sequential(nn.Conv1d(7, 7, 5, dilation=2), nn.Tanh()))
    network = nn.Sequential(
        nn.Conv1d(3, 7, 5, stride=2),
        nn.ReLU(),
        residual,
        nn.AvgPool1d(3, 2),
        nn.ConvTranspose1d(7, 11, 4, stride=2),
        nn.Conv1d(11, 13, 1),
        nn.MaxPool1d(2),
    )
    signal = torch.randn(3, 131)
    stream = module.create_stream(network)
    outputs = [network(signal[None]), residual(torch.randn(2, 7, 29)), repr(stream)]
    for start, stop in ((0, 4), (4, 47), (47, 90), (90, 131)):
        outputs.append(stream(signal[:, start:stop], final=stop == 131))
    up = module.create_stream(nn.utils.weight_norm(nn.ConvTranspose1d(3, 5, 2, stride=3)))
    point = module.create_stream(nn.ConvTranspose1d(3, 17, 1))
    normed = module.create_stream(nn.utils.weight_norm(nn.Conv1d(3, 19, 3, bias=False)))
    short = module.Residual1dStream(nn.Sequential(nn.Conv1d(3, 3, 3)))
    module.register_streamer(nn.Dropout, module.Elementwise1dStream)
    module.register_streamer(nn.Dropout, module.Elementwise1dStream)
    for part in (signal[:, :17], signal[:, 17:40]):
        outputs += [up(part), point(part), normed(part), short(part)]
    return outputs
