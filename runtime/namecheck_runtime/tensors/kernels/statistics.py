"""Kernels of statistics: quantiles, covariances, differences, areas, histograms, searches."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.values import dtypes

Array = Any


def _nan_to_num(input: Array, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Array:
    if input.dtype.kind not in "fc":
        return np.array(input)
    return np.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


def _nanmedian(input: Array, dim: Any = None, keepdim: Any = False) -> Any:
    """The median without NaN: of two in the middle the lower, and along a dim its place, too."""
    if dim is None:
        flat = input.reshape(-1)
        flat = np.sort(flat[~np.isnan(flat)])
        return flat[(flat.size - 1) // 2] if flat.size else np.asarray(np.nan, input.dtype)
    if not input.ndim:
        return input, np.zeros((), np.int64)
    where = np.argsort(input, axis=dim, kind="stable")
    count = np.sum(~np.isnan(input), axis=dim, keepdims=True)
    place = np.take_along_axis(where, np.maximum(count - 1, 0) // 2, axis=dim)
    values = np.take_along_axis(input, place, axis=dim)
    return (values, place) if keepdim else (values.squeeze(dim), place.squeeze(dim))


def _nanmedian_dtype(call: Call) -> Any:
    of = call.operands[0].dtype
    return of if "dim" not in call.values else (of, dtypes.int64)


def _quantile(compute: Any) -> Any:
    def measure(
        input: Array, q: Any, dim: Any = None, keepdim: Any = False, interpolation: Any = "linear"
    ) -> Array:
        values = input if dim is not None or input.ndim == 0 else input.reshape(-1)
        quantiles = compute(
            values,
            np.asarray(q),
            axis=None if dim is None or not input.ndim else dim,
            method=interpolation or "linear",
            keepdims=bool(keepdim) and dim is not None,
        )
        if keepdim and dim is None:
            quantiles = np.reshape(quantiles, np.shape(q) + (1,) * input.ndim)
        return quantiles

    return measure


def _silent(function: Callable[..., Array]) -> Callable[..., Array]:
    """NumPy's function, without its warnings about too few elements."""

    @functools.wraps(function)
    def compute(*values: Any, **options: Any) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return function(*values, **options)

    return compute


@_silent
def _cov(input: Array, correction: Any = 1, fweights: Any = None, aweights: Any = None) -> Array:
    return np.cov(input, ddof=correction, fweights=fweights, aweights=aweights)


def _diff(
    input: Array, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None
) -> Array:
    parts = [part for part in (prepend, input, append) if part is not None]
    joined = np.concatenate(parts, axis=dim) if len(parts) > 1 else input
    return np.diff(joined, min(n, joined.shape[dim]), dim)


def _spacing(y: Array, x: Any, dx: Any, dim: int) -> Array:
    """The distances between neighbours along a dim."""
    if x is None:
        return np.asarray(1 if dx is None else dx)
    apart = np.diff(x, axis=dim if x.ndim > 1 else 0)
    if x.ndim == 1:
        shape = [1] * y.ndim
        shape[dim] = apart.size
        apart = apart.reshape(shape)
    return apart


def _areas(y: Array, x: Any, dx: Any, dim: int) -> Array:
    moved = np.moveaxis(y, dim, 0)
    means = np.moveaxis((moved[1:] + moved[:-1]) / 2, 0, dim)
    return means * _spacing(y, x, dx, dim)


def _trapezoid(y: Array, x: Any = None, dx: Any = 1, dim: int = -1) -> Array:
    return np.sum(_areas(y, x, dx, dim), axis=dim)


def _gradient(
    input: Array, spacing: Any = None, dim: Any = None, edge_order: Any = 1
) -> tuple[Array, ...]:
    """The slope along each dim; `spacing` is one number, or for each dim a number or its places."""
    dims = tuple(range(input.ndim)) if dim is None else dim if isinstance(dim, tuple) else (dim,)
    apart = spacing if isinstance(spacing, (tuple, list)) else (spacing or 1.0,) * len(dims)
    if len(apart) != len(dims):
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim "
            f"arguments to have the same length, but got a spacing argument of length {len(apart)} "
            f"and a dim argument of length {len(dims)}."
        )
    if any(input.shape[one] <= edge_order for one in dims):
        raise RuntimeError(
            "torch.gradient expected each dimension size to be at least edge_order+1"
        )
    return tuple(
        [
            np.gradient(input, step, axis=one, edge_order=edge_order)
            for one, step in zip(dims, apart, strict=True)
        ]
    )


def _cumulative_trapezoid(y: Array, x: Any = None, dx: Any = 1, dim: int = -1) -> Array:
    return np.cumsum(_areas(y, x, dx, dim), axis=dim)


def _histc(input: Array, bins: Any = 100, min: Any = 0, max: Any = 0) -> Array:
    low, high = 0 if min is None else min, 0 if max is None else max
    if low == high and input.size:
        low, high = input.min(), input.max()
    if low == high:
        low, high = low - 1, high + 1
    return np.histogram(input, 100 if bins is None else bins, (float(low), float(high)))[0]


def _histogram(
    input: Array, bins: Any, range: Any = None, weight: Any = None, density: Any = False
) -> tuple[Array, Array]:
    if range is None and not isinstance(bins, np.ndarray) and not input.size:
        range = (0, 1)
    counts, edges = np.histogram(
        input.reshape(-1),
        bins,
        None if range is None else tuple(range),
        bool(density),
        None if weight is None else weight.reshape(-1),
    )
    return counts, edges


def _isin(
    elements: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False
) -> Array:
    return np.isin(
        np.asarray(elements), np.asarray(test_elements), bool(assume_unique), bool(invert)
    )


def _frexp(x: Array) -> tuple[Array, Array]:
    mantissa, exponent = np.frexp(x)
    return mantissa, exponent


def _searchsorted(
    sorted_sequence: Array, input: Any, right: Any = False, side: Any = None, sorter: Any = None
) -> Array:
    where: Any = "right" if right or side == "right" else "left"
    if sorted_sequence.ndim == 1:
        return np.searchsorted(sorted_sequence, input, where, sorter)
    *lead, length = sorted_sequence.shape
    rows = sorted_sequence.reshape(prod(lead), length)
    orders = [None] * len(rows) if sorter is None else sorter.reshape(rows.shape)
    asked = np.reshape(input, (len(rows), np.shape(input)[-1]))
    places = np.empty(asked.shape, np.int64)
    for k, row in enumerate(rows):
        places[k] = np.searchsorted(row, asked[k], where, orders[k])
    return places.reshape(np.shape(input))


def _bucketize(input: Any, boundaries: Array, right: Any = False) -> Array:
    where: Any = "right" if right else "left"
    return np.searchsorted(boundaries, input, where)


def _place_dtype(call: Call) -> Any:
    return dtypes.int32 if call.values.get("out_int32") else dtypes.int64


def _unique_consecutive(
    input: Array, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """Each run of equal elements once, the run of each element, and the lengths of the runs."""
    values = input.reshape(-1) if dim is None else np.moveaxis(input, dim, 0)
    count = len(values)
    changed = np.ones(count, bool)
    if count > 1:
        other = values[1:] != values[:-1]
        changed[1:] = other.reshape(count - 1, -1).any(axis=1)
    first = np.flatnonzero(changed)
    distinct = values[first] if dim is None else np.moveaxis(values[first], 0, dim)
    results = [distinct]
    if return_inverse:
        inverse = np.cumsum(changed) - 1
        results.append(inverse.reshape(input.shape) if dim is None else inverse)
    if return_counts:
        results.append(np.diff(np.append(first, count)))
    return tuple(results) if len(results) > 1 else distinct


def _msort(input: Array) -> Array:
    return np.sort(input, axis=0) if input.ndim else np.array(input)


def _complex_dtype(call: Call) -> Any:
    return dtypes.complex128 if call.common() is dtypes.float64 else dtypes.complex64


_MEASURED: Final = ("input", "q", "dim", "keepdim", "interpolation")
_WEIGHED: Final = ("input", "correction", "fweights", "aweights")
_AREA: Final = ("y", "x", "dx", "dim")

KERNELS: Final[dict[str, Kernel]] = {
    "torch.nan_to_num": Kernel(_nan_to_num, ("input", "nan", "posinf", "neginf")),
    "torch.nanmedian": Kernel(_nanmedian, ("input", "dim", "keepdim"), _nanmedian_dtype),
    "torch.quantile": Kernel(_quantile(np.quantile), _MEASURED),
    "torch.nanquantile": Kernel(_quantile(_silent(np.nanquantile)), _MEASURED),
    "torch.cov": Kernel(_cov, _WEIGHED, result.floating),
    "torch.corrcoef": Kernel(
        _silent(lambda input: np.corrcoef(input)), ("input",), result.floating
    ),
    "torch.diff": Kernel(_diff, ("input", "n", "dim", "prepend", "append")),
    "torch.trapezoid": Kernel(_trapezoid, _AREA),
    "torch.gradient": Kernel(
        _gradient, ("input", "spacing", "dim", "edge_order"), result.floating, converts=False
    ),
    "torch.cumulative_trapezoid": Kernel(_cumulative_trapezoid, _AREA),
    "torch.histogram": Kernel(
        _histogram,
        ("input", "bins", "range", "weight", "density"),
        lambda call: (call.operands[0].dtype,) * 2,
    ),
    "torch.isin": Kernel(
        _isin,
        ("elements", "test_elements", "assume_unique", "invert"),
        result.bool_,
        False,
    ),
    "torch.frexp": Kernel(_frexp, None, lambda call: (call.operands[0].dtype, dtypes.int32)),
    "torch.histc": Kernel(_histc, ("input", "bins", "min", "max")),
    "torch.searchsorted": Kernel(
        _searchsorted, ("sorted_sequence", "input", "right", "side", "sorter"), _place_dtype, False
    ),
    "torch.bucketize": Kernel(_bucketize, ("input", "boundaries", "right"), _place_dtype, False),
    "torch.unique_consecutive": Kernel(
        _unique_consecutive,
        ("input", "return_inverse", "return_counts", "dim"),
        result.first_and_counts,
    ),
    "torch.msort": Kernel(_msort, ("input",)),
    "torch.complex": Kernel(lambda real, imag: real + 1j * imag, ("real", "imag"), _complex_dtype),
    "torch.polar": Kernel(
        lambda abs, angle: abs * np.exp(1j * angle), ("abs", "angle"), _complex_dtype
    ),
    "Tensor.where": Kernel(
        lambda self, condition, other: np.where(np.asarray(condition).astype(bool), self, other),
        ("self", "condition", "other"),
    ),
}
"""By the op's name."""
