"""Views: tensors that show the memory of another one.

Where a view lies is answered by the layout function that its rule has (`declare.LAYOUTS`); here its
answer becomes a tensor.  What has no layout function stands in `view_ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from namecheck_runtime import strides
from namecheck_runtime.declare import LAYOUTS, Layout
from namecheck_runtime.errors import error_of
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.strides import COPY, Geometry
from namecheck_runtime.tensors.backends import backend_of, extent
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import holds, names_of
from namecheck_runtime.tensors.object import Rest, Tensor, fresh
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.name_tuples import Names
from namecheck_runtime.tensors.values.storage import Storage, address


def shown_at(base: Tensor, geometry: Geometry, names: Names) -> Tensor:
    """A tensor over the storage of another one, with its elements where `geometry` says."""
    storage = base._own()
    rest = base._rest
    if storage is not None and storage.buffer is not None:
        made = fresh(storage.show(geometry, base._array.dtype), names)
    else:
        made = fresh(None, names)
    made._storage = storage
    if rest is not None:
        made._rest = Rest(rest.device, rest.layout, rest.dtype, geometry, rest.requires_grad)
        if storage is None:
            backend = backend_of(rest.device, rest.layout)
            made._array = backend.show(base, geometry)
    return made


def renamed(base: Tensor, names: Names) -> Tensor:
    """The same dims under other names."""
    return shown_at(base, base._geometry(), names)


def show(called: Call) -> Any:
    """The result of a view op; None where the elements have to be copied by a kernel."""
    layout = LAYOUTS.get(called.rule.function)
    if layout is None:
        return None
    base: Tensor = next(iter(called.values.values()))
    base._own()
    g = base._geometry()
    if _is_several(called, base):
        return pieces(called, base, g)
    try:
        found = _lie(called, layout, g)
    except strides.Undecided:
        return None
    except Mistake as mistake:
        raise error_of(mistake.told_by(called.op.name)) from None
    names = names_of(called.dims)
    if found is COPY:
        return copied(base, tuple([dim.size for dim in called.dims]), names)
    return shown_at(base, found, names)


def _is_several(called: Call, base: Tensor) -> bool:
    if called.dims == ():
        return bool(base.ndim) and called.rule.returns != "Shape"
    return not all(type(one) is Dim for one in called.dims)


def _lie(called: Call, layout: Layout, g: Geometry) -> Any:
    """Where the elements of a view lie.  Raises strides.Undecided, Mistake."""
    if layout.to_sizes:
        return layout.function(g, tuple([dim.size for dim in called.dims]))
    _, *others = called.values.values()
    return layout.function(g, *map(_plain, others))


class Showing:
    """How a view op shows its operand, as far as the operand's sizes and strides and the other
    arguments say: where the view lies does not depend on where the operand begins.
    """

    __slots__ = ("_begin", "_names", "_places", "_sizes", "_whole")

    def __init__(self, called: Call) -> None:
        self._names: Names | None = None
        layout = LAYOUTS.get(called.rule.function)
        base, *others = called.values.values()
        if layout is None or base._rest is not None or any(map(holds, others)):
            return
        array = base._array
        if not array.size or called.dims is UNKNOWN or _is_several(called, base):
            return
        g = base._geometry()._replace(offset=0)
        try:
            found, moved = (_lie(called, layout, g._replace(offset=at)) for at in (0, array.size))
        except (strides.Undecided, Mistake):
            return
        if (
            found is COPY
            or 0 in found.sizes
            or moved != found._replace(offset=found.offset + array.size)
        ):
            return
        item = array.itemsize
        self._names = names_of(called.dims)
        self._sizes = found.sizes
        self._places = tuple([stride * item for stride in found.strides])
        self._begin = found.offset * item
        self._whole = array.flags.c_contiguous

    def run(self, called: Call) -> Any:
        """The view of a call like the one that this was made for; None where the elements have to
        be copied by a kernel.
        """
        if self._names is None:
            return show(called)
        base: Tensor = called.operands[0]
        storage = base._storage
        if storage is None:
            storage = base._own()
        array = base._array
        memory, begin = array, self._begin
        if not self._whole:
            assert storage is not None
            memory, begin = storage.buffer, begin + address(array) - storage.address
        made = fresh(np.ndarray(self._sizes, array.dtype, memory, begin, self._places), self._names)
        made._storage = storage
        return made


def _plain(value: Any) -> Any:
    """An argument of a view op as arithmetic takes it."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, list):  # a subscript that is a list is not one that is a tuple
        return list(map(_plain, value))
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Tensor):
        if value.ndim or value.dtype.kind != "int":
            raise strides.Undecided
        return int(value)
    if isinstance(value, slice):
        return slice(
            *[None if v is None else int(v) for v in (value.start, value.stop, value.step)]
        )
    if isinstance(value, np.ndarray):
        raise strides.Undecided
    return value


def copied(base: Tensor, sizes: tuple[int, ...], names: Names) -> Tensor:
    """A copy in row-major order, with other sizes."""
    if isinstance(base._array, np.ndarray):
        return fresh(np.array(base._array, order="C").reshape(sizes), names)
    geometry = Geometry(sizes, strides.contiguous_strides(sizes))
    made = shown_at(base, geometry, names)
    storage = base._storage
    made._storage = None if storage is None else Storage(None, extent(geometry) * base.itemsize)
    return made


def pieces(called: Call, base: Tensor, g: Geometry) -> tuple[Tensor, ...]:
    """Parts of a tensor along one dim, one behind the other."""
    dim = called.values.get("dim", 0)
    dim = dim if dim >= 0 else dim + len(g.sizes)
    sizes: Any = g.sizes
    places = called.values.get("indices")
    made = []
    begin = 0
    for k, dims in enumerate(called.dims):
        names = names_of(dims)
        if places is not None:
            # Where pieces begin is said: they may lie over each other, and be empty.
            begin = slice(places[k - 1] if k else 0, None).indices(sizes[dim])[0]
        if len(dims) < len(g.sizes):
            made.append(shown_at(base, strides.select(g, dim, begin), names))
            begin += 1
        else:
            length = dims[dim].size
            made.append(shown_at(base, strides.narrow(g, dim, begin, length), names))
            begin += length
    return tuple(made)


def strided(called: Call, base: Tensor, sizes: Any, places: Any, offset: Any) -> Geometry:
    """Sizes and strides as they were given, if they stay within the storage of a tensor."""
    if not places and sizes:
        places = strides.contiguous_strides(tuple(sizes))
    try:
        return strides.as_strided(
            base._geometry(),
            sizes,
            places,
            offset,
            storage=base.untyped_storage().nbytes() // base.itemsize,
            itemsize=base.itemsize,
        )
    except Mistake as mistake:
        raise error_of(mistake.told_by(called.op.name)) from None


def seen_as(base: Tensor, geometry: Geometry, of: dtypes.dtype, names: Names) -> Tensor:
    """The memory of a tensor, read as elements of another dtype."""
    storage = base._storage
    elements = None
    if storage is not None and storage.buffer is not None:
        elements = storage.show(geometry, of.numpy)
    made = fresh(elements, names)
    made._storage = storage
    rest = base._rest
    if rest is not None:
        made._rest = Rest(rest.device, rest.layout, of, geometry, rest.requires_grad)
    return made
