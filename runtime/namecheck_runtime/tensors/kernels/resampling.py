"""Kernels that pad a tensor, resize it, or sample it at other places."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.convolution import padded
from namecheck_runtime.tensors.kernels.pooling import averaged

Array = Any

_MODES: Final = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def _pad(input: Array, pad: Any, mode: Any = "constant", value: Any = None) -> Array:
    """The input padded by two numbers per dim, beginning with the last dim."""
    pairs = [(int(pad[k]), int(pad[k + 1])) for k in range(0, len(pad), 2)][::-1]
    if mode == "constant":
        return padded(input, pairs, 0 if value is None else value)
    cropped = padded(input, [(min(low, 0), min(high, 0)) for low, high in pairs])
    amounts: Any = [(0, 0)] * (input.ndim - len(pairs))
    amounts += [(max(low, 0), max(high, 0)) for low, high in pairs]
    if not any(map(any, amounts)):
        return np.array(cropped)
    np_mode: Any = _MODES[mode]
    return np.pad(cropped, amounts, mode=np_mode)


def _sizes(input: Array, size: Any, scale_factor: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The new sizes, and for each dim its scale, or None."""
    old = input.shape[2:]
    if size is not None:
        sizes = size if isinstance(size, (tuple, list)) else (size,) * len(old)
        return tuple(int(n) for n in sizes), [None] * len(old)
    factors = (
        scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * len(old)
    )
    return (
        tuple(math.floor(float(n) * f) for n, f in zip(old, factors, strict=True)),
        list(factors),
    )


def _places(old: int, new: int, scale: Any, align: bool, clip: bool = True) -> Array:
    """The places of the new elements, in units of the old ones."""
    if align:
        return np.arange(new) * ((old - 1) / (new - 1) if new > 1 else 0.0)
    step = 1 / scale if scale else old / new
    places = (np.arange(new) + 0.5) * step - 0.5
    return np.maximum(places, 0) if clip else places


def _linear(x: Array, axis: int, places: Array) -> Array:
    low = np.minimum(np.floor(places).astype(int), x.shape[axis] - 1)
    high = np.minimum(low + 1, x.shape[axis] - 1)
    part = np.reshape(places - low, [-1 if k == axis else 1 for k in range(x.ndim)])
    return x.take(low, axis) * (1 - part) + x.take(high, axis) * part


def _cubic_weight(away: Array, a: float = -0.75) -> Array:
    """The weight of an element by its distance from a place.

    Keys, Cubic convolution interpolation for digital image processing, 1981.
    """
    near = ((a + 2) * away - (a + 3)) * away * away + 1
    far = ((a * away - 5 * a) * away + 8 * a) * away - 4 * a
    return np.where(away <= 1, near, np.where(away < 2, far, 0))


def _cubic(x: Array, axis: int, places: Array) -> Array:
    begin = np.floor(places).astype(int)
    part = places - begin
    output: Any = 0
    for k in range(-1, 3):
        weight = _cubic_weight(np.abs(part - k))
        column = np.reshape(weight, [-1 if k == axis else 1 for k in range(x.ndim)])
        output = output + x.take(np.clip(begin + k, 0, x.shape[axis] - 1), axis) * column
    return output


_FILTERS: Final[dict[str, tuple[float, Any]]] = {
    "bilinear": (1, lambda away: np.maximum(1 - away, 0)),
    "bicubic": (2, lambda away: _cubic_weight(away, -0.5)),
    "lanczos": (3, lambda away: np.where(away < 3, np.sinc(away) * np.sinc(away / 3), 0)),
}
"""The reach of each filter, and its weight at a distance."""


def _smoothed(x: Array, axis: int, new: int, mode: str, scale: Any, align: bool) -> Array:
    """The array with a dim resized; if it shrinks, the filter widens to cover every old element."""
    old = x.shape[axis]
    if align:
        step = (old - 1) / (new - 1) if new > 1 else 0.0
    else:
        step = 1 / scale if scale else old / new
    reach, weight = _FILTERS[mode]
    widening = max(step, 1.0)
    center = step * (np.arange(new)[:, None] + 0.5)
    low = np.maximum((center - reach * widening + 0.5).astype(int), 0)
    high = np.minimum((center + reach * widening + 0.5).astype(int), old)
    places = np.arange(old)
    weights = np.where(
        (places >= low) & (places < high), weight(np.abs(places - center + 0.5) / widening), 0
    )
    weights = weights / weights.sum(-1, keepdims=True)
    return np.moveaxis(np.moveaxis(x, axis, -1) @ weights.T, -1, axis)


def _interpolate(
    input: Array,
    size: Any = None,
    scale_factor: Any = None,
    mode: Any = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
    antialias: Any = False,
) -> Array:
    if antialias and (mode not in _FILTERS or input.ndim != 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires "
            "a 4-D tensor as input"
        )
    if mode == "lanczos" and not antialias:
        raise ValueError("Lanczos mode requires antialias=True")
    new, scales = _sizes(input, size, scale_factor)
    if recompute_scale_factor:
        scales = [None] * len(new)
    output = input
    for axis, (count, scale) in enumerate(zip(new, scales, strict=True), 2):
        old = input.shape[axis]
        if antialias:
            output = _smoothed(output, axis, count, mode, scale, bool(align_corners))
        elif mode in ("nearest", "nearest-exact"):
            step = 1 / scale if scale else old / count
            exact = 0.5 if mode == "nearest-exact" else 0.0
            places = np.floor((np.arange(count) + exact) * np.float32(step)).astype(int)
            output = output.take(np.minimum(places, old - 1), axis)
        elif mode == "area":
            output = averaged(output, axis, count)
        elif mode == "bicubic":
            output = _cubic(output, axis, _places(old, count, scale, bool(align_corners), False))
        else:
            output = _linear(output, axis, _places(old, count, scale, bool(align_corners)))
    if input.dtype.kind == "u" and output.dtype.kind == "f":
        return np.clip(np.rint(output), 0, 255).astype(input.dtype)
    return output


def _upsample_bilinear(input: Array, size: Any = None, scale_factor: Any = None) -> Array:
    return _interpolate(input, size, scale_factor, "bilinear", True)


def _shuffle(input: Array, upscale_factor: int) -> Array:
    r = upscale_factor
    *batch, channels, height, width = input.shape
    split = input.reshape(*batch, channels // (r * r), r, r, height, width)
    turned = np.moveaxis(split, (-4, -3), (-3, -1))
    return turned.reshape(*batch, channels // (r * r), height * r, width * r)


def _unshuffle(input: Array, downscale_factor: int) -> Array:
    r = downscale_factor
    *batch, channels, height, width = input.shape
    split = input.reshape(*batch, channels, height // r, r, width // r, r)
    turned = np.moveaxis(split, (-3, -1), (-4, -3))
    return turned.reshape(*batch, channels * r * r, height // r, width // r)


def _channel_shuffle(input: Array, groups: int) -> Array:
    count, channels, *rest = input.shape
    split = input.reshape(count, groups, channels // groups, *rest)
    return split.swapaxes(1, 2).reshape(input.shape)


def _affine_grid(theta: Array, size: Sequence[int], align_corners: Any = False) -> Array:
    """The grid of `theta`: [N, 2, 3] to [N, H, W, 2], or [N, 3, 4] to [N, D, H, W, 3]."""
    axes = []
    for n in size[2:]:
        line = np.linspace(-1, 1, n) if n > 1 else np.zeros(1)
        axes.append(line if align_corners else line * (n - 1) / n)
    mesh = np.meshgrid(*axes, indexing="ij")
    base = np.stack([*mesh[::-1], np.ones_like(mesh[0])], -1)
    shape = (theta.shape[0], *base.shape[:-1], theta.shape[1])
    return np.matmul(base.reshape(-1, base.shape[-1]), theta.swapaxes(1, 2)).reshape(shape)


def _unnormalized(x: Array, size: int, align: bool) -> Array:
    return (x + 1) / 2 * (size - 1) if align else ((x + 1) * size - 1) / 2


def _reflected(x: Array, low: float, high: float) -> Array:
    if high == low:
        return np.zeros_like(x)
    span = high - low
    away = np.abs(x - low)
    turns = np.floor(away / span)
    rest = away - turns * span
    return np.where(turns % 2 == 0, rest + low, high - rest)


def _placed(place: Array, size: int, mode: str, align: bool) -> Array:
    """Places with those outside of a dim moved inside by the padding mode."""
    if mode == "reflection":
        place = _reflected(place, *((0, size - 1) if align else (-0.5, size - 0.5)))
    return np.clip(place, 0, size - 1) if mode in ("border", "reflection") else place


def _grid_sample(
    input: Array,
    grid: Array,
    mode: Any = "bilinear",
    padding_mode: Any = "zeros",
    align_corners: Any = False,
) -> Array:
    """[N, C, *sizes] sampled at [N, *new, dims]; the grid starts with the place in the last dim."""
    sizes, align = input.shape[2:], bool(align_corners)
    places = []
    for k, size in enumerate(sizes):
        place = _unnormalized(grid[..., len(sizes) - 1 - k], size, align)
        # The cubic filter moves the four elements around a place inside, not the place.
        places.append(place if mode == "bicubic" else _placed(place, size, padding_mode, align))
    lows = [np.rint(place) if mode == "nearest" else np.floor(place) for place in places]
    around = {"nearest": (0,), "bilinear": (0, 1), "bicubic": (-1, 0, 1, 2)}[mode]
    weigh: Any = {
        "nearest": np.ones_like,
        "bilinear": lambda away: 1 - away,
        "bicubic": _cubic_weight,
    }[mode]
    rows = np.arange(input.shape[0]).reshape(-1, *[1] * (grid.ndim - 2))
    channels_last = np.moveaxis(input, 1, -1)
    output: Any = 0
    for steps in itertools.product(around, repeat=len(sizes)):
        weight: Any = 1
        index = []
        for place, low, step, size in zip(places, lows, steps, sizes, strict=True):
            weight = weight * weigh(np.abs(place - low - step))
            near = low + step
            if mode == "bicubic":
                near = _placed(near, size, padding_mode, align)
            weight = weight * ((near >= 0) & (near < size))
            index.append(np.clip(np.nan_to_num(near), 0, size - 1).astype(int))
        output = output + channels_last[(rows, *index)] * weight[..., None]
    return np.moveaxis(output, -1, 1)


_RESIZED = ("input", "size", "scale_factor")
_F = "torch.nn.functional."

KERNELS: Final[dict[str, Kernel]] = {
    f"{_F}pad": Kernel(_pad, ("input", "pad", "mode", "value"), result.first),
    "torch.constant_pad_nd": Kernel(
        lambda input, pad, value=0: _pad(input, pad, "constant", value),
        ("input", "pad", "value"),
        result.first,
    ),
    f"{_F}interpolate": Kernel(
        _interpolate,
        (*_RESIZED, "mode", "align_corners", "recompute_scale_factor", "antialias"),
        result.first,
    ),
    f"{_F}upsample": Kernel(_interpolate, (*_RESIZED, "mode", "align_corners"), result.first),
    f"{_F}upsample_nearest": Kernel(_interpolate, _RESIZED, result.first),
    f"{_F}upsample_bilinear": Kernel(_upsample_bilinear, _RESIZED, result.first),
    f"{_F}pixel_shuffle": Kernel(_shuffle, ("input", "upscale_factor"), result.first),
    f"{_F}pixel_unshuffle": Kernel(_unshuffle, ("input", "downscale_factor"), result.first),
    f"{_F}channel_shuffle": Kernel(_channel_shuffle, ("input", "groups"), result.first),
    f"{_F}affine_grid": Kernel(_affine_grid, ("theta", "size", "align_corners"), result.first),
    f"{_F}grid_sample": Kernel(
        _grid_sample, ("input", "grid", "mode", "padding_mode", "align_corners"), result.first
    ),
}
"""By the op's name."""
