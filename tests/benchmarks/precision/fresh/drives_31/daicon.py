"""Adapters of low rank around linear layers, convolutions and blocks with dilation."""

import torch

FILE = "daicon-0.1.0/daicon/layers.py"


class Block(torch.nn.Module):
    def __init__(self, n_filters, dilation):
        super().__init__()
        self.n_filters = n_filters
        self.dilation = dilation
        self.linear = torch.nn.Linear(n_filters, n_filters)

    def forward(self, x):
        return self.linear(x)


def run(module):
    signal, sequence = torch.randn(3, 6, 29), torch.randn(3, 17, 11)
    convolution = torch.nn.Conv1d(6, 13, 5, stride=2, padding=3, dilation=2)
    adapters = [
        module.LowRankConv1dAdapter(convolution, rank=2, scale=0.5),
        module.LowRankConv1dAdapter(torch.nn.Conv1d(6, 10, 3, groups=2), rank=4, dropout=0.1),
        module.LowRankLinearAdapter(torch.nn.Linear(11, 7), rank=3, scale=2.0),
        module.LowRankLinearAdapter(torch.nn.Linear(11, 5, bias=False), rank=2, dropout=0.1),
        module.CheriPostBlockAdapter(Block(11, 2), rank=5, dropout=0.1),
        module.CheriParallelDepthwiseAdapter(Block(11, 3), rank=7, scale=0.3),
    ]
    outputs = []
    for n, adapter in enumerate(adapters):
        torch.nn.init.normal_(adapter.up.weight)
        outputs += [adapter.eval()(signal if n < 2 else sequence), adapter.manifest()]
    return outputs
