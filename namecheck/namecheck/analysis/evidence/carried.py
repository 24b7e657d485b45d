"""Which variables a round of a loop may read before it binds them, by its text alone.

Those it has from the round before; what it binds first carries nothing over. In doubt a variable is
read, and is not bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from namecheck.analysis import ir


def carried(loop: ir.For | ir.While) -> frozenset[str]:
    """The variables that a round of a loop may read before it binds them, by its text alone."""
    read: set[str] = set()
    bound: set[str] = set()
    if isinstance(loop, ir.While):
        _read((loop.test,), bound, read)
    else:
        _bind(loop.target, bound, read)
    _follow(loop.body, bound, read)
    return frozenset(read)


def _follow(body: Sequence[ir.Statement], bound: set[str], read: set[str]) -> None:
    """What statements read that is not `bound`, and what they bind whichever way is gone."""
    for statement in body:
        match statement:
            case ir.Assign(targets, value):
                _read((value,), bound, read)
                for target in targets:
                    _bind(target, bound, read)
            case ir.If(test, then, orelse):
                _read((test,), bound, read)
                here, there = set(bound), set(bound)
                _follow(then, here, read)
                _follow(orelse, there, read)
                bound |= here & there
            case ir.For(target, iterable, inner, orelse):
                _read((iterable,), bound, read)
                within = set(bound)
                _bind(target, within, read)
                _follow(inner, within, read)
                _follow(orelse, set(bound), read)
            case ir.With(items, inner):
                within = set(bound)
                for item in items:
                    _read((item.value,), within, read)
                    if item.target is not None:
                        _bind(item.target, within, read)
                _follow(inner, within, read)
            case _:
                _read((statement,), bound, read)


def _read(records: Iterable[ir.Record], bound: set[str], read: set[str]) -> None:
    for record in records:
        for inner in ir.walk(record):
            if type(inner) is ir.Name and inner.name not in bound:
                read.add(inner.name)


def _bind(target: ir.Expression, bound: set[str], read: set[str]) -> None:
    match target:
        case ir.Name(name):
            bound.add(name)
        case ir.Tuple(elements) | ir.List(elements):
            for element in elements:
                _bind(element, bound, read)
        case ir.Starred(value):
            _bind(value, bound, read)
        case _:
            _read((target,), bound, read)
