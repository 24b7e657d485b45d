"""Position embeddings: learned, sinusoidal, rotary."""

import torch

FILE = "stackformer-0.1.10/stackformer/modules/position_embedding.py"


def run(module):
    learned = module.AbsolutePositionEmbedding(17, 11)
    tokens = torch.arange(3 * 13).reshape(3, 13) % 17
    return (
        learned(torch.randn(3, 13, 11)),
        learned(tokens),
        learned(tokens[0]),
        module.SinusoidalPositionalEmbedding(17, 22)(torch.randn(3, 13, 22)),
        module.RoPE(14, 17)(torch.randn(3, 5, 13, 14)),
    )
