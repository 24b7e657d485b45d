"""Kernels that measure how far one tensor is from another: losses and distances."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.normalization import norm_along
from namecheck_runtime.tensors.kernels.pointwise import logaddexp, with_floats
from namecheck_runtime.tensors.kernels.reduce import log_softmax, mean
from namecheck_runtime.tensors.values import promotion

Array = Any


def _reduction_of(reduction: Any, size_average: Any = None, reduce: Any = None) -> Any:
    """The reduction that is asked for: the two old flags override the word."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"


def reduced(
    losses: Array, reduction: Any = "mean", size_average: Any = None, reduce: Any = None
) -> Array:
    """Losses as they are, or their mean or sum; the two old flags override `reduction`."""
    reduction = _reduction_of(reduction, size_average, reduce)
    if reduction == "none":
        return losses
    return losses.sum() if reduction == "sum" else mean(losses)


_OLD = ("size_average", "reduce", "reduction")


def _elementwise(measure: Callable[..., Array], by_weight: bool = True) -> Callable[..., Array]:
    """A loss that is measured element by element; the mean is over the weights if `by_weight`."""

    def compute(
        input: Array,
        target: Array,
        reduction: Any = "mean",
        size_average: Any = None,
        reduce: Any = None,
        weight: Any = None,
        **options: Any,
    ) -> Array:
        named = {name: value for name, value in options.items() if value is not None}
        losses = measure(input, target, **named)
        if weight is not None:
            losses = losses * weight
            if by_weight and _reduction_of(reduction, size_average, reduce) == "mean":
                return losses.sum() / np.broadcast_to(weight, losses.shape).sum()
        return reduced(losses, reduction, size_average, reduce)

    return compute


def _smooth_l1(input: Array, target: Array, beta: Any = 1.0) -> Array:
    apart = np.abs(input - target)
    if beta == 0:
        return apart
    return np.where(apart < beta, 0.5 * apart * apart / beta, apart - 0.5 * beta)


def _huber(input: Array, target: Array, delta: Any = 1.0) -> Array:
    apart = np.abs(input - target)
    return np.where(apart <= delta, 0.5 * apart * apart, delta * (apart - 0.5 * delta))


def _kl(input: Array, target: Array, log_target: Any = False) -> Array:
    if log_target:
        return np.exp(target) * (target - input)
    return np.where(target == 0, 0, target * np.log(target)) - target * input


def _kl_div(input: Array, target: Array, reduction: Any = "mean", **options: Any) -> Array:
    if reduction == "batchmean":
        losses = _kl(input, target, options.get("log_target", False))
        return losses.sum() / input.shape[0]
    return _elementwise(_kl)(input, target, reduction, **options)


def _bce(
    input: Array, target: Array, weight: Any = None, reduction: Any = "mean", **old: Any
) -> Array:
    # PyTorch keeps the logarithm above -100, so that the loss stays finite.
    losses = -(
        target * np.maximum(np.log(input), -100) + (1 - target) * np.maximum(np.log1p(-input), -100)
    )
    return reduced(losses if weight is None else losses * weight, reduction, **old)


def _bce_with_logits(
    input: Array,
    target: Array,
    weight: Any = None,
    reduction: Any = "mean",
    pos_weight: Any = None,
    **old: Any,
) -> Array:
    log_weight = 1 if pos_weight is None else 1 + (pos_weight - 1) * target
    losses = (1 - target) * input + log_weight * np.logaddexp(0, -input)
    return reduced(losses if weight is None else losses * weight, reduction, **old)


def _nll(
    input: Array,
    target: Array,
    weight: Any = None,
    ignore_index: Any = -100,
    reduction: Any = "mean",
    **old: Any,
) -> Array:
    """The negative log likelihood; the classes are dim 1, or the only dim."""
    axis = 1 if input.ndim > 1 else 0
    reduction = _reduction_of(reduction, **old)
    if input.ndim == target.ndim == 1:
        # One sample, with its class in a vector of one.
        return _nll(input[None], target, weight, ignore_index, reduction).reshape(())
    kept = target != ignore_index
    classes = np.where(kept, target, 0)
    outside = classes[(classes < 0) | (classes >= input.shape[axis])]
    if outside.size:
        raise IndexError(f"Target {outside[0]} is out of bounds.")
    losses = -np.take_along_axis(input, np.expand_dims(classes, axis), axis).squeeze(axis)
    weights = kept if weight is None else np.where(kept, weight[classes], 0)
    losses = np.where(kept, losses * weights, 0)
    if reduction == "mean":
        return losses.sum() / weights.sum()
    return reduced(losses, reduction)


def _cross_entropy(
    input: Array,
    target: Array,
    weight: Any = None,
    ignore_index: Any = -100,
    reduction: Any = "mean",
    label_smoothing: Any = 0.0,
    **old: Any,
) -> Array:
    axis = 1 if input.ndim > 1 else 0
    reduction = _reduction_of(reduction, **old)
    logs = log_softmax(input, axis)
    if target.dtype.kind == "f":
        return _soft_cross_entropy(logs, target, weight, reduction, label_smoothing, axis)
    hard = _nll(logs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return hard
    kept = target != ignore_index
    column = [1] * input.ndim
    column[axis] = -1
    weighted = logs if weight is None else logs * weight.reshape(column)
    even = np.where(kept, -weighted.sum(axis), 0)
    if reduction == "mean":
        total = kept if weight is None else np.where(kept, weight[np.where(kept, target, 0)], 0)
        even = even.sum() / total.sum()
    else:
        even = reduced(even, reduction)
    return (1 - label_smoothing) * hard + label_smoothing / input.shape[axis] * even


def _soft_cross_entropy(
    logs: Array, target: Array, weight: Any, reduction: Any, smoothing: Any, axis: int
) -> Array:
    """The cross entropy with a target that holds the probability of each class."""
    count = logs.shape[axis]
    probabilities = target * (1 - smoothing) + smoothing / count if smoothing else target
    if weight is not None:
        column = [1] * logs.ndim
        column[axis] = -1
        logs = logs * weight.reshape(column)
    losses = -(logs * probabilities).sum(axis)
    if reduction == "mean":
        return losses.sum() / max(losses.size, 1) if losses.ndim else losses
    return reduced(losses, reduction)


def _gaussian_nll(
    input: Array,
    target: Array,
    var: Array,
    full: Any = False,
    eps: Any = 1e-6,
    reduction: Any = "mean",
) -> Array:
    if var.shape != input.shape and input.shape[:-1] == var.shape:
        var = var[..., None]
    spread = np.maximum(var, eps)
    losses = 0.5 * (np.log(spread) + (input - target) ** 2 / spread)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return reduced(losses, reduction)


def _poisson_nll(
    input: Array, target: Array, log_input: Any = True, full: Any = False, eps: Any = 1e-8
) -> Array:
    losses = np.exp(input) - target * input if log_input else input - target * np.log(input + eps)
    if full:
        stirling = target * np.log(target) - target + 0.5 * np.log(2 * math.pi * target)
        losses = losses + np.where(target > 1, stirling, 0)
    return losses


def _hinge(input: Array, target: Array, margin: Any = 1.0) -> Array:
    """The loss of near pairs (1) and far ones (-1); other targets count as both."""
    far = np.where(target != 1, np.maximum(0, margin - input), 0)
    return far + np.where(target != -1, input, 0)


def _margin_ranking(
    input1: Array,
    input2: Array,
    target: Array,
    margin: Any = 0.0,
    reduction: Any = "mean",
    **o: Any,
) -> Array:
    return reduced(np.maximum(0, -target * (input1 - input2) + margin), reduction, **o)


def _cosine(x1: Array, x2: Array, dim: Any = 1, eps: Any = 1e-8) -> Array:
    if not x1.ndim and not x2.ndim:
        x1, x2, dim = x1[None], x2[None], 0
    x1, x2 = np.broadcast_arrays(x1, x2)
    dot = (x1 * x2).sum(dim)
    left, right = (np.maximum(norm_along(x, 2, dim, False), eps) for x in (x1, x2))
    return dot / (left * right)


def _cosine_embedding(
    input1: Array,
    input2: Array,
    target: Array,
    margin: Any = 0.0,
    reduction: Any = "mean",
    **o: Any,
) -> Array:
    near = _cosine(input1, input2, -1, 1e-12)
    far = np.where(target == -1, np.maximum(0, near - margin), 0)
    losses = np.where(target == 1, 1 - near, far)
    return reduced(losses, reduction, **o)


def _pairwise(x1: Array, x2: Array, p: Any = 2.0, eps: Any = 1e-6, keepdim: Any = False) -> Array:
    return norm_along(x1 - x2 + eps, p, -1, bool(keepdim))


def _triplet(
    anchor: Array,
    positive: Array,
    negative: Array,
    margin: Any = 1.0,
    p: Any = 2.0,
    eps: Any = 1e-6,
    swap: Any = False,
    reduction: Any = "mean",
    **old: Any,
) -> Array:
    near, far = _pairwise(anchor, positive, p, eps), _pairwise(anchor, negative, p, eps)
    if swap:
        far = np.minimum(far, _pairwise(positive, negative, p, eps))
    return reduced(np.maximum(0, margin + near - far), reduction, **old)


def _multi_margin(
    input: Array,
    target: Array,
    p: Any = 1,
    margin: Any = 1.0,
    weight: Any = None,
    reduction: Any = "mean",
    **old: Any,
) -> Array:
    rows, wanted = np.atleast_2d(input), np.reshape(target, -1)
    right = np.take_along_axis(rows, wanted[:, None], 1)
    over = np.maximum(0, margin - right + rows) ** p
    if weight is not None:
        over = over * weight[wanted][:, None]
    np.put_along_axis(over, wanted[:, None], 0, 1)
    losses = over.sum(1) / rows.shape[1]
    return reduced(losses if input.ndim > 1 else losses[0], reduction, **old)


def _multilabel_margin(input: Array, target: Array, reduction: Any = "mean", **old: Any) -> Array:
    """The labels of a row come first in the target; the first -1 ends them."""
    rows, wanted = np.atleast_2d(input), np.atleast_2d(target)
    losses = np.zeros(rows.shape[0], input.dtype)
    for k, (row, labels) in enumerate(zip(rows, wanted, strict=True)):
        ends = np.flatnonzero(labels < 0)
        right = labels[: ends[0]] if ends.size else labels
        others = np.delete(row, right)
        losses[k] = np.maximum(0, 1 - (row[right][:, None] - others)).sum() / row.size
    return reduced(losses if input.ndim > 1 else losses[0], reduction, **old)


def _multilabel_soft(
    input: Array, target: Array, weight: Any = None, reduction: Any = "mean", **old: Any
) -> Array:
    losses = target * np.logaddexp(0, -input) + (1 - target) * np.logaddexp(0, input)
    return reduced(mean(losses if weight is None else losses * weight, -1), reduction, **old)


def _dist(input: Array, other: Array, p: Any = 2) -> Array:
    return norm_along(np.ravel(input - other), p, None, False)


def _pdist(input: Array, p: Any = 2.0) -> Array:
    row, column = np.triu_indices(input.shape[0], 1)
    return norm_along(input[row] - input[column], p, -1, False)


def _loss(measure: Callable[..., Array], *more: str) -> Kernel:
    return Kernel(_elementwise(measure), ("input", "target", *more, *_OLD), result.common)


_F = "torch.nn.functional."

KERNELS: Final[dict[str, Kernel]] = {
    f"{_F}mse_loss": _loss(lambda a, b: (a - b) ** 2, "weight"),
    f"{_F}l1_loss": Kernel(
        _elementwise(lambda a, b: np.abs(a - b)),
        ("input", "target", "weight", *_OLD),
        lambda call: promotion.real(call.common()),
    ),
    f"{_F}smooth_l1_loss": _loss(_smooth_l1, "beta"),
    f"{_F}huber_loss": Kernel(
        _elementwise(_huber, False),
        ("input", "target", "delta", "weight", "reduction"),
        result.common,
    ),
    f"{_F}soft_margin_loss": _loss(lambda a, b: logaddexp(np.zeros_like(a), -b * a)),
    f"{_F}hinge_embedding_loss": _loss(_hinge, "margin"),
    f"{_F}poisson_nll_loss": Kernel(
        with_floats(_elementwise(_poisson_nll)),
        ("input", "target", "log_input", "full", "eps", *_OLD),
        result.floating,
    ),
    f"{_F}kl_div": Kernel(_kl_div, ("input", "target", "log_target", *_OLD), result.common),
    f"{_F}binary_cross_entropy": Kernel(_bce, ("input", "target", "weight", *_OLD), result.common),
    f"{_F}binary_cross_entropy_with_logits": Kernel(
        _bce_with_logits, ("input", "target", "weight", "pos_weight", *_OLD), result.common
    ),
    f"{_F}nll_loss": Kernel(
        _nll, ("input", "target", "weight", "ignore_index", *_OLD), result.first, False
    ),
    f"{_F}cross_entropy": Kernel(
        _cross_entropy,
        ("input", "target", "weight", "ignore_index", "label_smoothing", *_OLD),
        result.first,
        False,
    ),
    f"{_F}gaussian_nll_loss": Kernel(
        _gaussian_nll, ("input", "target", "var", "full", "eps", "reduction"), result.common
    ),
    f"{_F}margin_ranking_loss": Kernel(
        _margin_ranking, ("input1", "input2", "target", "margin", *_OLD), result.floating
    ),
    f"{_F}cosine_embedding_loss": Kernel(
        _cosine_embedding, ("input1", "input2", "target", "margin", *_OLD), result.floating
    ),
    f"{_F}cosine_similarity": Kernel(_cosine, ("x1", "x2", "dim", "eps"), result.common),
    f"{_F}pairwise_distance": Kernel(
        _pairwise, ("x1", "x2", "p", "eps", "keepdim"), result.real_common
    ),
    f"{_F}triplet_margin_loss": Kernel(
        _triplet,
        ("anchor", "positive", "negative", "margin", "p", "eps", "swap", *_OLD),
        result.real_common,
    ),
    f"{_F}multi_margin_loss": Kernel(
        _multi_margin, ("input", "target", "p", "margin", "weight", *_OLD), result.first, False
    ),
    f"{_F}multilabel_margin_loss": Kernel(
        _multilabel_margin, ("input", "target", *_OLD), result.first, False
    ),
    f"{_F}multilabel_soft_margin_loss": Kernel(
        _multilabel_soft, ("input", "target", "weight", *_OLD), result.common
    ),
    "torch.dist": Kernel(_dist, ("input", "other", "p"), result.real),
    f"{_F}pdist": Kernel(_pdist, ("input", "p"), result.first),
}
"""By the op's name."""
