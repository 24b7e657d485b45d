"""Kernels that normalise elements: by mean and variance, or by a norm."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.pointwise import wide, with_floats
from namecheck_runtime.tensors.kernels.reduce import mean, variance

Array = Any


def _standard(x: Array, axes: tuple[int, ...], eps: float) -> Array:
    """The elements with mean 0 and variance 1 over some dims."""
    x = wide(x)
    return (x - mean(x, axes, True)) / np.sqrt(variance(x, axes, 0, True) + eps)


def _scaled(x: Array, weight: Any, bias: Any) -> Array:
    output = x if weight is None else x * weight
    return output if bias is None else output + bias


def _last(x: Array, count: int) -> tuple[int, ...]:
    return tuple(range(x.ndim - count, x.ndim))


def _layer_norm(
    input: Array, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-5
) -> Array:
    count = len(normalized_shape) if isinstance(normalized_shape, (tuple, list)) else 1
    return _scaled(_standard(input, _last(input, count), eps), weight, bias)


def _rms_norm(input: Array, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Array:
    count = len(normalized_shape) if isinstance(normalized_shape, (tuple, list)) else 1
    x = wide(input)
    eps = np.finfo(x.dtype).eps if eps is None else eps
    return _scaled(x / np.sqrt(mean(x * x, _last(input, count), True) + eps), weight, None)


def _per_channel(value: Any, x: Array) -> Any:
    return None if value is None else value.reshape(-1, *[1] * (x.ndim - 2))


def _scaled_by_channel(output: Array, weight: Any, bias: Any, x: Array) -> Array:
    return _scaled(output, _per_channel(weight, x), _per_channel(bias, x))


def _group_norm(
    input: Array, num_groups: int, weight: Any = None, bias: Any = None, eps: Any = 1e-5
) -> Array:
    split = input.reshape(
        input.shape[0], num_groups, math.prod(input.shape[1:]) // max(num_groups, 1)
    )
    output = _standard(split, (2,), eps).reshape(input.shape)
    return _scaled_by_channel(output, weight, bias, input)


def _batch_norm(
    input: Array,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    training: Any = False,
    momentum: Any = 0.1,
    eps: Any = 1e-5,
) -> tuple[Array, Any, Any]:
    """The input normalised over all dims but the channels, and the new running statistics.

    They are None unless they change: in training, when they move towards those of the batch.
    """
    if not training:
        centre, spread = _per_channel(running_mean, input), _per_channel(running_var, input)
        output = (input - centre) / np.sqrt(spread + eps)
        return _scaled_by_channel(output, weight, bias, input), None, None
    axes = (0, *range(2, input.ndim))
    output = _scaled_by_channel(_standard(input, axes, eps), weight, bias, input)
    if running_mean is None:
        return output, None, None
    centre, spread = _moments(input, axes)
    return (
        output,
        _followed(running_mean, centre, momentum),
        _followed(running_var, spread, momentum),
    )


def _moments(input: Array, axes: tuple[int, ...]) -> tuple[Array, Array]:
    """The mean and the unbiased variance over some dims."""
    x = wide(input)
    count = math.prod(x.shape[axis] for axis in axes)
    return mean(x, axes), variance(x, axes) * (count / max(count - 1, 1))


def _followed(running: Array, new: Array, momentum: float) -> Array:
    return (1 - momentum) * running + momentum * new


def _instance_norm(
    input: Array,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: Any = True,
    momentum: Any = 0.1,
    eps: Any = 1e-5,
) -> tuple[Array, Any, Any]:
    """The input normalised over the dims after the channels; the rest as in `_batch_norm`."""
    if not use_input_stats:
        return _batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    axes = tuple(range(2, input.ndim))
    output = _scaled_by_channel(_standard(input, axes, eps), weight, bias, input)
    if running_mean is None:
        return output, None, None
    centre, spread = _moments(input, axes)
    return (
        output,
        _followed(running_mean, mean(centre, 0), momentum),
        _followed(running_var, mean(spread, 0), momentum),
    )


def _with_flag(training: Any, **others: Any) -> tuple[Array, Any, Any]:
    """`torch.instance_norm`, whose flag has the name of that of `torch.batch_norm`."""
    return _instance_norm(use_input_stats=training, **others)


def _local_response(
    input: Array, size: int, alpha: Any = 1e-4, beta: Any = 0.75, k: Any = 1.0
) -> Array:
    """Each channel divided by a power of the mean square of the channels around it."""
    squares = np.pad(
        input * input,
        [(0, 0), (size // 2, (size - 1) // 2), *[(0, 0)] * (input.ndim - 2)],
    )
    total = sum(squares[:, k : k + input.shape[1]] for k in range(size))
    return input / (total * (alpha / size) + k) ** beta


def norm_along(x: Array, p: Any, axes: Any, keepdims: bool) -> Array:
    """The p-norm of the elements along dims."""
    size = np.abs(x)
    if p == math.inf:
        return size.max(axes, keepdims=keepdims)
    if p == -math.inf:
        return size.min(axes, keepdims=keepdims)
    if p == 0:
        return (x != 0).sum(axes, keepdims=keepdims).astype(size.dtype)
    if p == 2:
        return np.sqrt((size * size).sum(axes, keepdims=keepdims))
    return (size**p).sum(axes, keepdims=keepdims) ** (1 / p)


def _normalize(input: Array, p: Any = 2.0, dim: Any = 1, eps: Any = 1e-12) -> Array:
    if not input.ndim:
        return input / np.maximum(np.abs(input), eps)
    axes = tuple(dim) if isinstance(dim, (list, tuple)) else dim
    return input / np.maximum(norm_along(input, p, axes, True), eps)


def renorm(input: Array, p: Any, dim: int, maxnorm: Any) -> Array:
    """The input with the slices along a dim scaled down to a norm of at most `maxnorm`."""
    axes = tuple(axis for axis in range(input.ndim) if axis != dim % input.ndim)
    norm = norm_along(input, p, axes, True)
    return np.where(norm > maxnorm, input * (maxnorm / (norm + 1e-7)), input)


_AFFINE = ("weight", "bias", "eps")
_RUNNING = ("input", "running_mean", "running_var", "weight", "bias")
_F = "torch.nn.functional."

KERNELS: Final[dict[str, Kernel]] = {
    f"{_F}layer_norm": Kernel(_layer_norm, ("input", "normalized_shape", *_AFFINE), result.first),
    f"{_F}rms_norm": Kernel(
        _rms_norm, ("input", "normalized_shape", "weight", "eps"), result.first
    ),
    f"{_F}group_norm": Kernel(_group_norm, ("input", "num_groups", *_AFFINE), result.first),
    "torch.group_norm": Kernel(_group_norm, ("input", "num_groups", *_AFFINE), result.first),
    f"{_F}batch_norm": Kernel(
        _batch_norm, (*_RUNNING, "training", "momentum", "eps"), result.first, False
    ),
    "torch.batch_norm": Kernel(
        _batch_norm, (*_RUNNING, "training", "momentum", "eps"), result.first, False
    ),
    "torch.instance_norm": Kernel(
        _with_flag, (*_RUNNING, "training", "momentum", "eps"), result.first, False
    ),
    f"{_F}instance_norm": Kernel(
        _instance_norm, (*_RUNNING, "use_input_stats", "momentum", "eps"), result.first, False
    ),
    f"{_F}local_response_norm": Kernel(
        with_floats(_local_response),
        ("input", "size", "alpha", "beta", "k"),
        result.floating,
    ),
    f"{_F}normalize": Kernel(_normalize, ("input", "p", "dim", "eps"), result.first),
    "torch.renorm": Kernel(renorm, ("input", "p", "dim", "maxnorm"), result.first),
}
"""By the op's name."""
