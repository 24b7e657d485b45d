"""A spiking language model with linear attention, on dense layers: the sparse ones need CUDA."""

import importlib

import torch
from _lib import bypass, stub

FILE = "spikeskip-0.2.0/benchmarks/models_lm.py"


def setup():
    bypass("spikeskip", "spikeskip-0.2.0/spikeskip")
    surrogate = importlib.import_module("spikeskip.surrogate")
    stub(
        "spikeskip",
        SparseLinear=torch.nn.Linear,
        SpikingSparseLinear=torch.nn.Linear,
        fast_sigmoid_spike=surrogate.fast_sigmoid_spike,
    )


def run(module):
    model = module.AstrocyteBaselineLM(vocab_size=43, embed_dim=13, ffn_dim=29, num_layers=2).eval()
    model.reset_state()
    tokens = torch.arange(3 * 11).reshape(3, 11) % 43
    attention = module.SpikingLinearAttention(13).eval()
    return model(tokens), attention(torch.randn(3, 11, 13))
