"""Losses: the elements of each by other ops, then the reduction."""

from __future__ import annotations

import math

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_F = "torch.nn.functional."


def _reduction_of(reduction: Any, size_average: Any, reduce: Any) -> Any:
    """The reduction that is asked for: the two old flags override the word."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"


def _reduced(losses: Any, reduction: Any, size_average: Any = None, reduce: Any = None) -> Any:
    reduction = _reduction_of(reduction, size_average, reduce)
    if reduction == "none":
        return losses
    return losses.sum() if reduction == "sum" else losses.mean()


def _weighted(losses: Any, weight: Any, reduction: Any, size_average: Any, reduce: Any) -> Any:
    """The losses times weights; their mean is over the weights."""
    if weight is None:
        return _reduced(losses, reduction, size_average, reduce)
    losses = losses * weight
    if _reduction_of(reduction, size_average, reduce) == "mean":
        return losses.sum() / weight.expand(losses.shape).sum()
    return _reduced(losses, reduction, size_average, reduce)


@composite(f"{_F}mse_loss")
def mse(
    input: Any, target: Any, size_average: Any, reduce: Any, reduction: Any, weight: Any
) -> Any:
    """Squares of differences."""
    return _weighted((input - target).square(), weight, reduction, size_average, reduce)


@composite(f"{_F}l1_loss")
def l1(input: Any, target: Any, size_average: Any, reduce: Any, reduction: Any, weight: Any) -> Any:
    """Sizes of differences."""
    return _weighted((input - target).abs(), weight, reduction, size_average, reduce)


def _bent(difference: Any, delta: Any) -> Any:
    size = difference.abs()
    # Not the square of the size, which has no second derivative at 0.
    square = difference * difference * 0.5
    return call("torch.where", size < delta, square, (size - delta * 0.5) * delta)


@composite(f"{_F}smooth_l1_loss")
def smooth_l1(
    input: Any, target: Any, size_average: Any, reduce: Any, reduction: Any, beta: Any
) -> Any:
    """Squares of small differences, sizes of large ones."""
    difference = input - target
    beta = 1.0 if beta is None else beta
    losses = difference.abs() if beta == 0 else _bent(difference, beta) / beta
    return _reduced(losses, reduction, size_average, reduce)


@composite(f"{_F}huber_loss")
def huber(input: Any, target: Any, reduction: Any, delta: Any, weight: Any) -> Any:
    """Squares of small differences, sizes of large ones, scaled."""
    losses = _bent(input - target, 1.0 if delta is None else delta)
    return _reduced(losses if weight is None else losses * weight, reduction)


def _of_losses(grad: Any, form: Any, reduction: Any, size_average: Any, reduce: Any) -> Any:
    """The gradient of each loss, from that of their reduction."""
    reduction = _reduction_of(reduction, size_average, reduce)
    if reduction == "mean":
        grad = grad / max(math.prod(form.sizes), 1)
    return grad if reduction == "none" else grad.expand(form.sizes)


def _of_probabilities(
    grad: Any,
    input: Any,
    target: Any,
    weight: Any,
    input_form: Any,
    size_average: Any,
    reduce: Any,
    reduction: Any,
) -> Any:
    grad = _of_losses(grad, input_form, reduction, size_average, reduce)
    # The bound is PyTorch's: that of the logarithms would leave no way back from a wrong 0 or 1.
    slope = (input - target) / (input * (1 - input)).clamp(min=1e-12)
    return grad * (slope if weight is None else slope * weight)


def _bounded_log(value: Any) -> Any:
    """A logarithm that is at least -100; at 0 it does not depend on the value."""
    return value.masked_fill(value == 0, 1).log().clamp(min=-100).masked_fill(value == 0, -100)


def _of_targets(
    grad: Any,
    input: Any,
    weight: Any,
    input_form: Any,
    size_average: Any,
    reduce: Any,
    reduction: Any,
) -> Any:
    grad = _of_losses(grad, input_form, reduction, size_average, reduce)
    slope = _bounded_log(1 - input) - _bounded_log(input)
    return grad * (slope if weight is None else slope * weight)


derivative(
    f"{_F}binary_cross_entropy",
    input=_of_probabilities,
    target=_of_targets,
    weight=lambda grad, input, target, input_form, size_average, reduce, reduction: (
        _of_losses(grad, input_form, reduction, size_average, reduce)
        * -(target * _bounded_log(input) + (1 - target) * _bounded_log(1 - input))
    ),
)


@composite(f"{_F}binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    input: Any,
    target: Any,
    weight: Any,
    size_average: Any,
    reduce: Any,
    reduction: Any,
    pos_weight: Any,
) -> Any:
    """The same of logits."""
    kept = call(f"{_F}logsigmoid", input)
    left = call(f"{_F}logsigmoid", -input)
    first = target * kept
    losses = -((first if pos_weight is None else first * pos_weight) + (1 - target) * left)
    if weight is not None:
        losses = losses * weight
    return _reduced(losses, reduction, size_average, reduce)


@composite(f"{_F}kl_div")
def kl_div(
    input: Any, target: Any, size_average: Any, reduce: Any, reduction: Any, log_target: Any
) -> Any:
    """How far the input, in logarithms, is from the target."""
    if log_target:
        losses = target.exp() * (target - input)
    else:
        losses = call("torch.xlogy", target, target) - target * input
    if reduction == "batchmean":
        return losses.sum() / max(input.shape[0] if input.ndim else 1, 1)
    return _reduced(losses, reduction, size_average, reduce)


@composite(f"{_F}poisson_nll_loss")
def poisson_nll(
    input: Any,
    target: Any,
    log_input: Any,
    full: Any,
    size_average: Any,
    eps: Any,
    reduce: Any,
    reduction: Any,
) -> Any:
    """The likelihood of counts."""
    tiny = 1e-8 if eps is None else eps
    if log_input is False:
        losses = input - target * (input + tiny).log()
    else:
        losses = input.exp() - target * input
    if full:
        is_small = target <= 1
        # A logarithm of 0 would make its gradient NaN, although it is not used.
        count = target.masked_fill(is_small, 1)
        stirling = count * count.log() - count + (count * (2 * math.pi)).log() * 0.5
        losses = losses + stirling.masked_fill(is_small, 0)
    return _reduced(losses, reduction, size_average, reduce)


@composite(f"{_F}gaussian_nll_loss")
def gaussian_nll(input: Any, target: Any, var: Any, full: Any, eps: Any, reduction: Any) -> Any:
    """The likelihood under a normal distribution."""
    if not isinstance(var, (int, float)):
        if tuple(var.shape) != tuple(input.shape) and var.ndim < input.ndim:
            var = var.unsqueeze(-1)
        # The bound has no gradient of its own.
        var = var + (var.detach().clamp(min=eps) - var.detach())
        losses = (var.log() + (input - target).square() / var) * 0.5
    else:
        var = max(var, eps)
        losses = ((input - target).square() / var + math.log(var)) * 0.5
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return _reduced(losses, reduction)


@composite(f"{_F}hinge_embedding_loss")
def hinge_embedding(
    input: Any, target: Any, margin: Any, size_average: Any, reduce: Any, reduction: Any
) -> Any:
    """Distances of pairs that belong together, and margins of those that do not."""
    margin = 1.0 if margin is None else margin
    near = call("torch.where", target != -1, input, 0.0)
    far = call("torch.where", target != 1, (margin - input).clamp(min=0), 0.0)
    return _reduced(near + far, reduction, size_average, reduce)


@composite(f"{_F}soft_margin_loss")
def soft_margin(input: Any, target: Any, size_average: Any, reduce: Any, reduction: Any) -> Any:
    """The logistic loss."""
    apart = -target * input
    losses = call("torch.logaddexp", call("torch.zeros_like", apart.detach()), apart)
    return _reduced(losses, reduction, size_average, reduce)


@composite(f"{_F}margin_ranking_loss")
def margin_ranking(
    input1: Any,
    input2: Any,
    target: Any,
    margin: Any,
    size_average: Any,
    reduce: Any,
    reduction: Any,
) -> Any:
    """By how much the order is wrong."""
    losses = (-target * (input1 - input2) + margin).clamp(min=0)
    return _reduced(losses, reduction, size_average, reduce)


@composite(f"{_F}cosine_embedding_loss")
def cosine_embedding(
    input1: Any,
    input2: Any,
    target: Any,
    margin: Any,
    size_average: Any,
    reduce: Any,
    reduction: Any,
) -> Any:
    """By how much angles are wrong."""
    tiny = 1e-12
    product = (input1 * input2).sum(-1)
    lengths = ((input1 * input1).sum(-1) + tiny) * ((input2 * input2).sum(-1) + tiny)
    cosine = product / lengths.sqrt()
    near = call("torch.where", target == 1, 1 - cosine, 0.0)
    far = call("torch.where", target == -1, (cosine - margin).clamp(min=0), 0.0)
    return _reduced(near + far, reduction, size_average, reduce)


@composite(f"{_F}triplet_margin_loss")
def triplet_margin(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: Any,
    p: Any,
    eps: Any,
    swap: Any,
    size_average: Any,
    reduce: Any,
    reduction: Any,
) -> Any:
    """By how much the negative is nearer than the positive."""

    def distance(a: Any, b: Any) -> Any:
        return call(f"{_F}pairwise_distance", a, b, p, eps)

    far = distance(anchor, negative)
    if swap:
        far = call("torch.minimum", far, distance(positive, negative))
    losses = (distance(anchor, positive) - far + margin).clamp(min=0)
    return _reduced(losses, reduction, size_average, reduce)


@composite(f"{_F}pairwise_distance")
def pairwise_distance(x1: Any, x2: Any, p: Any, eps: Any, keepdim: Any) -> Any:
    """The norms of differences."""
    return call("torch.linalg.vector_norm", x1 - x2 + eps, p, -1, bool(keepdim))


@composite(f"{_F}cosine_similarity")
def cosine_similarity(x1: Any, x2: Any, dim: Any, eps: Any) -> Any:
    """Products of vectors of length 1."""
    x1, x2 = call("torch.broadcast_tensors", x1, x2)
    lengths = [call("torch.linalg.vector_norm", x, 2, dim, True).clamp_min(eps) for x in (x1, x2)]
    return (x1 / lengths[0] * (x2 / lengths[1])).sum(dim)


@composite(f"{_F}pdist")
def pdist(input: Any, p: Any) -> Any:
    """The distances of all pairs."""
    rows, columns = call("torch.triu_indices", input.shape[0], input.shape[0], 1)
    return call("torch.linalg.vector_norm", input[rows] - input[columns], p, -1)


# -- classes ---------------------------------------------------------------------------------------


@composite(f"{_F}nll_loss")
def nll(
    input: Any,
    target: Any,
    weight: Any,
    size_average: Any,
    ignore_index: Any,
    reduce: Any,
    reduction: Any,
) -> Any:
    """The negative element of the class, times its weight."""
    place = 0 if input.ndim == 1 else 1
    ignored = target == ignore_index
    known = target.masked_fill(ignored, 0)
    picked = -input.gather(place, known.unsqueeze(place)).squeeze(place)
    factors = call("torch.ones_like", picked.detach()) if weight is None else weight[known]
    factors = factors.masked_fill(ignored, 0)
    losses = picked.masked_fill(ignored, 0) * factors
    reduction = _reduction_of(reduction, size_average, reduce)
    return losses.sum() / factors.sum() if reduction == "mean" else _reduced(losses, reduction)


@composite(f"{_F}cross_entropy")
def cross_entropy(
    input: Any,
    target: Any,
    weight: Any,
    size_average: Any,
    ignore_index: Any,
    reduce: Any,
    reduction: Any,
    label_smoothing: Any,
) -> Any:
    """The loss of the logarithms of softmax; targets are classes, or probabilities."""
    place = 0 if input.ndim == 1 else 1
    logs = input.log_softmax(place)
    reduction = _reduction_of(reduction, size_average, reduce)
    classes = input.shape[place]
    by_class = None
    if weight is not None:
        by_class = weight.reshape([-1 if k == place else 1 for k in range(input.ndim)])
    if target.dtype.is_floating_point:
        if label_smoothing:
            target = target * (1 - label_smoothing) + label_smoothing / classes
        terms = logs * target if by_class is None else logs * target * by_class
        if reduction == "mean":
            return -terms.sum() / max(input.numel() // classes, 1)
        return -(terms.sum() if reduction == "sum" else terms.sum(place))
    keywords = {"ignore_index": ignore_index, "reduction": reduction}
    hard = call(f"{_F}nll_loss", logs, target, weight, **keywords)
    if not label_smoothing:
        return hard
    ignored = target == ignore_index
    smooth = -(logs if by_class is None else logs * by_class).sum(place).masked_fill(ignored, 0)
    if reduction == "mean":
        if weight is None:
            smooth = smooth.sum() / (~ignored).sum()
        else:
            known = target.masked_fill(ignored, 0)
            smooth = smooth.sum() / weight[known].masked_fill(ignored, 0).sum()
    elif reduction == "sum":
        smooth = smooth.sum()
    return hard * (1 - label_smoothing) + smooth * (label_smoothing / classes)


@composite(f"{_F}multi_margin_loss")
def multi_margin(
    input: Any,
    target: Any,
    p: Any,
    margin: Any,
    weight: Any,
    size_average: Any,
    reduce: Any,
    reduction: Any,
) -> Any:
    """By how much other classes come near to the target."""
    rows = input if input.ndim > 1 else input.reshape(1, -1)
    classes = target.reshape(-1, 1)
    own = rows.gather(1, classes)
    over = (rows - own + margin).clamp(min=0)
    if p != 1:
        over = over**p
    if weight is not None:
        over = over * weight[classes]
    is_own = call("torch.zeros_like", over.detach()).scatter(1, classes, 1.0).bool()
    losses = over.masked_fill(is_own, 0).sum(1) / rows.shape[1]
    return _reduced(losses if input.ndim > 1 else losses[0], reduction, size_average, reduce)


@composite(f"{_F}multilabel_margin_loss")
def multilabel_margin(
    input: Any, target: Any, size_average: Any, reduce: Any, reduction: Any
) -> Any:
    """By how much other classes come near to each of the targets, which end with -1."""
    width = input.shape[-1] if input.ndim else 1
    rows = input.reshape(math.prod(input.shape) // max(width, 1), width)
    targets = target.reshape(rows.shape)
    valid = (targets < 0).long().cumsum(1) == 0
    known = targets.masked_fill(~valid, 0)
    member = (
        call("torch.zeros_like", rows.detach())
        .scatter_add(1, known, valid.to(dtype=rows.dtype))
        .bool()
    )
    own = rows.gather(1, known)
    over = (1 - (own.unsqueeze(2) - rows.unsqueeze(1))).clamp(min=0)
    left_out = ~valid.unsqueeze(2) | member.unsqueeze(1)
    losses = over.masked_fill(left_out, 0).sum((1, 2)) / rows.shape[1]
    return _reduced(losses if input.ndim > 1 else losses[0], reduction, size_average, reduce)


@composite(f"{_F}multilabel_soft_margin_loss")
def multilabel_soft_margin(
    input: Any, target: Any, weight: Any, size_average: Any, reduce: Any, reduction: Any
) -> Any:
    """The logistic loss of each class, averaged."""
    kept = call(f"{_F}logsigmoid", input)
    left = call(f"{_F}logsigmoid", -input)
    losses = -(target * kept + (1 - target) * left)
    if weight is not None:
        losses = losses * weight
    return _reduced(losses.mean(-1), reduction, size_average, reduce)
