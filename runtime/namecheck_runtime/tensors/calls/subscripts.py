"""Subscripts in PyTorch's order: first the view, then the elements that tensors pick from it.

Numbers, slices and None give the view.

NumPy lets a number beside a tensor pick elements, too, and so orders the dims of the result
otherwise.  This module looks at arrays alone; the rulebook says what a subscript does to dims.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import EllipsisType
from typing import Any

import numpy as np

from namecheck_runtime.errors import error_of
from namecheck_runtime.lattice import Dim
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import IndexOutOfRange
from namecheck_runtime.tensors.calls.overrides import OVERRIDING, takes_part
from namecheck_runtime.tensors.object import CLASSES

Array = Any


class Subscript(NamedTuple):
    """A subscript in two steps."""

    view: tuple[Any, ...]
    """Numbers, slices and None, one for each dim."""
    picked: tuple[Any, ...] | None
    """For each dim of that view all of it, or an array of indices or truth values.

    All of a dim is a slice.  None instead of a tuple if there is no array.
    """

    def of(self, array: Array) -> Array:
        """The elements: a view of `array`, or a copy where arrays pick them."""
        shown = array[self.view]
        return shown if self.picked is None else shown[self.picked]


def read_subscript(key: Any, sizes: tuple[int, ...]) -> Subscript:
    """The steps of a subscript of arrays, lists, numbers, slices, None, `...`, True and False.

    Raises IndexError (of the mistake IndexOutOfRange) for an index that its dim does not have.
    """
    entries = [_read(entry) for entry in (key if isinstance(key, tuple) else (key,))]
    taken = sum(_dims_taken(entry) for entry in entries)
    rest = [slice(None)] * (len(sizes) - taken)
    if not any(entry is Ellipsis for entry in entries):
        entries.append(Ellipsis)
    view: list[Any] = []
    picked: list[Any] = []
    dim = 0
    for entry in entries:
        if entry is Ellipsis:
            view += rest
            picked += rest
            dim += len(rest)
        elif entry is None:
            view.append(None)
            picked.append(slice(None))
        elif isinstance(entry, bool):
            view.append(None)
            picked.append(np.array([entry]))
        elif isinstance(entry, int):
            view.append(entry)
            dim += 1
        elif isinstance(entry, slice):
            view.append(entry)
            picked.append(slice(None))
            dim += 1
        else:
            if entry.dtype != bool:
                require_indices(entry, dim, sizes)
            count = _dims_taken(entry)
            view += [slice(None)] * count
            picked.append(entry)
            dim += count
    all_slices = all(isinstance(entry, slice) for entry in picked)
    # With `...` at the end a single element is an array of no dims.
    return Subscript((*view, Ellipsis), None if all_slices else tuple(picked))


def _read(entry: Any) -> Any:
    """An entry as a number, a slice, None, `...` or an array with dims."""
    if isinstance(entry, (list, tuple)):
        entry = np.asarray(entry)
        if not entry.size:
            entry = entry.astype(np.int64)
    if isinstance(entry, np.ndarray) and entry.dtype == np.uint8:
        entry = entry.astype(bool)
    if isinstance(entry, (np.ndarray, np.generic)):
        return entry if entry.ndim else entry.item()
    if entry is None or isinstance(entry, (int, slice, EllipsisType)):
        return entry
    raise _no_index(entry)


def read_entries(key: Any) -> Any:
    """A subscript as rules and kernels take it.

    It has lists in place of ranges, and truth values in place of bytes, which old PyTorch used for
    them.

    Raises TypeError for text and for a slice with a bound that is not a whole number, IndexError
    for other values that are not an index.
    """
    if isinstance(key, tuple):
        return tuple(map(_read_entry, key))
    return _read_entry(key)


def _read_entry(entry: Any) -> Any:
    if entry is None or isinstance(entry, (int, np.integer, np.bool_, EllipsisType)):
        return entry
    if isinstance(entry, slice):
        for bound in (entry.start, entry.stop, entry.step):
            _check_bound(bound)
        return entry
    if isinstance(entry, (list, tuple, range)):
        for leaf in _flat(entry):
            if isinstance(leaf, (str, bytes)):
                raise _no_index(leaf)
        return list(entry) if isinstance(entry, range) else entry
    if isinstance(entry, (str, bytes)):
        raise _no_index(entry)
    kind = entry.__class__
    if kind not in CLASSES and OVERRIDING.enabled and takes_part(kind):
        return entry  # its class answers
    if hasattr(entry, "_array"):
        # A single element may be of any dtype of whole numbers.
        indexable = ("int64", "int32", "uint8", "bool")
        if entry.dtype.name in indexable or (not entry.ndim and entry.dtype.kind == "int"):
            return entry.bool() if entry.dtype.name == "uint8" else entry
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    if isinstance(entry, np.ndarray):
        if entry.dtype.kind in "iub":
            return entry.astype(bool) if entry.dtype == np.uint8 else entry
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    raise _no_index(entry)


def _no_index(entry: Any) -> Exception:
    """The exception for an entry that is not an index.

    It has PyTorch's message, and a note on how to pick from a dim by name.
    """
    kind = type(entry).__name__
    if isinstance(entry, (str, bytes)):
        name = entry
        error: Exception = TypeError(f"new(): invalid data type '{kind}'")
    else:
        keys = entry if isinstance(entry, Mapping) else ()
        name = next((dim for dim in keys if isinstance(dim, str)), "N")
        error = IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
            f"valid indices (got {kind})"
        )
    if isinstance(entry, (str, bytes, Mapping)):
        error.add_note(
            f"Methods index a dim by name: x.select({name!r}, 0) takes one place, "
            f"x.narrow({name!r}, 0, 2) a range, x.index_select({name!r}, places) several."
        )
    return error


def _flat(entry: Any) -> list[Any]:
    """The leaves of nested lists."""
    if isinstance(entry, (list, tuple, range)):
        return [leaf for member in entry for leaf in _flat(member)]
    return [entry]


def _check_bound(bound: Any) -> None:
    """Raise TypeError for a value that cannot be the bound of a slice."""
    if bound is None or isinstance(bound, int):
        return
    if hasattr(bound, "_array"):
        if bound.dtype.kind not in ("int", "bool") or bound.shape.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
    elif not hasattr(bound, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")


def _dims_taken(entry: Any) -> int:
    if entry is None or entry is Ellipsis or isinstance(entry, bool):
        return 0
    return entry.ndim if isinstance(entry, np.ndarray) and entry.dtype == bool else 1


def require_indices(indices: Array, dim: int, sizes: tuple[int, ...]) -> None:
    """Raise IndexError if the dim does not have one of the indices.

    Negative ones count from its end.
    """
    size = sizes[dim]
    if not indices.size:
        return
    for index in (int(indices.min()), int(indices.max())):
        if not -size <= index < size:
            raise error_of(
                IndexOutOfRange(
                    shape=tuple([Dim(None, n) for n in sizes]),
                    dim=dim,
                    rank=len(sizes),
                    size=size,
                    text=f"index {index} is out of bounds for dimension {dim} with size {size}",
                    blame=(Blame("input", dim), Blame("index")),
                )
            )
