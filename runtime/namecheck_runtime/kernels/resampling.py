"""Kernels that put elements around a tensor, or read it at other places than its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.backends import Kernel
from namecheck_runtime.kernels import result
from namecheck_runtime.kernels.convolution import padded

Array = Any

_MODES: Final = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def _pad(input: Array, pad: Any, mode: Any = "constant", value: Any = None) -> Array:
    """Two numbers per dim, beginning with the last."""
    pairs = [(int(pad[k]), int(pad[k + 1])) for k in range(0, len(pad), 2)][::-1]
    if mode == "constant":
        return padded(input, pairs, 0 if value is None else value)
    cropped = padded(input, [(min(low, 0), min(high, 0)) for low, high in pairs])
    amounts: Any = [(0, 0)] * (input.ndim - len(pairs))
    amounts += [(max(low, 0), max(high, 0)) for low, high in pairs]
    if not any(map(any, amounts)):
        return np.array(cropped)
    how: Any = _MODES[mode]
    return np.pad(cropped, amounts, mode=how)


def _sizes(input: Array, size: Any, scale_factor: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The sizes that are wanted, and for each dim the scale if one was given."""
    old = input.shape[2:]
    if size is not None:
        given = size if isinstance(size, tuple | list) else (size,) * len(old)
        return tuple(int(n) for n in given), [None] * len(old)
    factors = scale_factor if isinstance(scale_factor, tuple | list) else (scale_factor,) * len(old)
    return (
        tuple(math.floor(float(n) * f) for n, f in zip(old, factors, strict=True)),
        list(factors),
    )


def _places(old: int, new: int, scale: Any, align: bool, clip: bool = True) -> Array:
    """Where new elements lie, counted in old ones."""
    if align:
        return np.arange(new) * ((old - 1) / (new - 1) if new > 1 else 0.0)
    step = 1 / scale if scale else old / new
    found = (np.arange(new) + 0.5) * step - 0.5
    return np.maximum(found, 0) if clip else found


def _linear(x: Array, axis: int, places: Array) -> Array:
    low = np.minimum(np.floor(places).astype(int), x.shape[axis] - 1)
    high = np.minimum(low + 1, x.shape[axis] - 1)
    part = np.reshape(places - low, [-1 if k == axis else 1 for k in range(x.ndim)])
    return x.take(low, axis) * (1 - part) + x.take(high, axis) * part


def _cubic(x: Array, axis: int, places: Array, a: float = -0.75) -> Array:
    begin = np.floor(places).astype(int)
    part = places - begin
    made: Any = 0
    for k in range(-1, 3):
        away = np.abs(part - k)
        near = ((a + 2) * away - (a + 3)) * away * away + 1
        far = ((a * away - 5 * a) * away + 8 * a) * away - 4 * a
        weight = np.where(away <= 1, near, np.where(away < 2, far, 0))
        column = np.reshape(weight, [-1 if k == axis else 1 for k in range(x.ndim)])
        made = made + x.take(np.clip(begin + k, 0, x.shape[axis] - 1), axis) * column
    return made


def _interpolate(
    input: Array,
    size: Any = None,
    scale_factor: Any = None,
    mode: Any = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
    antialias: Any = False,
) -> Array:
    if antialias:
        raise NotImplementedError("interpolate with antialias=True has no kernel")
    new, scales = _sizes(input, size, scale_factor)
    if recompute_scale_factor:
        scales = [None] * len(new)
    made = input
    for axis, (count, scale) in enumerate(zip(new, scales, strict=True), 2):
        old = input.shape[axis]
        if mode in ("nearest", "nearest-exact"):
            step = 1 / scale if scale else old / count
            exact = 0.5 if mode == "nearest-exact" else 0.0
            at = np.floor((np.arange(count) + exact) * np.float32(step)).astype(int)
            made = made.take(np.minimum(at, old - 1), axis)
        elif mode == "area":
            bounds = [(k * old // count, -(-(k + 1) * old // count)) for k in range(count)]
            parts = [made.take(range(low, high), axis).mean(axis) for low, high in bounds]
            made = np.stack(parts, axis)
        elif mode == "bicubic":
            made = _cubic(made, axis, _places(old, count, scale, bool(align_corners), False))
        else:
            made = _linear(made, axis, _places(old, count, scale, bool(align_corners)))
    return made


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
    """[N, 2, 3] to [N, H, W, 2], or [N, 3, 4] to [N, D, H, W, 3]."""
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


def _grid_sample(
    input: Array,
    grid: Array,
    mode: Any = "bilinear",
    padding_mode: Any = "zeros",
    align_corners: Any = False,
) -> Array:
    """[N, C, *sizes] at [N, *new, dims]: the last dim of the grid counts from the last size."""
    if mode == "bicubic":
        raise NotImplementedError("grid_sample with mode='bicubic' has no kernel")
    sizes = input.shape[2:]
    at = []
    for k, size in enumerate(sizes):
        place = _unnormalized(grid[..., len(sizes) - 1 - k], size, bool(align_corners))
        if padding_mode == "reflection":
            edge = (0, size - 1) if align_corners else (-0.5, size - 0.5)
            place = _reflected(place, *edge)
        if padding_mode in ("border", "reflection"):
            place = np.clip(place, 0, size - 1)
        at.append(place)
    rows = np.arange(input.shape[0]).reshape(-1, *[1] * (grid.ndim - 2))
    channels_last = np.moveaxis(input, 1, -1)
    made: Any = 0
    corners = [(0,) * len(sizes)] if mode == "nearest" else list(np.ndindex(*[2] * len(sizes)))
    for corner in corners:
        weight: Any = 1
        index = []
        for place, step, size in zip(at, corner, sizes, strict=True):
            low = np.rint(place) if mode == "nearest" else np.floor(place)
            if mode != "nearest":
                weight = weight * (place - low if step else 1 - (place - low))
            inside = (low + step >= 0) & (low + step < size)
            weight = weight * inside
            index.append(np.clip(np.nan_to_num(low) + step, 0, size - 1).astype(int))
        made = made + channels_last[(rows, *index)] * weight[..., None]
    return np.moveaxis(made, -1, 1)


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
