"""Memory that other processes see: without a name, and gone with the last process that has it.

Nothing is ever left behind, whoever crashes: the system counts the processes that hold the file
behind it (`memfd_create` on Linux, elsewhere a temporary file that is unlinked at once).
"""

from __future__ import annotations

import mmap
import os
import tempfile
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from namecheck_runtime.tensors.values.storage import Storage


class SharedMemory(mmap.mmap):
    """The mapped memory of a file that processes share; `handle` is the file's."""

    handle: int

    def __del__(self) -> None:
        os.close(self.handle)


_SHARED: WeakValueDictionary[tuple[int, int], Storage] = WeakValueDictionary()
"""The storages over shared memory of this process, by device and number of the file.

Memory that arrives a second time is the same storage again.
"""


def _new_file(nbytes: int) -> int:
    """The handle of a file without a name."""
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("namecheck", os.MFD_CLOEXEC)
    else:
        handle, name = tempfile.mkstemp(prefix="namecheck-")
        os.unlink(name)
    try:
        os.ftruncate(handle, nbytes)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _mapped(handle: int, nbytes: int, of: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The elements in the file of a handle, which belongs to them from now on."""
    try:
        memory = SharedMemory(handle, max(nbytes, 1))
    except BaseException:
        os.close(handle)
        raise
    memory.handle = handle
    return np.frombuffer(memory, of, nbytes // of.itemsize)


def shared_copy(buffer: np.ndarray[Any, Any], nbytes: int) -> np.ndarray[Any, Any]:
    """The elements of a buffer in new shared memory.

    Raises NotImplementedError on systems whose files cannot be unlinked while they are open, and
    OSError if the system has no memory or handle left.
    """
    if os.name != "posix":
        raise NotImplementedError("tensors in shared memory need a system with file descriptors")
    copy = _mapped(_new_file(max(nbytes, 1)), nbytes, buffer.dtype)
    copy[...] = buffer[: copy.size]
    return copy


def memory_of(storage: Storage) -> SharedMemory | None:
    """The shared memory of a storage; None if no other process sees it."""
    buffer = storage.buffer
    base: Any = None if buffer is None else buffer.base
    memory = base.obj if isinstance(base, memoryview) else base
    return memory if isinstance(memory, SharedMemory) else None


def know(storage: Storage) -> None:
    """Remember a storage over shared memory, which must not grow."""
    memory = memory_of(storage)
    assert memory is not None
    storage.resizable = False
    _SHARED[_key(memory.handle)] = storage


def _key(handle: int) -> tuple[int, int]:
    status = os.fstat(handle)
    return status.st_dev, status.st_ino


def received(handle: int, nbytes: int, of: Any) -> Storage:
    """The storage over the memory behind a handle that another process sent."""
    try:
        storage = _SHARED.get(_key(handle))
    except BaseException:
        os.close(handle)
        raise
    if storage is not None:
        os.close(handle)
        return storage
    storage = Storage(_mapped(handle, nbytes, np.dtype(of)), nbytes)
    know(storage)
    return storage
