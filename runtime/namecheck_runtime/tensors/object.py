"""The tensor: a view on a storage through sizes, strides and an offset, with a name for each dim.

This module has the object: its properties, its memory, its elements as numbers and arrays.  The
methods that reach ops are declared here and made in `methods`, above all that they need.  Nothing
here knows what an op does to dims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from sys import getrefcount
from types import GenericAlias
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, Self, TypeAlias, overload

import numpy as np

from namecheck_runtime._surface import Dims, Methods
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device, dtype, layout, memory_format
from namecheck_runtime.tensors.values.history import History, Node
from namecheck_runtime.tensors.values.name_tuples import Names
from namecheck_runtime.tensors.values.storage import Storage, address, geometry_of

if TYPE_CHECKING:
    from namecheck_runtime._surface import DimRef, Operand

Array: TypeAlias = np.ndarray[Any, Any]
# The elements decide the types that `item` and `tolist` return.  A type checker takes these for any
# number and any list, and does not complain of a returned Any.
Element: TypeAlias = bool | Any
Elements: TypeAlias = list[Any] | Any


class Rest:
    """The state of a tensor that is not plain: not on the CPU, not strided, or in a graph."""

    __slots__ = ("device", "dtype", "geometry", "history", "layout")

    def __init__(
        self,
        device: device,
        layout: layout,
        dtype: dtype,
        geometry: Geometry | None,
        history: History | None = None,
    ) -> None:
        self.device = device
        self.layout = layout
        self.dtype = dtype
        self.geometry = geometry
        """None if the tensor's array says where its elements lie."""
        self.history = history
        """None if the tensor is in no graph."""

    def copy(self) -> Rest | None:
        """A copy for another tensor, which is in no graph but wants gradients if this one does.

        None if the other tensor is plain.
        """
        history = None
        if self.history is not None and (self.history.requires_grad or self.history.node):
            history = History(True)
        if history is None and self.geometry is None:
            return None
        return Rest(self.device, self.layout, self.dtype, self.geometry, history)


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

    __slots__ = ("__dict__", "__weakref__", "_array", "_names", "_rest", "_storage")

    _array: Any
    """The elements: a NumPy array, None on meta, else the object of the device's backend."""
    _names: Names
    """Interned."""
    _rest: Rest | None
    _storage: Storage | None
    """None until it is first needed, to share memory.

    An array without a storage is in row-major order, and so are results that are computed from such
    arrays.
    """

    __array_priority__: ClassVar[float] = 1000.0
    __pandas_priority__: ClassVar[int] = 5000
    """Higher than that of all pandas' classes, whose operators then leave the work to ours."""

    # -- what it is --------------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """Its sizes."""
        rest = self._rest
        if rest is None or rest.geometry is None:
            return Size(self._array.shape)
        return Size(rest.geometry.sizes)  # type: ignore[arg-type]

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

    # -- made above, in `methods` ------------------------------------------------------------------

    if TYPE_CHECKING:

        def __new__(cls, *data: Any, **options: Any) -> Tensor: ...
        def __init_subclass__(cls, **options: Any) -> None: ...
        @classmethod
        def __torch_function__(
            cls,
            func: Callable[..., Any],
            types: Sequence[type],
            args: Sequence[Any] = (),
            kwargs: Mapping[str, Any] | None = None,
        ) -> Any: ...
        @staticmethod
        def _make_subclass(cls: type[Any], data: Tensor, require_grad: bool = False) -> Any: ...
        @property
        def requires_grad(self) -> bool: ...
        @requires_grad.setter
        def requires_grad(self, requires_grad: bool) -> None: ...
        def requires_grad_(self, requires_grad: bool = True) -> Self: ...
        @property
        def grad(self) -> Tensor[*Dims] | None: ...
        @grad.setter
        def grad(self, grad: Tensor | None) -> None: ...
        @property
        def grad_fn(self) -> Node | None: ...
        def backward(
            self,
            gradient: Tensor | None = None,
            retain_graph: bool | None = None,
            create_graph: bool = False,
            inputs: Tensor | Sequence[Tensor] | None = None,
        ) -> None: ...
        def retain_grad(self) -> None: ...
        def register_hook(self, hook: Callable[[Any], Any]) -> Any: ...
        def register_post_accumulate_grad_hook(self, hook: Callable[[Any], Any]) -> Any: ...
        def detach_(self) -> Self: ...
        @property
        def output_nr(self) -> int: ...
        def _is_view(self) -> bool: ...
        @property
        def _base(self) -> Tensor | None: ...
        @property
        def volatile(self) -> NoReturn: ...
        @property
        def creator(self) -> NoReturn: ...
        @property
        def names(self) -> Names: ...
        @names.setter
        def names(self, names: Sequence[str | None] | None) -> None: ...
        @property
        def data(self) -> Tensor[*Dims]: ...
        @data.setter
        def data(self, data: Tensor) -> None: ...
        @property
        def T(self) -> Tensor: ...
        @overload
        def stride(self, dim: None = None) -> tuple[int, ...]: ...
        @overload
        def stride(self, dim: int | str) -> int: ...
        def stride(self, dim: int | str | None = None) -> tuple[int, ...] | int: ...
        def storage(self) -> Any: ...
        def new(self, *data: Any, **options: Any) -> Tensor: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __repr__(self) -> str: ...
        def _repr_html_(self) -> str: ...
        def __rich_repr__(self) -> Iterator[Any]: ...
        def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]: ...
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array: ...
        def __array_ufunc__(
            self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any
        ) -> Any: ...
        def __array_function__(
            self, function: Any, types: Any, arguments: Any, options: Any
        ) -> Any: ...
        def __dlpack__(self, **options: Any) -> Any: ...
        def __dlpack_device__(self) -> tuple[int, int]: ...
        @property
        def variable(self) -> Any: ...
        @property
        def dims(self) -> tuple[str, ...]: ...
        def set_dims(self, dim: Sequence[str]) -> Any: ...
        def __getitem__(self, key: Any) -> Tensor: ...
        def __setitem__(self, key: Any, value: Any) -> None: ...
        def transpose(self, dim0: DimRef, dim1: DimRef) -> Tensor: ...
        def __matmul__(self, other: Operand) -> Tensor: ...

    # -- memory ------------------------------------------------------------------------------------

    def _own(self) -> Storage | None:
        """Its storage, made now if it has none yet; None if there is no memory."""
        storage = self._storage
        if storage is None and isinstance(self._array, np.ndarray):
            rest = self._rest
            if rest is not None and rest.geometry is not None:
                return None  # the elements of a layout whose backend knows what they are
            if not self._array.size:
                # NumPy has its own strides for an array without elements.
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
        if self._rest is not None and self._rest.geometry is not None:
            return self._rest.geometry
        return geometry_of(self._array, self._storage)

    def storage_offset(self) -> int:
        """How many elements of the storage come before its first."""
        return self._geometry().offset  # type: ignore[return-value]

    def untyped_storage(self) -> Storage:
        """The memory that it shares with its views.  Raises RuntimeError where it has none."""
        storage = self._own()
        if storage is None:
            raise RuntimeError(f"a tensor of layout {self.layout} on {self.device} has no storage")
        return storage

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
        """How many times its storage was written to in place.

        Raises RuntimeError for a tensor that was made in inference mode.
        """
        history = None if self._rest is None else self._rest.history
        if history is not None and history.inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        storage = self._storage
        return 0 if storage is None else storage.version

    def _history(self) -> History:
        """Its part in graphs, made now if it has none yet."""
        rest = self._rest
        if rest is None:
            rest = self._rest = Rest(dtypes.CPU, dtypes.strided, self.dtype, None)
        if rest.history is None:
            rest.history = History()
        return rest.history

    def _show(self, array: Any) -> None:
        """Show another array over the same memory, as an op in place does that changes dims."""
        storage, before = self._storage, self._array
        if storage is not None and storage.roots and storage.is_root(before):
            _ = storage.buffer  # the root that it is made of may go
            roots = [root for root in storage.roots if root is not before]
            if getrefcount(before) > _OF_ROOT:  # a detached tensor shows it, too
                roots.append(before)
            storage.roots = (*roots, array)
        self._array = array

    # -- elements ----------------------------------------------------------------------------------

    def numpy(self, *, force: bool = False) -> Array:
        """Its elements as a NumPy array over the same memory; names are lost.

        Raises TypeError on other devices and for elements that NumPy alone does not have, such as
        bfloat16; RuntimeError if it requires gradients.
        """
        if self.requires_grad and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                "instead."
            )
        array = self._elements()
        if dtypes.is_of_third_party(array.dtype):
            raise TypeError(
                f"Got unsupported ScalarType {dtypes.SPOKEN[self.dtype.name]}: NumPy has no such "
                "numbers. Use x.float().numpy(), or x.view(dtype) for the bits."
            )
        self._own().resizable = False  # type: ignore[union-attr]
        return array

    def _elements(self) -> Array:
        """Its elements, not to be kept by the caller.  Raises TypeError on other devices."""
        if self._rest is not None and self.layout is not dtypes.strided:
            raise TypeError(
                f"can't convert {self.layout.name} layout tensor to numpy. Use Tensor.to_dense() "
                "first."
            )
        if not isinstance(self._array, np.ndarray):
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to "
                "copy the tensor to host memory first."
            )
        return self._array

    def item(self) -> Element:
        """Its one element as a Python number.  Raises RuntimeError if it has more or none."""
        if self.shape.numel() != 1:
            raise RuntimeError(
                f"a Tensor with {self.shape.numel()} elements cannot be converted to Scalar"
            )
        if self._array is None:
            raise RuntimeError("Tensor.item() cannot be called on meta tensors")
        return self._numbers().item()

    def tolist(self) -> Elements:
        """Its elements as nested lists of Python numbers.  Raises NotImplementedError on meta."""
        return self._numbers().tolist()

    def _numbers(self) -> Array:
        """Its elements on the CPU, as numbers of NumPy's.  Raises NotImplementedError on meta."""
        there = self if isinstance(self._array, np.ndarray) else self.cpu()
        return dtypes.computable(there._elements())

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

    def __contains__(self, element: object) -> bool:
        equal: Any = self == element
        return bool(equal.any())

    def __hash__(self) -> int:
        return id(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # For IPython: its printer indents the lines after the first.
        first, *others = repr(self).split("\n")
        printer.text(first)
        for line in others:
            printer.break_()
            printer.text(line)

    def __format__(self, spec: str) -> str:
        if not self._names and isinstance(self._array, np.ndarray):
            return format(self.item(), spec)
        return object.__format__(self, spec)

    @property
    def encoding(self) -> dict[str, Any]:
        """xarray's settings for writing to a file: none."""
        return {}

    # -- copies ------------------------------------------------------------------------------------

    def __copy__(self) -> Tensor[*Dims]:
        copy = view_of(self, self._array, self._names)
        copy._rest = None if self._rest is None else self._rest.copy()
        if type(self) not in CLASSES:
            copy = copy.as_subclass(type(self))
            if hasattr(self, "__dict__"):
                vars(copy).update(vars(self))
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor[*Dims]:
        copy = memo.get(id(self))
        if copy is None:
            from copy import deepcopy

            copy = memo[id(self)] = _new(type(self))
            copy._names = self._names
            copy._rest = None if self._rest is None else self._rest.copy()
            if type(self) not in CLASSES and hasattr(self, "__dict__"):
                vars(copy).update(deepcopy(vars(self), memo))
            storage = self._own()
            if storage is None or storage.buffer is None:
                copy._array, copy._storage = deepcopy(self._array, memo), storage
                return copy
            storage_copy = memo.get(id(storage))
            if storage_copy is None:
                storage_copy = memo[id(storage)] = Storage(storage.buffer.copy(), storage.nbytes())
            copy._storage = storage_copy
            copy._array = storage_copy.show(self._geometry(), self._array.dtype)
        return copy

    def __class_getitem__(cls, dims: Any) -> Any:
        """`Tensor[L["N"], L["C"]]`: an annotation, which checkers read."""
        return GenericAlias(cls, dims)


CLASSES: Final[set[type]] = {Tensor}
"""The class, and those derived from it that ops need not tell from it: parameters, buffers."""

_OF_ROOT: Final = 4
"""The references to the array of a root: of the tensor, of the storage, and two that ask."""

_new: Final = object.__new__


def view_of(base: Tensor, array: Array, names: Names) -> Tensor:
    """A tensor that shows an array over the memory of another one."""
    storage = base._storage
    if storage is None:
        storage = base._own()
    view = _new(Tensor)
    view._array = array
    view._names = names
    view._storage = storage
    view._rest = None
    return view


def fresh(array: Any, names: Names) -> Tensor:
    """A tensor of elements that nothing else holds."""
    tensor = _new(Tensor)
    tensor._array = array
    tensor._names = names
    tensor._storage = tensor._rest = None
    return tensor
