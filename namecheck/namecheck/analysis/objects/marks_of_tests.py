"""Marks of tests and rows of their tables, as values: `pytest.mark.parametrize(...)`.

A mark that is called is a `Partial` of its path, and a row is the named tuple that the library
makes, so that both may be kept in constants, lists and comprehensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.values import (
    NONE,
    Class,
    Decorated,
    Dict,
    Function,
    Library,
    List,
    Partial,
    Tuple,
    Value,
)
from namecheck.frameworks import parameterized, pytest, python

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.program_pieces import Source

_OTHERS: Final = (
    parameterized.MARKS
    | pytest.FIXTURES
    | {pytest.ROW, parameterized.ROW, pytest.RAISES, python.NULL_CONTEXT}
)


class Mark:
    """A mark with its arguments; none if it is not called, or nobody asks for them."""

    __slots__ = ("arguments", "keywords", "path")

    def __init__(self, path: str, arguments: Sequence[Value], keywords: dict[str, Value]) -> None:
        self.path = path
        self.arguments = tuple(arguments)
        self.keywords = keywords

    def argument(self, place: int, name: str) -> Value | None:
        """An argument by its place or its name; None without it."""
        if place < len(self.arguments):
            return self.arguments[place]
        return self.keywords.get(name)


def is_made(path: str) -> bool:
    """Whether a path is that of a mark, a fixture's decorator or a context, or makes a row."""
    return path.startswith(pytest.MARK) or path in _OTHERS


def make(ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords) -> Value:
    """A row, or a mark with its arguments; what is marked is what it was."""
    values = [ev.resolve(argument.value) for argument in arguments]
    named = {name: argument.value for name, argument in keywords.items()}
    if path == pytest.ROW:
        row = (Tuple(values), named.get("marks", NONE), named.get("id", NONE))
        return Tuple(row, pytest.ROW_FIELDS)
    if path == parameterized.ROW:
        table = Dict()
        ev.cells[table] = named
        return Tuple((Tuple(values), table), parameterized.ROW_FIELDS)
    is_mark = path.startswith(pytest.MARK) or len(values) == 1
    if values and is_mark and isinstance(values[-1], (Function, Class, Decorated)):
        return values[-1]
    return Partial(Library(path), tuple(values), named)


def at_definition(ev: Evaluator, source: Source, scope: Frame, node: ir.Expression) -> Value:
    """The value of an expression where a function or a class is defined."""
    before = ev.frame
    frame = ev.frame = Frame(source, scope.module())
    frame.quiet = 1
    if scope.class_body:
        frame.variables = dict(scope.variables)
    try:
        return ev.resolve(ev.value(node))
    finally:
        ev.frame = before


def marks_in(ev: Evaluator, value: Value) -> list[Mark]:
    """The marks that a value is, or has as a list."""
    value = ev.resolve(value)
    if isinstance(value, Library):
        return [Mark(frameworks.canonical(value.path), (), {})]
    if isinstance(value, Partial):
        function = ev.resolve(value.function)
        if isinstance(function, Library):
            return [Mark(frameworks.canonical(function.path), value.arguments, value.keywords)]
    return [mark for one in elements_of(ev, value) for mark in marks_in(ev, one)]


def elements_of(ev: Evaluator, value: Value) -> tuple[Value, ...]:
    """The elements of a list or tuple that is known."""
    value = ev.resolve(value)
    contents: object = value.elements if isinstance(value, Tuple) else None
    if isinstance(value, List):
        contents = ev.cells.get(value)
    return contents if isinstance(contents, tuple) else ()


__all__ = ["Mark", "at_definition", "elements_of", "is_made", "make", "marks_in"]
