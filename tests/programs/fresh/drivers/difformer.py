"""Diffusion over embedded tokens: a loss and a short sampling."""

import torch

FILE = "difformer_pytorch-0.0.6/difformer_pytorch/difformer.py"


def run(module):
    model = module.Difformer(
        num_tokens=23, embedding_dim=16, num_layers=2, num_heads=4, head_features=5, multiplier=2
    )
    tokens, mask = torch.randint(0, 23, (2, 9)), torch.rand(2, 9) > 0.4
    return model(tokens=tokens, mask=mask), model.sample(num_steps=3, tokens=tokens, mask=mask)
