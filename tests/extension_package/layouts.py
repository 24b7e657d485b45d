"""A layout that stores the diagonal of a square matrix, and knows that the rest is zero."""

from __future__ import annotations

from typing import Any

import numpy as np

import namecheck_runtime as nt
from namecheck_runtime.backends import Backend, Kernel, backend_of, register

DIAGONAL = nt.layout("diagonal")


class DiagonalBackend(Backend):
    """Diagonal matrices on the CPU."""

    def show(self, base: Any, geometry: Any) -> Any:
        if tuple(geometry.sizes) != tuple(base.shape) or geometry.offset:
            return super().show(base, geometry)  # which refuses
        return self.take(base, None)  # under other names, or transposed

    def to_array(self, tensor: Any) -> Any:
        return np.diag(self.take(tensor, None))


_backend = DiagonalBackend("cpu", DIAGONAL)
for _op, _function in {
    "torch.add": lambda a, b: a + b,
    "torch.mul": lambda a, b: a * b,
    "torch.neg": lambda a: -a,
    "torch.matmul": lambda a, b: a * b,
    "torch.trace": lambda a: a.sum(),
}.items():
    _backend.kernels[_op] = Kernel(_function)
register(_backend)


def diagonal(vector: nt.Tensor, names: tuple[str | None, str | None]) -> nt.Tensor:
    """The matrix with a vector of float32 on its diagonal, and zeros elsewhere."""
    count = vector.numel()
    elements = vector.numpy().copy()
    return backend_of("cpu", DIAGONAL).give(elements, names, (count, count), vector.dtype)
