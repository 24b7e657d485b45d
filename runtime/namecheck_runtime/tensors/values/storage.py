"""The memory that a tensor and its views share: a flat buffer with one version counter.

A storage knows bytes and no dims; the tensor in `object` says which of them it shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.lib.stride_tricks import as_strided

from namecheck_runtime.strides import Geometry, contiguous_strides
from namecheck_runtime.tensors.values import dtypes


class Storage:
    """A flat buffer, shared by its views.

    `buffer` is a 1-D array of the elements (of the dtype that it was made with); None if there is
    no memory, as on the device `meta`.
    """

    __slots__ = ("__weakref__", "_nbytes", "address", "buffer", "resizable", "roots", "version")

    def __init__(self, buffer: np.ndarray[Any, Any] | int | None = 0, nbytes: int = 0) -> None:
        if isinstance(buffer, int):  # the constructor of PyTorch takes how many bytes there are
            nbytes = buffer
            buffer = np.zeros(nbytes, np.uint8)
        self.version: int = 0
        """How many times it was written to in place, through any of its views."""
        self.resizable: bool = True
        """Whether it may grow: not while other objects see its memory, such as NumPy's arrays."""
        self.roots: tuple[np.ndarray[Any, Any], ...] = ()
        """The arrays of the tensors that it was made for: those with other arrays are views."""
        self.hold(buffer, nbytes)

    def hold(self, buffer: np.ndarray[Any, Any] | None, nbytes: int) -> None:
        """Take other memory."""
        self.buffer: np.ndarray[Any, Any] | None = buffer
        self._nbytes = nbytes
        self.address: int = 0 if buffer is None else address(buffer)

    @classmethod
    def under(cls, array: np.ndarray[Any, Any]) -> Storage:
        """The storage of an array that does not share memory yet: all elements that it spans."""
        if array.flags.c_contiguous:
            # What is seldom asked for is made when it is: see `__getattr__`.
            storage = _new(Storage)
            storage.version = 0
            storage.resizable = True
            storage.roots = (array,)
            storage._nbytes = array.nbytes
            return storage
        reach = sum(
            (size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True)
        )
        count = reach // array.itemsize + 1 if array.size else 0
        storage = cls(as_strided(array, (count,), (array.itemsize,)), count * array.itemsize)
        storage.roots = (array,)
        return storage

    def __getattr__(self, name: str) -> Any:
        """The buffer or the address of a storage whose only root shows all of it."""
        if name not in ("buffer", "address"):
            raise AttributeError(name)
        self.buffer = self.roots[0].reshape(-1)
        self.address = address(self.buffer)
        return getattr(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return Storage, (self.buffer, self._nbytes)

    # -- its bytes, as PyTorch's programs read them ------------------------------------------------

    def bytes(self) -> np.ndarray[Any, Any]:
        """Its bytes, over its memory.  Raises NotImplementedError where there is no memory."""
        if self.buffer is None:
            raise NotImplementedError(f"Not available for '{self.device.type}' device type")
        return self.show(Geometry((self._nbytes,), (1,)), np.dtype(np.uint8))

    def tolist(self) -> list[int]:
        """Its bytes as numbers."""
        numbers: list[int] = self.bytes().tolist()
        return numbers

    def __getitem__(self, place: Any) -> Any:
        shown: Any = self.bytes()[place]
        return Storage(shown, shown.nbytes) if isinstance(place, slice) else int(shown)

    def __setitem__(self, place: Any, value: Any) -> None:
        self.bytes()[place] = value
        self.version += 1

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def fill_(self, value: int) -> Self:
        """Write one byte everywhere.  Returns the storage."""
        self[:] = value
        return self

    def copy_(self, source: Storage) -> Self:
        """Write the bytes of another storage of the same size.  Returns the storage.

        Raises RuntimeError for one of another size.
        """
        source = source.untyped()
        if source.nbytes() != self._nbytes:
            raise RuntimeError(
                f"a storage of {self._nbytes} bytes cannot take the {source.nbytes()} of another"
            )
        self[:] = source.bytes()
        return self

    def clone(self) -> Storage:
        """A copy of its memory."""
        return Storage(self.bytes().copy(), self._nbytes)

    def untyped(self) -> Storage:
        """The storage itself."""
        return self

    def size(self) -> int:
        """How many bytes it has."""
        return self._nbytes

    def element_size(self) -> int:
        """1: its elements are bytes."""
        return 1

    def type(self) -> str:
        """The name of its class in PyTorch."""
        return "torch.storage.UntypedStorage"

    def __repr__(self) -> str:
        lines = ["..."] if self.buffer is None else [f" {byte}" for byte in self.tolist()]
        last = f"[torch.storage.UntypedStorage(device={self.device}) of size {self._nbytes}]"
        return "\n".join([*lines, last])

    # -- what it is --------------------------------------------------------------------------------

    def nbytes(self) -> int:
        """How many bytes it has."""
        return self._nbytes

    def data_ptr(self) -> int:
        """The address of its first byte; 0 where there is no memory."""
        return self.address

    @property
    def device(self) -> dtypes.device:
        """Where its memory is: `cpu`, or `meta` for none."""
        return dtypes.META if self.buffer is None else dtypes.CPU

    @property
    def _cdata(self) -> int:
        """A number that is equal for tensors of one storage, as PyTorch's programs expect."""
        return id(self if self.buffer is None else self.buffer)

    def __len__(self) -> int:
        return self._nbytes

    def __bool__(self) -> bool:
        return True

    def is_root(self, array: np.ndarray[Any, Any]) -> bool:
        """Whether a tensor that shows this array is no view of another one."""
        return not self.roots or any(array is root for root in self.roots)

    def is_shown_by(self, array: np.ndarray[Any, Any] | None) -> bool:
        """Whether an array is known to show all of it, in its order."""
        roots = self.roots
        if array is None or not roots or roots[0] is not array or not array.flags.c_contiguous:
            return False
        return array.nbytes == self._nbytes > 0

    def show(self, geometry: Geometry, of: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """The elements that lie where `geometry` says, as an array over the same memory."""
        assert self.buffer is not None
        item = of.itemsize
        strides = [stride * item for stride in geometry.strides]  # type: ignore[operator]
        offset: Any = geometry.offset
        sizes: Any = geometry.sizes
        if 0 in sizes:
            # Nothing is read there, so PyTorch allows offsets beyond the end; NumPy refuses them.
            nothing = np.asarray(_Nothing(sizes, of, self.address + offset * item, strides, self))
            return nothing if nothing.dtype == of else nothing.view(of)
        return np.ndarray(sizes, of, self.buffer, offset * item, strides)


class _Nothing:
    """No elements at an address, in NumPy's protocol for foreign memory."""

    def __init__(
        self, sizes: Any, of: np.dtype[Any], place: int, strides: list[int], owner: Storage
    ) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": tuple(sizes),
            # NumPy's texts do not tell the dtypes of third parties apart.
            "typestr": f"|V{of.itemsize}" if dtypes.is_of_third_party(of) else of.str,
            "strides": tuple(strides),
            "data": (place, False),
        }


_new = object.__new__


def address(array: np.ndarray[Any, Any]) -> int:
    """Where the first element of an array is."""
    return int(array.__array_interface__["data"][0])


def geometry_of(array: np.ndarray[Any, Any], storage: Storage | None) -> Geometry:
    """Where the elements of an array lie in its storage; without one, in its own memory."""
    item = array.itemsize
    shape = array.shape
    if storage is None:
        if 0 in shape:
            return Geometry(shape, contiguous_strides(shape))
        return Geometry(shape, tuple([stride // item for stride in array.strides]))
    if storage.is_shown_by(array):
        offset = 0  # to ask for its address costs more
    else:
        offset = (address(array) - storage.address) // item
    return Geometry(shape, tuple([stride // item for stride in array.strides]), offset)
