"""`nt.Tensor(...)`: PyTorch's old constructor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.making.factories import as_tensor, tensor
from namecheck_runtime.tensors.making.foreign import adopted
from namecheck_runtime.tensors.object import Size, Tensor, fresh
from namecheck_runtime.tensors.storages import TypedStorage
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device as Device
from namecheck_runtime.tensors.values.dtypes import dtype as DType
from namecheck_runtime.tensors.values.name_tuples import unnamed
from namecheck_runtime.tensors.values.storage import Storage

_FORMS: Final = (
    "(*, device = None)",
    "(*sizes, device = None)",
    "(data, *, device = None)",
    "(other tensor)",
    "(storage)",
)


def construct(*arguments: Any, **options: Any) -> Tensor:
    """`nt.Tensor(...)`, PyTorch's old constructor, in the default dtype.

    It makes zeros of sizes that are passed one by one or as a `Size`, else a copy of a sequence.
    An array of that dtype and a tensor keep their memory, and a tensor keeps its dtype.

    Raises TypeError for arguments of other kinds (`nt.tensor` takes a dtype and names),
    RuntimeError for a size below 0, for a storage of another dtype, and for a device that is not
    the CPU.
    """
    where = options.pop("device", None)
    if options.keys() == {"data"} and not arguments:
        arguments = (options.pop("data"),)
    elif options.keys() == {"size"} and not arguments:
        arguments = (Size(options.pop("size")),)
    if options or (len(arguments) > 1 and not _is_size(arguments[0])):
        kinds = [type(argument).__name__ for argument in arguments]
        kinds += [f"{word}={type(value).__name__}" for word, value in options.items()]
        refusal = TypeError(
            f"new() received an invalid combination of arguments - got ({', '.join(kinds)}), but "
            "expected one of:" + "".join(f"\n * {form}" for form in _FORMS)
        )
        refusal.add_note("nt.tensor(data, dtype=.., names=..) takes a dtype and names.")
        raise refusal
    if where is not None and Device(where) is not dtypes.CPU:
        raise RuntimeError(
            "legacy constructor expects device type: cpu but device type: "
            f"{Device(where).type} was passed"
        )
    if not arguments:
        return _of_sizes((0,))
    if len(arguments) > 1 or isinstance(arguments[0], Size) or _is_size(arguments[0], alone=True):
        return _of_sizes(arguments[0] if isinstance(arguments[0], Size) else arguments)
    data = arguments[0]
    if isinstance(data, Tensor):
        return data.detach()
    if isinstance(data, (Storage, TypedStorage)):
        return of_storage(data, dtypes.get_default_dtype())
    named = adopted(data)
    if named is not None or isinstance(data, np.ndarray):
        return as_tensor(data if named is None else named, dtypes.get_default_dtype())
    if not hasattr(data, "__getitem__") or isinstance(data, (Mapping, np.generic)):
        raise TypeError(f"new(): data must be a sequence (got {type(data).__name__})")
    result = tensor(data)
    if result.dtype.kind == "complex":
        raise TypeError("must be real number, not complex")
    return result.to(dtypes.get_default_dtype())


def _is_size(value: Any, alone: bool = False) -> bool:
    """Whether a value is a size; a tensor with one whole number is, if it is not `alone`."""
    if isinstance(value, Tensor):
        return not alone and value.dtype.kind == "int" and value.shape.numel() == 1
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _of_sizes(sizes: Sequence[Any]) -> Tensor:
    for place, size in enumerate(sizes):
        if not _is_size(size):
            raise TypeError(
                f"new(): argument 'size' failed to unpack the object at pos {place + 1} with error "
                f'"type must be tuple of ints,but got {type(size).__name__}"'
            )
    return call_path("torch.empty", ([int(size) for size in sizes],), {})  # type: ignore[no-any-return]


def of_storage(data: Storage | TypedStorage, dtype: DType) -> Tensor:
    """A tensor over the memory of a storage, in a dtype.

    Raises RuntimeError for a storage with elements of another dtype, and for one without memory.
    """
    storage = data.untyped()
    if isinstance(data, TypedStorage) and data.dtype is not dtype:
        asked, held = (dtypes.SPOKEN[of.name] for of in (dtype, data.dtype))
        raise RuntimeError(
            f"Expected a Storage of type {asked} or an UntypedStorage, but got type {held} for "
            "argument 1 'storage'"
        )
    if storage.buffer is None:
        raise RuntimeError("this storage has no memory")
    geometry = Geometry((storage.nbytes() // dtype.itemsize,), (1,))
    vector = fresh(storage.show(geometry, dtype.numpy), unnamed(1))
    vector._storage = storage
    return vector
