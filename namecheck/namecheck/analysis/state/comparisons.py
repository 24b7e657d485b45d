"""Whether a function compares two sizes, so that its author knows that they may differ."""

from __future__ import annotations

from collections.abc import Iterable

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.frames import Frame
from namecheck_runtime.sizes import Symbol


def linked(frame: Frame, symbols: Iterable[Symbol]) -> bool:
    """Whether a comparison in the function names two of the symbols, or compares two shapes."""
    labels = {symbol.label.rpartition(".")[2] for symbol in symbols}
    function = frame.function
    if function is None or isinstance(function.record, ir.Lambda):
        return False
    return any(_compares(record, labels) for record in walk(function.record))


def _compares(record: ir.Record, labels: set[str]) -> bool:
    if not isinstance(record, ir.Comparison) or record.operators[0] not in ("==", "!=", "is"):
        return False
    names = {
        inner.name
        for inner in walk(record)
        if isinstance(inner, (ir.Name, ir.Attribute)) and inner.name in labels
    }
    return len(names) > 1 or (not names and _of_shapes(record))


def _of_shapes(record: ir.Comparison) -> bool:
    """Whether both sides read a shape: `x.shape[0] == x.shape[1]`."""
    sides = (record.left, *record.comparators)
    return all(
        any(isinstance(r, ir.Attribute) and r.name in ("shape", "size") for r in walk(side))
        for side in sides
    )
