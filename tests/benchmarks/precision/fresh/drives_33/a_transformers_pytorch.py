"""A hierarchy of transformers: resampled upwards, decoded downwards with masks."""

import torch
from _lib import bypass, stub

FILE = "a_transformers_pytorch-0.0.10/a_transformers_pytorch/monolith.py"
MODULE = "a_transformers_pytorch.monolith"


def setup():
    from einops import rearrange

    def rearrange_many(tensors, pattern, **sizes):
        return [rearrange(tensor, pattern, **sizes) for tensor in tensors]

    bypass("a_transformers_pytorch", "a_transformers_pytorch-0.0.10/a_transformers_pytorch")
    stub("einops_exts", rearrange_many=rearrange_many)


def run(module):
    model = module.MonolithBase(
        features=11,
        head_features=5,
        num_heads=2,
        multiplier=3,
        hierarchy=[(3, 2), (5, 2)],
        layer_tokens=[(13, 8), (11, 5), (7, 7)],
    ).eval()
    embedding = torch.randn(2, 45, 11)
    masks = [model.get_mask(layer, torch.device("cpu")) for layer in range(3)]
    return model(embedding), masks, model.get_info()
