"""Kernels that reduce dims, or accumulate along one."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.pointwise import logaddexp, wide
from namecheck_runtime.tensors.values import dtypes, promotion

Array = Any


def axes_of(dim: Any) -> Any:
    """Dims as NumPy's `axis`: None for all, which `()` means, too."""
    if isinstance(dim, (list, tuple)):
        return tuple(dim) or None
    return dim


def _reduction(function: Callable[..., Array]) -> Callable[..., Array]:
    """A reduction by one of NumPy's functions."""

    def compute(input: Array, dim: Any = None, keepdim: Any = False) -> Array:
        if not input.ndim:
            dim = None
        return function(input, axis=axes_of(dim), keepdims=bool(keepdim))

    return compute


def _reduced(reduce: Callable[..., Array]) -> Callable[..., Array]:
    """A reduction by the method of a ufunc: NumPy's function around it costs more than it does."""

    def compute(input: Array, dim: Any = None, keepdim: Any = False) -> Array:
        axes = axes_of(dim) if input.ndim else None
        return reduce(input, axes, None, None, bool(keepdim))

    return compute


def _asked(reduce: Callable[..., Array]) -> Callable[..., Array]:
    """`all` and `any`, for which `dim=()` means no dims instead of all."""

    reduced = _reduced(reduce)

    def compute(input: Array, dim: Any = None, keepdim: Any = False) -> Array:
        if isinstance(dim, (tuple, list)) and not dim:
            return input.astype(bool)
        return reduced(input, dim, keepdim)

    return compute


def _mean_dtype(call: Call) -> Any:
    requested = call.options.get("dtype") or call.values.get("dtype")
    dtype = dtypes.as_dtype(requested) if requested is not None else call.operands[0].dtype
    if dtype.kind in ("bool", "int"):
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {dtypes.SPOKEN[dtype.name]}"
        )
    return dtype


def _accumulator(input: Array, dtype: Any) -> Any:
    """The dtype in which a total is kept: what `dtype=` says, int64 for whole numbers, else None,
    which leaves it to NumPy.
    """
    if dtype is not None:
        return dtypes.as_dtype(dtype).numpy
    return _INT64 if input.dtype.kind in "biu" else None


_INT64: Final = np.dtype(np.int64)


def _total(function: Callable[..., Array]) -> Callable[..., Array]:
    """`sum` and `prod`."""

    def compute(input: Array, dim: Any = None, keepdim: Any = False, dtype: Any = None) -> Array:
        axes = axes_of(dim) if input.ndim else None
        return function(input, axes, _accumulator(input, dtype), None, bool(keepdim))

    return compute


def lowest(of: Any) -> Any:
    """The least that a dtype of real numbers holds."""
    return -np.inf if of.kind == "f" else np.iinfo(of).min


def highest(of: Any) -> Any:
    """The greatest that a dtype of real numbers holds."""
    return np.inf if of.kind == "f" else np.iinfo(of).max


def mean(x: Array, axes: Any = None, keepdims: bool = False, of: Any = None) -> Array:
    """The mean; that of no elements is NaN, about which NumPy would warn."""
    if x.size:
        if of is None and x.dtype.char in "fdFD":  # as np.mean, which does more for other dtypes
            total = _reduce_add(x, axes, None, None, keepdims)
            return np.true_divide(total, x.size // total.size)
        return np.mean(x, axis=axes, dtype=of, keepdims=keepdims)
    return np.sum(x, axis=axes, dtype=of, keepdims=keepdims) / 0.0


def variance(x: Array, axes: Any = None, off: Any = 0, keepdims: bool = False) -> Array:
    """The variance, divided by the count minus `off`."""
    count = x.size if axes is None else math.prod(np.take(x.shape, axes).reshape(-1))
    if count > off:
        return np.var(x, axis=axes, ddof=off, keepdims=keepdims)
    apart = np.abs(x - mean(x, axes, True)) ** 2
    return np.sum(apart, axis=axes, keepdims=keepdims) / 0.0


def _deviation(x: Array, axes: Any = None, off: Any = 0, keepdims: bool = False) -> Array:
    return np.sqrt(variance(x, axes, off, keepdims))


def _spread(function: Callable[..., Array]) -> Callable[..., Array]:
    """`var` and `std`, divided by the count minus the correction."""

    def compute(
        input: Array,
        dim: Any = None,
        correction: Any = None,
        keepdim: Any = False,
        unbiased: Any = None,
    ) -> Array:
        off = 1 if correction is None else correction
        if off == 1 and unbiased is not None:
            off = int(bool(unbiased))
        return function(wide(input), axes_of(dim) if input.ndim else None, off, bool(keepdim))

    return compute


def _real(call: Call) -> Any:
    return promotion.real(call.operands[0].dtype)


def _real_and_own(call: Call) -> Any:
    return promotion.real(call.operands[0].dtype), call.operands[0].dtype


def _along(input: Array, dim: Any) -> int:
    return -1 if dim is None else dim


def _chosen(pick: Callable[..., Array]) -> Callable[..., Any]:
    """The largest or the smallest along a dim, and its place."""

    def compute(input: Array, dim: Any = None, keepdim: Any = False) -> Any:
        if not input.ndim:
            return input, np.zeros((), np.int64)
        if not keepdim and dim in (-1, input.ndim - 1) and input.size and input.flags.c_contiguous:
            where = pick(input, dim)
            return input.take(np.add(where, _beginnings(input.shape))), where
        where = pick(input, dim, keepdims=True)
        values = np.take_along_axis(input, where, axis=dim)
        if not keepdim:
            return values.squeeze(dim), where.squeeze(dim)
        return values, where

    return compute


@lru_cache(maxsize=64)
def _beginnings_of_few(sizes: tuple[int, ...]) -> Array:
    return np.arange(0, math.prod(sizes), sizes[-1]).reshape(sizes[:-1])


def _beginnings(sizes: tuple[int, ...]) -> Array:
    """Where each row of an array begins in its memory."""
    few = len(sizes) < 3 and sizes[0] <= _FEW
    return _beginnings_of_few(sizes) if few else _beginnings_of_few.__wrapped__(sizes)


_FEW: Final = 1024
"""The most rows whose beginnings are kept."""


def _extreme(call: Call) -> Any:
    """The dtype of `max` of one tensor, of two, or along a dim."""
    if isinstance(call.dims, tuple) and call.dims and isinstance(call.dims[0], tuple):
        first = call.dims[0]
        if not first or isinstance(first[0], tuple):
            return (call.operands[0].dtype, dtypes.int64)
    several = _is_pair(call.dims)
    return (call.operands[0].dtype, dtypes.int64) if several else call.common()


def _is_pair(dims: Any) -> bool:
    return isinstance(dims, tuple) and len(dims) == 2 and all(type(d) is tuple for d in dims)


def _extremum(
    reduce: Callable[..., Array], pick: Callable[..., Array], meet: Callable[..., Array]
) -> Callable[..., Any]:
    along = _chosen(pick)

    def compute(input: Array, dim: Any = None, keepdim: Any = False, other: Any = None) -> Any:
        if other is not None:
            return meet(input, other)
        if isinstance(dim, int):
            return along(input, dim, keepdim)
        return reduce(input, None)

    return compute


def _kth(input: Array, k: int, dim: Any = -1, keepdim: Any = False) -> Any:
    if not input.ndim:
        return input, np.zeros((), np.int64)
    dim = _along(input, dim)
    order = np.argsort(input, axis=dim, kind="stable")
    where = np.take(order, [k - 1], axis=dim)
    values = np.take_along_axis(input, where, axis=dim)
    return (values, where) if keepdim else (values.squeeze(dim), where.squeeze(dim))


def _median(input: Array, dim: Any = None, keepdim: Any = False) -> Any:
    """The median: of two in the middle the lower, and along a dim its place, too."""
    if dim is None:
        flat = np.sort(input.reshape(-1))
        if not flat.size:
            return np.asarray(np.nan, input.dtype)
        if input.dtype.kind == "f" and np.isnan(flat[-1]):
            return np.asarray(np.nan, input.dtype)
        return flat[(flat.size - 1) // 2]
    if not input.ndim:
        return input, np.zeros((), np.int64)
    values, where = _kth(input, (input.shape[dim] + 1) // 2, dim, True)
    missing = input != input
    hit = missing.any(dim, keepdims=True)
    values = np.where(hit, input.dtype.type(np.nan if hit.any() else 0), values)
    where = np.where(hit, missing.argmax(dim, keepdims=True), where)
    return (values, where) if keepdim else (values.squeeze(dim), where.squeeze(dim))


def _median_dtype(call: Call) -> Any:
    return result.first_and_places(call) if _is_pair(call.dims) else call.operands[0].dtype


def _mode(input: Array, dim: Any = -1, keepdim: Any = False) -> Any:
    """The smallest of the most frequent elements, and its last place."""
    if not input.ndim:
        return input, np.zeros((), np.int64)
    dim = _along(input, dim)
    moved = np.moveaxis(input, dim, -1)
    values = np.empty(moved.shape[:-1], input.dtype)
    places = np.empty(moved.shape[:-1], np.int64)
    for index in np.ndindex(moved.shape[:-1]):
        elements, counts = np.unique(moved[index], return_counts=True)
        best = elements[counts.argmax()]
        values[index] = best
        places[index] = np.flatnonzero(moved[index] == best)[-1]
    if keepdim:
        return np.expand_dims(values, dim), np.expand_dims(places, dim)
    return values, places


def _cumulative(function: Callable[..., Array]) -> Callable[..., Array]:
    def compute(input: Array, dim: int, dtype: Any = None) -> Array:
        if not input.ndim:
            return input
        return function(input, axis=dim, dtype=_accumulator(input, dtype))

    return compute


def _logcumsumexp(input: Array, dim: int) -> Array:
    if not input.ndim:
        return input
    if input.dtype.kind != "c":
        return np.logaddexp.accumulate(input, axis=dim)
    output = np.array(input)
    moved = np.moveaxis(output, dim, 0)
    for k in range(1, len(moved)):
        moved[k] = logaddexp(moved[k - 1], moved[k])
    return output


def _running(meet: np.ufunc) -> Callable[..., Any]:
    """The extreme so far along a dim, and its last place."""

    def compute(input: Array, dim: int) -> Any:
        if not input.ndim:
            return input, np.zeros((), np.int64)
        values = meet.accumulate(input, axis=dim)
        count = input.shape[dim]
        shape = [1] * input.ndim
        shape[dim] = count
        here = (input == values) | (input != input)
        places = np.where(here, np.arange(count).reshape(shape), 0)
        return values, np.maximum.accumulate(places, axis=dim)

    return compute


def _logsumexp(input: Array, dim: Any, keepdim: Any = False) -> Array:
    axes = axes_of(dim) if input.ndim else None
    most = np.max(input, axis=axes, keepdims=True) if input.size else np.zeros((1,) * input.ndim)
    most = np.where(np.isfinite(most), most, 0)
    total = np.log(np.sum(np.exp(input - most), axis=axes, keepdims=True)) + most
    return total if keepdim else np.squeeze(total, axes)


_reduce_maximum: Final[Callable[..., Any]] = np.maximum.reduce
_reduce_minimum: Final[Callable[..., Any]] = np.minimum.reduce
_reduce_add: Final[Callable[..., Any]] = np.add.reduce


def softmax(input: Array, dim: int) -> Array:
    """exp(x) over its sum along a dim."""
    if not input.ndim:
        return np.ones_like(input)
    # Ufuncs with all arguments in order: NumPy's functions around them cost more than they do.
    powers = np.subtract(input, _reduce_maximum(input, dim, None, None, True, -np.inf))
    np.exp(powers, powers)
    return np.divide(powers, _reduce_add(powers, dim, None, None, True), powers)


def log_softmax(input: Array, dim: int) -> Array:
    """The logarithm of `softmax`, computed without it, so that nothing underflows."""
    if not input.ndim:
        return np.zeros_like(input)
    shifted = input - np.max(input, axis=dim, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.sum(np.exp(shifted), axis=dim, keepdims=True))


def _index_of(pick: Callable[..., Array]) -> Callable[..., Array]:
    def compute(input: Array, dim: Any = None, keepdim: Any = False) -> Array:
        if not input.ndim:
            return np.zeros((), np.int64)
        if dim is None:
            place = pick(input, None)
            return np.reshape(place, (1,) * input.ndim) if keepdim else place
        return pick(input, dim, keepdims=bool(keepdim))

    return compute


def _norm(input: Array, p: Any = "fro", dim: Any = None, keepdim: Any = False) -> Array:
    """The p-norm of all elements along dims."""
    axes = axes_of(dim) if input.ndim else None
    keep = bool(keepdim)
    if p == "nuc":
        return np.linalg.norm(input, "nuc", axes or (-2, -1), keep)
    if p in ("fro", None) or p == 2:
        return np.sqrt(np.sum(np.abs(input) ** 2, axis=axes, keepdims=keep))
    if p == np.inf:
        return np.max(np.abs(input), axis=axes, keepdims=keep)
    if p == -np.inf:
        return np.min(np.abs(input), axis=axes, keepdims=keep)
    if p == 0:
        return np.sum(input != 0, axis=axes, keepdims=keep).astype(input.dtype)
    return np.sum(np.abs(input) ** p, axis=axes, keepdims=keep) ** (1.0 / p)


def _pair(first: Any, second: Any) -> Callable[..., Any]:
    def compute(**values: Any) -> Any:
        return first(**values), second(**values)

    return compute


_REDUCED = ("input", "dim", "keepdim")
_SPREAD = ("input", "dim", "correction", "keepdim", "unbiased")


def _mean(input: Array, dim: Any = None, keepdim: Any = False, dtype: Any = None) -> Array:
    of = None if dtype is None else dtypes.as_dtype(dtype).numpy
    return mean(input, axes_of(dim) if input.ndim else None, bool(keepdim), of)


def _nanmean(input: Array, dim: Any = None, keepdim: Any = False) -> Array:
    options: Any = {"axis": axes_of(dim) if input.ndim else None, "keepdims": bool(keepdim)}
    return np.nansum(input, **options) / np.sum(input == input, **options)


def _for_floats(call: Call) -> Any:
    return promotion.floating(call.operands[0].dtype)


def _floats(call: Call) -> Any:
    """The dtype of a softmax, from `dtype=` or its operand, which has to be float."""
    requested = call.options.get("dtype") or call.values.get("dtype")
    dtype = call.operands[0].dtype if requested is None else dtypes.as_dtype(requested)
    if dtype.kind in ("bool", "int"):
        function = "log_softmax" if "log" in call.op.name else "softmax"
        last = (
            call.values.get("dim") in (-1, call.operands[0].ndim - 1) or not call.operands[0].ndim
        )
        place = "_lastdim" if last else ""
        raise NotImplementedError(
            f"\"{function}{place}_kernel_impl\" not implemented for '{dtypes.SPOKEN[dtype.name]}'"
        )
    return dtype


def _softened(compute: Callable[..., Array]) -> Callable[..., Array]:
    def soften(input: Array, dim: Any, dtype: Any = None) -> Array:
        if dtype is not None:
            input = input.astype(dtypes.as_dtype(dtype).numpy)
        if dim is None:  # the implicit dim of old versions of PyTorch
            dim = 0 if input.ndim in (0, 1, 3) else 1
        return compute(input, dim)

    return soften


KERNELS: Final[dict[str, Kernel]] = {
    "torch.sum": Kernel(_total(np.add.reduce), (*_REDUCED, "dtype"), result.accumulated),
    "torch.nansum": Kernel(_reduction(np.nansum), _REDUCED, result.accumulated),
    "torch.prod": Kernel(_total(np.multiply.reduce), (*_REDUCED, "dtype"), result.accumulated),
    "torch.mean": Kernel(_mean, (*_REDUCED, "dtype"), _mean_dtype),
    "torch.nanmean": Kernel(_nanmean, _REDUCED, _mean_dtype),
    "torch.amax": Kernel(_reduced(_reduce_maximum), _REDUCED),
    "torch.amin": Kernel(_reduced(_reduce_minimum), _REDUCED),
    "torch.all": Kernel(_asked(np.logical_and.reduce), _REDUCED, result.tested),
    "torch.any": Kernel(_asked(np.logical_or.reduce), _REDUCED, result.tested),
    "torch.count_nonzero": Kernel(
        lambda input, dim=None: np.count_nonzero(input, axis=axes_of(dim)),
        ("input", "dim"),
        result.int64,
    ),
    "torch.var": Kernel(_spread(variance), _SPREAD, _real),
    "torch.std": Kernel(_spread(_deviation), _SPREAD, _real),
    "torch.var_mean": Kernel(
        lambda **v: (_spread(variance)(**v), _mean(v["input"], v.get("dim"), v.get("keepdim"))),
        _SPREAD,
        _real_and_own,
    ),
    "torch.std_mean": Kernel(
        lambda **v: (_spread(_deviation)(**v), _mean(v["input"], v.get("dim"), v.get("keepdim"))),
        _SPREAD,
        _real_and_own,
    ),
    "torch.logsumexp": Kernel(_logsumexp, _REDUCED, _for_floats),
    "torch.max": Kernel(
        _extremum(_reduce_maximum, np.ndarray.argmax, np.maximum), (*_REDUCED, "other"), _extreme
    ),
    "torch.min": Kernel(
        _extremum(_reduce_minimum, np.ndarray.argmin, np.minimum), (*_REDUCED, "other"), _extreme
    ),
    "torch.aminmax": Kernel(
        _pair(_reduced(_reduce_minimum), _reduced(_reduce_maximum)), _REDUCED, result.common
    ),
    "torch.argmax": Kernel(_index_of(np.ndarray.argmax), _REDUCED, result.int64),
    "torch.argmin": Kernel(_index_of(np.ndarray.argmin), _REDUCED, result.int64),
    "torch.median": Kernel(_median, _REDUCED, _median_dtype),
    "torch.kthvalue": Kernel(_kth, ("input", "k", "dim", "keepdim"), result.first_and_places),
    "torch.mode": Kernel(_mode, _REDUCED, result.first_and_places),
    "torch.cumsum": Kernel(_cumulative(np.cumsum), ("input", "dim", "dtype"), result.accumulated),
    "torch.cumprod": Kernel(_cumulative(np.cumprod), ("input", "dim", "dtype"), result.accumulated),
    "torch.logcumsumexp": Kernel(_logcumsumexp, ("input", "dim"), _for_floats),
    "torch.cummax": Kernel(_running(np.maximum), ("input", "dim"), result.first_and_places),
    "torch.cummin": Kernel(_running(np.minimum), ("input", "dim"), result.first_and_places),
    "torch.softmax": Kernel(_softened(softmax), ("input", "dim", "dtype"), _floats),
    "torch.nn.functional.softmax": Kernel(_softened(softmax), ("input", "dim", "dtype"), _floats),
    "torch.log_softmax": Kernel(_softened(log_softmax), ("input", "dim", "dtype"), _floats),
    "torch.nn.functional.log_softmax": Kernel(
        _softened(log_softmax), ("input", "dim", "dtype"), _floats
    ),
    "torch.nn.functional.softmin": Kernel(
        _softened(lambda x, dim: softmax(-x, dim)), ("input", "dim", "dtype"), _floats
    ),
    "torch.norm": Kernel(_norm, ("input", "p", "dim", "keepdim"), _real),
}
"""By the op's name."""
