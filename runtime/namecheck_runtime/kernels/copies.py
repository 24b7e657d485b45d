"""Kernels that copy what is a view elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import as_strided

from namecheck_runtime import dtypes
from namecheck_runtime.backends import Kernel
from namecheck_runtime.kernels import result

Array = Any


def _copied(input: Array) -> Array:
    """Elements in their order: the sizes of the result are the rule's."""
    return np.array(input)


def written(out: Array, elements: Any) -> Array:
    """`out`, which has become equal to what is broadcast to it, in its own dtype."""
    np.copyto(out, np.asarray(elements), casting="unsafe")
    return out


def _diagonal(input: Array, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Array:
    return np.array(np.diagonal(input, offset, dim1, dim2))


def _narrowed(input: Array, dim: int, start: Any, length: int) -> Array:
    begin = int(start)
    begin += input.shape[dim] if begin < 0 else 0
    return np.array(input.take(range(begin, begin + length), dim))


def _strided_scatter(
    input: Array, src: Array, size: Any, stride: Any, storage_offset: Any = None
) -> Array:
    flat = np.array(input).reshape(-1)
    places = tuple(int(step) * flat.itemsize for step in stride)
    as_strided(flat[storage_offset or 0 :], tuple(size), places)[...] = src
    return flat.reshape(input.shape)


def _as_complex(input: Array) -> Array:
    return input[..., 0] + 1j * input[..., 1]


def _as_real(input: Array) -> Array:
    return np.stack([input.real, input.imag], -1)


def _copy(function: Callable[..., Any], *takes: str) -> Kernel:
    return Kernel(function, takes, result.first, False)


_DIAGONAL = ("offset", "dim1", "dim2")

KERNELS: Final[dict[str, Kernel]] = {
    **{
        f"torch.{name}": _copy(_copied, "input")
        for name in ("squeeze_copy", "unsqueeze_copy", "view_copy")
    },
    "torch.dequantize": Kernel(_copied, ("input",), lambda call: dtypes.float32, False),
    "Tensor.to_dense": _copy(_copied, "input"),
    "torch.diagonal_copy": _copy(_diagonal, "input", *_DIAGONAL),
    "torch.linalg.diagonal": _copy(
        lambda A, offset=0, dim1=-2, dim2=-1: _diagonal(A, offset, dim1, dim2), "A", *_DIAGONAL
    ),
    "torch.t_copy": _copy(lambda input: np.array(input.T), "input"),
    "torch.permute_copy": _copy(
        lambda input, dims: np.array(input.transpose(tuple(dims))), "input", "dims"
    ),
    "torch.select_copy": _copy(
        lambda input, dim, index: np.array(input.take(index, dim)), "input", "dim", "index"
    ),
    "torch.narrow_copy": _copy(_narrowed, "input", "dim", "start", "length"),
    "torch.as_strided_scatter": _copy(
        _strided_scatter, "input", "src", "size", "stride", "storage_offset"
    ),
    "torch.view_as_complex": Kernel(_as_complex, None, result.complex_),
    "torch.view_as_real": Kernel(_as_real, None, result.real),
}
"""By the op's name."""
