"""What a file says of each tensor: where it lies in which memory, its names, and the like.

A record from a file is checked before memory is shown by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from namecheck_runtime.saving.refusals import RaisedOutsideError, refuse
from namecheck_runtime.strides import Geometry, contiguous_strides
from namecheck_runtime.tensors.backends import extent
from namecheck_runtime.tensors.making.factories import rebuild
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device as Device
from namecheck_runtime.tensors.values.dtypes import dtype as DType
from namecheck_runtime.tensors.values.name_tuples import Names, unnamed
from namecheck_runtime.tensors.values.storage import Storage

_MOST_DIMS: Final = 64
_MOST: Final = 2**62


class Record(NamedTuple):
    """A tensor of a file, without its memory."""

    dtype: DType
    geometry: Geometry
    names: Names
    requires_grad: bool = False


def dtype_named(name: object) -> DType:
    """The dtype that a file names.  Raises UnreadableFileError for one that is not known here."""
    of = dtypes.DTYPES.get(name) if isinstance(name, str) else None
    if of is None:
        refuse(
            f"it has elements of the dtype {name}, which this library does not have: import the "
            "package that registers it, if there is one"
        )
    return of


def _whole_numbers(values: Any, what: str) -> tuple[int, ...]:
    if not isinstance(values, (list, tuple)) or len(values) > _MOST_DIMS:
        refuse(f"its {what} are not a list of at most {_MOST_DIMS} numbers")
    for value in values:
        if type(value) is not int or not 0 <= value < _MOST:
            refuse(f"{str(value)[:40]} is not one of a tensor's {what}")
    return tuple(values)


def checked_geometry(sizes: Any, strides: Any, offset: Any) -> Geometry:
    """Where a tensor's elements lie, from a file: row-major order if it has no strides.

    Raises UnreadableFileError for numbers that no tensor has.
    """
    sizes = _whole_numbers(sizes, "sizes")
    count = 1
    for size in sizes:
        count *= max(size, 1)
    if count >= _MOST:
        refuse(f"no tensor has the sizes {list(sizes)}")
    strides = contiguous_strides(sizes) if strides is None else _whole_numbers(strides, "strides")
    if len(strides) != len(sizes):
        refuse(f"a tensor has {len(sizes)} sizes and {len(strides)} strides")
    (offset,) = _whole_numbers([offset], "offsets")
    return Geometry(sizes, strides, offset)


def checked_names(names: Any, rank: int) -> Names:
    """The names of a tensor, from a file.  Raises UnreadableFileError for what no tensor has."""
    if names is None:
        return unnamed(rank)
    if not isinstance(names, list) or len(names) != rank:
        refuse(f"a tensor of {rank} dims has other names than one for each")
    given = [name for name in names if name is not None]
    for name in given:
        if not isinstance(name, str) or not name.isidentifier() or given.count(name) > 1:
            refuse(f"{str(name)[:40]!r} cannot be the name of one dim")
    return tuple(names)


def require_inside(record: Record, nbytes: int) -> None:
    """Raise UnreadableFileError for a record that shows more than there is."""
    geometry, item = record.geometry, record.dtype.itemsize
    end = (_whole(geometry.offset) + extent(geometry)) * item
    if end > nbytes:
        refuse(f"a tensor shows bytes up to {end} of a memory of {nbytes}")


def _whole(number: Any) -> int:
    return int(number)


def shown(record: Record, place: Storage | Device, memory: Storage) -> Tensor:
    """The tensor of a record: over `place` if that is memory, else moved from `memory` to there.

    Raises UnreadableFileError for truth values that are neither 0 nor 1.
    """
    storage = place if isinstance(place, Storage) else memory
    where = dtypes.CPU if storage.buffer is not None else dtypes.META
    tensor = rebuild(
        storage,
        None,
        tuple(record.geometry),  # type: ignore[arg-type]
        record.names,
        where,
        dtypes.strided,
        record.dtype,
        False,
    )
    if where is dtypes.CPU and record.dtype is dtypes.bool_:
        _require_truth(tensor._elements())
    if not isinstance(place, Storage):
        tensor = _moved(tensor, place)
    return tensor.requires_grad_(True) if record.requires_grad else tensor


def _moved(tensor: Tensor, place: Device) -> Tensor:
    """The tensor on another device.  Raises NotImplementedError if that takes none from here."""
    try:
        return tensor.to(place)
    except Exception as error:
        raise RaisedOutsideError(error) from None


def _require_truth(array: np.ndarray[Any, Any]) -> None:
    """Refuse bytes above 1: NumPy does not say what it makes of them."""
    if array.size and array.view(np.uint8).max() > 1:
        refuse("a truth value in it is neither 0 nor 1, so it was altered")


def storage_over(buffer: np.ndarray[Any, Any]) -> Storage:
    """The storage of a vector of bytes."""
    return Storage(buffer, buffer.nbytes)


def are_row_major(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether strides are those of a new tensor of these sizes."""
    return tuple(strides) == tuple(contiguous_strides(tuple(sizes)))
