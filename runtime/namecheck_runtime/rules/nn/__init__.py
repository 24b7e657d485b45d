"""Layers of torch.nn and their twins in torch.nn.functional, one module per family.

A layer's constructor and call have torch's signatures; `parameters` are its own tensors.  What a
layer and a function have in common is computed by one function in their module.  Activations as
functions are in `rules.activation`.
"""

from __future__ import annotations

from namecheck_runtime.rules.nn import (
    activation,
    attention,
    batch_norm,
    class_loss,
    conv,
    distance,
    dot_product,
    embedding,
    fold,
    group_norm,
    layer_norm,
    linear,
    loss,
    pad,
    pool,
    recurrent,
    resize,
    transformer,
    vector_loss,
)

__all__ = [
    "activation",
    "attention",
    "batch_norm",
    "class_loss",
    "conv",
    "distance",
    "dot_product",
    "embedding",
    "fold",
    "group_norm",
    "layer_norm",
    "linear",
    "loss",
    "pad",
    "pool",
    "recurrent",
    "resize",
    "transformer",
    "vector_loss",
]
