"""What stands between brackets, in PyTorch's order: first the view that numbers, slices and None
give, then the elements that tensors pick from it.

NumPy lets a number beside a tensor pick elements too, and so orders the dims of the result
otherwise.  Only arrays are looked at here; what a subscript does to dims is the rulebook's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from namecheck_runtime.errors import error_of
from namecheck_runtime.lattice import Dim
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import IndexOutOfRange
from namecheck_runtime.records import NamedTuple

Array = Any


class Subscript(NamedTuple):
    """A subscript in two steps."""

    view: tuple[Any, ...]
    """Numbers, slices and None, one for each dim."""
    picked: tuple[Any, ...] | None
    """For each dim of that view a slice of all of it, or an array of indices or truth values; None
    where there is no array.
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
    at = 0
    for entry in entries:
        if entry is Ellipsis:
            view += rest
            picked += rest
            at += len(rest)
        elif entry is None:
            view.append(None)
            picked.append(slice(None))
        elif isinstance(entry, bool):
            view.append(None)
            picked.append(np.array([entry]))
        elif isinstance(entry, int):
            view.append(entry)
            at += 1
        elif isinstance(entry, slice):
            view.append(entry)
            picked.append(slice(None))
            at += 1
        else:
            if entry.dtype != bool:
                require_indices(entry, at, sizes)
            count = _dims_taken(entry)
            view += [slice(None)] * count
            picked.append(entry)
            at += count
    whole = all(isinstance(entry, slice) for entry in picked)
    # With `...` at the end a single element is an array of no dims.
    return Subscript((*view, Ellipsis), None if whole else tuple(picked))


def _read(entry: Any) -> Any:
    """An entry as a number, a slice, None, `...` or an array with dims."""
    if isinstance(entry, (list, tuple)):
        entry = np.asarray(entry)
        if not entry.size:
            entry = entry.astype(np.int64)
    if isinstance(entry, (np.ndarray, np.generic)) and not entry.ndim:
        return entry.item()
    return entry


def check_entries(key: Any) -> None:
    """Raise TypeError for a subscript of text, IndexError for other things that are none."""
    for entry in key if isinstance(key, tuple) else (key,):
        if isinstance(entry, str):
            raise TypeError("new(): invalid data type 'str'")
        if isinstance(entry, (float, complex)):
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables "
                f"are valid indices (got {type(entry).__name__})"
            )


def _dims_taken(entry: Any) -> int:
    if entry is None or entry is Ellipsis or isinstance(entry, bool):
        return 0
    return entry.ndim if isinstance(entry, np.ndarray) and entry.dtype == bool else 1


def require_indices(indices: Array, dim: int, sizes: tuple[int, ...]) -> None:
    """Raise IndexError if one of the indices is none of the dim's; negative ones count from its
    end.
    """
    size = sizes[dim]
    if not indices.size:
        return
    for one in (int(indices.min()), int(indices.max())):
        if not -size <= one < size:
            raise error_of(
                IndexOutOfRange(
                    shape=tuple([Dim(None, n) for n in sizes]),
                    dim=dim,
                    rank=len(sizes),
                    size=size,
                    text=f"index {one} is out of bounds for dimension {dim} with size {size}",
                    blame=(Blame("input", dim), Blame("index")),
                )
            )
