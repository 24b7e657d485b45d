"""Views: tensors that show the memory of another one.

The layout function of a rule says where the view lies (`declare.LAYOUTS`); here its answer becomes
a tensor.  Ops without a layout function are in `view_ops`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, Final

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
    array = base._array
    if storage is not None and storage.is_shown_by(array) and 0 not in geometry.sizes:
        # As `storage.show` does it, but without the flat buffer, which is not made before its time.
        item = array.itemsize
        places = [stride * item for stride in geometry.strides]
        begin: Any = geometry.offset * item
        view = fresh(np.ndarray(geometry.sizes, array.dtype, array, begin, places), names)  # type: ignore[arg-type]
    elif storage is not None and storage.buffer is not None:
        view = fresh(storage.show(geometry, array.dtype), names)
    else:
        view = fresh(None, names)
    view._storage = storage
    if rest is not None and rest.geometry is not None:
        view._rest = Rest(rest.device, rest.layout, rest.dtype, geometry)
        if storage is None:
            backend = backend_of(rest.device, rest.layout)
            view._array = backend.show(base, geometry)
    return view


def renamed(base: Tensor, names: Names) -> Tensor:
    """The same dims under other names; in the graph of the tensor, if it is in one."""
    if base._rest is not None and base._rest.history is not None:
        names_ = names if any(names) else (None,)
        return base.rename(*names_) if names else base
    return shown_at(base, base._geometry(), names)


def show(called: Call) -> Any:
    """The result of a view op; None if a kernel has to copy the elements."""
    layout = LAYOUTS.get(called.rule.function)
    if layout is None:
        return None
    base: Tensor = next(iter(called.values.values()))
    base._own()
    geometry = base._geometry()
    if _is_several(called, base):
        return pieces(called, base, geometry)
    try:
        view = _lie(called, layout, geometry)
    except strides.Undecided:
        return None
    except Mistake as mistake:
        raise error_of(mistake.with_op(called.op.name)) from None
    names = names_of(called.dims)
    if view is COPY:
        return copied(base, tuple([dim.size for dim in called.dims]), names)
    return shown_at(base, view, names)


def _is_several(called: Call, base: Tensor) -> bool:
    if called.dims == ():
        return bool(base.ndim) and called.rule.returns != "Shape"
    return not all(type(dim) is Dim for dim in called.dims)


def _lie(called: Call, layout: Layout, g: Geometry) -> Any:
    """Where the elements of a view lie.  Raises strides.Undecided, Mistake."""
    if layout.to_sizes:
        return layout.function(g, tuple([dim.size for dim in called.dims]))
    _, *others = called.values.values()
    return layout.function(g, *map(_plain, others))


class Showing:
    """How a view op shows any operand with the same sizes and strides.

    Where the view lies does not depend on where the operand begins.
    """

    __slots__ = ("_all", "_begin", "_calls", "_names", "_places", "_sizes", "_whole")

    def __init__(self) -> None:
        self._names: Names | None = None
        self._calls = 0

    def _remember(self, called: Call) -> None:
        """Remember where the view lies, if that does not depend on more than sizes and strides."""
        layout = LAYOUTS.get(called.rule.function)
        base, *others = called.values.values()
        if layout is None or base._rest is not None or any(map(holds, others)):
            return
        array = base._array
        if not array.size or called.dims is UNKNOWN or _is_several(called, base):
            return
        g = base._geometry()._replace(offset=0)
        try:
            view, moved = (_lie(called, layout, g._replace(offset=at)) for at in (0, array.size))
        except (strides.Undecided, Mistake):
            return
        if (
            view is COPY
            or 0 in view.sizes
            or moved != view._replace(offset=view.offset + array.size)
        ):
            return
        item = array.itemsize
        self._names = names_of(called.dims)
        self._sizes = view.sizes
        self._places = tuple([stride * item for stride in view.strides])
        self._begin = view.offset * item
        self._whole = array.flags.c_contiguous
        """Whether the operand is in row-major order."""
        self._all = self._whole and not self._begin and array.size == prod(view.sizes)
        """Whether NumPy shows the same by its `reshape`."""
        if self._all:
            self._all = array.reshape(view.sizes).strides == self._places

    def __call__(self, called: Call) -> Any:
        """The view for a call like those before.

        None if a kernel has to copy the elements.
        """
        if self._names is None:
            self._calls += 1
            if self._calls == 2:  # a call that is made once need not be remembered
                self._remember(called)
            if self._names is None:
                return show(called)
        return self.view(called.operands[0])

    @property
    def is_certain(self) -> bool:
        """Whether it knows where the view of any operand lies."""
        return self._names is not None

    def view(self, base: Tensor) -> Tensor:
        """The view of an operand, once that is certain."""
        view: Tensor = self.direct()((base,), {})
        return view

    def direct(self) -> Callable[[Sequence[Any], Mapping[str, Any]], Any]:
        """The function for calls with the operand as the first argument, once that is certain."""
        sizes, places, begin, names = self._sizes, self._places, self._begin, self._names
        new, make = _new, np.ndarray

        def show_whole(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Tensor:
            base = arguments[0]
            storage = base._storage
            if storage is None:
                storage = base._own()
            array = base._array
            view = new(Tensor)
            view._array = make(sizes, array.dtype, array, begin, places)
            view._names = names  # type: ignore[assignment]
            view._storage = storage
            view._rest = None
            return view

        def show_all(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Tensor:
            base = arguments[0]
            storage = base._storage
            if storage is None:
                storage = base._own()
            view = new(Tensor)
            view._array = base._array.reshape(sizes)
            view._names = names  # type: ignore[assignment]
            view._storage = storage
            view._rest = None
            return view

        def show_part(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Tensor:
            base = arguments[0]
            storage = base._own()
            array = base._array
            at = begin + address(array) - storage.address
            shown = make(sizes, array.dtype, storage.buffer, at, places)
            view = fresh(shown, names)  # type: ignore[arg-type]
            view._storage = storage
            return view

        if self._all:
            return show_all  # NumPy makes it in half the time
        return show_whole if self._whole else show_part


_new: Final = object.__new__


def _plain(value: Any) -> Any:
    """An argument of a view op as numbers.  Raises strides.Undecided if elements decide it."""
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
            *[
                None if bound is None else int(bound)
                for bound in (value.start, value.stop, value.step)
            ]
        )
    if isinstance(value, np.ndarray):
        raise strides.Undecided
    return value


def copied(base: Tensor, sizes: tuple[int, ...], names: Names) -> Tensor:
    """A copy in row-major order, with other sizes."""
    if isinstance(base._array, np.ndarray):
        return fresh(np.array(base._array, order="C").reshape(sizes), names)
    geometry = Geometry(sizes, strides.contiguous_strides(sizes))
    copy = shown_at(base, geometry, names)
    storage = base._storage
    copy._storage = None if storage is None else Storage(None, extent(geometry) * base.itemsize)
    return copy


def pieces(called: Call, base: Tensor, g: Geometry) -> tuple[Tensor, ...]:
    """Parts of a tensor along one dim, from its beginning on."""
    dim = called.values.get("dim", 0)
    dim = dim if dim >= 0 else dim + len(g.sizes)
    sizes: Any = g.sizes
    starts = called.values.get("indices")
    parts = []
    begin = 0
    for k, dims in enumerate(called.dims):
        names = names_of(dims)
        if starts is not None:
            # The call says where pieces begin: they may overlap, and be empty.
            begin = slice(starts[k - 1] if k else 0, None).indices(sizes[dim])[0]
        if len(dims) < len(g.sizes):
            parts.append(shown_at(base, strides.select(g, dim, begin), names))
            begin += 1
        else:
            length = dims[dim].size
            parts.append(shown_at(base, strides.narrow(g, dim, begin, length), names))
            begin += length
    return tuple(parts)


def strided(called: Call, base: Tensor, sizes: Any, stride: Any, offset: Any) -> Geometry:
    """The sizes and strides of a call.  Raises RuntimeError if they leave the tensor's storage."""
    if not stride and sizes:
        stride = strides.contiguous_strides(tuple(sizes))
    try:
        return strides.as_strided(
            base._geometry(),
            sizes,
            stride,
            offset,
            storage=base.untyped_storage().nbytes() // base.itemsize,
            itemsize=base.itemsize,
        )
    except Mistake as mistake:
        raise error_of(mistake.with_op(called.op.name)) from None


def seen_as(base: Tensor, geometry: Geometry, dtype: dtypes.dtype, names: Names) -> Tensor:
    """The memory of a tensor, read as elements of another dtype."""
    storage = base._storage
    elements = None
    if storage is not None and storage.buffer is not None:
        elements = storage.show(geometry, dtype.numpy)
    view = fresh(elements, names)
    view._storage = storage
    rest = base._rest
    if rest is not None and rest.geometry is not None:
        view._rest = Rest(rest.device, rest.layout, dtype, geometry)
    return view
