"""What a round of a loop hands to the next, by its text alone.

These are the variables that it may read before it binds them, and the lists that it only adds to. A
variable that a round binds first carries nothing over. In doubt a variable counts as read, and not
as bound.

A value may have other sizes in each round: `near = knn(points[: n // ratio])` with `ratio *= 4`.
What holds of it in one round need not hold in the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names, walk


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


_ADD: Final = frozenset({"append", "extend", "insert"})


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


# Sizes


def bound_in_rounds(
    function: ir.Remembering, variable: str, node: ir.Node
) -> frozenset[str] | None:
    """The names that the loops around a node bind, if they change the sizes of a variable.

    None if they do not, as far as the text shows. They do if a bound of a slice changes, or a whole
    quotient or a power, of which the variable is computed: `x[:, :n // ratio]`. A number by which
    layers are chosen changes no size.
    """
    loops = _loops_around(function).get(node.id, ())
    measuring: set[str] = set()
    for record in walk(loops[-1]) if loops else ():
        match record:
            case ir.Assign(targets, value):
                if any(variable in target_names(target) for target in targets):
                    measuring |= _measuring(value)
    if not any(not measuring.isdisjoint(_changing(loop)) for loop in loops if measuring):
        return None
    return frozenset(name for loop in loops for name in _bound(loop))


@ir.read_once
def _loops_around(function: ir.Remembering) -> dict[int, tuple[ir.For | ir.While, ...]]:
    """The loops of a function in whose bodies its records stand, the outer ones first."""
    around: dict[int, tuple[ir.For | ir.While, ...]] = {}
    for record in walk(function):
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
                names |= _names_in(record)
            case ir.Binary(_, "//" | "**" | "<<" | ">>"):
                names |= _names_in(record)
    return names


def _names_in(record: ir.Record) -> set[str]:
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
                names, read = [n for t in targets for n in target_names(t)], _names_in(value)
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
