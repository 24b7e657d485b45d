"""Layers of torch.nn and their twins in torch.nn.functional, one module per family.

A layer's constructor and call have torch's signatures; `parameters` are its own tensors.  One
function in their module computes what a layer and its function share.  Activations as
functions are in `rules.activation`.

Most programs use a few families: all but the most common ones are imported when a program asks
for one of their paths.
"""

from __future__ import annotations

from namecheck_runtime.lazy_rules import later
from namecheck_runtime.rules.nn import activation, layer_norm, linear

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

SELDOM: Final = {
    "attention": "Multihead multi_head",
    "batch_norm": """
        BatchNorm InstanceNorm LazyBatchNorm LazyInstanceNorm SyncBatchNorm batch_norm instance_norm
    """,
    "class_loss loss vector_loss": """
        BCE CTC Cosine Cross Gaussian Hinge Huber KL L1 MSE Margin Multi NLL Poisson Smooth Soft
        Triplet binary_cross cosine_ cross_ ctc_ gaussian_nll hinge_ huber_ kl_ l1_ margin_ mse_
        multi nll_ poisson_nll smooth_ soft_ triplet_
    """,
    "conv": "Conv LazyConv conv",
    "distance": """
        Adaptive Cosine Pairwise cosine_ pairwise_ pdist pack_ pad_ unpack_ unpad_
    """,
    "dot_product": "dot_product_ scaled_dot_",
    "embedding": "Embedding embedding one_hot",
    "fold": "Channel Flatten Fold Pixel Unflatten Unfold channel_ fold native_ pixel_ unfold",
    "group_norm": "CrossMap GroupNorm LocalResponse group_norm local_response_",
    "pad": "CircularPad ConstantPad ReflectionPad ReplicationPad ZeroPad constant_pad pad",
    "pool": """
        Adaptive Avg Fractional LPPool Max adaptive_ avg_pool fractional_ lp_pool max_pool
        max_unpool
    """,
    "recurrent": "GRU LSTM RNN",
    "resize": "Upsampl affine_grid grid_sample interpolate upsample",
    "transformer": "Transformer",
}
"""The families, with the beginnings of the names of layers and functions that they declare."""

for _families, _beginnings in SELDOM.items():
    later(" ".join(f"{__name__}.{family}" for family in _families.split()), _beginnings)

__all__ = ["SELDOM", "activation", "layer_norm", "linear"]
