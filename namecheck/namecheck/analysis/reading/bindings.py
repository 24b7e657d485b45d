"""The names that a function binds, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names, walk, walk_for


@ir.read_once
def bindings(record: ir.Remembering) -> Counter[str]:
    """How often each name is bound in a function, including the functions and classes inside it."""
    return _bindings(record)


@ir.read_once
def assigned_once(record: ir.Remembering) -> dict[str, ir.Expression]:
    """The values of the variables that a function binds once, each by `name = value`."""
    return _assigned_once(record, bindings(record))


def assigned_once_in(record: ir.Record) -> dict[str, ir.Expression]:
    """As `assigned_once`, of any record."""
    return _assigned_once(record, _bindings(record))


def sources(function: ir.Remembering, expression: ir.Record) -> set[str]:
    """The variables that an expression is computed from, through those that are bound once."""
    bound = assigned_once(function)
    found: set[str] = set()
    waiting = [expression]
    while waiting:
        for one in walk(waiting.pop()):
            if isinstance(one, ir.Name) and one.name not in found:
                found.add(one.name)
                if one.name in bound:
                    waiting.append(bound[one.name])
    return found


_ASSIGNING: Final = frozenset({ir.Assign})
_BINDING: Final = frozenset(
    {
        *(ir.Assign, ir.AugmentedAssign, ir.AnnotatedAssign, ir.For, ir.Clause, ir.Walrus),
        *(ir.With, ir.Delete, ir.Global, ir.Nonlocal, ir.Handler, ir.CapturePattern),
        *(ir.StarPattern, ir.MappingPattern, ir.FunctionDef, ir.ClassDef),
    }
)


class Same:
    """A record compared by identity; records themselves are compared by their contents."""

    def __init__(self, record: ir.Record) -> None:
        self.record = record

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.record is self.record

    def __hash__(self) -> int:
        return id(self.record)


def _assigned_once(record: ir.Record, times: Mapping[str, int]) -> dict[str, ir.Expression]:
    values: dict[str, ir.Expression] = {}
    for inner in walk_for(record, _ASSIGNING):
        match inner:
            case ir.Assign((ir.Name(name),), value) if times[name] == 1:
                values[name] = value
    return values


def _bindings(record: ir.Record) -> Counter[str]:
    times: Counter[str] = Counter()
    for inner in walk_for(record, _BINDING):
        match inner:
            case ir.Assign(targets):
                times.update(name for target in targets for name in target_names(target))
            case (
                ir.AugmentedAssign(target)
                | ir.AnnotatedAssign(target)
                | ir.For(target)
                | ir.Clause(target)
                | ir.Walrus(target)
            ):
                times.update(target_names(target))
            case ir.With(items):
                named = (item.target for item in items if item.target is not None)
                times.update(name for target in named for name in target_names(target))
            case ir.Delete(targets):
                times.update(2 * [name for target in targets for name in target_names(target)])
            case ir.Global(names) | ir.Nonlocal(names):
                times.update(2 * list(names))
            case ir.Handler(name=str(name)) | ir.CapturePattern(name=str(name)):
                times[name] += 1
            case ir.StarPattern(str(name)) | ir.MappingPattern(rest=str(name)):
                times[name] += 1
            case ir.FunctionDef(name) | ir.ClassDef(name) if inner is not record:
                times[name] += 1
    if isinstance(record, (ir.FunctionDef, ir.Lambda)):
        times.update(parameter.name for parameter in record.parameters)
    return times
