"""Kernels that pool windows over the last dims, and that unpool."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.convolution import each, padded, windows
from namecheck_runtime.tensors.kernels.generators import generator_of
from namecheck_runtime.tensors.kernels.pointwise import wide
from namecheck_runtime.tensors.kernels.reduce import lowest

Array = Any


def _pads(
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: Any,
) -> list[tuple[int, int]]:
    """The padding around each dim; with `ceil_mode`, also for a last window that reaches beyond."""
    pads = []
    for n, k, s, p, d in zip(sizes, kernel, stride, padding, dilation, strict=True):
        free = n + 2 * p - d * (k - 1) - 1
        more = 0
        if ceil_mode:
            count = -(-free // s) + 1
            if (count - 1) * s >= n + p:
                count -= 1
            more = max((count - 1) * s - free, 0)
        pads.append((p, p + more))
    return pads


def _steps(stride: Any, kernel: tuple[int, ...]) -> tuple[int, ...]:
    """The stride along each dim; by default the size of the window."""
    return kernel if stride in (None, (), []) else each(stride, len(kernel))


def _max_pool(rank: int, always: bool) -> Callable[..., Any]:
    """The largest of each window, and its place among the elements of the last dims."""

    def compute(
        input: Array,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: Any = False,
        return_indices: Any = False,
    ) -> Any:
        kernel, apart = each(kernel_size, rank), each(dilation, rank)
        steps = _steps(stride, kernel)
        sizes = input.shape[input.ndim - rank :]
        pads = _pads(sizes, kernel, steps, each(padding, rank), apart, ceil_mode)
        patches = windows(padded(input, pads, lowest(input.dtype)), kernel, steps, apart)
        flat = _joined(patches, rank)
        if not always and not return_indices:
            return flat.max(-1)
        best = flat.argmax(-1)
        numbers = padded(np.arange(math.prod(sizes)).reshape(sizes), pads, -1)
        places = windows(numbers, kernel, steps, apart)
        places = np.broadcast_to(_joined(places, rank), flat.shape)
        return _picked(flat, best), _picked(places, best)

    return compute


def _joined(x: Array, count: int) -> Array:
    """The array with the last dims merged."""
    begin = x.ndim - count
    return x.reshape(*x.shape[:begin], math.prod(x.shape[begin:]))


def _picked(values: Array, at: Array) -> Array:
    return np.take_along_axis(values, at[..., None], -1)[..., 0]


def _sums(rank: int, x: Array, kernel: Any, steps: Any, pads: Any) -> Array:
    patches = windows(padded(wide(x), pads), kernel, steps, (1,) * rank)
    return patches.sum(tuple(range(patches.ndim - rank, patches.ndim)))


def _avg_pool(rank: int) -> Callable[..., Array]:
    def compute(
        input: Array,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: Any = False,
        count_include_pad: Any = True,
        divisor_override: Any = None,
    ) -> Array:
        kernel, around = each(kernel_size, rank), each(padding, rank)
        steps = _steps(stride, kernel)
        sizes = input.shape[input.ndim - rank :]
        pads = _pads(sizes, kernel, steps, around, (1,) * rank, ceil_mode)
        total = _sums(rank, input, kernel, steps, pads)
        if divisor_override is not None:
            return total / divisor_override
        counted = np.ones(sizes)
        if count_include_pad:
            counted = padded(counted, [(p, p) for p in around], 1)
            pads = [(0, high - p) for (_, high), p in zip(pads, around, strict=True)]
        return (total / _sums(rank, counted, kernel, steps, pads)).astype(input.dtype)

    return compute


def _lp_pool(rank: int) -> Callable[..., Array]:
    def compute(
        input: Array, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False
    ) -> Array:
        kernel = each(kernel_size, rank)
        # The mean of whole numbers is truncated to a whole number.
        x = input.astype(np.int64) if input.dtype == bool else input
        mean = _avg_pool(rank)(x**norm_type, kernel, stride, 0, ceil_mode)
        return (mean * math.prod(kernel)) ** (1 / norm_type)

    return compute


def _bounds(size: int, count: int) -> list[tuple[int, int]]:
    """Where each of `count` parts of a dim begins and ends; neighbours may share an element."""
    return [(k * size // count, -(-(k + 1) * size // count)) for k in range(count)]


def averaged(x: Array, axis: int, count: int) -> Array:
    """The array with a dim reduced to the means of `count` parts of it."""
    parts = [
        x.take(range(low, high), axis).mean(axis) for low, high in _bounds(x.shape[axis], count)
    ]
    empty = (*x.shape[:axis], 0, *x.shape[axis + 1 :])
    return np.stack(parts, axis) if parts else np.zeros(empty, x.dtype)


def _new_sizes(output_size: Any, sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes of an adaptive pooling; None in `output_size` keeps a size."""
    new_sizes = (
        output_size if isinstance(output_size, (tuple, list)) else (output_size,) * len(sizes)
    )
    if len(new_sizes) == 1:
        new_sizes = tuple(new_sizes) * len(sizes)
    return tuple(n if w is None else int(w) for w, n in zip(new_sizes, sizes, strict=True))


def _adaptive_avg(rank: int) -> Callable[..., Array]:
    def compute(input: Array, output_size: Any) -> Array:
        output = input.astype(np.float32) if input.dtype == np.float16 else input
        sizes = _new_sizes(output_size, input.shape[input.ndim - rank :])
        # The mean of a box is the mean of means along each of its dims.
        for axis, count in zip(range(input.ndim - rank, input.ndim), sizes, strict=True):
            output = averaged(output, axis, count)
        return output

    return compute


def _adaptive_max(rank: int, always: bool) -> Callable[..., Any]:
    def compute(input: Array, output_size: Any, return_indices: Any = False) -> Any:
        sizes = input.shape[input.ndim - rank :]
        new_sizes = _new_sizes(output_size, sizes)
        shape = (*input.shape[: input.ndim - rank], *new_sizes)
        values, places = np.empty(shape, input.dtype), np.empty(shape, np.int64)
        numbers = np.arange(math.prod(sizes)).reshape(sizes)
        bounds = [_bounds(n, w) for n, w in zip(sizes, new_sizes, strict=True)]
        for index in np.ndindex(*new_sizes):
            box = tuple(slice(*bounds[k][place]) for k, place in enumerate(index))
            part = input[(..., *box)]
            flat = _joined(part, rank)
            best = flat.argmax(-1)
            values[(..., *index)] = _picked(flat, best)
            places[(..., *index)] = numbers[box].reshape(-1)[best]
        return (values, places) if always or return_indices else values

    return compute


def _begins(size: int, count: int, width: int, drawn: Array) -> Array:
    """Where `count` windows of `width` begin in each row, shifted by a drawn number in [0, 1).

    The last window ends with the dim.  Graham, Fractional max-pooling, 2014, as in PyTorch.
    """
    apart = (size - width) / (count - 1) if count > 1 else 0.0
    u = drawn[..., None]
    output = ((np.arange(count) + u) * apart).astype(int) - (u * apart).astype(int)
    output[..., -1:] = size - width
    return output


def _fractional_max(rank: int, always: bool) -> Callable[..., Any]:
    def compute(
        input: Array,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: Any = False,
        _random_samples: Any = None,
    ) -> Any:
        batch = input if input.ndim == rank + 2 else input[None]
        sizes, kernel = batch.shape[2:], each(kernel_size, rank)
        if output_size is None:
            ratios = (
                output_ratio if isinstance(output_ratio, (tuple, list)) else [output_ratio] * rank
            )
            new_sizes = tuple(int(n * ratio) for n, ratio in zip(sizes, ratios, strict=True))
        else:
            new_sizes = tuple(int(n) for n in each(output_size, rank))
        drawn = _random_samples
        if drawn is None:
            drawn = generator_of(None).random((*batch.shape[:2], rank))
        begins = [
            # Of two dims, the first number moves the last one; of three, each moves its own.
            _begins(n, count, width, drawn[..., rank - 1 - k if rank == 2 else k])
            for k, (n, count, width) in enumerate(zip(sizes, new_sizes, kernel, strict=True))
        ]
        lead = np.ix_(*map(range, batch.shape[:2]))
        values = np.empty((*batch.shape[:2], *new_sizes), input.dtype)
        places = np.empty(values.shape, np.int64)
        inside = np.stack(np.meshgrid(*map(np.arange, kernel), indexing="ij"), -1).reshape(-1, rank)
        for index in np.ndindex(*new_sizes):
            window = [begins[k][..., place, None] + inside[:, k] for k, place in enumerate(index)]
            elements = batch[(lead[0][..., None], lead[1][..., None], *window)]
            best = elements.argmax(-1)
            values[(..., *index)] = _picked(elements, best)
            places[(..., *index)] = _picked(np.ravel_multi_index(window, sizes), best)
        if input.ndim == rank + 1:
            values, places = values[0], places[0]
        return (values, places) if always or return_indices else values

    return compute


def _max_unpool(rank: int) -> Callable[..., Array]:
    """The values put back at their places, with zeros elsewhere."""

    def compute(
        input: Array,
        indices: Array,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        output_size: Any = None,
    ) -> Array:
        kernel = each(kernel_size, rank)
        steps = _steps(stride, kernel)
        sizes = [
            (n - 1) * s - 2 * p + k
            for n, s, p, k in zip(
                input.shape[input.ndim - rank :], steps, each(padding, rank), kernel, strict=True
            )
        ]
        if output_size is not None:
            sizes = [int(n) for n in tuple(output_size)[-rank:]]
        leading = input.shape[: input.ndim - rank]
        output = np.zeros((*leading, math.prod(sizes)), input.dtype)
        flat = (*leading, math.prod(input.shape[input.ndim - rank :]))
        np.put_along_axis(output, indices.reshape(flat), input.reshape(flat), -1)
        return output.reshape(*leading, *sizes)

    return compute


_WINDOW = ("input", "kernel_size", "stride", "padding")
_MAX = (*_WINDOW, "dilation", "ceil_mode", "return_indices")
_AVERAGE = (*_WINDOW, "ceil_mode", "count_include_pad", "divisor_override")
_UNPOOL = ("input", "indices", *_WINDOW[1:], "output_size")
_F = "torch.nn.functional."

KERNELS: Final[dict[str, Kernel]] = {}
"""By the op's name."""

for _rank in (1, 2, 3):
    for _end in ("", "_with_indices"):
        KERNELS[f"{_F}max_pool{_rank}d{_end}"] = Kernel(
            _max_pool(_rank, bool(_end)), _MAX, result.first_and_places
        )
        KERNELS[f"{_F}adaptive_max_pool{_rank}d{_end}"] = Kernel(
            _adaptive_max(_rank, bool(_end)),
            ("input", "output_size", "return_indices"),
            result.first_and_places,
        )
    KERNELS[f"{_F}avg_pool{_rank}d"] = Kernel(_avg_pool(_rank), _AVERAGE, result.first)
    KERNELS[f"{_F}adaptive_avg_pool{_rank}d"] = Kernel(
        _adaptive_avg(_rank), ("input", "output_size"), result.first
    )
    KERNELS[f"{_F}lp_pool{_rank}d"] = Kernel(
        _lp_pool(_rank),
        ("input", "norm_type", "kernel_size", "stride", "ceil_mode"),
        result.floating,
        converts=False,
    )
    KERNELS[f"{_F}max_unpool{_rank}d"] = Kernel(
        _max_unpool(_rank), _UNPOOL, result.first, converts=False
    )
    if _rank > 1:
        for _end in ("", "_with_indices"):
            KERNELS[f"{_F}fractional_max_pool{_rank}d{_end}"] = Kernel(
                _fractional_max(_rank, bool(_end)),
                (
                    *("input", "kernel_size", "output_size", "output_ratio", "return_indices"),
                    "_random_samples",
                ),
                result.first_and_places,
                converts=False,
            )
