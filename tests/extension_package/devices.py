"""A device that keeps the elements of a tensor in objects of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from namecheck_runtime import device, from_numpy
from namecheck_runtime.backends import Backend, Kernel, backend_of, register


class Remote:
    """Elements that are elsewhere: NumPy does not see them."""

    def __init__(self, array: np.ndarray[Any, Any], flat: Any = None) -> None:
        self.array = array
        """What a computer far away would hold."""
        self.flat = array.reshape(-1) if flat is None else flat
        """The memory that views of it share."""


def _sent(value: Any) -> Any:
    """An argument of a kernel, with what the other side has in place of ours."""
    if isinstance(value, Remote):
        return value.array
    return type(value)(map(_sent, value)) if isinstance(value, (tuple, list)) else value


def _kept(elements: Any) -> Any:
    if isinstance(elements, tuple):
        return tuple(map(_kept, elements))
    return Remote(np.ascontiguousarray(elements).reshape(np.shape(elements)))


class RemoteBackend(Backend):
    """The device: every op of the CPU, with elements that stay on the other side."""

    def find(self, op: Any, of: Any) -> Kernel | None:
        kernel = super().find(op, of) or backend_of("cpu").find(op, of)
        if kernel is None:
            return None

        def compute(*arguments: Any, **options: Any) -> Any:
            sent = {name: _sent(value) for name, value in options.items()}
            return _kept(kernel.function(*map(_sent, arguments), **sent))

        return kernel._replace(function=compute, writes=False)

    def take(self, tensor: Any, to: Any) -> Any:
        elements = super().take(tensor, to)
        return elements if to is None else Remote(elements.array.astype(to.numpy))

    def show(self, base: Any, geometry: Any) -> Any:
        flat = self.take(base, None).flat
        places = [stride * flat.itemsize for stride in geometry.strides]
        begin = geometry.offset * flat.itemsize
        return Remote(np.ndarray(geometry.sizes, flat.dtype, flat, begin, places), flat)

    def give(self, elements: Any, names: Any, sizes: Any, of: Any) -> Any:
        if of is not None:
            elements = Remote(elements.array.astype(of.numpy, copy=False))
        return super().give(elements, names, sizes, of)

    def to_array(self, tensor: Any) -> Any:
        return self.take(tensor, None).array

    def from_array(self, array: Any, names: Any) -> Any:
        of = from_numpy(array).dtype
        return self.give(_kept(array.copy()), names, array.shape, of)


register(RemoteBackend("remote"))
REMOTE = device("remote")
