"""Code that runs only if an object has an attribute: under `hasattr`, or `getattr` with a default.

    if hasattr(x, "names"):
        ...
    names = getattr(x, "names", None)
    if names is not None:
        ...

Code that asks first is written for releases of a library with the attribute and for those without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import assigned_once_in
from namecheck.analysis.reading.walking import walk


def runs_only_with(
    statements: Iterable[ir.Statement], node: ir.Node, names: frozenset[str]
) -> bool:
    """Whether a node in some statements is reached only by objects with one of these attributes."""
    assigned: dict[str, ir.Expression] = {}
    for statement in statements:
        match statement:
            case ir.Assign((ir.Name(name),), value):
                assigned[name] = value
        way = _way_down(statement, node)
        if way:
            assigned.update(assigned_once_in(statement))
            return _Search(way, names, assigned).is_under((statement,))
    return False


class _Search:
    """The way down to a node, past the tests around it."""

    def __init__(
        self, way: Set[int], names: frozenset[str], assigned: Mapping[str, ir.Expression]
    ) -> None:
        self.way: Final = way
        """The identities of the records that the node is in, and of the node itself."""
        self.names: Final = names
        self.assigned: Final = assigned
        """The variables that are bound once, and their values."""

    def is_under(self, records: Sequence[object]) -> bool:
        """Whether the node is in one of these records, which follow each other, and under a test.

        A test that leaves the block where there is no such attribute counts for what is behind it.
        """
        tested = False
        for record in records:
            if isinstance(record, ir.Record):
                if id(record) in self.way:
                    return tested or self._is_inside(record)
                tested = tested or self._keeps_out(record)
        return False

    def _is_inside(self, record: ir.Record) -> bool:
        match record:
            case ir.If(test, body, orelse) | ir.Conditional(test, body, orelse):
                if self._is_in(body) and self._says(test, True):
                    return True
                if self._is_in(orelse) and self._says(test, False):
                    return True
            case ir.While(test, body) if self._is_in(body) and self._says(test, True):
                return True
            case ir.Boolean(left, operator, right) if self._is_in(right):
                if self._says(left, operator == "and"):
                    return True
            case ir.Comprehension(clauses=clauses) | ir.DictComprehension(clauses=clauses) if (
                not self._is_in(clauses)
            ):
                if any(self._says(test, True) for one in clauses for test in one.conditions):
                    return True
            case ir.Clause(_, _, conditions) if self._is_in(conditions):
                for condition in conditions:
                    if id(condition) in self.way:
                        break
                    if self._says(condition, True):
                        return True
        for field in record.fields():
            if self.is_under(field if isinstance(field, tuple) else (field,)):
                return True
        return False

    def _is_in(self, field: object) -> bool:
        """Whether the node is in a record, or in one of several."""
        if isinstance(field, tuple):
            return any(self._is_in(part) for part in field)
        return id(field) in self.way

    def _keeps_out(self, record: ir.Record) -> bool:
        """Whether the statements behind one are reached only by objects with the attribute."""
        match record:
            case ir.Assert(test):
                return self._says(test, True)
            case ir.If(test, body, ()):
                leaves = isinstance(body[-1], (ir.Return, ir.Raise, ir.Continue, ir.Break))
                return leaves and self._says(test, False)
        return False

    def _says(self, test: ir.Expression, holds: bool, depth: int = 0) -> bool:
        """Whether a test that holds, or does not, says that there is such an attribute."""
        match test:
            case ir.Unary("not", operand):
                return self._says(operand, not holds, depth)
            case ir.Boolean(left, operator, right):
                sides = [self._says(side, holds, depth) for side in (left, right)]
                return any(sides) if (operator == "and") == holds else all(sides)
            case ir.Comparison(left, (("is" | "==" | "is not" | "!=") as operator,), others) if (
                isinstance(others[0], ir.NoneLiteral)
            ):
                return holds == (operator in ("is not", "!=")) and self._says(left, True, depth)
            case ir.Comparison(ir.Str(name), ("in",), (ir.Call(ir.Name("dir")),)):
                return holds and name in self.names
            case ir.Comparison(_, (("in" | "==" | "!=" | ">") as operator,), _):
                sides = [self._says(side, True, depth) for side in (test.left, *test.comparators)]
                return holds and any(sides)
            case ir.Call(ir.Name("hasattr"), (_, ir.Str(name)), ()):
                return holds and name in self.names
            case ir.Call(ir.Name("getattr"), (_, ir.Str(name), _), ()):
                return holds and name in self.names
            case ir.Call(ir.Name("bool" | "callable" | "any" | "len"), (inner,), ()):
                return self._says(inner, holds, depth)
            case ir.Walrus(_, inner):
                return self._says(inner, holds, depth)
            case ir.Name(name) if name in self.assigned and depth < _DEEPEST:
                return self._says(self.assigned[name], holds, depth + 1)
        return False


def _way_down(record: ir.Record, node: ir.Node) -> Set[int]:
    """The identities of the records from one down to a node in it; none if it is not in it.

    One walk finds them all. To search each record on the way walks a deep file many times.
    """
    outer: dict[int, ir.Record] = {}
    for inner in walk(record):
        if inner is node:
            way = {id(inner)}
            while inner is not record:
                inner = outer[id(inner)]
                way.add(id(inner))
            return way
        for field in inner.fields():
            for part in _records(field):
                outer[id(part)] = inner
    return frozenset()


def _records(field: object) -> Iterator[ir.Record]:
    """The records that a field holds, itself or in tuples."""
    if isinstance(field, ir.Record):
        yield field
    elif isinstance(field, tuple):
        for part in field:
            yield from _records(part)


_DEEPEST: Final = 4
"""How many variables are followed from one to the next to find the test that one has."""

__all__ = ["runs_only_with"]
