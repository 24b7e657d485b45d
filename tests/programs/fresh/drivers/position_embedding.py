"""Embeddings of positions."""

import torch

FILE = "torch-position-embedding-0.8.0/torch_position_embedding/position_embedding.py"


def run(module):
    kind = module.PositionEmbedding
    x = torch.randn(3, 7, 5)
    expanded = kind(num_embeddings=4, embedding_dim=5, mode=kind.MODE_EXPAND)
    positions = torch.arange(-6, 6).reshape(3, 4)
    return (
        expanded(positions),
        kind(num_embeddings=9, embedding_dim=5)(x),
        kind(num_embeddings=9, embedding_dim=5, mode=kind.MODE_CONCAT)(x),
    )
