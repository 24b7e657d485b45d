"""The memory of a tensor read as another dtype: parts of complex numbers, other bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import names_of
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.views.showing import seen_as


def as_real(called: Call) -> Tensor:
    """Real and imaginary parts as a last dim of size 2, over the same memory."""
    base = called.operands[0]
    base._own()
    g = base._geometry()
    half = dtypes.float64 if base.dtype is dtypes.complex128 else dtypes.float32
    strides = tuple([stride * 2 for stride in g.strides])  # type: ignore[operator]
    geometry = Geometry((*g.sizes, 2), (*strides, 1), g.offset * 2)  # type: ignore[operator]
    return seen_as(base, geometry, half, names_of(called.dims))


def as_complex(called: Call) -> Tensor:
    """A last dim of size 2 as complex numbers, over the same memory."""
    base = called.operands[0]
    if base.dtype not in (dtypes.float32, dtypes.float64):
        raise NotImplementedError(
            "view_as_complex is only supported for float and double tensors here, but got a tensor "
            f"of scalar type: {dtypes.SPOKEN[base.dtype.name]}"
        )
    base._own()
    g = base._geometry()
    strides_: Any = g.strides
    if strides_[-1] != 1 or g.offset % 2 or any(n % 2 for n in strides_[:-1]):  # type: ignore[operator]
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    dtype = dtypes.complex128 if base.dtype is dtypes.float64 else dtypes.complex64
    strides = tuple([stride // 2 for stride in strides_[:-1]])
    geometry = Geometry(g.sizes[:-1], strides, g.offset // 2)  # type: ignore[operator]
    return seen_as(base, geometry, dtype, names_of(called.dims))


def part(place: int) -> Callable[[Call], Tensor]:
    """`x.real`, `x.imag` of complex numbers: every other float of their memory."""

    def show_part(called: Call) -> Tensor:
        base = called.operands[0]
        if base.dtype.kind != "complex":
            if place:
                raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
            return base
        base._own()
        g = base._geometry()
        half = dtypes.float64 if base.dtype is dtypes.complex128 else dtypes.float32
        places = tuple([stride * 2 for stride in g.strides])  # type: ignore[operator]
        geometry = Geometry(g.sizes, places, g.offset * 2 + place)  # type: ignore[operator]
        return seen_as(base, geometry, half, names_of(called.dims))

    return show_part


def view_as_dtype(called: Call) -> Tensor | None:
    """`x.view(dtype)`: the same bytes as elements of another dtype; None for a view by sizes."""
    if "dtype" not in called.values:
        return None
    base = called.operands[0]
    if not isinstance(called.values["dtype"], dtypes.dtype):
        kind = type(called.values["dtype"]).__name__
        raise TypeError(f"view() received an invalid combination of arguments - got ({kind})")
    dtype: dtypes.dtype = called.values["dtype"]
    size, new_size = base.itemsize, dtype.itemsize
    base._own()
    g = base._geometry()
    if size == new_size:
        return seen_as(base, g, dtype, base._names)
    conversion = f"to view {dtypes.SPOKEN[base.dtype.name]} as {dtypes.SPOKEN[dtype.name]}"
    conversion += " (different element sizes)"
    sizes: Any = g.sizes
    places: Any = g.strides
    offset: Any = g.offset
    if not sizes:
        raise RuntimeError(f"self.dim() cannot be 0 {conversion}")
    if places[-1] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 {conversion}, but got {places[-1]}")
    factor = max(new_size // size, 1)
    if sizes[-1] % factor:
        raise RuntimeError(
            f"self.size(-1) must be divisible by {factor} {conversion}, but got {sizes[-1]}"
        )
    if any(place % factor for place in places[:-1]) or offset % factor:
        raise RuntimeError(f"strides and storage offset must be divisible by {factor} {conversion}")
    scaled = tuple([place * size // new_size for place in places[:-1]])
    last = sizes[-1] * size // new_size
    geometry = Geometry((*sizes[:-1], last), (*scaled, 1), offset * size // new_size)
    return seen_as(base, geometry, dtype, base._names)
