"""Which memory of a nest's tensors goes into a file, and how each tensor lies in it.

The format has no strides and no shared memory: an entry is a name, a dtype, sizes, and elements in
row-major order.  So the tensors of one storage are one entry, and a record says how each shows it:

* a tensor that shares with no other is an entry of its own sizes, written as `clone()` has it;
* the tensors of one storage that one of them shows in full are one entry with that one's sizes;
* for those of which none does, the entry `NAME.memory` is a vector of all that they span.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from namecheck_runtime.saving.locations import HeldElsewhere, location_of
from namecheck_runtime.saving.tensor_records import are_row_major
from namecheck_runtime.strides import Geometry
from namecheck_runtime.strides.contiguity import clone_strides
from namecheck_runtime.tensors.backends import extent
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.storage import Storage

_ALIGNED: Final = 16
"""The bytes of the largest element: a span begins at a multiple, so that all fit in it."""


class Entries(NamedTuple):
    """The tensors of a nest, ready to be written."""

    arrays: dict[str, np.ndarray[Any, Any]]
    """By the name in the file; each in row-major order."""
    records: list[dict[str, Any]]
    """What is said of each tensor, by its number in the nest."""


class _Group(NamedTuple):
    """The tensors of one storage, by their numbers; copies of those on other devices."""

    numbers: list[int]
    tensors: list[Tensor]


def entries_of(tensors: Sequence[Tensor], paths: Sequence[tuple[str, ...]]) -> Entries:
    """The entries and records of a nest's tensors.

    Raises NotImplementedError for a tensor of another layout, and for one on a device that it
    cannot leave.
    """
    entries = Entries({}, [{} for _ in tensors])
    groups: dict[Any, _Group] = {}
    for number, tensor in enumerate(tensors):
        entries.records[number] = _described(tensor)
        if tensor.device.type == "meta":
            continue
        here = _on_cpu(tensor)
        alone = here is not tensor or not here._elements().size
        key = ("alone", number) if alone else id(here.untyped_storage())
        group = groups.setdefault(key, _Group([], []))
        group.numbers.append(number)
        group.tensors.append(here)
    for group in groups.values():
        _enter(entries, group, paths)
    return entries


def _described(tensor: Tensor) -> dict[str, Any]:
    """What is said of a tensor, but for its memory."""
    if tensor.layout is not dtypes.strided:
        raise NotImplementedError(
            f"save() does not write tensors of layout {tensor.layout}: save x.to_dense(), or the "
            "strided tensors that it is made of"
        )
    geometry = tensor._geometry()
    record: dict[str, Any] = {"dtype": tensor.dtype.name, "sizes": list(tensor.shape)}
    if any(tensor.names):
        record["names"] = list(tensor.names)
    if tensor.requires_grad:
        record["requires_grad"] = True
    if tensor.device is not dtypes.CPU:
        held: Any = HeldElsewhere(tensor.device, tensor.nbytes)
        record["location"] = location_of(held)
        if tensor.device.type == "meta":
            _say_order(record, geometry)
    return record


def _say_order(record: dict[str, Any], geometry: Geometry) -> None:
    """Say how a tensor lies in its memory, unless that is the usual."""
    strides: Any = geometry.strides
    if not are_row_major(record["sizes"], strides):
        record["strides"] = list(strides)
    if geometry.offset:
        record["offset"] = geometry.offset


def _on_cpu(tensor: Tensor) -> Tensor:
    if tensor.device is dtypes.CPU:
        return tensor
    try:
        here = tensor.detach().cpu()
        here._elements()
    except Exception as error:
        raise NotImplementedError(
            f"save() cannot bring a tensor from {tensor.device} to the CPU: {error}"
        ) from error
    return here


def _enter(entries: Entries, group: _Group, paths: Sequence[tuple[str, ...]]) -> None:
    """Make the entry of the tensors of one storage."""
    views = [tensor._geometry() for tensor in group.tensors]
    alike = {(tuple(view), tensor.dtype) for view, tensor in zip(views, group.tensors, strict=True)}
    whole = _whole(group)
    if len(alike) > 1 and whole is None:
        _enter_span(entries, group, views, paths)
        return
    shown = whole or 0
    array = group.tensors[shown]._elements()
    array = np.ascontiguousarray(array).reshape(array.shape)  # which has a dim more for a scalar
    name = _enter_array(entries, paths[group.numbers[shown]], array)
    for number, view in zip(group.numbers, views, strict=True):
        record = entries.records[number]
        record["entry"] = name
        if len(alike) > 1:
            _say_order(record, view)
            continue
        _say_order(record, Geometry(view.sizes, clone_strides(view)))
        if "strides" in record and not group.tensors[0]._elements().flags.c_contiguous:
            record["permuted"] = True


def _whole(group: _Group) -> int | None:
    """Which of the tensors shows all of their storage in row-major order."""
    for place, tensor in enumerate(group.tensors):
        array = tensor._elements()
        storage = tensor.untyped_storage()
        if array.flags.c_contiguous and array.nbytes == storage.nbytes():
            return place
    return None


def _enter_span(
    entries: Entries, group: _Group, views: list[Geometry], paths: Sequence[tuple[str, ...]]
) -> None:
    """Enter all that tensors span of their storage as a vector."""
    items = [tensor.dtype.itemsize for tensor in group.tensors]
    offsets: list[Any] = [view.offset for view in views]
    begins = [offset * item for offset, item in zip(offsets, items, strict=True)]
    ends = [
        begin + extent(view) * item for begin, view, item in zip(begins, views, items, strict=True)
    ]
    begin = min(begins) // _ALIGNED * _ALIGNED
    storage: Storage = group.tensors[0].untyped_storage()
    assert storage.buffer is not None
    memory = storage.buffer.view(np.uint8)[begin : max(ends)]
    kinds = {tensor.dtype for tensor in group.tensors}
    if len(kinds) == 1:
        memory = memory.view(group.tensors[0].dtype.numpy)
    path = (*paths[group.numbers[0]], "memory")
    name = _enter_array(entries, path, memory)
    for number, view, start, item in zip(group.numbers, views, begins, items, strict=True):
        record = entries.records[number]
        record["entry"] = name
        _say_order(record, view._replace(offset=(start - begin) // item))


def _enter_array(entries: Entries, path: tuple[str, ...], array: np.ndarray[Any, Any]) -> str:
    """Enter an array under a name of its own: the path in the nest with dots, if that is free."""
    name = ".".join(path) or "tensor"
    count = 1
    unique = name
    while unique in entries.arrays or unique == "__metadata__":
        count += 1
        unique = f"{name} ({count})"
    entries.arrays[unique] = array
    return unique
