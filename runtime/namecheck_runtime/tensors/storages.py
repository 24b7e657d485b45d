"""Storages as programs see them: the memory of a tensor as elements of its dtype.

`x.storage()` has a dtype, `x.untyped_storage()` has bytes (`values.storage`).  Source:
torch.storage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

import numpy as np

from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.computing.writing import resize_storage, share_storage
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device as Device
from namecheck_runtime.tensors.values.dtypes import dtype as DType
from namecheck_runtime.tensors.values.shared_memory import memory_of
from namecheck_runtime.tensors.values.storage import Storage

UntypedStorage = Storage


def is_storage(obj: object) -> bool:
    """Whether something is a storage, of bytes or of elements of a dtype."""
    return isinstance(obj, (Storage, TypedStorage))


class TypedStorage:
    """Memory as elements of a dtype: the default dtype unless another one is passed.

    Made of a number of elements, which are zeros, of a sequence of numbers, or of a storage that it
    wraps.  Source: torch.TypedStorage.
    """

    __slots__ = ("_dtype", "_untyped")

    def __init__(
        self, *args: Any, wrap_storage: Storage | None = None, dtype: DType | None = None
    ) -> None:
        self._dtype = dtypes.get_default_dtype() if dtype is None else dtype
        if wrap_storage is not None:
            self._untyped = wrap_storage
            return
        if len(args) > 1:
            raise TypeError(f"a storage takes a size or a sequence, not {len(args)} arguments")
        data = args[0] if args else 0
        numpy = self._dtype.numpy
        array = np.zeros(data, numpy) if isinstance(data, int) else np.array(data, numpy)
        if array.ndim != 1:
            raise TypeError(f"a storage takes a flat sequence of numbers, not {data!r}")
        self._untyped = Storage(array, array.nbytes)

    @property
    def dtype(self) -> DType:
        """The dtype of its elements."""
        return self._dtype

    @property
    def device(self) -> Device:
        """Where its memory is: `cpu`, or `meta` for none."""
        return self._untyped.device

    @property
    def is_cuda(self) -> bool:
        """False."""
        return False

    def untyped(self) -> Storage:
        """Its memory as bytes."""
        return self._untyped

    def elements(self) -> np.ndarray[Any, Any]:
        """Its elements, over its memory.  Raises NotImplementedError where there is no memory."""
        if self._untyped.buffer is None:
            raise NotImplementedError(f"Not available for '{self.device.type}' device type")
        return self._untyped.show(Geometry((len(self),), (1,)), self._dtype.numpy)

    # -- sizes -------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._untyped.nbytes() // self._dtype.itemsize

    def __bool__(self) -> bool:
        return True

    def size(self) -> int:
        """How many elements it has."""
        return len(self)

    def nbytes(self) -> int:
        """How many bytes it has."""
        return self._untyped.nbytes()

    def element_size(self) -> int:
        """Bytes per element."""
        return self._dtype.itemsize

    def data_ptr(self) -> int:
        """The address of its first element; 0 where there is no memory."""
        return self._untyped.data_ptr()

    def resize_(self, size: int) -> None:
        """Give it another number of elements.  Raises RuntimeError if NumPy shows the memory."""
        resize_storage(self._untyped, size * self._dtype.itemsize)

    # -- elements ----------------------------------------------------------------------------------

    def tolist(self) -> list[Any]:
        """Its elements as Python's numbers."""
        numbers: list[Any] = dtypes.computable(self.elements()).tolist()
        return numbers

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, place: int) -> Any:
        if not isinstance(place, int):
            if isinstance(place, slice):
                raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
            raise RuntimeError(f"can't index a {type(self).__name__} with {type(place).__name__}")
        return dtypes.computable(np.asarray(self.elements()[place])).item()

    def __setitem__(self, place: int | slice, value: Any) -> None:
        self.elements()[place] = value
        self._untyped.version += 1

    def fill_(self, value: Any) -> Self:
        """Write one number everywhere.  Returns the storage."""
        self[:] = value
        return self

    def copy_(self, source: TypedStorage, non_blocking: bool | None = None) -> Self:
        """Write the elements of a storage of the same length.  Returns the storage."""
        if len(source) != len(self):
            raise RuntimeError(
                f"a storage of {len(self)} elements cannot take the {len(source)} of another"
            )
        self[:] = source.elements()
        return self

    def clone(self) -> TypedStorage:
        """A copy of its memory."""
        return TypedStorage(wrap_storage=self._untyped.clone(), dtype=self._dtype)

    def cpu(self) -> TypedStorage:
        """The storage itself: its memory is on the CPU."""
        return self

    def type(self, dtype: Any = None) -> Any:
        """PyTorch's name of its class; with a `dtype` its elements converted to that."""
        if dtype is not None:
            return self._to(dtypes.as_dtype(dtype))
        return _CLASSES.get(self._dtype, "torch.storage.TypedStorage")

    def _to(self, of: DType) -> TypedStorage:
        return self if of is self._dtype else TypedStorage(self.elements(), dtype=of)

    def float(self) -> TypedStorage:
        """Its elements as float32."""
        return self._to(dtypes.float32)

    def double(self) -> TypedStorage:
        """Its elements as float64."""
        return self._to(dtypes.float64)

    def half(self) -> TypedStorage:
        """Its elements as float16."""
        return self._to(dtypes.float16)

    def bfloat16(self) -> TypedStorage:
        """Its elements as bfloat16."""
        return self._to(dtypes.bfloat16)

    def float8_e4m3fn(self) -> TypedStorage:
        """Its elements as float8_e4m3fn."""
        return self._to(dtypes.named_dtype("float8_e4m3fn"))

    def float8_e4m3fnuz(self) -> TypedStorage:
        """Its elements as float8_e4m3fnuz."""
        return self._to(dtypes.named_dtype("float8_e4m3fnuz"))

    def float8_e5m2(self) -> TypedStorage:
        """Its elements as float8_e5m2."""
        return self._to(dtypes.named_dtype("float8_e5m2"))

    def float8_e5m2fnuz(self) -> TypedStorage:
        """Its elements as float8_e5m2fnuz."""
        return self._to(dtypes.named_dtype("float8_e5m2fnuz"))

    def long(self) -> TypedStorage:
        """Its elements as int64."""
        return self._to(dtypes.int64)

    def int(self) -> TypedStorage:
        """Its elements as int32."""
        return self._to(dtypes.int32)

    # -- sharing, texts, pickles -------------------------------------------------------------------

    def is_shared(self) -> bool:
        """Whether other processes see its memory."""
        return memory_of(self._untyped) is not None

    def share_memory_(self) -> Self:
        """Move its memory to where other processes see it.  Returns the storage."""
        share_storage(self._untyped)
        return self

    def __repr__(self) -> str:
        lines = ["..."] if self._untyped.buffer is None else [f" {n}" for n in self.tolist()]
        kind = f"torch.storage.TypedStorage(dtype={self._dtype!r}, device={self.device})"
        return "\n".join([*lines, f"[{kind} of size {len(self)}]"])

    def __reduce__(self) -> Any:
        return _rebuild, (self._untyped, self._dtype)


def _rebuild(untyped: Storage, of: DType) -> TypedStorage:
    """A storage from its pickle."""
    return TypedStorage(wrap_storage=untyped, dtype=of)


class _OfDtype(type):
    """The type of the old constructors: `isinstance` asks for the dtype."""

    dtype: ClassVar[Any]

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, TypedStorage) and value.dtype is cls.dtype

    def __call__(cls, *args: Any) -> TypedStorage:
        """A storage of the dtype: of zeros for a size, else of the numbers of a sequence."""
        return TypedStorage(*args, dtype=cls.dtype)


_CLASSES: Final[dict[DType, str]] = {}
"""The names of the old constructors in PyTorch, which has none for some dtypes."""


def _constructor(of: DType) -> Any:
    name = f"{dtypes.SPOKEN[of.name]}Storage"
    _CLASSES[of] = f"torch.{name}"
    return _OfDtype(name, (), {"dtype": of, "__doc__": f"A storage of {of.name}."})


DoubleStorage: Final = _constructor(dtypes.float64)
FloatStorage: Final = _constructor(dtypes.float32)
HalfStorage: Final = _constructor(dtypes.float16)
BFloat16Storage: Final = _constructor(dtypes.bfloat16)
LongStorage: Final = _constructor(dtypes.int64)
IntStorage: Final = _constructor(dtypes.int32)
ShortStorage: Final = _constructor(dtypes.int16)
CharStorage: Final = _constructor(dtypes.int8)
ByteStorage: Final = _constructor(dtypes.uint8)
BoolStorage: Final = _constructor(dtypes.bool_)
ComplexDoubleStorage: Final = _constructor(dtypes.complex128)
ComplexFloatStorage: Final = _constructor(dtypes.complex64)


def _resize(self: Storage, size: int) -> Storage:
    """Give a storage another number of bytes.  Raises RuntimeError if NumPy shows the memory."""
    resize_storage(self, size)
    return self


def _is_shared(self: Storage) -> bool:
    """Whether other processes see its memory."""
    return memory_of(self) is not None


def _share(self: Storage) -> Storage:
    """Move its memory to where other processes see it.  Returns the storage."""
    share_storage(self)
    return self


# Given to the class here, as all tensors over the memory have to follow.
for _name, _method in (("resize_", _resize), ("is_shared", _is_shared), ("share_memory_", _share)):
    setattr(Storage, _name, _method)
