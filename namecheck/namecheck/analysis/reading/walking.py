"""Walks through the records inside a record, the variables of a target, empty bodies, the lines of
statements.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from operator import attrgetter
from typing import Final, TypeAlias, cast

from namecheck.analysis.reading import ir
from namecheck.findings import Span
from namecheck.text.layout import Layout


def walk(record: ir.Record) -> list[ir.Record]:
    """`record` and every record inside it, outer before inner, in the order of the fields.

    The list is not to be changed: that of a function is kept.
    """
    if type(record) is ir.FunctionDef:
        return _WALKS.of(record)
    if isinstance(record, ir.Statement):
        part = _WALKS.part(record)
        if part is not None:
            return part
    found: list[ir.Record] = []
    _walk_into(found, record)
    return found


class _End:
    """Stands behind what is inside a statement that is walked through."""

    __slots__ = ("start", "statement")

    def __init__(self, statement: ir.Record, start: int) -> None:
        self.statement: Final = statement
        self.start: Final = start


_Parts: TypeAlias = "dict[int, tuple[list[ir.Record], int, int]]"
"""By the identity of a statement: a walk through it, as a part of that through its function."""


def _walk_into(found: list[ir.Record], first: object, parts: _Parts | None = None) -> None:
    """Append a record, or those of some, and every record inside to `found`.

    `parts` is filled with the statements among them.
    """
    # No function of the analysis sees more records: a generator, or all fields of each record,
    # would take several times as long.
    waiting: list[object] = [first]
    while waiting:
        value = waiting.pop()
        kind = type(value)
        if kind is tuple:
            waiting.extend(cast(tuple[object, ...], value)[::-1])
        elif kind is ir.FunctionDef:
            found.extend(_WALKS.of(cast(ir.FunctionDef, value)))
        elif kind is _End:
            end = cast(_End, value)
            if parts is not None:
                parts[id(end.statement)] = found, end.start, len(found)
        elif kind not in _PLAIN:
            inside = _INSIDE.get(kind)
            if inside is not None:
                if parts is not None and isinstance(value, ir.Statement):
                    waiting.append(_End(value, len(found)))
                waiting.append(inside(value))
            found.append(cast(ir.Record, value))


class _Walks:
    """The walks through the functions that were asked about last: many ask about each."""

    def __init__(self) -> None:
        self._known: dict[int, list[ir.Record]] = {}
        self._parts: _Parts = {}
        self._size = 0

    def part(self, statement: ir.Statement) -> list[ir.Record] | None:
        """`walk(statement)`, if one of the functions has it."""
        part = self._parts.get(id(statement))
        return None if part is None else part[0][part[1] : part[2]]

    def of(self, function: ir.FunctionDef) -> list[ir.Record]:
        """`walk(function)`."""
        found = self._known.get(id(function))
        if found is None:
            if self._size > _MOST_RECORDS:
                self._known, self._parts = {}, {}
                self._size = 0
            found = [function]  # which keeps it, so that no other record gets its identity
            _walk_into(found, _INSIDE[ir.FunctionDef](function), self._parts)
            self._known[id(function)] = found
            self._size += len(found)
        return found


_MOST_RECORDS: Final = 100_000
"""How many records the walks that are kept may have: those of some 10,000 lines."""

_WALKS: Final = _Walks()


def walk_for(record: ir.Record, kinds: frozenset[type[ir.Record]]) -> list[ir.Record]:
    """Those of `walk(record)` that are of one of these classes.

    For a `match` on the records: compiled, each `case` that does not fit takes as long as the walk
    to the next record.
    """
    return [inner for inner in walk(record) if type(inner) in kinds]


_PLAIN: Final = frozenset({str, int, bool, float, bytes, type(None)})
"""The types of fields besides records and tuples."""

_LEAVES: Final = frozenset(
    {
        *(ir.Name, ir.Str, ir.Int, ir.BigInt, ir.Float, ir.Imaginary, ir.Bytes, ir.Bool),
        *(ir.NoneLiteral, ir.EllipsisLiteral, ir.Omitted, ir.Alias, ir.Global, ir.Nonlocal),
        *(ir.Pass, ir.Break, ir.Continue),
    }
)
"""Records without records inside."""

_NUMBERS: Final = frozenset({"line", "end_line", "id"})
"""The fields of bookkeeping."""


def _inside(kind: type[ir.Record]) -> Callable[[object], object]:
    """Reads the fields of records of this class that may have records."""
    return attrgetter(*[name for name in kind.__match_args__ if name not in _NUMBERS])


_INSIDE: Final[dict[type, Callable[[object], object]]] = {
    kind: _inside(kind)
    for kind in vars(ir).values()
    if isinstance(kind, type) and issubclass(kind, ir.Record)
    if kind.__match_args__ and kind not in _LEAVES
}
"""By the class of a record: its fields that may have records, one by itself or all in a tuple."""


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


def statements_of(wanted: Collection[int], chunk: ir.Chunk, layout: Layout) -> dict[int, Span]:
    """For each number, the span of the lines of its statement."""
    spans: dict[int, Span] = {}
    statement = Span(1, 1, 1, 1)
    for record in walk(chunk):
        if isinstance(record, ir.Statement):
            first, last = layout.lines[record.line - 1], layout.lines[record.end_line - 1]
            start = len(first) - len(first.lstrip()) + 1
            statement = Span(record.line, start, record.end_line, len(last.rstrip()) + 1)
        number: int | None = getattr(record, "id", None)
        if number is not None and number in wanted:
            spans[number] = statement
    return spans
