"""What a round of a loop hands to the next, by its text alone.

These are the variables that it may read before it binds them, and the lists that it only adds to. A
variable that a round binds first carries nothing over. In doubt a variable counts as read, and not
as bound.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk


class Carried(NamedTuple):
    """What a round of a loop hands to the next.

    `read` are the variables that it may read before it binds them. `grown` are the variables, and
    the attributes of variables, that it uses only to add to them (`row.append(x)`): no round reads
    their contents.
    """

    read: frozenset[str]
    grown: frozenset[tuple[str, str]]
    """(variable, attribute), "" for the variable itself."""


def carried(loop: ir.For | ir.While) -> Carried:
    """What a round of a loop hands to the next, by its text alone."""
    return Carried(_carried(loop), _grown(loop))


_ADD = frozenset({"append", "extend", "insert"})


def _grown(loop: ir.For | ir.While) -> frozenset[tuple[str, str]]:
    uses: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    added: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    parted: defaultdict[str, set[int]] = defaultdict(set)
    """Where a variable is used for one of its attributes only; a method may read all of them."""
    methods: set[int] = set()
    for record in walk(loop):
        key = _key(record)
        if key is not None:
            uses[key].add(id(record))
        if isinstance(record, ir.Attribute) and isinstance(record.value, ir.Name):
            parted[record.value.name].add(id(record.value))
        if isinstance(record, ir.Call) and isinstance(record.function, ir.Attribute):
            row = record.function.value
            key = _key(row)
            if key is not None and record.function.name in _ADD:
                added[key].add(id(row))
            methods.add(id(row))
    return frozenset(
        (name, attribute)
        for (name, attribute), places in added.items()
        if places == uses[name, attribute]
        and (not attribute or uses[name, ""] <= parted[name] - methods)
    )


def _key(record: ir.Record) -> tuple[str, str] | None:
    """The key of a variable or of its attribute in `Carried.grown`; None for other records."""
    if isinstance(record, ir.Name):
        return record.name, ""
    if isinstance(record, ir.Attribute) and isinstance(record.value, ir.Name):
        return record.value.name, record.name
    return None


def _carried(loop: ir.For | ir.While) -> frozenset[str]:
    read: set[str] = set()
    bound: set[str] = set()
    if isinstance(loop, ir.While):
        _read((loop.test,), bound, read)
    else:
        _bind(loop.target, bound, read)
    _follow(loop.body, bound, read)
    return frozenset(read)


def _follow(body: Sequence[ir.Statement], bound: set[str], read: set[str]) -> None:
    """Add to `read` what statements read unbound, and to `bound` what they bind on every way."""
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
        for inner in walk(record):
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
