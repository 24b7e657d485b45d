"""A device of a third party: it keeps the elements of a tensor in a list, in row-major order.

It imports documented names alone (docs/runtime.md, "Devices and layouts of your own").
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import namecheck_runtime as nt
from namecheck_runtime.backends import BACKENDS, Backend, Kernel, register


class Lists(Backend):
    """The kernels of tensors whose elements are in lists."""

    def __init__(self, device_type: str = "lists") -> None:
        super().__init__(device_type)
        self.kernels["torch.ones"] = Kernel(self.ones, ("size",), lambda call: nt.float32)
        self.kernels["torch.add"] = Kernel(lambda a, b: [x + y for x, y in zip(a, b, strict=True)])
        self.kernels["torch.mul"] = Kernel(self.scaled)
        self.kernels["torch.sum"] = Kernel(lambda a: [sum(a)])

    def from_array(self, array: Any, names: Any) -> Any:
        """A tensor of the elements of an array on the CPU."""
        elements = array.reshape(-1).tolist()
        return self.give(elements, names, array.shape, nt.from_numpy(array).dtype)

    def to_array(self, tensor: Any) -> Any:
        """The elements of a tensor as an array on the CPU."""
        return np.array(tensor._array, tensor.dtype.numpy).reshape(tuple(tensor.shape))

    def scaled(self, a: Any, b: Any) -> list[Any]:
        """A product; one of the two may be a number."""
        if isinstance(b, list):
            return [x * y for x, y in zip(a, b, strict=True)]
        return [x * b for x in a]

    def ones(self, size: Any) -> list[Any]:
        """As many ones as the sizes say."""
        sizes = size if isinstance(size, (tuple, list)) else (size,)
        count = int(np.prod([*sizes], dtype=np.int64))
        return [1.0] * count


@contextmanager
def registered(device_type: str = "lists") -> Iterator[Backend]:
    """The device for the time of a block."""
    backend = Lists(device_type)
    register(backend)
    try:
        yield backend
    finally:
        del BACKENDS[device_type, nt.strided]
        nt.device.TYPES.remove(device_type)
