"""Writing elements to tensors, and giving a tensor other sizes.

Before the first byte is written, it is checked that the elements do not lie over each other or over
what is read, and that they can hold the dtype.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from sys import getrefcount
from typing import Any, Final

import numpy as np

from namecheck_runtime import strides
from namecheck_runtime.errors import error_of
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.backends import extent
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes, promotion
from namecheck_runtime.tensors.values.dtypes import dtype
from namecheck_runtime.tensors.values.name_tuples import unnamed
from namecheck_runtime.tensors.values.shared_memory import know, memory_of, shared_copy
from namecheck_runtime.tensors.values.storage import Storage


def write_arguments(called: Call, changed: Sequence[Any]) -> None:
    """Write elements to the arguments that an op writes to; None stands for none.

    Raises RuntimeError, before a byte is written, for an argument whose elements share memory, or
    whose dtype cannot hold what is written.
    """
    pairs = [
        (target, elements)
        for target, elements in zip(
            [called.values[name] for name in called.op.writes], changed, strict=True
        )
        if elements is not None
    ]
    for target, elements in pairs:
        require_writable(called, target)
        require_castable(dtypes.as_dtype(elements.dtype), target.dtype)
    for target, elements in pairs:
        np.copyto(target._array, elements, casting="unsafe")
        bump(target)


def require_writable(called: Call, target: Tensor) -> None:
    """Raise RuntimeError if the elements that are written lie over each other."""
    try:
        strides.require_writable(target._geometry())
    except Mistake as mistake:
        raise error_of(mistake.with_op(called.op.name)) from None


def require_apart(called: Call, target: Tensor, read: tuple[Tensor, ...]) -> None:
    """Raise RuntimeError if the elements that are written lie over operands, but are not theirs."""
    storage = target._storage
    if storage is None:
        return
    for other in read:
        if other._storage is storage and other is not target:
            try:
                strides.require_apart(target._geometry(), other._geometry())
            except Mistake as mistake:
                raise error_of(mistake.with_op(called.op.name)) from None


def require_castable(source: dtype, target: dtype) -> None:
    if not promotion.can_cast(source, target):
        raise RuntimeError(
            f"result type {dtypes.SPOKEN[source.name]} can't be cast to the desired output type "
            f"{dtypes.SPOKEN[target.name]}"
        )


def write(target: Tensor, source: Tensor) -> None:
    """Copy elements; all views of the memory see them."""
    array = target._array
    if array.__class__ is np.ndarray:
        np.copyto(array, source._array, casting="unsafe")
    elif target._array is not None:
        target._array = source._array
    bump(target)


def write_changed(target: Tensor, source: Tensor) -> None:
    """Copy the elements that differ: where the target's share memory, no copy undoes another."""
    if isinstance(target._array, np.ndarray):
        changed = np.asarray(source._array != target._array)
        np.copyto(target._array, source._array, casting="unsafe", where=changed)
        bump(target)
    else:
        write(target, source)


def bump(target: Tensor) -> None:
    """Count a write."""
    storage = target._own()
    if storage is not None:
        storage.version += 1


def resize(target: Tensor, sizes: tuple[int, ...]) -> None:
    """Give a tensor other sizes, in row-major order; its storage grows where it has to.

    Raises RuntimeError if it would have to, and NumPy shows the same memory.
    """
    geometry = Geometry(sizes, strides.contiguous_strides(sizes), target.storage_offset())
    of = target.dtype
    storage = target.untyped_storage()
    nbytes = (extent(geometry) + target.storage_offset()) * of.itemsize
    if nbytes > storage.nbytes():
        _grow(storage, nbytes)
    if target._rest is not None and target._rest.geometry is not None:
        target._rest.geometry = geometry
    if storage.buffer is not None:
        target._show(storage.show(geometry, of.numpy))
    target._names = unnamed(len(sizes))


def resize_storage(storage: Storage, nbytes: int) -> None:
    """Give a storage another number of bytes; all its views show what it has then.

    One that shrinks keeps its memory, which its tensors still show.  Raises RuntimeError if NumPy
    shows the memory, too.
    """
    if not storage.resizable:
        raise RuntimeError("Trying to resize storage that is not resizable")
    if nbytes > storage.nbytes():
        _grow(storage, nbytes)
    else:
        storage.hold(storage.buffer, nbytes)


def _grow(storage: Storage, nbytes: int) -> None:
    """Give a storage more memory, which begins with its elements; all its views show it."""
    buffer = storage.buffer
    if buffer is None:
        storage.hold(None, nbytes)
        return
    if not storage.resizable:
        raise RuntimeError("Trying to resize storage that is not resizable")
    grown = np.zeros(-(-nbytes // buffer.itemsize), buffer.dtype)
    grown[: buffer.size] = buffer
    _replace(buffer, grown, nbytes)


def _replace(buffer: np.ndarray[Any, Any], new: np.ndarray[Any, Any], nbytes: int) -> list[Storage]:
    """Give the storages over a buffer another one, and have all their views show it.

    Only the garbage collector knows the views: a list of them would make each view expensive.
    """
    # Tensors that count their writes for themselves have storages of their own.
    sharing = [referrer for referrer in gc.get_referrers(buffer) if type(referrer) is Storage]
    views = [
        (referrer, referrer._geometry())
        for shared in sharing
        for referrer in gc.get_referrers(shared)
        if isinstance(referrer, Tensor)
    ]
    for shared in sharing:
        shared.hold(new, nbytes)
    for view, geometry in views:
        if view._storage is not None:
            view._show(view._storage.show(geometry, view._array.dtype))
    return sharing


def share(tensor: Tensor) -> None:
    """Move the memory of a tensor and its views to where other processes see it.

    Does nothing on `meta`, and for memory that they see already.  Raises NotImplementedError for
    tensors on other devices and for systems without such memory, OSError if there is none left.
    """
    storage = tensor._own()
    if storage is None:
        raise NotImplementedError(f"share_memory_() does not move elements on {tensor.device}")
    buffer = storage.buffer
    if buffer is None or memory_of(storage) is not None:
        return
    if getrefcount(storage) > _OF_ONE or getrefcount(buffer) > _OF_ONE:
        share_storage(storage)
        return
    # No other tensor shows it, so the garbage collector need not look for one.
    nbytes = storage.nbytes()
    geometry = tensor._geometry()
    storage.hold(shared_copy(buffer, nbytes), nbytes)
    tensor._show(storage.show(geometry, tensor._array.dtype))
    know(storage)


def share_storage(storage: Storage) -> None:
    """Move memory to where other processes see it, and have all tensors over it show that.

    Raises NotImplementedError for systems without such memory, OSError if there is none left.
    """
    buffer = storage.buffer
    if buffer is None or memory_of(storage) is not None:
        return
    nbytes = storage.nbytes()
    for moved in _replace(buffer, shared_copy(buffer, nbytes), nbytes):
        know(moved)


_OF_ONE: Final = 3
"""The references to what one object holds: by it, by a variable, and by the question."""
