"""Tensors over the memory of NumPy's arrays and of other buffers."""

from __future__ import annotations

from typing import Any

import numpy as np

from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import dtype as DType
from namecheck_runtime.tensors.values.name_tuples import unnamed


def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """A tensor over the memory of an array, without names.

    Raises TypeError for other values and for dtypes that tensors do not have, ValueError for
    negative strides.
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    dtypes.as_dtype(ndarray.dtype)
    if any(stride < 0 for stride in ndarray.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array with array.copy().)"
        )
    tensor = fresh(ndarray, unnamed(ndarray.ndim))
    tensor._own().resizable = False  # type: ignore[union-attr]
    return tensor


def frombuffer(
    buffer: Any, *, dtype: DType, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A vector over the memory of an object with Python's buffer protocol, from byte `offset` on.

    Without a `count` (-1) it has all elements up to the end.  Read-only buffers such as `bytes` are
    copied: a tensor can always be written to.  Raises ValueError if the buffer is too short.
    """
    of = dtypes.as_dtype(dtype).numpy
    try:
        room = memoryview(buffer).cast("B")
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    length, item = room.nbytes, of.itemsize
    if not length or not count:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
            f"({length} bytes) minus 1"
        )
    if count > 0 and offset + count * item > length:
        raise ValueError(
            f"requested buffer length ({count} * {item} bytes) after offset ({offset} bytes) must "
            f"not be greater than actual buffer length ({length} bytes)"
        )
    if count < 0 and (length - offset) % item:
        raise ValueError(
            f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a "
            f"multiple of element size ({item})"
        )
    array = np.frombuffer(room, of, max(count, -1), offset)
    vector = fresh(array if array.flags.writeable else array.copy(), unnamed(1))
    return vector.requires_grad_(True) if requires_grad else vector


def from_array(array: np.ndarray[Any, Any]) -> Tensor:
    """A tensor of a NumPy array: over its memory, or a copy if it has negative strides."""
    if all(stride >= 0 for stride in array.strides):
        return from_numpy(array)
    dtypes.as_dtype(array.dtype)
    return fresh(np.array(array), unnamed(array.ndim))
