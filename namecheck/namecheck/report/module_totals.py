"""What the rows of a summary add up to, and the rows down to a depth.

What is not known is None, and so is every sum with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from namecheck.module_tree import HeldTensor, ModuleRow, ModuleTree, PassedTensor

__all__ = ["OfDtype", "ShownRow", "Totals", "shown_rows", "totals_of", "with_parts"]


class OfDtype(NamedTuple):
    """Tensors of one dtype: their elements and bytes. A dtype that is not known is None."""

    dtype: str | None
    elements: int | None
    size: int | None


class Totals(NamedTuple):
    """The sums over all modules of a network. Shared tensors count once."""

    parameters: tuple[OfDtype, ...]
    buffers: tuple[OfDtype, ...]
    outputs: tuple[OfDtype, ...]
    """What the modules give that have no modules in them."""
    trainable: int | None
    """The elements of the parameters that require a gradient."""
    multiply_adds: int | None
    is_open: bool
    """Whether there may be modules or parameters besides."""


class ShownRow(NamedTuple):
    """A row with what it counts, and what the rows below it count that are not shown."""

    row: ModuleRow
    parameters: int | None
    multiply_adds: int | None
    is_shared: bool
    """Whether modules above have all its parameters."""
    is_open: bool
    """Whether it may hold modules or parameters besides."""
    has_hidden: bool


def totals_of(tree: ModuleTree) -> Totals:
    """The sums over all rows of a network."""
    held: dict[int, HeldTensor] = {}
    for row in tree.rows:
        for one in row.tensors:
            held.setdefault(one.number, one)
    parameters = [one for one in held.values() if not one.is_buffer]
    outputs = [
        tensor
        for row, after in zip(tree.rows, (*tree.rows[1:], None), strict=True)
        if row.result is not None and (after is None or after.depth <= row.depth)
        for tensor in row.result
    ]
    flags = [one.trainable for one in parameters]
    trained = _total(one.tensor.elements for one in parameters if one.trainable)
    return Totals(
        _by_dtype([one.tensor for one in parameters]),
        _by_dtype([one.tensor for one in held.values() if one.is_buffer]),
        _by_dtype(outputs),
        None if None in flags else trained,
        _total(row.multiply_adds for row in tree.rows),
        any(row.is_open for row in tree.rows),
    )


def shown_rows(tree: ModuleTree, depth: int | None) -> list[ShownRow]:
    """The rows down to a depth, each with what the hidden rows below it count."""
    shown: list[ShownRow] = []
    counted: set[int] = set()
    for row in tree.rows:
        own = {one.number: one.tensor for one in row.tensors if not one.is_buffer}
        new = _total(tensor.elements for n, tensor in own.items() if n not in counted)
        is_shared = bool(own) and counted >= own.keys()
        counted |= own.keys()
        if depth is None or row.depth <= depth:
            is_open = row.is_open
            shown.append(ShownRow(row, new, row.multiply_adds, is_shared, is_open, False))
            continue
        above = shown[-1]
        shown[-1] = above._replace(
            parameters=_total((above.parameters, new)),
            multiply_adds=_total((above.multiply_adds, row.multiply_adds)),
            is_shared=above.is_shared and (is_shared or not own),
            is_open=above.is_open or row.is_open,
            has_hidden=True,
        )
    return shown


def with_parts(rows: Sequence[ShownRow]) -> list[ShownRow]:
    """The rows, each with what the rows below it count, too."""
    summed = list(rows)
    waiting: list[ShownRow] = []
    for place in range(len(rows) - 1, -1, -1):
        own = rows[place]
        parts = []
        while waiting and waiting[-1].row.depth > own.row.depth:
            parts.append(waiting.pop())
        whole = own._replace(
            parameters=_total((own.parameters, *[part.parameters for part in parts])),
            multiply_adds=_total((own.multiply_adds, *[part.multiply_adds for part in parts])),
            is_open=own.is_open or any(part.is_open for part in parts),
            has_hidden=bool(parts),
        )
        summed[place] = whole
        waiting.append(whole)
    return summed


def _by_dtype(tensors: Sequence[PassedTensor]) -> tuple[OfDtype, ...]:
    """The tensors of each dtype, in the order in which the dtypes first occur."""
    dtypes = dict.fromkeys(tensor.dtype for tensor in tensors)
    return tuple(
        OfDtype(
            dtype,
            _total(one.elements for one in tensors if one.dtype == dtype),
            _total(one.size for one in tensors if one.dtype == dtype),
        )
        for dtype in dtypes
    )


def _total(counts: Iterable[int | None]) -> int | None:
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total
