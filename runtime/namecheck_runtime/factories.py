"""Tensors from Python values, arrays and other libraries' tensors.

Those that are made from sizes alone are ops like any other, see `kernels.factory`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from namecheck_runtime import dtypes
from namecheck_runtime.arguments import check_names
from namecheck_runtime.asking import dims_of, names_of
from namecheck_runtime.backends import make
from namecheck_runtime.dispatch import call_path
from namecheck_runtime.dtypes import device as Device
from namecheck_runtime.dtypes import dtype as DType
from namecheck_runtime.dtypes import layout as Layout
from namecheck_runtime.errors import error_of
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import Dim, Dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.names import Names, intern, unnamed
from namecheck_runtime.storage import Storage
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors import Tensor, fresh


def tensor(
    data: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    names: Sequence[str | None] | None = None,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor with a copy of `data`: numbers, nested lists of them, an array or a tensor.

    Python floats become the default dtype.  Raises ValueError for lists of unequal lengths,
    TypeError for what is no number, and what `names` may be wrong about.
    """
    if names is not None:
        check_names(names, "tensor(): argument 'names'")
    own = _names_of(data, names) if isinstance(data, Tensor) else None
    array = _array_of(data, dtype)
    made = fresh(array, _checked(array.shape, names) if own is None else own)
    if device is not None and Device(device) is not dtypes.CPU:
        made = call_path("Tensor.to", (made, Device(device)), {})
    if requires_grad:
        made.requires_grad_(True)
    return made


def _checked(sizes: tuple[int, ...], names: Sequence[str | None] | None) -> Names:
    """The names of a new tensor.  Raises what rules say of names that do not fit."""
    if not names:
        return unnamed(len(sizes))
    return _asked(tuple([Dim(None, size) for size in sizes]), names)


def _names_of(data: Tensor, names: Sequence[str | None] | None) -> Names:
    """The names of a copy of a tensor: its own.  Raises if others are asked for."""
    return _asked(dims_of(data), names)


def _asked(dims: Dims, names: Sequence[str | None] | None) -> Names:
    try:
        return names_of(infer("torch.tensor", (dims,), {"names": names}).result)
    except Mistake as mistake:
        raise error_of(mistake) from None


def _array_of(data: Any, dtype: DType | None) -> np.ndarray[Any, Any]:
    """A new array of what `data` holds, in the dtype that PyTorch would give it."""
    if isinstance(data, Tensor):
        array = np.array(data._elements())
    else:
        if isinstance(data, (list, tuple)):
            data = _unpacked(data)
        try:
            array = np.array(data)
        except ValueError:
            raise ValueError(_unequal(data)) from None
    if dtype is None and not isinstance(data, (Tensor, np.ndarray, np.generic)):
        dtype = _dtype_of(array)
    if dtype is None:
        dtype = dtypes.as_dtype(array.dtype)
    elif array.dtype.kind not in "biufc":
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    return array.astype(dtypes.as_dtype(dtype).numpy, copy=False)


def _unequal(data: Any, depth: int = 1) -> str:
    """What is wrong with lists that make no array: which one has another length."""
    lengths = [len(one) if isinstance(one, (list, tuple)) else None for one in data]
    for length in lengths:
        if length != lengths[0]:
            found = "a number" if length is None else f"got {length}"
            wanted = f"sequence of length {lengths[0]}" if lengths[0] is not None else "number"
            return f"expected {wanted} at dim {depth} ({found})"
    whole = [one for part in data for one in part]
    return _unequal(whole, depth + 1)


def _unpacked(data: Sequence[Any]) -> list[Any]:
    """Nested lists with single elements of tensors in place of those."""
    made: list[Any] = []
    for one in data:
        if isinstance(one, Tensor):
            made.append(one.tolist())
        elif isinstance(one, (list, tuple)):
            made.append(_unpacked(one))
        else:
            made.append(one)
    return made


def _dtype_of(array: np.ndarray[Any, Any]) -> DType:
    if not array.size or array.dtype.kind == "f":
        return dtypes.get_default_dtype()
    if array.dtype.kind == "c":
        found = dtypes.dtype_of_number(1j)
        assert found is not None
        return found
    if array.dtype.kind in "iu":
        return dtypes.int64
    if array.dtype.kind == "b":
        return dtypes.bool_
    odd = next((one for one in array.reshape(-1).tolist() if not isinstance(one, (int, float))), "")
    if isinstance(odd, str):
        raise TypeError("new(): invalid data type 'str'")
    raise RuntimeError(f"Could not infer dtype of {type(odd).__name__}")


def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """A tensor over the memory of an array, without names.

    Raises TypeError for what is no array of a dtype that tensors have, ValueError for negative
    strides.
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
    made = fresh(ndarray, unnamed(ndarray.ndim))
    made._own().resizable = False  # type: ignore[union-attr]
    return made


def frombuffer(
    buffer: Any, *, dtype: DType, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A vector over the memory of an object with Python's buffer protocol, from a byte on.

    Without a `count` (-1) it holds all that there is.  `bytes` and other buffers that may not be
    written to are copied: a tensor can always be written to.  Raises ValueError where it does not
    fit.
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
    made = fresh(array if array.flags.writeable else array.copy(), unnamed(1))
    return made.requires_grad_(True) if requires_grad else made


def as_tensor(data: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """A tensor of `data`, over the same memory where nothing has to be changed."""
    if isinstance(data, Tensor):
        made = data
    elif isinstance(data, np.ndarray) and all(stride >= 0 for stride in data.strides):
        made = from_numpy(data)
    else:
        made = tensor(data, dtype=dtype)
    wanted = made.dtype if dtype is None else dtypes.as_dtype(dtype)
    where = made.device if device is None else Device(device)
    if wanted is made.dtype and where is made.device:
        return made
    return call_path("Tensor.to", (made, where, wanted), {})  # type: ignore[no-any-return]


def asarray(
    obj: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of `obj`: over the same memory, or a copy if one is asked for or needed.

    Raises ValueError if `copy` is False and something has to be changed.
    """
    made = as_tensor(obj, dtype, device)
    shared = made is obj or (
        isinstance(obj, np.ndarray) and np.may_share_memory(made._elements(), obj)
    )
    if copy is False and not shared:
        raise ValueError("this cannot be made a tensor without a copy")
    if copy and shared:
        made = call_path("Tensor.clone", (made,), {})
    return made.requires_grad_(True) if requires_grad else made


def rebuild(
    storage: Storage | None,
    elements: Any,
    geometry: tuple[Any, Any, Any],
    names: Names,
    device: Device,
    layout: Layout,
    dtype: DType,
    requires_grad: bool,
) -> Tensor:
    """A tensor from what it was pickled as: a view of its storage, or what its device held."""
    g = Geometry(*geometry)
    if storage is not None and storage.buffer is not None:
        elements = storage.show(g, dtype.numpy)
    made = make(device, layout, dtype, g, intern(names), elements)
    made._storage = storage
    return made.requires_grad_(True) if requires_grad else made
