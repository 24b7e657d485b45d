"""Kernels of activations and dropouts: element by element, or drawing the elements to drop."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.generators import generator_of
from namecheck_runtime.tensors.kernels.pointwise import sigmoid
from namecheck_runtime.tensors.kernels.reduce import softmax

Array = Any


def _glu(input: Array, dim: Any = -1) -> Array:
    left, right = np.split(input, 2, axis=-1 if dim is None else dim)
    return left * sigmoid(right)


def _celu(input: Array, alpha: Any = 1.0) -> Array:
    return np.maximum(input, 0) + np.minimum(alpha * np.expm1(input / alpha), 0)


def _prelu(input: Array, weight: Array) -> Array:
    slope = weight
    if weight.size != 1 and input.ndim > 1:
        slope = weight.reshape(-1, *[1] * (input.ndim - 2))
    elif weight.size == 1:
        slope = weight.reshape(())
    return np.where(input > 0, input, slope * input)


def _rrelu(
    input: Array,
    lower: Any = 1 / 8,
    upper: Any = 1 / 3,
    training: Any = False,
    generator: Any = None,
) -> Array:
    slope: Any = (lower + upper) / 2
    if training:
        if not lower <= upper:
            raise RuntimeError("Lower bound should be less than or equal to the upper bound")
        slope = generator_of(generator).uniform(lower, upper, input.shape)
    return np.where(input >= 0, input, input * slope)


def _hardshrink(input: Array, lambd: Any = 0.5) -> Array:
    return np.where(np.abs(input) <= lambd, 0, input)


def _softshrink(input: Array, lambd: Any = 0.5) -> Array:
    near = np.where(input < -lambd, input + lambd, input * 0)
    return np.where(input > lambd, input - lambd, near)


def _gumbel(
    logits: Array, tau: Any = 1, hard: Any = False, eps: Any = None, dim: Any = -1
) -> Array:
    # As PyTorch draws them, and the op that is differentiated through.
    noise = -np.log(generator_of(None).exponential(size=logits.shape))
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    output = np.zeros_like(soft)
    np.put_along_axis(output, np.expand_dims(soft.argmax(dim), dim), 1, dim)
    return output


def drops(p: Any, training: Any) -> bool:
    """Whether a dropout does anything.  Raises ValueError if `p` is not a probability."""
    p = 0.5 if p is None else p
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return bool(training is None or training) and p > 0


def _kept(shape: tuple[int, ...], p: float, dims: int | None) -> Array:
    """The mask of elements to keep; with `dims`, one draw for all elements along the last dims."""
    if dims is not None:
        # Without a batch, the channels are the first dim.
        leading = max(len(shape) - dims, 1) if len(shape) == dims + 1 else min(2, len(shape))
        shape = (*shape[:leading], *[1] * (len(shape) - leading))
    return generator_of(None).random(shape) >= p


def _dropout(dims: int | None = None) -> Callable[..., Array]:
    def compute(input: Array, p: Any = 0.5, training: Any = True, train: Any = None) -> Array:
        p = 0.5 if p is None else p
        if not drops(p, training if train is None else train):
            return np.array(input)
        if p == 1:
            return np.zeros_like(input)
        return np.where(_kept(input.shape, p, dims), input / (1 - p), 0)

    return compute


_ALPHA: Final = 1.7580993408473766
"""Minus the value of `selu` at minus infinity."""


def _alpha_dropout(dims: int | None = None) -> Callable[..., Array]:
    """Dropped elements become selu's least value; mean and variance stay the same."""

    def compute(input: Array, p: Any = 0.5, training: Any = False, train: Any = None) -> Array:
        p = 0.5 if p is None else p
        if not drops(p, training if train is None else train):
            return np.array(input)
        if p == 1:
            return np.zeros_like(input)
        mask = _kept(input.shape, p, dims)
        a = 1 / math.sqrt((_ALPHA * _ALPHA * p + 1) * (1 - p))
        return np.where(mask, input * a, -_ALPHA * a) + _ALPHA * a * p

    return compute


def _native_dropout(input: Array, p: Any, train: Any = True) -> tuple[Array, Array]:
    if not drops(p, train):
        return np.array(input), np.ones(input.shape, bool)
    mask = _kept(input.shape, p, None)
    return np.where(mask, input / (1 - p) if p < 1 else 0, 0), mask


_DROPOUT = ("input", "p", "training", "train")
_F = "torch.nn.functional."

KERNELS: Final[dict[str, Kernel]] = {
    f"{_F}glu": Kernel(_glu, ("input", "dim"), result.first),
    f"{_F}celu": Kernel(_celu, ("input", "alpha"), result.first),
    f"{_F}prelu": Kernel(_prelu, ("input", "weight"), result.first),
    f"{_F}rrelu": Kernel(
        _rrelu, ("input", "lower", "upper", "training", "generator"), result.first
    ),
    f"{_F}hardshrink": Kernel(_hardshrink, ("input", "lambd"), result.first),
    "torch.hardshrink": Kernel(_hardshrink, ("input", "lambd"), result.first),
    f"{_F}softshrink": Kernel(_softshrink, ("input", "lambd"), result.first),
    f"{_F}gumbel_softmax": Kernel(_gumbel, ("logits", "tau", "hard", "eps", "dim"), result.first),
    f"{_F}dropout": Kernel(_dropout(), _DROPOUT, result.first),
    "torch.dropout": Kernel(_dropout(), _DROPOUT, result.first),
    f"{_F}dropout1d": Kernel(_dropout(1), _DROPOUT, result.first),
    f"{_F}dropout2d": Kernel(_dropout(2), _DROPOUT, result.first),
    f"{_F}dropout3d": Kernel(_dropout(3), _DROPOUT, result.first),
    "torch.feature_dropout": Kernel(_dropout(2), _DROPOUT, result.first),
    f"{_F}alpha_dropout": Kernel(_alpha_dropout(), _DROPOUT, result.first),
    "torch.alpha_dropout": Kernel(_alpha_dropout(), _DROPOUT, result.first),
    f"{_F}feature_alpha_dropout": Kernel(_alpha_dropout(2), _DROPOUT, result.first),
    "torch.feature_alpha_dropout": Kernel(_alpha_dropout(2), _DROPOUT, result.first),
    "torch.native_dropout": Kernel(
        _native_dropout,
        ("input", "p", "train"),
        lambda call: (result.first(call), result.bool_(call)),
    ),
}
"""By the op's name."""
