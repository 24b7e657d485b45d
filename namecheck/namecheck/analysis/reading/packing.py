"""Whether the result of a call is packed into words: its elements are shifted by bits.

So are those of `cells.reshape(n, k, width, lanes)` in `cells[..., 0] | cells[..., 1] << 4`.
"""

from __future__ import annotations

from typing import Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names, walk

_SHIFTS: Final = frozenset({"<<", ">>"})


def is_packed(function: ir.Record, call: ir.Call) -> bool:
    """Whether a function shifts the bits of what a call in it returns, or of what it makes of it.

    The order of the statements does not matter: names stand for all values that they hold.
    """
    records = list(walk(function))
    if not any(_shifts(record) for record in records):
        return False
    names: set[str] = set()
    before = -1
    while len(names) != before:
        before = len(names)
        for record in records:
            if _shifts(record):
                if _reads(record, names, call):
                    return True
            for target, value in _assignments(record):
                if _reads(value, names, call):
                    names.update(target_names(target))
    return False


def _shifts(record: ir.Record) -> bool:
    match record:
        case ir.Binary(_, operator) | ir.AugmentedAssign(_, operator):
            return operator in _SHIFTS
    return False


def _assignments(record: ir.Record) -> list[tuple[ir.Expression, ir.Expression]]:
    """The targets and values of an assignment, or of a loop over a value."""
    match record:
        case ir.Assign(targets, value):
            return [(target, value) for target in targets]
        case ir.AnnotatedAssign(target, _, value) if value is not None:
            return [(target, value)]
        case ir.AugmentedAssign(target, _, value) | ir.For(target, value):
            return [(target, value)]
        case ir.Clause(target, value) | ir.Walrus(target, value):
            return [(target, value)]
    return []


def _reads(record: ir.Record, names: set[str], call: ir.Call) -> bool:
    """Whether an expression contains a call, or one of some variables."""
    for inner in walk(record):
        if isinstance(inner, ir.Name) and inner.name in names:
            return True
        if isinstance(inner, ir.Call) and inner.id == call.id:
            return True
    return False
