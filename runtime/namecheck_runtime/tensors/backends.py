"""The table (device, layout) -> kernels by op and dtype, which third parties extend with `Backend`.

Nothing here knows an op: `kernels` computes the elements of each.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime import strides
from namecheck_runtime.declare import Op
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.calls.call import Kernel, its_own
from namecheck_runtime.tensors.object import Rest, Tensor, fresh
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device, dtype, layout
from namecheck_runtime.tensors.values.errstate import quietly
from namecheck_runtime.tensors.values.name_tuples import Names
from namecheck_runtime.tensors.values.plan_caches import forget
from namecheck_runtime.tensors.values.storage import Storage


class Kernels(dict[Any, Kernel]):
    """Kernels by op, or by op and dtype.  Each change empties the caches of plans."""

    def __setitem__(self, key: Any, kernel: Kernel) -> None:
        super().__setitem__(key, kernel)
        forget()

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        forget()


class NoViewsError(NotImplementedError):
    """A backend does not show parts of its memory."""


class Backend:
    """A (device, layout): its kernels, and how it makes memory.

    To add one, make it, give it kernels (`backend.kernels[op] = Kernel(...)`, or with a dtype
    `backend.kernels[op, dtype]`), and `register` it.
    """

    def __init__(self, device_type: str, layout: layout = dtypes.strided) -> None:
        self.device_type = device_type
        self.layout = layout
        self.kernels: Kernels = Kernels()
        self.makers: set[str] = set()
        """The ops that make tensors of this layout of strided ones: their kernels are here."""

    @property
    def holds_arrays(self) -> bool:
        """Whether its tensors hold plain NumPy arrays."""
        return False

    @property
    def computes(self) -> bool:
        """Whether its kernels look at their arguments."""
        return True

    def find(self, op: Op, of: dtype) -> Kernel | None:
        """The kernel of an op for elements of a dtype."""
        return self.kernels.get((op.name, of)) or self.kernels.get(op.name)

    def has_own(self, op: Op, of: dtype) -> bool:
        """Whether a kernel of an op was registered for elements of a dtype alone."""
        return (op.name, of) in self.kernels

    def take(self, tensor: Tensor, to: dtype | None) -> Any:
        """The elements of a tensor as kernels get them, converted to a dtype."""
        return tensor._array

    def show(self, base: Tensor, geometry: Geometry) -> Any:
        """The elements of a view of a tensor.  Raises NotImplementedError where there are none.

        `geometry` has its sizes, and its strides and offset in elements of the memory that all
        views of the tensor share.
        """
        raise NoViewsError(
            f"layout {self.layout.name} on device '{self.device_type}' shows no views"
        )

    def parts(self, tensor: Tensor) -> dict[str, Any] | None:
        """What the text of a tensor has in place of its elements, by name; None for elements."""
        return None

    def to_array(self, tensor: Tensor) -> np.ndarray[Any, Any]:
        """The elements of a tensor as an array, for `cpu()`, `to_dense()`, print and saving.

        Raises NotImplementedError unless a backend has its own way.
        """
        raise NotImplementedError(
            f"nothing is registered that brings a tensor of layout {self.layout} from "
            f"{self.device_type} to the CPU: Backend.to_array"
        )

    def from_array(self, array: np.ndarray[Any, Any], names: Names) -> Tensor:
        """A tensor of the elements of an array, which is not to be kept, for `to(device)`.

        Raises NotImplementedError unless a backend has its own way.
        """
        raise NotImplementedError(
            f"nothing is registered that brings a tensor from the CPU to {self.device_type}: "
            "Backend.from_array"
        )

    def give(self, elements: Any, names: Names, sizes: tuple[int, ...], of: Any) -> Tensor:
        """The tensor of the elements from a kernel, which have their own dtype if `of` is None."""
        geometry = Geometry(sizes, strides.contiguous_strides(sizes))
        return make(device(self.device_type), self.layout, of, geometry, names, elements)


class Cpu(Backend):
    """NumPy's arrays."""

    @property
    def holds_arrays(self) -> bool:
        return True

    def find(self, op: Op, of: dtype) -> Kernel | None:
        from namecheck_runtime.tensors.kernels import kernel_of

        kernel = super().find(op, of)
        if kernel is None:
            kernel = kernel_of(op)
            if kernel is not None and not (of.has_kernels or kernel.moves):
                return None
        return kernel

    def take(self, tensor: Tensor, to: dtype | None) -> Any:
        array = tensor._array
        if to is None or array.dtype is to.numpy:
            return array
        if not tensor.ndim:
            to = to.computing  # as in PyTorch, one number beside others keeps its digits
        return array.astype(to.numpy)

    def to_array(self, tensor: Tensor) -> np.ndarray[Any, Any]:
        array: np.ndarray[Any, Any] = tensor._array
        return array

    def from_array(self, array: np.ndarray[Any, Any], names: Names) -> Tensor:
        return fresh(np.array(array, order="C"), names)

    def give(self, elements: Any, names: Names, sizes: tuple[int, ...], of: Any) -> Tensor:
        array = np.asarray(elements)
        if of is None:
            if array.dtype not in dtype._BY_NUMPY:
                raise NotImplementedError(f"no tensor holds elements of NumPy's {array.dtype}")
        elif array.dtype is not of.numpy:
            array = quietly(array.astype, of.numpy)
        if array.shape != sizes:
            raise RuntimeError(f"the kernel gave {list(array.shape)}, the rule {list(sizes)}")
        return fresh(array, names)


class Meta(Backend):
    """Dims without elements: nothing is computed."""

    @property
    def computes(self) -> bool:
        return False

    def find(self, op: Op, of: dtype) -> Kernel | None:
        from namecheck_runtime.tensors.kernels import kernel_of

        kernel = kernel_of(op)
        if kernel is None:
            return None
        kind = None if kernel.dtype is its_own else kernel.dtype
        return kernel._replace(function=_nothing, takes=(), dtype=kind)

    def from_array(self, array: np.ndarray[Any, Any], names: Names) -> Tensor:
        of = dtypes.as_dtype(array.dtype)
        return self.give(None, names, tuple(array.shape), of)

    def to_array(self, tensor: Tensor) -> np.ndarray[Any, Any]:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")

    def give(self, elements: Any, names: Names, sizes: tuple[int, ...], of: Any) -> Tensor:
        geometry = Geometry(sizes, strides.contiguous_strides(sizes))
        return make(dtypes.META, dtypes.strided, of, geometry, names, None)


def _nothing() -> None:
    return None


BACKENDS: Final[dict[tuple[str, layout], Backend]] = {
    ("cpu", dtypes.strided): Cpu("cpu"),
    ("meta", dtypes.strided): Meta("meta"),
}


def maker_of(where: device, op: Op) -> Backend | None:
    """The backend of a layout of which an op makes tensors; None if there is none."""
    for backend in BACKENDS.values():
        if backend.device_type == where.type and op.name in backend.makers:
            return backend
    return None


def register(backend: Backend) -> None:
    """Use a backend for its device and layout; the device becomes known."""
    if backend.device_type not in device.TYPES:
        device.TYPES.append(backend.device_type)
    BACKENDS[backend.device_type, backend.layout] = backend
    forget()


def backend_of(where: device | str, how: layout = dtypes.strided) -> Backend:
    """The backend of a device and a layout.  Raises NotImplementedError if there is none.

    Raises RuntimeError for a device that is not here.
    """
    where = device(where)
    backend = BACKENDS.get((where.type, how))
    if backend is None:
        where.require_here()
        raise NotImplementedError(f"nothing is registered for layout {how} on device '{where}'")
    return backend


def make(
    where: device, how: layout, of: dtype, geometry: Geometry, names: Names, elements: Any
) -> Tensor:
    """A tensor of the elements of a backend."""
    tensor = fresh(elements, names)
    if where is not dtypes.CPU or how is not dtypes.strided:
        tensor._rest = Rest(where, how, of, geometry)
        if elements is None:
            tensor._storage = Storage(None, extent(geometry) * of.itemsize)
    return tensor


def moved(tensor: Tensor, where: device, of: dtype) -> Tensor:
    """A copy of a tensor on another device, in a dtype, with its names.

    Raises NotImplementedError if one of the two devices does not say how, and from `meta`, which
    has no elements.
    """
    array = backend_of(tensor.device, tensor.layout).to_array(tensor)
    if array.dtype is not of.numpy:
        array = quietly(array.astype, of.numpy)
    return backend_of(where).from_array(array, tensor._names)


def require_one_device(first: device, other: device) -> None:
    """Raise RuntimeError for two devices, whose tensors no op takes together."""
    if first is not other:
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{first} and {other}!"
        )


def extent(g: Geometry) -> int:
    sizes: Any = g.sizes
    places: Any = g.strides
    if 0 in sizes:
        return 0
    reach: int = sum((size - 1) * place for size, place in zip(sizes, places, strict=True))
    return 1 + reach
