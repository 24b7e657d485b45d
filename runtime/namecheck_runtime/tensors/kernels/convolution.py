"""Kernels that slide a window over the last dims: convolutions, their transposes, patches.

A convolution is one matrix product over all windows side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.pointwise import wide

Array = Any


def each(value: Any, rank: int) -> tuple[int, ...]:
    """A size for each dim of a window; a single number counts for all dims."""
    if isinstance(value, (tuple, list)):
        return tuple(int(v) for v in value) * (rank if len(value) == 1 else 1)
    return (int(value),) * rank


def windows(
    x: Array, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> Array:
    """A view of every window over the last dims: [..., *places, *kernel]."""
    rank = len(kernel)
    spans = [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]
    shown: Any = sliding_window_view(x, spans, axis=tuple(range(x.ndim - rank, x.ndim)))
    steps = [slice(None, None, s) for s in (*stride, *dilation)]
    return shown[(..., *steps)]


def padded(x: Array, pads: Sequence[tuple[int, int]], value: Any = 0) -> Array:
    """An array with elements added around the last dims, or removed for a negative number."""
    if any(amount < 0 for pair in pads for amount in pair):
        cut = [
            slice(max(-low, 0), size - max(-high, 0))
            for (low, high), size in zip(pads, x.shape[x.ndim - len(pads) :], strict=True)
        ]
        x = x[(..., *cut)]
    amounts = [(max(low, 0), max(high, 0)) for low, high in pads]
    if not any(map(any, amounts)):
        return x
    return np.pad(x, [(0, 0)] * (x.ndim - len(pads)) + amounts, constant_values=value)


def _pads(padding: Any, kernel: Sequence[int], dilation: Sequence[int]) -> list[tuple[int, int]]:
    if padding == "valid":
        return [(0, 0)] * len(kernel)
    if padding == "same":
        totals = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
        return [(total // 2, total - total // 2) for total in totals]
    return [(p, p) for p in each(padding, len(kernel))]


def _product(x: Array, weight: Array, stride: Any, dilation: Any, groups: int) -> Array:
    """The product of [N, C, *sizes] and [O, C / groups, *kernel]: [N, O, *places]."""
    kernel = weight.shape[2:]
    rank = len(kernel)
    patches = windows(x, kernel, stride, dilation)
    places = patches.shape[2 : 2 + rank]
    count, channels = x.shape[0], weight.shape[1]
    split = patches.reshape(count, groups, channels, *places, *kernel)
    # Places last: the copy then moves rows of the input as they are, and the product is the result.
    order = (0, 1, 2, *range(3 + rank, 3 + 2 * rank), *range(3, 3 + rank))
    inner = channels * math.prod(kernel)
    columns = split.transpose(order).reshape(count, groups, inner, math.prod(places))
    rows = weight.reshape(groups, weight.shape[0] // groups, inner)
    return np.matmul(rows, columns).reshape(count, weight.shape[0], *places)


def _with_bias(output: Array, bias: Any, rank: int, batched: bool) -> Array:
    if bias is not None:
        output = output + bias.reshape(-1, *[1] * rank)
    return output if batched else output[0]


def _convolution(rank: int) -> Callable[..., Array]:
    def compute(
        input: Array,
        weight: Array,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Array:
        batched = input.ndim == rank + 2
        steps, apart = each(stride, rank), each(dilation, rank)
        x = padded(input if batched else input[None], _pads(padding, weight.shape[2:], apart))
        output = _product(wide(x), wide(weight), steps, apart, groups)
        return _with_bias(output, bias, rank, batched)

    return compute


def _transposed(rank: int) -> Callable[..., Array]:
    """The convolution of the input, with zeros between its elements, by the flipped kernel."""

    def compute(
        input: Array,
        weight: Array,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Array:
        batched = input.ndim == rank + 2
        x = wide(input if batched else input[None])
        steps, apart = each(stride, rank), each(dilation, rank)
        kernel = weight.shape[2:]
        room = [(n - 1) * s + 1 for n, s in zip(x.shape[2:], steps, strict=True)]
        spread: Any = np.zeros((*x.shape[:2], *room), x.dtype)
        spread[(..., *[slice(None, None, s) for s in steps])] = x
        reach = [d * (k - 1) for k, d in zip(kernel, apart, strict=True)]
        pads = [
            (far - p, far - p + more)
            for far, p, more in zip(
                reach, each(padding, rank), each(output_padding, rank), strict=True
            )
        ]
        turned = wide(weight)[(..., *[slice(None, None, -1)] * rank)]
        split = turned.reshape(groups, weight.shape[0] // groups, *weight.shape[1:]).swapaxes(1, 2)
        rows = split.reshape(groups * weight.shape[1], weight.shape[0] // groups, *kernel)
        output = _product(padded(spread, pads), rows, (1,) * rank, apart, groups)
        return _with_bias(output, bias, rank, batched)

    return compute


def _conv_tbc(input: Array, weight: Array, bias: Any, pad: int = 0) -> Array:
    x = np.pad(input, [(pad, pad), (0, 0), (0, 0)])
    length = x.shape[0] - weight.shape[0] + 1
    output = np.zeros((length, x.shape[1], weight.shape[2]), x.dtype)
    for k in range(weight.shape[0]):
        output += x[k : k + length] @ weight[k]
    return output + bias


def _unfold(
    input: Array, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Array:
    """The patches of [N, C, H, W] as [N, C * kernel, places]."""
    batched = input.ndim == 4
    kernel = each(kernel_size, 2)
    x = padded(input if batched else input[None], [(p, p) for p in each(padding, 2)])
    patches = windows(x, kernel, each(stride, 2), each(dilation, 2))
    output = patches.transpose(0, 1, 4, 5, 2, 3).reshape(
        x.shape[0], x.shape[1] * math.prod(kernel), patches.shape[2] * patches.shape[3]
    )
    return output if batched else output[0]


def _fold(
    input: Array,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Array:
    """The image of patches [N, C * kernel, places], which are summed where they overlap."""
    batched = input.ndim == 3
    x = input if batched else input[None]
    sizes, kernel = each(output_size, 2), each(kernel_size, 2)
    apart, around, steps = each(dilation, 2), each(padding, 2), each(stride, 2)
    padded_sizes = [n + 2 * p for n, p in zip(sizes, around, strict=True)]
    places = [
        (n - d * (k - 1) - 1) // s + 1
        for n, d, k, s in zip(padded_sizes, apart, kernel, steps, strict=True)
    ]
    patches = x.reshape(x.shape[0], x.shape[1] // math.prod(kernel), *kernel, *places)
    output: Any = np.zeros((x.shape[0], patches.shape[1], *padded_sizes), x.dtype)
    for row, column in np.ndindex(*kernel):
        place = [
            slice(k * d, k * d + n * s, s)
            for k, d, n, s in zip((row, column), apart, places, steps, strict=True)
        ]
        output[(..., *place)] += patches[:, :, row, column]
    output = padded(output, [(-p, -p) for p in around])
    return output if batched else output[0]


_CONVOLVED = ("input", "weight", "bias", "stride", "padding", "dilation", "groups")
_TRANSPOSED = (*_CONVOLVED[:5], "output_padding", "groups", "dilation")
_PATCHES = ("kernel_size", "dilation", "padding", "stride")
_F = "torch.nn.functional."

KERNELS: Final[dict[str, Kernel]] = {
    **{
        f"{_F}conv{rank}d": Kernel(_convolution(rank), _CONVOLVED, result.first)
        for rank in (1, 2, 3)
    },
    **{
        f"{_F}conv_transpose{rank}d": Kernel(_transposed(rank), _TRANSPOSED, result.first)
        for rank in (1, 2, 3)
    },
    f"{_F}conv_tbc": Kernel(_conv_tbc, ("input", "weight", "bias", "pad"), result.first),
    f"{_F}unfold": Kernel(_unfold, ("input", *_PATCHES), result.first),
    f"{_F}fold": Kernel(_fold, ("input", "output_size", *_PATCHES), result.first),
}
"""By the op's name."""
