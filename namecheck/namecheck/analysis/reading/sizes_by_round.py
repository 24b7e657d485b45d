"""Statements whose value has other sizes in each round of a loop, by the text alone.

`near = knn(points[: n // ratio])` in a loop with `ratio *= 4` has. What holds of it in one round
need not hold in the next.
"""

from __future__ import annotations

from functools import lru_cache

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import Same
from namecheck.analysis.reading.walking import target_names, walk


def bound_in_rounds(function: ir.Record, variable: str, node: ir.Node) -> frozenset[str] | None:
    """The names that the loops around a node bind, if they change the sizes of a variable.

    None if they do not, as far as the text shows. They do if a bound of a slice changes, or a whole
    quotient or a power, of which the variable is computed: `x[:, :n // ratio]`. A number by which
    layers are chosen changes no size.
    """
    loops = _loops_around(Same(function)).get(node.id, ())
    measuring: set[str] = set()
    for record in walk(loops[-1]) if loops else ():
        match record:
            case ir.Assign(targets, value):
                if any(variable in target_names(target) for target in targets):
                    measuring |= _measuring(value)
    if not any(not measuring.isdisjoint(_changing(loop)) for loop in loops if measuring):
        return None
    return frozenset(name for loop in loops for name in _bound(loop))


@lru_cache(maxsize=16)
def _loops_around(function: Same) -> dict[int, tuple[ir.For | ir.While, ...]]:
    """The loops of a function in whose bodies its records stand, the outer ones first."""
    around: dict[int, tuple[ir.For | ir.While, ...]] = {}
    for record in walk(function.record):
        if isinstance(record, (ir.For, ir.While)):
            for statement in record.body:
                for inner in walk(statement):
                    if isinstance(inner, ir.Node):
                        around[inner.id] = (*around.get(inner.id, ()), record)
    return around


def _measuring(value: ir.Expression) -> set[str]:
    """The variables by which an expression says how many elements something has."""
    names: set[str] = set()
    for record in walk(value):
        match record:
            case ir.Slice():
                names |= _read(record)
            case ir.Binary(_, "//" | "**" | "<<" | ">>"):
                names |= _read(record)
    return names


def _read(record: ir.Record) -> set[str]:
    return {inner.name for inner in walk(record) if isinstance(inner, ir.Name)}


def _bound(loop: ir.For | ir.While) -> set[str]:
    names: set[str] = set()
    for record in walk(loop):
        match record:
            case ir.For(target):
                names.update(target_names(target))
            case ir.Assign(targets):
                names.update(name for target in targets for name in target_names(target))
            case ir.AugmentedAssign(target) | ir.AnnotatedAssign(target):
                names.update(target_names(target))
    return names


def _changing(loop: ir.For | ir.While) -> set[str]:
    """The variables whose value depends on the round."""
    flows: list[tuple[list[str], set[str]]] = []
    changing: set[str] = set()
    for record in walk(loop):
        match record:
            case ir.For(target):
                changing.update(target_names(target))
            case ir.AugmentedAssign(target):
                changing.update(target_names(target))
            case ir.Assign(targets, value):
                names, read = [n for t in targets for n in target_names(t)], _read(value)
                flows.append((names, read))
                if not read.isdisjoint(names):  # `ratio = ratio // 4`
                    changing.update(names)
    for _ in flows:
        before = len(changing)
        for names, read in flows:
            if not read.isdisjoint(changing):
                changing.update(names)
        if len(changing) == before:
            break
    return changing


__all__ = ["bound_in_rounds"]
