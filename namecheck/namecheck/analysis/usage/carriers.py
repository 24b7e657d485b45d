"""Whether a value carries on what an earlier call said of its dims.

The letters of a pattern are its own. What one pattern says of a letter holds for another pattern if
the same variable goes through both, or if the one computes what the other reads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names, walk, walk_for
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.values import Function


def is_carried(frame: Frame, earlier: int, operand: ir.Node | None) -> bool:
    """Whether an operand is a variable that the call `earlier` read, or the value of that call.

    At the top of a module that is not known, and the answer is True.
    """
    if frame.function is None:
        return True
    if operand is None:
        return False
    if _holds(operand, earlier):
        return True
    if not isinstance(operand, ir.Name):
        return False
    return operand.name in _variables_of_calls(frame.function.record).get(earlier, ())


_CALLING: Final = frozenset({ir.Call, ir.Assign})


@ir.read_once
def _variables_of_calls(function: ir.Remembering) -> dict[int, set[str]]:
    """The variables that each call of a function reads by name or is assigned to."""
    variables: dict[int, set[str]] = defaultdict(set)
    for record in walk_for(function, _CALLING):
        match record:
            case ir.Call(_, positional):
                variables[record.id].update(
                    one.name for one in positional if isinstance(one, ir.Name)
                )
            case ir.Assign(targets, value):
                for inner in walk(value):
                    if isinstance(inner, ir.Call):
                        variables[inner.id].update(_names(targets))
    return variables


def comes_from(frame: Frame, earlier: int, operand: ir.Node | None) -> bool:
    """Whether an operand is computed from the value of the expression `earlier`, often a call.

    A statement counts for what stands below it, in the body of a loop also for what stands above
    it there. The order does not matter between a function and one inside it. At the top of a module
    the answer is True.
    """
    if frame.function is None or operand is None:
        return True
    text = _text_of(frame.function.record)
    waiting: list[ir.Record] = [operand]
    seen: set[int] = set()
    while waiting:
        for record in walk(waiting.pop()):
            if isinstance(record, ir.Node) and record.id == earlier:
                return True
            if isinstance(record, ir.Name):
                for flow in text.flows.get(record.name, ()):
                    if flow.source_at not in seen and text.reaches(flow, record):
                        seen.add(flow.source_at)
                        waiting.append(flow.source)
    return False


class _Flow:
    """A value that goes into a variable, and the places between which that happens."""

    __slots__ = ("end", "source", "source_at", "start")

    def __init__(self, source: ir.Record, source_at: int, start: int, end: int) -> None:
        self.source = source
        self.source_at = source_at
        self.start = start
        self.end = end


class _Text:
    """The text of a function: the places of its records, what is run again, and its flows.

    A place is a number that grows with the text.
    """

    __slots__ = ("flows", "inner", "loops", "places")

    def __init__(self, function: ir.Record) -> None:
        self.places: dict[int, int] = {}
        self.loops: list[tuple[int, int]] = []
        self.inner: list[tuple[int, int]] = []
        """Functions and classes in the function, outer before inner."""
        self.flows: dict[str, list[_Flow]] = {}
        sources = 0
        for place, record in enumerate(walk(function)):
            if isinstance(record, ir.Node):
                self.places[record.id] = place
            if isinstance(record, ir.For):
                start = place + 1 + _length(record.target) + _length(record.iterable)
                self.loops.append((start, start + sum(map(_length, record.body))))
            elif isinstance(record, ir.While):
                end = place + 1 + _length(record.test) + sum(map(_length, record.body))
                self.loops.append((place, end))
            elif isinstance(record, (ir.FunctionDef, ir.ClassDef)) and place:
                self.inner.append((place, place + _length(record)))
            for target, source in _flows(record):
                end = _end(record, place)
                self.flows.setdefault(target, []).append(_Flow(source, sources, place, end))
                sources += 1

    def reaches(self, flow: _Flow, reader: ir.Node) -> bool:
        """Whether a variable may still have the value of a flow where it is read."""
        place = self.places.get(reader.id)
        if place is None or flow.end <= place:
            return True
        if any(s <= place < e and s <= flow.start < e for s, e in self.loops):
            return True
        return self._inner_at(place) != self._inner_at(flow.start)

    def _inner_at(self, place: int) -> int:
        """Where the innermost function or class begins that a place is in; 0 if it is in none."""
        return max((start for start, end in self.inner if start <= place < end), default=0)


@ir.read_once
def _text_of(function: ir.Remembering) -> _Text:
    return _Text(function)


def _length(record: ir.Record) -> int:
    """The number of records in a record."""
    return sum(1 for _ in walk(record))


def _end(record: ir.Record, place: int) -> int:
    """The place from which on a variable may have the value that a record puts into it.

    Inside an expression that is not known from the text: what a comprehension computes stands
    before its clauses.
    """
    if isinstance(record, ir.For):
        return place + 1 + _length(record.target) + _length(record.iterable)
    return place + _length(record) if isinstance(record, ir.Statement) else -1


def share_origin(frame: Frame, letter: str, earlier: Iterable[int], operand: ir.Node) -> bool:
    """Whether an operand is computed from a parameter that a letter's size may come from, too.

    The size comes from the variable that has the letter as its name, or from one of the operands
    of the calls `earlier`. The answer is True if either comes from no parameter.
    """
    if frame.function is None:
        return True
    places = frozenset(earlier)
    written: list[ir.Record] = [
        record
        for record in walk(frame.function.record)
        if isinstance(record, ir.Call) and record.id in places
    ]
    named = [
        source
        for record in walk(frame.function.record)
        for target, source in _flows(record)
        if frame.label(target).casefold() == frame.label(letter).casefold()
    ]
    mine = _parameters_in(frame.function, [operand])
    theirs = _parameters_in(frame.function, [*written, *named])
    return not mine or not theirs or not mine.isdisjoint(theirs)


def _parameters_in(function: Function, waiting: list[ir.Record]) -> set[str]:
    """The parameters that expressions are computed from, besides the instance of a method.

    What stands below an expression in the text does not count, nor does its own statement.
    """
    sources: dict[str, list[tuple[int, ir.Record]]] = defaultdict(list)
    for record in walk(function.record):
        for target, source in _flows(record):
            sources[target].append((_number(record), source))
    parameters = [one.name for one in function.parameters]
    is_method = function.owner is not None and function.kind != "static"
    own = set(parameters[1:] if is_method else parameters)
    found: set[str] = set()
    seen: dict[str, int] = {}
    while waiting:
        for record in walk(waiting.pop()):
            if isinstance(record, ir.Name) and record.id > seen.get(record.name, -1):
                seen[record.name] = record.id
                if record.name in own:
                    found.add(record.name)
                waiting += [
                    source
                    for number, source in sources[record.name]
                    if number < record.id and all(inner is not record for inner in walk(source))
                ]
    return found


def _number(record: ir.Record) -> int:
    """The number of a statement that is run before what stands below it; else -1."""
    if isinstance(record, (ir.Assign, ir.AugmentedAssign, ir.AnnotatedAssign)):
        return record.id
    return -1


def _flows(record: ir.Record) -> Iterator[tuple[str, ir.Record]]:
    """The variables into which a statement or an expression puts a value, with that value."""
    match record:
        case ir.Assign(targets, value):
            yield from ((name, value) for name in _names(targets))
        case ir.AugmentedAssign(target):
            yield from ((name, record) for name in target_names(target))
        case ir.AnnotatedAssign(target, _, value) if value is not None:
            yield from ((name, value) for name in target_names(target))
        case ir.For(target, iterable) | ir.Clause(target, iterable):
            yield from ((name, iterable) for name in target_names(target))
        case ir.Walrus(target, value):
            yield from ((name, value) for name in target_names(target))
        case ir.ExpressionStatement(ir.Call(ir.Attribute(ir.Name(name)), positional)):
            # `parts.append(x)`; `y = self.proj(x)` puts nothing into `self`
            yield from ((name, argument) for argument in positional)
        case ir.Call(_, positional) if positional and isinstance(positional[0], ir.Lambda):
            for parameter in positional[0].parameters:  # `map(lambda t: ..., qkv)`
                yield from ((parameter.name, argument) for argument in positional[1:])


def _names(targets: Iterable[ir.Expression]) -> list[str]:
    return [name for target in targets for name in target_names(target)]


def _holds(record: ir.Record, call: int) -> bool:
    """Whether the call with this number stands in a record."""
    return any(isinstance(inner, ir.Call) and inner.id == call for inner in walk(record))


__all__ = ["comes_from", "is_carried", "share_origin"]
