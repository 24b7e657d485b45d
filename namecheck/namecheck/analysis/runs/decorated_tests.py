"""The decorators and marks of tests and fixtures: of a function, a class or a module."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from namecheck import frameworks
from namecheck.analysis.objects.marks_of_tests import Mark, at_definition, marks_in
from namecheck.analysis.reading import ir
from namecheck.analysis.state import lineage
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.program_pieces import Source
from namecheck.analysis.state.values import Class, Deferred, Function, Library, Value
from namecheck.frameworks import pytest, python

NOT_RUN: Final = pytest.NOT_RUN | python.NOT_RUN


def is_test(function: Function) -> bool:
    """Whether a function is a test by its name."""
    return function.name.startswith(pytest.TEST)


def is_collected(cls: Class) -> bool:
    """Whether the tests of a class are run with objects of the class itself.

    Those of a class without a name or a base that says so are for its subclasses.
    """
    return cls.name.startswith(pytest.CLASS) or any(
        isinstance(base, Library) and base.path != python.OBJECT for base in cls.lineage
    )


def is_run(ev: Evaluator, function: Function, owner: Class | None) -> bool:
    """Whether a test is run and expected to pass."""
    if ev.units.ended:
        return False
    paths = [mark.path for mark in marks_of(ev, function, owner, ())]
    return NOT_RUN.isdisjoint(paths)


def marks_of(
    ev: Evaluator, function: Function, owner: Class | None, called: Collection[str]
) -> Iterator[Mark]:
    """The marks of a test, its class and its module; the arguments only of those `called`."""
    yield from decorators_of(ev, function, called)
    for cls in () if owner is None else owner.lineage:
        if isinstance(cls, Class):
            if isinstance(cls.record, ir.ClassDef):
                yield from _marks(ev, cls.record.decorators, cls.source, cls.scope, called)
            if pytest.MARKS in cls.attributes:
                yield from marks_in(ev, cls.attributes[pytest.MARKS])
    value = given(ev, function.scope.module().variables.get(pytest.MARKS))
    if value is not None:
        yield from marks_in(ev, value)


def decorators_of(ev: Evaluator, function: Function, called: Collection[str]) -> Iterator[Mark]:
    """The decorators of a function that are of libraries."""
    if isinstance(function.record, ir.FunctionDef):
        nodes = function.record.decorators
        yield from _marks(ev, nodes, function.source, function.scope, called)


def _marks(
    ev: Evaluator,
    nodes: Collection[ir.Expression],
    source: Source,
    scope: Frame,
    called: Collection[str],
) -> Iterator[Mark]:
    for node in nodes:
        callee = node.function if isinstance(node, ir.Call) else node
        if not isinstance(callee, (ir.Name, ir.Attribute)):
            continue
        value = at_definition(ev, source, scope, callee)
        if not isinstance(node, ir.Call):
            yield from marks_in(ev, value)
        elif isinstance(value, Library):
            path = frameworks.canonical(value.path)
            if path in called:
                marks = marks_in(ev, at_definition(ev, source, scope, node))
                yield from marks or [Mark(path, (), {})]
            else:
                yield Mark(path, (), {})


def keyword_of(function: Function, name: str) -> ir.Expression | None:
    """A keyword of one of the decorators of a function that are called."""
    record = function.record
    for node in record.decorators if isinstance(record, ir.FunctionDef) else ():
        for word in node.keywords if isinstance(node, ir.Call) else ():
            if word.name == name:
                return word.value
    return None


def given(ev: Evaluator, value: Value | None) -> Value | None:
    """What a variable holds: the value behind an imported name."""
    if isinstance(value, Deferred):
        value = value.give(ev)
    return None if value is None else ev.resolve(value)


def attribute_of(ev: Evaluator, cls: Class, name: str) -> Value | None:
    """What a class of the project has under a name; None if that is not known."""
    return given(ev, lineage.look_up(cls.lineage, name))


__all__ = [
    "NOT_RUN",
    "attribute_of",
    "decorators_of",
    "given",
    "is_collected",
    "is_run",
    "is_test",
    "keyword_of",
    "marks_of",
]
