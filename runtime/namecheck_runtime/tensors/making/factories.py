"""Tensors from Python values, arrays and other libraries' tensors.

Those that are made from sizes alone are ops like any other, see `kernels.factory`.
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

    Python floats become the default dtype.  What has names for its dims keeps them: a tensor, an
    array of xarray or pandas, a named tensor of PyTorch.  Raises ValueError for lists of unequal
    lengths, TypeError for what is no number, and what `names` may be wrong about.
    """
    if names is not None:
        check_names(names, "tensor(): argument 'names'")
    require_unpinned(pin_memory)
    named = adopted(data)
    data = data if named is None else named
    own = _names_of(data, names) if isinstance(data, Tensor) else None
    array = _array_of(data, dtype)
    made = fresh(array, _checked(array.shape, names) if own is None else own)
    if device is not None and Device(device) is not dtypes.CPU:
        made = made.to(Device(device))
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
            kinds: set[Any] = set()
            data = _unpacked(data, kinds)
            if dtype is None:
                dtype = _met(kinds)
        try:
            array = np.array(data)
        except ValueError:
            raise ValueError(_unequal(data)) from None
    numbers = not isinstance(data, (Tensor, np.ndarray, np.generic))
    if dtype is None and numbers:
        dtype = _dtype_of(array)
    if dtype is None:
        dtype = dtypes.as_dtype(array.dtype)
    elif array.dtype.kind not in "biufc":
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    of = dtypes.as_dtype(dtype)
    if numbers:
        _require_held(array, of)
    return array.astype(of.numpy, copy=False)


def _require_held(array: np.ndarray[Any, Any], of: DType) -> None:
    """Raise for Python's numbers of which one is none of a dtype's.  Arrays and tensors wrap,
    as they do in PyTorch.
    """
    if array.dtype.kind == "c" and of.kind != "complex":
        raise TypeError("must be real number, not complex")
    if of.kind == "int" and array.size and array.dtype.kind in "iuf":
        # Of a NaN both are NaN.
        for bound in (array.min().item(), array.max().item()):
            if of is dtypes.int64 and array.dtype.kind == "u" and bound >= 2**63:
                raise ValueError("Overflow when unpacking long long")
            try:
                dtypes.require_held(bound, of)
            except RuntimeError:
                text = f"value cannot be converted to type {of.name} without overflow"
                raise RuntimeError(text) from None


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


_NUMBERS: Final = (bool, int, float, complex)


def _unpacked(data: Sequence[Any], kinds: set[Any]) -> Sequence[Any]:
    """Nested lists with numbers in place of tensors of a single element.

    `kinds` has the types of Python's numbers in them afterwards, and the dtypes of the others.
    Raises ValueError for tensors of several elements, TypeError for other arrays whose dims have
    names: a list of them would drop these.
    """
    found = set(map(type, data))
    if found <= _PLAIN:
        kinds |= found
        return data
    made: list[Any] = []
    for one in data:
        if isinstance(one, _NUMBERS) and not isinstance(one, np.generic):
            kinds.add(type(one))
        elif isinstance(one, (list, tuple)):
            one = _unpacked(one, kinds)
        elif isinstance(one, Tensor):
            kinds.add(one.dtype)
            one = one._single()
        elif isinstance(one, (np.ndarray, np.generic)):
            if one.dtype in DType._BY_NUMPY:
                kinds.add(dtypes.as_dtype(one.dtype))
        else:
            named = adopted(one)
            if named is not None and any(named.names):
                raise TypeError(
                    f"a list of a {type(one).__name__} and others would lose the names of its "
                    "dims: stack tensors of them, nt.stack([nt.tensor(x), ..])"
                )
        made.append(one)
    return made


_PLAIN: Final = frozenset(_NUMBERS)


def _met(kinds: set[Any]) -> DType | None:
    """The dtype in which elements meet; None if all are Python's numbers."""
    if not any(isinstance(kind, DType) for kind in kinds):
        return None
    found: DType | None = None
    for kind in kinds:
        one = kind if isinstance(kind, DType) else dtypes.dtype_of_number(kind(0))
        if one is not None:
            found = one if found is None else promotion.promote(found, one)
    return found


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
    odd = next((one for one in array.reshape(-1).tolist() if not isinstance(one, (int, float))), 0)
    if isinstance(odd, int):
        raise ValueError("Overflow when unpacking long long")
    if isinstance(odd, str):
        raise TypeError("new(): invalid data type 'str'")
    raise RuntimeError(f"Could not infer dtype of {type(odd).__name__}")


def as_tensor(data: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """A tensor of `data`, over the same memory where nothing has to be changed.

    What has names for its dims keeps them, see `tensor`.
    """
    named = adopted(data)
    if isinstance(data, Tensor) or named is not None:
        made = data if named is None else named
    elif isinstance(data, np.ndarray) and all(stride >= 0 for stride in data.strides):
        made = from_numpy(data)
    else:
        made = tensor(data, dtype=dtype)
    wanted = made.dtype if dtype is None else dtypes.as_dtype(dtype)
    where = made.device if device is None else Device(device)
    if wanted is made.dtype and where is made.device:
        return made
    return made.to(where, wanted)


def asarray(
    obj: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of `obj`: over the same memory, or a copy if one is asked for or needed.

    What has names for its dims keeps them, see `tensor`.  Raises ValueError if `copy` is False and
    something has to be changed.
    """
    named = adopted(obj)
    source = obj if named is None else named
    made = as_tensor(source, dtype, device)
    shared = made is source or (
        isinstance(source, np.ndarray) and np.may_share_memory(made._elements(), source)
    )
    if copy is False and not shared:
        raise ValueError("this cannot be made a tensor without a copy")
    if copy and shared:
        made = made.clone()
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
