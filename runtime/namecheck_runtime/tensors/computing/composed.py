"""Kernels of ops that are made of other ops, which check names, know devices and compute.

The op's own rule is asked before.  Each kernel is handed a function that calls an op:
`call("torch.cat", tensors, dim=1)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import is_dims, names_of
from namecheck_runtime.tensors.computing import packing
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.name_tuples import unnamed
from namecheck_runtime.tensors.views.showing import renamed

_F: Final = "torch.nn.functional."
_RNN: Final = "torch.nn.utils.rnn."

Caller: TypeAlias = Callable[..., Any]
"""A function that calls an op: its path, then its arguments."""


def _bare(values: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments with tensors without names: the rule says which names the results have."""
    return {
        name: renamed(value, unnamed(value.ndim)) if isinstance(value, Tensor) else value
        for name, value in values.items()
    }


def _named(tensor: Any, dims: Any) -> Any:
    """A result with the names that the rule has for it."""
    if isinstance(tensor, Tensor) and is_dims(dims):
        return renamed(tensor, names_of(dims))
    return tensor


# -- attention with several heads ------------------------------------------------------------------


def _multi_head_attention(call: Caller, called: Call) -> tuple[Any, Any]:
    """Projections, attention for each head, and the projection of all heads together."""
    v = _bare(called.values)
    if v["is_causal"] and v["attn_mask"] is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    single = v["query"].ndim == 2
    if single:
        for name in ("query", "key", "value", "key_padding_mask"):
            if v[name] is not None:
                place = 0 if name == "key_padding_mask" else 1
                v[name] = v[name].unsqueeze(place)
    time, batch, width = v["query"].shape
    heads = v["num_heads"]
    if width % heads:
        raise RuntimeError(f"embed_dim {width} not divisible by num_heads {heads}")
    query, key, value = _projected(v, call)
    both = (v["attn_mask"], v["key_padding_mask"])
    masks = [_added_to_scores(mask, query.dtype, call) for mask in both]
    more = 0
    if v["bias_k"] is not None:
        key = call("torch.cat", [key, v["bias_k"].expand(1, batch, width)])
        value = call("torch.cat", [value, v["bias_v"].expand(1, batch, width)])
        more += 1

    def by_head(x: Any) -> Any:
        return x.reshape(x.shape[0], batch, heads, width // heads).permute(1, 2, 0, 3)

    query = by_head(query)
    key = _static_or(v["static_k"], batch, by_head(key))
    value = _static_or(v["static_v"], batch, by_head(value))
    if v["add_zero_attn"]:
        key, value = (call(f"{_F}pad", x, (0, 0, 0, 1)) for x in (key, value))
        more += 1
    mask = _merged(masks[0], masks[1], more, batch, heads, call)
    dropout = v["dropout_p"] if v["training"] else 0.0
    scores = query @ key.transpose(-1, -2) * (width // heads) ** -0.5
    weights = (scores if mask is None else scores + mask).softmax(-1)
    weights = call(f"{_F}dropout", weights, dropout)
    joined = (weights @ value).permute(2, 0, 1, 3).reshape(time, batch, width)
    output = call(f"{_F}linear", joined, v["out_proj_weight"], v["out_proj_bias"])
    if v["average_attn_weights"]:
        weights = weights.mean(1)
    if single:
        output, weights = output.squeeze(1), weights.squeeze(0)
    out_dims, weight_dims = called.dims
    return _named(output, out_dims), _named(weights, weight_dims) if v["need_weights"] else None


def _projected(v: Mapping[str, Any], call: Caller) -> list[Any]:
    """Query, key and value times their weights, which are one tensor or three."""
    operands = ("query", "key", "value")
    if v["use_separate_proj_weight"]:
        weights = [v[f"{name[0]}_proj_weight"] for name in operands]
    else:
        weights = v["in_proj_weight"].chunk(3)
    bias = v["in_proj_bias"]
    biases = [None] * 3 if bias is None else bias.chunk(3)
    return [
        call(f"{_F}linear", v[name], matrix, part)
        for name, matrix, part in zip(operands, weights, biases, strict=True)
    ]


def _added_to_scores(mask: Any, dtype: Any, call: Caller) -> Any:
    """A mask as numbers to add to scores: minus infinity where a bool mask leaves a key out."""
    if mask is None or mask.dtype is not dtypes.bool_:
        return mask
    zeros = call("torch.zeros", mask.shape, dtype=dtype, device=mask.device)
    return zeros.masked_fill(mask, -math.inf)


def _static_or(static: Any, batch: int, projected: Any) -> Any:
    """Keys or values `[N * heads, S, D]` in place of the projected ones."""
    return projected if static is None else static.unflatten(0, (batch, -1))


def _merged(mask: Any, padding: Any, more: int, batch: int, heads: int, call: Caller) -> Any:
    """The masks `[L, S]` or `[N * heads, L, S]`, and `[N, S]`, as one.

    It broadcasts with scores `[N, heads, L, S]`.  Neither mask leaves out the keys that were added.
    """
    if mask is not None:
        mask = call(f"{_F}pad", mask, (0, more))
        mask = mask.unflatten(0, (batch, heads)) if mask.ndim == 3 else mask
    if padding is None:
        return mask
    padding = call(f"{_F}pad", padding, (0, more))[:, None, None]
    return padding if mask is None else mask + padding


# -- losses ----------------------------------------------------------------------------------------


def _triplet_with_distance(call: Caller, called: Call) -> Any:
    """By how much the negative is nearer than the positive, plus a margin.

    The caller passes the distance.  With `swap` the negative is measured from the nearer one of
    anchor and positive.
    """
    v = {name: value for name, value in called.values.items() if value is not None}
    distance = v.get("distance_function", partial(call, f"{_F}pairwise_distance"))
    margin = v.get("margin", 1.0)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    near = distance(v["anchor"], v["positive"])
    far = distance(v["anchor"], v["negative"])
    if v.get("swap"):
        far = call("torch.minimum", far, distance(v["positive"], v["negative"]))
    losses = (near - far + margin).clamp(min=0)
    reduction = v.get("reduction", "mean")
    if reduction == "none":
        return losses
    return losses.sum() if reduction == "sum" else losses.mean()


# -- sequences without padding ---------------------------------------------------------------------


def _pack(call: Caller, called: Call) -> Any:
    """Tensors of different lengths: padded, then packed."""
    sequences = called.values["sequences"]
    lengths = [len(sequence) for sequence in sequences]
    padded = call(f"{_RNN}pad_sequence", sequences)
    return packing.pack_padded(padded, lengths, enforce_sorted=called.values["enforce_sorted"])


COMPOSED: Final[dict[str, Callable[[Caller, Call], Any]]] = {
    f"{_F}multi_head_attention_forward": _multi_head_attention,
    f"{_F}triplet_margin_with_distance_loss": _triplet_with_distance,
    f"{_RNN}pack_padded_sequence": lambda call, called: packing.pack_padded(**called.values),
    f"{_RNN}pack_sequence": _pack,
    f"{_RNN}pad_packed_sequence": lambda call, called: packing.pad(**called.values),
    f"{_RNN}unpack_sequence": lambda call, called: packing.unpack(**called.values),
    f"{_RNN}unpad_sequence": lambda call, called: packing.unpad(**called.values),
}
"""By the op's name."""
