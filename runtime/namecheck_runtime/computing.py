"""The result of an op in new memory: the kernel that a backend has for it, and what it is given.

Names and sizes have been checked when one comes here, so that a kernel never sees a call that its
rule refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import signature
from typing import Any, Final

import numpy as np

from namecheck_runtime import dtypes, promotion, strides
from namecheck_runtime.asking import is_dims, names_of
from namecheck_runtime.backends import Backend, Call, Kernel, backend_of, extent
from namecheck_runtime.declare import Memory
from namecheck_runtime.dtypes import device, dtype
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.names import unnamed
from namecheck_runtime.storage import Storage
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors import Tensor


def computed(called: Call) -> Any:
    """The result of an op in new memory."""
    op = called.op
    backend = _backend_for(called)
    common = called.common()
    kernel = backend.find(op, common)
    if kernel is None:
        raise NotImplementedError(
            f"{op.name} has no kernel for dtype {common.name} on device '{backend.device_type}' "
            f"and layout {backend.layout.name}"
        )
    of = dtype_of(called, kernel)
    to = None
    if kernel.converts and called.operands:
        to = promotion.floating(common) if op.kind == "float" else common
    given = _elements_of(called, kernel, backend, to)
    with np.errstate(all="ignore"):
        elements = kernel.function(*given) if isinstance(given, list) else kernel.function(**given)
    return _given(called, backend, elements, of)


def _backend_for(called: Call) -> Backend:
    """The backend of the operands, which have to be on one device; of a factory, what it says."""
    where, how = called.options.get("device"), called.options.get("layout")
    if called.operands:
        first = called.operands[0]
        for other in called.operands:
            if other._rest is first._rest is None:
                continue
            if other.device is not first.device and other.ndim and first.ndim:
                raise RuntimeError(
                    "Expected all tensors to be on the same device, but found at least two "
                    f"devices, {first.device} and {other.device}!"
                )
            if first.device is dtypes.CPU:
                first = other
        where = first.device if where is None else where
        how = first.layout if how is None else how
    return backend_of(device("cpu" if where is None else where), how or dtypes.strided)


def dtype_of(called: Call, kernel: Kernel) -> Any:
    """The dtype of the result, or of each of several."""
    asked = called.options.get("dtype", called.values.get("dtype"))
    if kernel.dtype is not None:
        return kernel.dtype(called)
    if asked is not None:
        return dtypes.as_dtype(asked)
    match called.op.kind:
        case "bool":
            return dtypes.bool_
        case "int":
            return dtypes.int64
        case "float":
            return promotion.floating(called.common())
        case "complex":
            found = called.common()
            return dtypes.complex128 if found is dtypes.float64 else dtypes.complex64
    return called.common()


def _elements_of(called: Call, kernel: Kernel, backend: Backend, to: dtype | None) -> Any:
    """What a kernel is called with."""

    def take(value: Any) -> Any:
        if isinstance(value, Tensor):
            return backend.take(value, to)
        if isinstance(value, tuple | list):
            return type(value)(map(take, value))
        return value

    if kernel.takes is None:
        return [
            take(called.values[parameter.name])
            for parameter in called.rule.parameters
            if not _OPERAND_WORDS.isdisjoint(parameter.takes) and parameter.name in called.values
        ]
    own = {**called.options, **called.values}
    if called.operands and "self" in kernel.takes:
        own["self"] = called.operands[0]
    left_out = _defaults(kernel.function)
    return {
        name: take(own[name])
        for name in kernel.takes
        if name in own and not (own[name] is None and name in left_out)
    }


@cache
def _defaults(function: Callable[..., Any]) -> frozenset[str]:
    """The parameters for which a kernel has a value of its own: None is what was left out."""
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # NumPy's own do not all tell
        return frozenset()
    return frozenset(p.name for p in parameters if p.default not in (None, p.empty))


_OPERAND_WORDS: Final = frozenset({"Operand", "Dims", "Shape", "Tensors"})


def _given(called: Call, backend: Backend, elements: Any, of: Any) -> Any:
    """The tensors of what a kernel gave, with the dims that the rule said."""
    dims = called.dims
    if is_dims(dims) or (dims is UNKNOWN and not isinstance(elements, tuple | list)):
        return _one(called, backend, elements, of, dims)
    if dims is UNKNOWN:
        dims = (UNKNOWN,) * len(elements)
    parts = elements if elements is not None else (None,) * len(dims)
    each = of if isinstance(of, tuple) else (of,) * len(dims)
    return tuple(
        _one(called, backend, part, kind, one) if one is not None else None
        for part, kind, one in zip(parts, each, dims, strict=True)
    )


def _one(called: Call, backend: Backend, elements: Any, of: dtype, dims: Any) -> Tensor:
    if dims is UNKNOWN or any(not isinstance(dim.size, int) for dim in dims):
        shape = getattr(elements, "shape", None)
        if shape is None:
            raise RuntimeError(
                f"how many elements {called.op.name} gives depends on the elements of its "
                f"operands, which device '{backend.device_type}' does not have"
            )
        names = unnamed(len(shape)) if dims is UNKNOWN else names_of(dims)
        return _in_order(called, backend.give(elements, names, tuple(shape), of))
    sizes = tuple([dim.size for dim in dims])
    made = backend.give(elements, names_of(dims), sizes, of)
    return _in_order(called, _apart(called, made))


def _apart(called: Call, made: Tensor) -> Tensor:
    """A result in memory of its own: a kernel may give back what it was given."""
    array = made._array
    if isinstance(array, np.ndarray):
        for operand in called.operands:
            if np.may_share_memory(array, operand._array):
                made._array = array.copy()
                break
    return made


def _in_order(called: Call, made: Tensor) -> Tensor:
    """A fresh result in the memory order that PyTorch gives it."""
    memory = called.op.memory
    order: Any = None
    operands = [t._geometry() for t in called.operands]
    try:
        if memory is Memory.SAME and operands and operands[0].sizes == made.shape:
            order = strides.clone_strides(operands[0])
        elif memory is Memory.POINTWISE and operands:
            order = strides.fresh_strides(*operands)
    except strides.Undecided:
        pass
    g = made._geometry()
    if order is None or len(order) != len(g.sizes):
        order = strides.contiguous_strides(g.sizes)
    return made if order == g.strides else _laid(made, order)


def _laid(made: Tensor, order: tuple[int, ...]) -> Tensor:
    """The same elements in other places of new memory."""
    if made._rest is not None:
        made._rest.geometry = Geometry(made._rest.geometry.sizes, order)
        return made
    array = made._array
    geometry = Geometry(array.shape, order)
    room = np.empty(extent(geometry), array.dtype)
    storage = made._storage = Storage(room, room.nbytes)
    made._array = storage.show(geometry, array.dtype)
    made._array[...] = array
    return made
