"""Normalizations, by means and variances that have derivatives."""

from __future__ import annotations

from math import prod

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.table import composite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_F = "torch.nn.functional."


def _over_dims(input: Any, dims: Any, eps: Any) -> Any:
    if not dims:  # an element alone is its mean
        return input - input
    # As in PyTorch: in half precision the slope at a small variance is infinite.
    wide = call("Tensor.float", input) if input.dtype.itemsize == 2 else input
    centred = wide - wide.mean(dims, True)
    variance = (centred * centred).mean(dims, True)
    return call("Tensor.to", centred * (variance + eps).rsqrt(), input.dtype)


def _scaled(value: Any, weight: Any, bias: Any) -> Any:
    if weight is not None:
        value = value * weight
    return value if bias is None else value + bias


@composite(f"{_F}layer_norm")
def layer_norm(input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: Any) -> Any:
    """Over the last dims."""
    number = 1 if isinstance(normalized_shape, int) else len(normalized_shape)
    dims = tuple(range(input.ndim - number, input.ndim))
    return _scaled(_over_dims(input, dims, eps), weight, bias)


@composite(f"{_F}rms_norm")
def rms_norm(input: Any, normalized_shape: Any, weight: Any, eps: Any) -> Any:
    """Over the root of the mean of squares of the last dims."""
    number = 1 if isinstance(normalized_shape, int) else len(normalized_shape)
    dims = tuple(range(input.ndim - number, input.ndim))
    if eps is None:
        from namecheck_runtime.tensors.values.limits import finfo

        eps = finfo(input.dtype).eps
    return _scaled(input * ((input * input).mean(dims, True) + eps).rsqrt(), weight, None)


def _by_channel(value: Any, rank: int) -> Any:
    return None if value is None else value.reshape((1, -1) + (1,) * (rank - 2))


@composite(f"{_F}group_norm", "torch.group_norm")
def group_norm(input: Any, num_groups: Any, weight: Any, bias: Any, eps: Any) -> Any:
    """Over each group of channels."""
    width = prod(input.shape[1:]) // num_groups
    grouped = input.reshape(input.shape[0], num_groups, width)
    result = _over_dims(grouped, (2,), eps).reshape(input.shape)
    rank = input.ndim
    return _scaled(result, _by_channel(weight, rank), _by_channel(bias, rank))


def _normed(
    input: Any, dims: Any, mean: Any, variance: Any, training: Any, factor: Any, eps: Any
) -> Any:
    """With the statistics of the batch, which are noted, or with those that were noted."""
    rank = input.ndim
    if not training:
        centred = input - _by_channel(mean, rank)
        return centred * (_by_channel(variance, rank) + eps).rsqrt()
    if mean is not None:
        seen = input.detach()
        now = seen.mean(dims).reshape(-1, mean.shape[0]).mean(0)
        spread = call("torch.var", seen, dims, correction=1).reshape(-1, mean.shape[0]).mean(0)
        mean.mul_(1 - factor).add_(now * factor)
        variance.mul_(1 - factor).add_(spread * factor)
    return _over_dims(input, dims, eps)


@composite(f"{_F}batch_norm", "torch.batch_norm")
def batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    training: Any,
    momentum: Any,
    eps: Any,
) -> Any:
    """Over all dims but that of the channels."""
    rank = input.ndim
    dims = tuple(d for d in range(rank) if d != 1)
    result = _normed(input, dims, running_mean, running_var, training, momentum, eps)
    return _scaled(result, _by_channel(weight, rank), _by_channel(bias, rank))


def _instance(
    input: Any, mean: Any, variance: Any, weight: Any, bias: Any, own: Any, factor: Any, eps: Any
) -> Any:
    dims = tuple(range(2, input.ndim))
    result = _normed(input, dims, mean, variance, own, factor, eps)
    rank = input.ndim
    return _scaled(result, _by_channel(weight, rank), _by_channel(bias, rank))


@composite(f"{_F}instance_norm")
def instance_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    use_input_stats: Any,
    momentum: Any,
    eps: Any,
) -> Any:
    """Over all dims but those of samples and channels."""
    return _instance(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


@composite("torch.instance_norm")
def old_instance_norm(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: Any,
    momentum: Any,
    eps: Any,
) -> Any:
    """Over all dims but those of samples and channels."""
    return _instance(input, running_mean, running_var, weight, bias, training, momentum, eps)


@composite(f"{_F}local_response_norm")
def local_response_norm(input: Any, size: Any, alpha: Any, beta: Any, k: Any) -> Any:
    """Over the squares of neighbouring channels."""
    squares = input * input
    padding = (0, 0) * (input.ndim - 2) + (size // 2, (size - 1) // 2)
    padded = call(f"{_F}pad", squares, padding)
    channels = input.shape[1]
    total = padded.narrow(1, 0, channels)
    for place in range(1, size):
        total = total + padded.narrow(1, place, channels)
    return input / (total * (alpha / size) + k) ** beta


@composite("torch.renorm")
def renorm(input: Any, p: Any, dim: Any, maxnorm: Any) -> Any:
    """Parts whose norm is too large are scaled to the largest that is allowed."""
    dims = tuple(d for d in range(input.ndim) if d != dim % input.ndim)
    norm = call("torch.linalg.vector_norm", input, p, dims, True)
    factor = call("torch.where", norm > maxnorm, maxnorm / (norm + 1e-7), 1.0)
    return input * factor
