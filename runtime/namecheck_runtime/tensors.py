"""The tensor: a view on a storage through sizes, strides and an offset, with a name for each dim.

Here live the object and its fast paths: what is called most asks no rule twice, but keeps what the
rule answered by the names of its operands.  Whatever a fast path does not take goes to `dispatch`,
and so does every op that is not written out here: methods come from the registry when they are
first asked for.  Kernels never see a name, and nothing here knows what an op does to dims.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import GenericAlias
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias, overload

import numpy as np

from namecheck_runtime import dtypes
from namecheck_runtime._surface import METHODS, Dims, Methods
from namecheck_runtime.dtypes import device, dtype, layout, memory_format
from namecheck_runtime.names import Names, intern
from namecheck_runtime.operators import operate, operators_of
from namecheck_runtime.quiet import QUIET
from namecheck_runtime.remembered import (
    FIRST_GONE,
    PRODUCTS,
    REVERSED,
    SUMS,
    TRANSPOSES,
    plan_of,
    subscript_names,
    unsized,
)
from namecheck_runtime.storage import Storage, address, geometry_of
from namecheck_runtime.strides import Geometry

if TYPE_CHECKING:
    from namecheck_runtime._surface import DimRef, DimRefs, DTypeLike, Operand

Array: TypeAlias = np.ndarray[Any, Any]
# What `item` and `tolist` give, elements decide.  A checker lets these stand for every number and
# for every list, and does not call them Any where they are returned.
Element: TypeAlias = bool | Any
Elements: TypeAlias = list[Any] | Any


class Rest:
    """What only tensors have that are not plain: not on the CPU, not strided, or in a graph."""

    __slots__ = ("device", "dtype", "geometry", "layout", "requires_grad")

    def __init__(
        self,
        device: device,
        layout: layout,
        dtype: dtype,
        geometry: Geometry,
        requires_grad: bool = False,
    ) -> None:
        self.device = device
        self.layout = layout
        self.dtype = dtype
        self.geometry = geometry
        self.requires_grad = requires_grad

    def copy(self) -> Rest:
        """The same of another tensor."""
        return Rest(self.device, self.layout, self.dtype, self.geometry, self.requires_grad)


class Size(tuple[int, ...]):
    """The sizes of a tensor, as `x.shape` and `x.size()` give them."""

    __slots__ = ()

    def numel(self) -> int:
        """How many elements there are."""
        count = 1
        for size in self:
            count *= size
        return count

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"


class Tensor(Methods[*Dims]):
    """A strided tensor of named dims.  `nt.tensor`, `nt.zeros`, ... make them."""

    __slots__ = ("__weakref__", "_array", "_names", "_rest", "_storage")

    _array: Any
    """The elements: a NumPy array, None on meta, else what the device's backend holds."""
    _names: Names
    """Interned."""
    _rest: Rest | None
    _storage: Storage | None
    """None while nobody shares it: made when it is first asked for.  An array without one lies in
    row-major order, so what is computed of such arrays does too.
    """

    __array_priority__: ClassVar[float] = 1000.0
    __pandas_priority__: ClassVar[int] = 5000
    """Above all of pandas' own: its operators leave it to ours."""

    def __new__(cls, *data: Any, **options: Any) -> Tensor:
        from namecheck_runtime.factories import construct

        return construct(*data, **options)

    # -- what it is --------------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """Its sizes."""
        return Size(self._array.shape if self._rest is None else self._rest.geometry.sizes)  # type: ignore[arg-type]

    @property
    def ndim(self) -> int:
        """How many dims it has."""
        return len(self._names)

    @property
    def dtype(self) -> dtype:
        """The type of its elements."""
        return dtype._BY_NUMPY[self._array.dtype] if self._rest is None else self._rest.dtype

    @property
    def device(self) -> device:
        """Where its elements are."""
        return dtypes.CPU if self._rest is None else self._rest.device

    @property
    def layout(self) -> layout:
        """How its elements are held."""
        return dtypes.strided if self._rest is None else self._rest.layout

    @property
    def requires_grad(self) -> bool:
        """Whether gradients are wanted; a placeholder until there is autograd."""
        return self._rest is not None and self._rest.requires_grad

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        self.requires_grad_(wanted)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Say that gradients are wanted.  Raises RuntimeError for dtypes that have none."""
        if requires_grad and self.dtype.kind not in ("float", "complex"):
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if self._rest is not None:
            self._rest.requires_grad = requires_grad
        elif requires_grad:
            self._own()
            self._rest = Rest(dtypes.CPU, dtypes.strided, self.dtype, self._geometry(), True)
        return self

    @property
    def names(self) -> Names:
        """The name of each dim; None for one that has none."""
        return self._names

    @names.setter
    def names(self, names: Sequence[str | None] | None) -> None:
        from namecheck_runtime.dispatch import call_path

        call_path("Tensor.names=", (self, names), {})

    @property
    def T(self) -> Tensor:
        """The dims in reverse order."""
        if self._rest is None:
            names = REVERSED.get(self._names)
            if names is None:
                names = REVERSED[self._names] = intern(self._names[::-1])
            if self._storage is None:
                self._own()
            return _view(self, self._array.T, names)
        from namecheck_runtime.dispatch import call_path

        return call_path("Tensor.T", (self,), {})  # type: ignore[no-any-return]

    # -- memory ------------------------------------------------------------------------------------

    def _own(self) -> Storage | None:
        """Its storage, made now if nobody has asked before; None where there is no memory."""
        storage = self._storage
        if storage is None and isinstance(self._array, np.ndarray):
            if not self._array.size:
                # NumPy has its own strides for what has no elements.
                self._array = np.ndarray(
                    self._array.shape,
                    self._array.dtype,
                    self._array,
                    0,
                    [s * self._array.itemsize for s in self._geometry().strides],  # type: ignore[operator]
                )
            storage = self._storage = Storage.under(self._array)
        return storage

    def _geometry(self) -> Geometry:
        """Where its elements lie in its storage."""
        if self._rest is not None:
            return self._rest.geometry
        return geometry_of(self._array, self._storage)

    @overload
    def stride(self, dim: None = None) -> tuple[int, ...]: ...

    @overload
    def stride(self, dim: int | str) -> int: ...

    def stride(self, dim: int | str | None = None) -> tuple[int, ...] | int:
        """How many elements apart neighbours lie: along one dim, or along each."""
        strides: Any = self._geometry().strides
        if dim is None:
            return strides  # type: ignore[no-any-return]
        from namecheck_runtime.asking import position_of

        return strides[position_of(self, dim)]  # type: ignore[no-any-return]

    def storage_offset(self) -> int:
        """How many elements of the storage come before its first."""
        return self._geometry().offset  # type: ignore[return-value]

    def untyped_storage(self) -> Storage:
        """The memory that it shares with its views.  Raises RuntimeError where it has none."""
        storage = self._own()
        if storage is None:
            raise RuntimeError(f"a tensor of layout {self.layout} on {self.device} has no storage")
        return storage

    storage = untyped_storage

    def data_ptr(self) -> int:
        """The address of its first element; 0 where there is no memory or no element."""
        if not isinstance(self._array, np.ndarray) or not self._array.size:
            return 0
        return address(self._array)

    def is_contiguous(self, memory_format: memory_format | None = None) -> bool:
        """Whether its elements lie in row-major order without gaps."""
        from namecheck_runtime import strides

        if memory_format is not None and memory_format.rank is not None:
            return strides.is_channels_last(self._geometry(), memory_format.rank)
        return strides.is_contiguous(self._geometry())

    def element_size(self) -> int:
        """Bytes per element."""
        return self.dtype.itemsize

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements that it shows."""
        return self.dtype.itemsize * self.shape.numel()

    @property
    def _version(self) -> int:
        """How often its storage was written to in place."""
        storage = self._storage
        return 0 if storage is None else storage.version

    # -- what leaves -------------------------------------------------------------------------------

    def numpy(self, *, force: bool = False) -> Array:
        """Its elements as a NumPy array over the same memory; names stay behind.

        Raises TypeError on other devices, RuntimeError where gradients are wanted.
        """
        if self.requires_grad and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                "instead."
            )
        array = self._elements()
        self._own().resizable = False  # type: ignore[union-attr]
        return array

    def _elements(self) -> Array:
        """Its elements for whoever does not keep them.  Raises TypeError on other devices."""
        if not isinstance(self._array, np.ndarray):
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to "
                "copy the tensor to host memory first."
            )
        return self._array

    def item(self) -> Element:
        """Its one element as a Python number.  Raises RuntimeError if it has another number."""
        if self.shape.numel() != 1:
            raise RuntimeError(
                f"a Tensor with {self.shape.numel()} elements cannot be converted to Scalar"
            )
        if self._array is None:
            raise RuntimeError("Tensor.item() cannot be called on meta tensors")
        return self._elements().item()

    def tolist(self) -> Elements:
        """Its elements as nested lists of Python numbers."""
        return self._elements().tolist()

    def __bool__(self) -> bool:
        count = self.shape.numel()
        if count != 1:
            many = "more than one value" if count else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
        return bool(self.item())

    def _single(self) -> Any:
        """Its one element, for Python's numbers.  Raises ValueError if it has more or none."""
        if self.shape.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self.item()

    def __float__(self) -> float:
        return float(self._single())

    def __int__(self) -> int:
        return int(self._single())

    def __complex__(self) -> complex:
        return complex(self._single())

    def __index__(self) -> int:
        if self.dtype.kind not in ("int", "bool") or self.shape.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __len__(self) -> int:
        if not self._names:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self._names:
            raise TypeError("iteration over a 0-d tensor")
        from namecheck_runtime.dispatch import call_path

        return iter(call_path("Tensor.unbind", (self,), {}))

    def __contains__(self, element: object) -> bool:
        found: Any = self == element
        return bool(found.any())

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        from namecheck_runtime.printing import text_of

        return text_of(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # IPython's: lines go on where the printer stands.
        first, *others = repr(self).split("\n")
        printer.text(first)
        for line in others:
            printer.break_()
            printer.text(line)

    def _repr_html_(self) -> str:
        from namecheck_runtime.printing import table_of

        return table_of(self)

    def __rich_repr__(self) -> Iterator[Any]:
        from namecheck_runtime.printing import fields_of

        return fields_of(self)

    def __format__(self, spec: str) -> str:
        if not self._names and isinstance(self._array, np.ndarray):
            return format(self.item(), spec)
        return object.__format__(self, spec)

    # -- copies ------------------------------------------------------------------------------------

    def __copy__(self) -> Tensor[*Dims]:
        made = _view(self, self._array, self._names)
        made._rest = None if self._rest is None else self._rest.copy()
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor[*Dims]:
        found = memo.get(id(self))
        if found is None:
            from copy import deepcopy

            found = memo[id(self)] = _new(type(self))
            found._names = self._names
            found._rest = None if self._rest is None else self._rest.copy()
            storage = self._own()
            if storage is None or storage.buffer is None:
                found._array, found._storage = deepcopy(self._array, memo), storage
                return found
            copied = memo.get(id(storage))
            if copied is None:
                copied = memo[id(storage)] = Storage(storage.buffer.copy(), storage.nbytes())
            found._storage = copied
            found._array = copied.show(self._geometry(), self._array.dtype)
        return found

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        # Tensors over one storage share it again: pickle writes the same object once.
        from namecheck_runtime.factories import rebuild

        storage = self._own()
        elements = self._array if storage is None else None
        rest = (self.device, self.layout, self.dtype, self.requires_grad)
        return rebuild, (storage, elements, tuple(self._geometry()), self._names, *rest)

    def __class_getitem__(cls, dims: Any) -> Any:
        """`Tensor[L["N"], L["C"]]`: an annotation, which checkers read."""
        return GenericAlias(cls, dims)

    # -- what other libraries ask for: see `protocols` ---------------------------------------------

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        from namecheck_runtime import protocols

        return protocols.array(self, dtype, copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        from namecheck_runtime import protocols

        return protocols.array_ufunc(self, ufunc, method, *inputs, **options)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        from namecheck_runtime import protocols

        return protocols.array_function(self, function, types, arguments, options)

    def __dlpack__(self, **options: Any) -> Any:
        from namecheck_runtime import protocols

        return protocols.dlpack(self, **options)

    def __dlpack_device__(self) -> tuple[int, int]:
        from namecheck_runtime import protocols

        return protocols.dlpack_device(self)

    # xarray knows by these what it aligns by name: see `foreign`.

    @property
    def variable(self) -> Any:
        """Its elements and names as xarray's Variable.  Raises AttributeError without xarray."""
        from namecheck_runtime.foreign import variable_of

        return variable_of(self)

    @property
    def dims(self) -> tuple[str, ...]:
        """What xarray calls its dims: their names; `dim_0`, ... of those that have none."""
        from namecheck_runtime.foreign import dims_for_xarray

        return dims_for_xarray(self)

    @property
    def encoding(self) -> dict[str, Any]:
        """What xarray has to know when it writes it to a file: nothing."""
        return {}

    def set_dims(self, dim: Sequence[str]) -> Any:
        """xarray's Variable with all of some dims, in their order.  Raises TypeError for a tensor
        with a dim that has no name.
        """
        from namecheck_runtime.foreign import require_named

        require_named(self)
        return self.variable.set_dims(dim)

    # -- ops ---------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Tensor:
        kind = key.__class__
        if kind is int and self._rest is None:
            # Written out: what is asked most has to be cheap.
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
                    made = _new(Tensor)
                    made._array = array
                    made._names = others
                    made._storage = storage
                    made._rest = None
                    return made
        if self._rest is None:
            names = None
            if kind is int:
                if self._names:
                    names = FIRST_GONE[self._names] = intern(self._names[1:])
            elif kind is slice and self._names:
                names = self._names if key.step is None else None
            elif kind is tuple:
                names = subscript_names(self._names, key)
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
                        return _view(self, array, names)
        from namecheck_runtime.dispatch import call_path
        from namecheck_runtime.subscripts import read_entries

        return call_path("Tensor.__getitem__", (self, read_entries(key)), {})  # type: ignore[no-any-return]

    def __setitem__(self, key: Any, value: Any) -> None:
        from namecheck_runtime.destinations import set_item

        set_item(self, key, value)

    def transpose(self, dim0: DimRef, dim1: DimRef) -> Tensor:
        """Two dims exchanged, over the same memory."""
        if self._rest is None and dim0.__class__ is dim1.__class__:
            plan = TRANSPOSES.get((self._names, dim0, dim1))
            if plan is None:
                plan = plan_of(TRANSPOSES, "Tensor.transpose", self._names, (dim0, dim1))
            if plan is not None and plan[0]:
                storage = self._storage
                if storage is None:
                    storage = self._own()  # which may set the array's strides
                made = _new(Tensor)
                made._array = self._array.swapaxes(plan[1], plan[2])
                made._names = plan[0]
                made._storage = storage
                made._rest = None
                return made
        from namecheck_runtime.dispatch import call_path

        return call_path("Tensor.transpose", (self, dim0, dim1), {})  # type: ignore[no-any-return]

    def __matmul__(self, other: Operand) -> Tensor:
        if other.__class__ is Tensor and self._rest is None is other._rest:
            left, right = self._array, other._array
            if left.ndim == 2 == right.ndim and left.dtype is right.dtype:
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
                        made = _new(Tensor)
                        made._array = array
                        made._names = names
                        made._rest = made._storage = None
                        return made
        return operate("operator.matmul", self, other)  # type: ignore[no-any-return]


class _FromRegistry:
    """A method that is made when it is first asked for: the registry has the op.

    A `__getattr__` would do the same and cost every access to an attribute of a tensor.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Tensor | None, owner: type) -> Any:
        from namecheck_runtime.dispatch import method_of

        method = method_of(self.name)
        setattr(Tensor, self.name, method)
        return method.__get__(tensor, owner)


for _name in METHODS:
    if _name not in Tensor.__dict__:
        setattr(Tensor, _name, _FromRegistry(_name))

_new: Final = object.__new__
_add_reduce: Final = np.add.reduce
_FLOAT32: Final = np.dtype(np.float32)


def _view(base: Tensor, array: Array, names: Names) -> Tensor:
    """A tensor that shows an array over the memory of another one."""
    storage = base._storage
    if storage is None:
        storage = base._own()
    made = _new(Tensor)
    made._array = array
    made._names = names
    made._storage = storage
    made._rest = None
    return made


def fresh(array: Any, names: Names) -> Tensor:
    """A tensor of elements that nobody else holds."""
    made = _new(Tensor)
    made._array = array
    made._names = names
    made._storage = made._rest = None
    return made


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
    # Not in the class, so that type checkers read the overloads of the stub.
    kind = dim.__class__
    if (
        (kind is str or kind is int)
        and self._rest is None
        and keepdim is keepdims is False
        and dtype is axis is None
    ):
        array = self._array
        of = array.dtype
        plan = SUMS.get((self._names, dim))
        if plan is None:
            plan = plan_of(SUMS, "Tensor.sum", self._names, (dim,))
        if (
            plan is not None
            and (of is _FLOAT32 or of.kind in "fc")  # mostly it is that one
            and (self._storage is None or array.flags.c_contiguous)
        ):
            names, place = plan
            try:
                summed = QUIET.run(_add_reduce, array, place)
            except RuntimeError:
                pass
            else:
                made = _new(Tensor)
                made._array = summed if names else np.asarray(summed)
                made._names = names
                made._storage = made._rest = None
                return made
    from namecheck_runtime.dispatch import call_path

    given = {"dim": dim, "axis": axis, "dtype": dtype}
    keywords = {name: value for name, value in given.items() if value is not None}
    if keepdim or keepdims:
        keywords["keepdim"] = True
    return call_path("Tensor.sum", (self,), keywords)  # type: ignore[no-any-return]


_sum.__name__, _sum.__qualname__ = "sum", "Tensor.sum"
for _name, _method in {**operators_of(Tensor), "sum": _sum}.items():
    setattr(Tensor, _name, _method)
