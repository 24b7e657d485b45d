"""Walks through the records inside a record, the variables of a target, empty bodies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from namecheck.analysis.reading import ir


def walk(record: ir.Record) -> Iterator[ir.Record]:
    """`record` and every record inside it, outer before inner, in the order of the fields."""
    waiting: list[object] = [record]
    while waiting:
        value = waiting.pop()
        kind = type(value)
        if kind is tuple:
            waiting.extend(cast(tuple[object, ...], value)[::-1])
        elif kind not in _PLAIN:
            inside = cast(ir.Record, value)
            yield inside
            waiting.extend(inside.fields()[::-1])


_PLAIN = frozenset({str, int, bool, float, bytes, type(None)})
"""The types of fields besides records and tuples."""


def target_names(target: ir.Expression) -> list[str]:
    """The variables that a target binds."""
    match target:
        case ir.Name(name, _):
            return [name]
        case ir.Tuple(elements, _) | ir.List(elements, _):
            return [name for element in elements for name in target_names(element)]
        case ir.Starred(value, _):
            return target_names(value)
    return []


def is_abstract(body: Sequence[ir.Statement]) -> bool:
    """Whether the body of a method only raises or passes, so that subclasses have to define it."""
    return bool(body) and all(
        isinstance(statement, (ir.Raise, ir.Pass))
        or (
            isinstance(statement, ir.ExpressionStatement)
            and isinstance(statement.value, (ir.Str, ir.EllipsisLiteral))
        )
        for statement in body
    )
