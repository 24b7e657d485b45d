"""Tensors from Python values, arrays and other libraries' tensors.

Factories that take sizes alone are ops, see `kernels.factory`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.errors import error_of
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import Dim, Dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.backends import make
from namecheck_runtime.tensors.calls.arguments import check_names, require_unpinned
from namecheck_runtime.tensors.calls.operands import dims_of, names_of
from namecheck_runtime.tensors.making.arrays import from_numpy
from namecheck_runtime.tensors.making.foreign import adopted
from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values import dtypes, promotion
from namecheck_runtime.tensors.values.default_device import DEFAULT
from namecheck_runtime.tensors.values.dtypes import device as Device
from namecheck_runtime.tensors.values.dtypes import dtype as DType
from namecheck_runtime.tensors.values.dtypes import layout as Layout
from namecheck_runtime.tensors.values.name_tuples import Names, intern, unnamed
from namecheck_runtime.tensors.values.storage import Storage


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

    Python floats become the default dtype.  Data with names for its dims keeps them: a tensor, an
    array of xarray or pandas, a named tensor of PyTorch.  Raises ValueError for lists of unequal
    lengths, TypeError for elements that are not numbers, NamesError for names that do not fit.
    """
    if names is not None:
        check_names(names, "tensor(): argument 'names'")
    require_unpinned(pin_memory)
    if device is None and DEFAULT.is_used:
        device = DEFAULT.device
    named = adopted(data)
    data = data if named is None else named
    inherited = _names_of(data, names) if isinstance(data, Tensor) else None
    array = _array_of(data, dtype)
    result = fresh(array, _checked(array.shape, names) if inherited is None else inherited)
    if device is not None and Device(device) is not dtypes.CPU:
        result = result.to(Device(device))
    if requires_grad:
        result.requires_grad_(True)
    return result


def _checked(sizes: tuple[int, ...], names: Sequence[str | None] | None) -> Names:
    """The names of a new tensor.  Raises NamesError for names that do not fit."""
    if not names:
        return unnamed(len(sizes))
    return _accepted(tuple([Dim(None, size) for size in sizes]), names)


def _names_of(data: Tensor, names: Sequence[str | None] | None) -> Names:
    """The names of a copy of a tensor.  Raises NamesError if the caller asks for others."""
    return _accepted(dims_of(data), names)


def _accepted(dims: Dims, names: Sequence[str | None] | None) -> Names:
    try:
        return names_of(infer("torch.tensor", (dims,), {"names": names}).result)
    except Mistake as mistake:
        raise error_of(mistake) from None


def _array_of(data: Any, dtype: DType | None) -> np.ndarray[Any, Any]:
    """A new array of the elements of `data`, in the dtype that PyTorch would give it."""
    if isinstance(data, Tensor):
        array = np.array(data._elements())
    else:
        if isinstance(data, (list, tuple)):
            kinds: set[Any] = set()
            data = _unpacked(data, kinds)
            if dtype is None:
                dtype = _common(kinds)
        try:
            array = np.array(data)
        except ValueError:
            raise ValueError(_unequal(data)) from None
    numbers = not isinstance(data, (Tensor, np.ndarray, np.generic))
    if dtype is None and numbers:
        dtype = _dtype_of(array)
    if dtype is None:
        dtype = dtypes.as_dtype(array.dtype)
    elif array.dtype not in DType._BY_NUMPY and array.dtype.kind not in "biufc":
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    of = dtypes.as_dtype(dtype)
    if numbers:
        _require_held(array, of)
    return array.astype(of.numpy, copy=False)


def _require_held(array: np.ndarray[Any, Any], of: DType) -> None:
    """Raise if one of Python's numbers does not fit in a dtype.

    Arrays and tensors wrap, as they do in PyTorch.
    """
    if array.dtype.kind == "c" and of.kind != "complex":
        raise TypeError("must be real number, not complex")
    if of.kind == "int" and array.size and array.dtype.kind in "iuf":
        # If there is a NaN, both bounds are NaN.
        for bound in (array.min().item(), array.max().item()):
            if of is dtypes.int64 and array.dtype.kind == "u" and bound >= 2**63:
                raise ValueError("Overflow when unpacking long long")
            try:
                dtypes.require_held(bound, of)
            except RuntimeError:
                text = f"value cannot be converted to type {of.name} without overflow"
                raise RuntimeError(text) from None


def _unequal(data: Any, depth: int = 1) -> str:
    """The message for lists that make no array: which one has another length."""
    lengths = [len(entry) if isinstance(entry, (list, tuple)) else None for entry in data]
    for length in lengths:
        if length != lengths[0]:
            actual = "a number" if length is None else f"got {length}"
            expected = f"sequence of length {lengths[0]}" if lengths[0] is not None else "number"
            return f"expected {expected} at dim {depth} ({actual})"
    entries = [entry for part in data for entry in part]
    return _unequal(entries, depth + 1)


_NUMBERS: Final = (bool, int, float, complex)


def _unpacked(data: Sequence[Any], kinds: set[Any]) -> Sequence[Any]:
    """Nested lists with numbers in place of tensors of a single element.

    Adds to `kinds` the types of Python's numbers in them, and the dtypes of tensors and arrays.
    Raises ValueError for tensors of several elements, TypeError for other arrays with names for
    their dims: a list would drop the names.
    """
    types = set(map(type, data))
    if types <= _PLAIN:
        kinds |= types
        return data
    unpacked: list[Any] = []
    for entry in data:
        if isinstance(entry, _NUMBERS) and not isinstance(entry, np.generic):
            kinds.add(type(entry))
        elif isinstance(entry, (list, tuple)):
            entry = _unpacked(entry, kinds)
        elif isinstance(entry, Tensor):
            kinds.add(entry.dtype)
            entry = entry._single()
        elif isinstance(entry, (np.ndarray, np.generic)):
            if entry.dtype in DType._BY_NUMPY:
                kinds.add(dtypes.as_dtype(entry.dtype))
        else:
            named = adopted(entry)
            if named is not None and any(named.names):
                raise TypeError(
                    f"a list of a {type(entry).__name__} and others would lose the names of its "
                    "dims: stack tensors of them, nt.stack([nt.tensor(x), ..])"
                )
        unpacked.append(entry)
    return unpacked


_PLAIN: Final = frozenset(_NUMBERS)


def _common(kinds: set[Any]) -> DType | None:
    """The common dtype of elements; None if all are Python's numbers."""
    if not any(isinstance(kind, DType) for kind in kinds):
        return None
    common: DType | None = None
    for kind in kinds:
        dtype = kind if isinstance(kind, DType) else dtypes.dtype_of_number(kind(0))
        if dtype is not None:
            common = dtype if common is None else promotion.promote(common, dtype)
    return common


def _dtype_of(array: np.ndarray[Any, Any]) -> DType:
    if not array.size or array.dtype.kind == "f":
        return dtypes.get_default_dtype()
    if array.dtype.kind == "c":
        dtype = dtypes.dtype_of_number(1j)
        assert dtype is not None
        return dtype
    if array.dtype.kind in "iu":
        return dtypes.int64
    if array.dtype.kind == "b":
        return dtypes.bool_
    odd = next(
        (
            element
            for element in array.reshape(-1).tolist()
            if not isinstance(element, (int, float))
        ),
        0,
    )
    if isinstance(odd, int):
        raise ValueError("Overflow when unpacking long long")
    if isinstance(odd, str):
        raise TypeError("new(): invalid data type 'str'")
    raise RuntimeError(f"Could not infer dtype of {type(odd).__name__}")


def as_tensor(data: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """A tensor of `data`, over the same memory if neither dtype nor device has to change.

    Data with names for its dims keeps them, see `tensor`.
    """
    if device is None and DEFAULT.is_used:
        device = DEFAULT.device
    named = adopted(data)
    if isinstance(data, Tensor) or named is not None:
        result = data if named is None else named
    elif isinstance(data, np.ndarray) and all(stride >= 0 for stride in data.strides):
        result = from_numpy(data)
    else:
        result = tensor(data, dtype=dtype)
    target = result.dtype if dtype is None else dtypes.as_dtype(dtype)
    where = result.device if device is None else Device(device)
    if target is result.dtype and where is result.device:
        return result
    return result.to(where, target)


def asarray(
    obj: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of `obj`: over the same memory, or a copy if the caller or its dtype needs one.

    Data with names for its dims keeps them, see `tensor`.  Raises ValueError if `copy` is False and
    the tensor needs one.
    """
    named = adopted(obj)
    source = obj if named is None else named
    result = as_tensor(source, dtype, device)
    shared = result is source or (
        isinstance(source, np.ndarray) and np.may_share_memory(result._elements(), source)
    )
    if copy is False and not shared:
        raise ValueError("this cannot become a tensor without a copy")
    if copy and shared:
        result = result.clone()
    return result.requires_grad_(True) if requires_grad else result


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
    """A tensor from its pickle: a view of its storage, or the object of its device."""
    g = Geometry(*geometry)
    if storage is not None and storage.buffer is not None:
        elements = storage.show(g, dtype.numpy)
    result = make(device, layout, dtype, g, intern(names), elements)
    result._storage = storage
    return result.requires_grad_(True) if requires_grad else result
