"""Layers whose weights are masked to their largest entries: linear, embedding, items by items."""

import torch
from _lib import bypass

FILE = "compresso_pytorch-0.1.7/compresso/layers/masked.py"
MODULE = "compresso.layers.masked"


def setup():
    bypass("compresso", "compresso_pytorch-0.1.7/compresso")
    bypass("compresso.layers", "compresso_pytorch-0.1.7/compresso/layers")
    bypass("compresso.params", "compresso_pytorch-0.1.7/compresso/params")
    bypass("compresso.functional", "compresso_pytorch-0.1.7/compresso/functional")
    bypass("compresso.utils", "compresso_pytorch-0.1.7/compresso/utils")


def run(module):
    x = torch.randn(3, 5, 11)
    linear = module.MaskedLinear(11, 7, k_target=3)
    columns = module.MaskedLinear(11, 7, 2, bias=False, k_schedule=[5, 2], sparsity="col")
    embedding = module.MaskedEmbedding(17, 13, k_target=5, padding_idx=2)
    elsa = module.MaskedELSALayer(19, 6, k_target=2, num_stages=3)
    tokens = torch.randint(17, (3, 8))
    users = torch.rand(4, 19)
    liked, wanted = torch.randint(19, (5,)), torch.randint(19, (9,))
    outputs = [linear(x), columns(x), embedding(tokens), embedding.weight, elsa(users)]
    outputs.append(elsa(users[:, liked], liked, wanted, y=users[:, wanted]))
    for layer in (linear, columns, embedding, elsa):
        layer.mparam.freeze_mask()
        outputs.append(repr(layer))
    return [*outputs, linear(x), columns(x), embedding(tokens), elsa.weight, elsa(users)]
