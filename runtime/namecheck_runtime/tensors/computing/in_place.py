"""Kernels of ops that change a tensor's dims in place: names, sizes, strides, or all its memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from namecheck_runtime.tensors.backends import backend_of
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import is_dims, names_of
from namecheck_runtime.tensors.computing.writing import bump, resize, share
from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.name_tuples import unnamed
from namecheck_runtime.tensors.values.storage import Storage
from namecheck_runtime.tensors.views.showing import shown_at, strided


def _rename_in_place(called: Call, target: Tensor) -> None:
    target._names = names_of(called.dims)


def _set(called: Call, target: Tensor) -> None:
    """The tensor becomes another view: of the memory of the source, or of empty memory."""
    values = called.values
    source = values.get("source")
    if source is not None and hasattr(source, "elements"):  # a storage with a dtype
        flat = fresh(source.elements(), unnamed(1))
        flat._storage = source.untyped()
        source = flat
    elif isinstance(source, Storage):
        if source.buffer is None:
            raise RuntimeError("set_ needs a storage that has memory")
        flat = fresh(source.buffer, unnamed(1))
        flat._storage = source
        source = flat
    elif source is None:
        source = fresh(np.empty((0,), target.dtype.numpy), unnamed(1))
    if source.dtype is not target.dtype:
        raise RuntimeError(
            f"Could not set tensor of type {source.dtype} to a tensor of type {target.dtype}"
        )
    geometry = source._geometry()
    if values.get("size") is not None:
        geometry = strided(
            called, source, values["size"], values["stride"], values["storage_offset"]
        )
    names = names_of(called.dims) if is_dims(called.dims) else unnamed(len(geometry.sizes))
    shown = shown_at(source, geometry, names)
    target._array, target._names = shown._array, shown._names
    # The memory is that of the source; the counter of writes stays that of this tensor.
    storage, version = shown._storage, target._version
    if storage is not None:
        target._storage = Storage(storage.buffer, storage.nbytes())
        target._storage.version = version
    target._rest = shown._rest
    bump(target)


def _resize(called: Call, target: Tensor) -> None:
    names = names_of(called.dims)
    sizes = tuple([dim.size for dim in called.dims])
    if sizes != tuple(target.shape):
        resize(target, sizes)
    target._own()
    target.untyped_storage().version += 1
    target._names = names


def _keep(called: Call, target: Tensor) -> None:
    """Do nothing: detached, the tensor is the same."""


def _share(called: Call, target: Tensor) -> None:
    """Move its memory to where other processes see it."""
    share(target)


def _require_grad(called: Call, target: Tensor) -> None:
    target.requires_grad_(called.values.get("requires_grad", True))


def _copy_across(called: Call, target: Tensor) -> None:
    """Write the elements of a tensor on another device; on meta there is nothing to write."""
    source = called.operands[1]
    if target._array is not None:
        array = backend_of(source.device, source.layout).to_array(source)
        array = np.broadcast_to(array, tuple(target.shape)).astype(target.dtype.numpy)
        if target.device is dtypes.CPU:
            np.copyto(target._array, array)
        else:
            written = backend_of(target.device).from_array(array, target._names)
            target._array = written._array
    bump(target)
    target._names = names_of(called.dims)


def across_devices(called: Call) -> Callable[[Call, Tensor], None] | None:
    """What writes where the other operand is on another device, or where no kernel does.

    None for all other calls.
    """
    write = _ACROSS.get(called.op.name)
    if write is None or len(called.operands) < 2:
        return None
    target, source = called.operands
    if target.device is source.device:
        if target.layout is not source.layout or target.layout is not dtypes.strided:
            return None
        if backend_of(target.device, target.layout).find(called.op, target.dtype) is not None:
            return None
    return write


_ACROSS: Final[dict[str, Callable[[Call, Tensor], None]]] = {"Tensor.copy_": _copy_across}
"""The ops that take operands of two devices."""

IN_PLACE: Final[dict[str, Callable[[Call, Tensor], None]]] = {
    "Tensor.rename_": _rename_in_place,
    "Tensor.resize_": _resize,
    "Tensor.set_": _set,
    "Tensor.resize_as_": _resize,
    "Tensor.detach_": _keep,
    "Tensor.share_memory_": _share,
    "Tensor.requires_grad_": _require_grad,
}
