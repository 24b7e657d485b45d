"""The methods of tensors that reach ops: they are made here, on top, and given to the class.

The most frequent ones have a fast path: it keeps the answers of the rule by the names of the
operands, and does not ask twice.  All other calls go to `dispatch`, and so does every op that is
not written out here: its method is made from the registry on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from namecheck_runtime._surface import METHODS
from namecheck_runtime.tensors.layouts.sparse_rows import (
    stored_count,
    stored_indices,
    stored_values,
)
from namecheck_runtime.tensors.name_caches import (
    FIRST_GONE,
    PICKED,
    PRODUCTS,
    REVERSED,
    SUMS,
    TRANSPOSES,
    picked_names,
    plan_of,
    subscript_names,
    unsized,
)
from namecheck_runtime.tensors.object import Rest, Tensor, fresh, view_of
from namecheck_runtime.tensors.operators import operate, operators_of
from namecheck_runtime.tensors.protocol_methods import PROTOCOL_METHODS
from namecheck_runtime.tensors.subclasses import (
    as_subclass,
    begin_subclass,
    keep_subclass,
    make_subclass,
    rebuild,
)
from namecheck_runtime.tensors.values.dtypes import numpys
from namecheck_runtime.tensors.values.errstate import QUIET
from namecheck_runtime.tensors.values.name_tuples import Names, intern
from namecheck_runtime.tensors.values.plan_caches import keep, new_cache

if TYPE_CHECKING:
    from namecheck_runtime._surface import DimRef, DimRefs, DTypeLike, Operand
    from namecheck_runtime.tensors.dispatch import Plans
    from namecheck_runtime.tensors.storages import TypedStorage

_new: Final = object.__new__
_add_reduce: Final = np.add.reduce
_MULTIPLIED: Final = numpys("biufc")
"""The dtypes of matrices whose product is NumPy's."""
_SUMMED: Final = numpys("fc")
"""The dtypes whose sum has the same dtype, and is NumPy's."""
_BOOL: Final = np.dtype(np.bool_)
_INT64: Final = np.dtype(np.int64)


def _construct(cls: type[Tensor], *data: Any, **options: Any) -> Tensor:
    from namecheck_runtime.tensors.constructor import construct

    made = construct(*data, **options)
    return made if cls is Tensor else make_subclass(cls, made)


def _new_like(self: Tensor, *data: Any, **options: Any) -> Tensor:
    """PyTorch's old constructor, with the dtype and the device of this tensor: `x.new(2, 3)`."""
    from namecheck_runtime.tensors.constructor import construct

    options.pop("device", None)
    if data and all(isinstance(size, int) for size in data):
        return self.new_empty(data)
    return construct(*data, **options).to(device=self.device, dtype=self.dtype)


# -- what it is and holds --------------------------------------------------------------------------


def _names(self: Tensor) -> Names:
    """The name of each dim; None for one that has none."""
    return self._names


def _set_names(self: Tensor, names: Sequence[str | None] | None) -> None:
    from namecheck_runtime.tensors.dispatch import call_path

    history = None if self._rest is None else self._rest.history
    if history is None:
        call_path("Tensor.names=", (self, names), {})
        return
    alias = self.detach()  # names belong to the tensor, not to the graph
    call_path("Tensor.names=", (alias, names), {})
    self._names = alias._names
    history.accumulator = None  # it knows the old names


def _data(self: Tensor) -> Tensor:
    """The same memory outside all graphs."""
    from namecheck_runtime.tensors.dispatch import call_path

    return call_path("Tensor.data", (self,), {})  # type: ignore[no-any-return]


def _set_data(self: Tensor, data: Tensor) -> None:
    """Show the memory and the names of another tensor; graphs do not notice.

    Raises TypeError for what is no tensor, RuntimeError for one on another device.
    """
    if not isinstance(data, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
    if data.device != self.device or data.layout is not self.layout:
        raise RuntimeError(
            "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have "
            "incompatible tensor type."
        )
    storage, rest = data._own(), data._rest
    history = None if self._rest is None else self._rest.history
    geometry = None if rest is None else rest.geometry
    if history is not None:
        if not history.requires_grad and history.node is None and history.grad is None:
            history = None
        else:
            history.accumulator = None  # it knows the old sizes
    if history is None and geometry is None:
        self._rest = None
    else:
        self._rest = Rest(data.device, data.layout, data.dtype, geometry, history)
    self._array, self._storage, self._names = data._array, storage, data._names


def _reversed(self: Tensor) -> Tensor:
    """The dims in reverse order."""
    if self._rest is None:
        names = REVERSED.get(self._names)
        if names is None:
            names = REVERSED[self._names] = intern(self._names[::-1])
        if self._storage is None:
            self._own()
        return view_of(self, self._array.T, names)
    from namecheck_runtime.tensors.dispatch import call_path

    return call_path("Tensor.T", (self,), {})  # type: ignore[no-any-return]


def _stride(self: Tensor, dim: int | str | None = None) -> tuple[int, ...] | int:
    """The distance of neighbours in elements: along one dim, or along each."""
    strides: Any = self._geometry().strides
    if dim is None:
        return strides  # type: ignore[no-any-return]
    from namecheck_runtime.tensors.calls.operands import position_of

    return strides[position_of(self, dim)]  # type: ignore[no-any-return]


def _storage(self: Tensor) -> TypedStorage:
    """The memory that it shares with its views, as elements of its dtype."""
    from namecheck_runtime.tensors.storages import TypedStorage

    return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype)


def _iterate(self: Tensor) -> Iterator[Tensor]:
    if not self._names:
        raise TypeError("iteration over a 0-d tensor")
    from namecheck_runtime.tensors.dispatch import call_path

    return iter(call_path("Tensor.unbind", (self,), {}))


# -- texts and pickles -----------------------------------------------------------------------------


def _text(self: Tensor) -> str:
    from namecheck_runtime.tensors.printing import text_of

    return text_of(self)


def _table(self: Tensor) -> str:
    from namecheck_runtime.tensors.printing import table_of

    return table_of(self)


def _fields(self: Tensor) -> Iterator[Any]:
    from namecheck_runtime.tensors.printing import fields_of

    return fields_of(self)


def _reduce(self: Tensor, protocol: Any) -> tuple[Any, ...]:
    # Tensors over one storage share it again: pickle writes the same object once.
    from namecheck_runtime.tensors.making.factories import rebuild as rebuild_plain

    if type(self) is not Tensor:
        plain = make_subclass(Tensor, self, self.requires_grad)
        return rebuild, (type(self), plain, dict(getattr(self, "__dict__", {})))
    storage = self._own()
    elements = self._array if storage is None else None
    rest = (self.device, self.layout, self.dtype, self.requires_grad)
    return rebuild_plain, (storage, elements, tuple(self._geometry()), self._names, *rest)


# -- ops -------------------------------------------------------------------------------------------


def _get_item(self: Tensor, key: Any) -> Tensor:
    kind = key.__class__
    if kind is int and self._rest is None:
        # Written out, as it is the most frequent subscript.
        storage = self._storage
        if storage is None:
            storage = self._own()
        try:
            others = FIRST_GONE[self._names]
            array = self._array[key]
        except (KeyError, IndexError):
            pass
        else:
            if others:
                view = _new(Tensor)
                view._array = array
                view._names = others
                view._storage = storage
                view._rest = None
                return view
    if self._rest is None:
        names = None
        if kind is int:
            if self._names:
                names = FIRST_GONE[self._names] = intern(self._names[1:])
        elif kind is slice and self._names:
            names = self._names if key.step is None else None
        elif kind is tuple:
            if key and (key[-1] is None or key[0] is Ellipsis or key[0] is None):
                return _shown(self, key)  # type: ignore[no-any-return]
            names = subscript_names(self._names, key)
            if names is None:
                return _shown(self, key)  # type: ignore[no-any-return]
        elif kind is Tensor:
            picked = _picked(self, key)
            if picked is not None:
                return picked
        if names is not None:
            try:
                # With `...` a single element is an array of no dims.
                if names:
                    array = self._array[key]
                else:
                    array = self._array[(*key, ...) if kind is tuple else (key, ...)]
            except (IndexError, TypeError, ValueError):
                pass
            else:
                if array.size:
                    return view_of(self, array, names)
    return _subscript()(self, key)  # type: ignore[no-any-return]


def _picked(self: Tensor, index: Tensor) -> Tensor | None:
    """The elements that one tensor of indices or truth values picks.

    None if the rule has to be asked about sizes, or for memory that is not in row-major order.
    """
    array, places = self._array, index._array
    if index._rest is not None or not array.flags.c_contiguous:
        return None
    mask = places.dtype is _BOOL
    if not mask and places.dtype is not _INT64:
        return None
    key = (self._names, index._names, mask)
    try:
        names = PICKED[key]
    except KeyError:
        names = picked_names("Tensor.__getitem__", *key)
    if names is None:
        return None
    try:
        elements = array[places]
    except IndexError:
        return None
    return fresh(elements, names) if elements.flags.c_contiguous else None


@cache
def _plans(path: str) -> Plans:
    """The plans for calls of a spelling, whose import loads the rules."""
    from namecheck_runtime.declare import REGISTRY
    from namecheck_runtime.tensors.dispatch import plans_of

    return plans_of(REGISTRY[path])


@cache
def _ask(path: str) -> Callable[[Any, Any], Any]:
    """The usual way to an op."""
    return _plans(path).call


def _shown(self: Tensor, entries: tuple[Any, ...]) -> Any:
    """A subscript of several entries, of which the view may be known."""
    array = self._array
    key = [self._names, array.shape, array.strides, array.dtype]
    for entry in entries:
        if entry.__class__ is slice:
            begin, end = entry.start, entry.stop
            if (
                (begin is not None and begin.__class__ is not int)
                or (end is not None and end.__class__ is not int)
                or entry.step is not None
            ):
                break
            key += (begin, end, slice)
        elif entry is None or entry is Ellipsis or entry.__class__ is int:
            key.append(entry)
        else:
            break
    else:
        known = tuple(key)
        show = _SHOWN.get(known)
        if show is not None:
            return show((self, entries), {})
        result = _subscript()(self, entries)
        show = _plans("Tensor.__getitem__").direct((self, entries))
        if show is not None:
            keep(_SHOWN, known, show)
        return result
    return _subscript()(self, entries)


_SHOWN: Final[dict[Any, Any]] = new_cache()
"""The functions that show what subscripts of numbers, ranges, None and `...` say."""


@cache
def _subscript() -> Callable[[Tensor, Any], Any]:
    """The usual way to a subscript, whose import loads the rules."""
    from namecheck_runtime.tensors.calls.subscripts import read_entries

    ask = _ask("Tensor.__getitem__")

    def subscript(tensor: Tensor, key: Any) -> Any:
        return ask((tensor, read_entries(key)), {})

    return subscript


def _set_item(self: Tensor, key: Any, value: Any) -> None:
    if self._rest is not None or (value.__class__ is Tensor and value._rest is not None):
        from namecheck_runtime.tensors.dispatch import set_item

        set_item(self, key, value)
        return
    from namecheck_runtime.tensors.computing.destinations import set_item as write

    write(self, key, value)


def _transpose(self: Tensor, dim0: DimRef, dim1: DimRef) -> Tensor:
    """Two dims exchanged, over the same memory."""
    if self._rest is None and dim0.__class__ is dim1.__class__:
        plan = TRANSPOSES.get((self._names, dim0, dim1))
        if plan is None:
            plan = plan_of(TRANSPOSES, "Tensor.transpose", self._names, (dim0, dim1))
        if plan is not None and plan[0]:
            storage = self._storage
            if storage is None:
                storage = self._own()  # which may set the array's strides
            view = _new(Tensor)
            view._array = self._array.swapaxes(plan[1], plan[2])
            view._names = plan[0]
            view._storage = storage
            view._rest = None
            return view
    from namecheck_runtime.tensors.dispatch import call_path

    return call_path("Tensor.transpose", (self, dim0, dim1), {})  # type: ignore[no-any-return]


def _matmul(self: Tensor, other: Operand) -> Tensor:
    if other.__class__ is Tensor and self._rest is None is other._rest:
        left, right = self._array, other._array
        of = left.dtype
        if left.ndim == 2 == right.ndim and of is right.dtype and of in _MULTIPLIED:
            pair = (self._names, other._names)
            names = PRODUCTS.get(pair)
            if names is None:
                names = unsized(PRODUCTS, "torch.matmul", pair)
            if names is not None:
                try:
                    array = left.dot(right)
                except ValueError:
                    pass
                else:
                    product = _new(Tensor)
                    product._array = array
                    product._names = names
                    product._rest = product._storage = None
                    return product
    return operate("operator.matmul", self, other)  # type: ignore[no-any-return]


def _sum(
    self: Tensor,
    dim: DimRefs | None = None,
    keepdim: bool = False,
    *,
    dtype: DTypeLike | None = None,
    axis: DimRefs | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The sum over some dims, or over all.  Drops them, or keeps them with size 1."""
    # Not declared by the class, so that type checkers read the overloads of the stub.
    kind = dim.__class__
    if (
        (kind is str or kind is int)
        and self._rest is None
        and keepdim is keepdims is False
        and dtype is axis is None
    ):
        array = self._array
        element_type = array.dtype
        plan = SUMS.get((self._names, dim))
        if plan is None:
            plan = plan_of(SUMS, "Tensor.sum", self._names, (dim,))
        if (
            plan is not None
            and element_type in _SUMMED
            and (self._storage is None or array.flags.c_contiguous)
        ):
            names, place = plan
            try:
                summed = QUIET.run(_add_reduce, array, place)
            except RuntimeError:
                pass
            else:
                result = _new(Tensor)
                result._array = summed if names else np.asarray(summed)
                result._names = names
                result._storage = result._rest = None
                return result
    ask = _ask("Tensor.sum")
    if dim is axis is dtype is None and keepdim is keepdims is False:
        return ask((self,), {})  # type: ignore[no-any-return]
    options = {"dim": dim, "axis": axis, "dtype": dtype}
    keywords = {name: value for name, value in options.items() if value is not None}
    if keepdim or keepdims:
        keywords["keepdim"] = True
    return ask((self,), keywords)  # type: ignore[no-any-return]


# -- all of them, given to the class ---------------------------------------------------------------


class _FromRegistry:
    """A method that is made from the registry when it is first used.

    A `__getattr__` would do the same and slow down every attribute of a tensor.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Tensor | None, owner: type) -> Any:
        from namecheck_runtime.tensors.dispatch import method_of

        method = method_of(self.name)
        setattr(Tensor, self.name, method)
        return method.__get__(tensor, owner)


class _OfGradients:
    """An attribute of `autograd.attributes`, which are given to the class on first use."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Tensor | None, owner: type) -> Any:
        _give_gradients()
        return getattr(owner if tensor is None else tensor, self.name)

    def __set__(self, tensor: Tensor, value: Any) -> None:
        _give_gradients()
        setattr(tensor, self.name, value)


_OF_GRADIENTS: Final = (
    *("requires_grad", "requires_grad_", "is_leaf", "grad_fn", "grad", "backward", "retain_grad"),
    *("retains_grad", "register_hook", "register_post_accumulate_grad_hook", "detach_"),
    *("output_nr", "is_inference", "_is_view", "_base", "volatile", "creator"),
)


def _give_gradients() -> None:
    from namecheck_runtime.autograd.attributes import ATTRIBUTES

    for name in _OF_GRADIENTS:
        setattr(Tensor, name, ATTRIBUTES[name])


_WRITTEN_OUT: Final[dict[str, Any]] = {
    "__new__": staticmethod(_construct),
    "__init_subclass__": classmethod(begin_subclass),
    "__torch_function__": classmethod(keep_subclass),
    "_make_subclass": staticmethod(make_subclass),
    "as_subclass": as_subclass,
    "names": property(_names, _set_names),
    "data": property(_data, _set_data),
    "T": property(_reversed),
    "stride": _stride,
    "storage": _storage,
    "__iter__": _iterate,
    "new": _new_like,
    "__repr__": _text,
    "_repr_html_": _table,
    "__rich_repr__": _fields,
    "__reduce_ex__": _reduce,
    "_indices": stored_indices,
    "_values": stored_values,
    "_nnz": stored_count,
    **PROTOCOL_METHODS,
    "__getitem__": _get_item,
    "__setitem__": _set_item,
    "transpose": _transpose,
    "__matmul__": _matmul,
    "sum": _sum,
    **operators_of(),
}
"""The methods that do not come from the registry, by their names in the class."""


def _give_to(tensor: type[Tensor]) -> None:
    """Give the class its methods."""
    for name, method in _WRITTEN_OUT.items():
        function = getattr(method, "__func__", getattr(method, "fget", method))
        function.__name__, function.__qualname__ = name, f"Tensor.{name}"
        setattr(tensor, name, method)
    for name in _OF_GRADIENTS:
        setattr(tensor, name, _OfGradients(name))
    for name in METHODS:
        if name not in tensor.__dict__:
            setattr(tensor, name, _FromRegistry(name))


_give_to(Tensor)
