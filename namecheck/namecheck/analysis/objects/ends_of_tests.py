"""Calls that end a program or a test, and those after which a test runs other code than is written.

`sys.exit()`, `pytest.skip()`, `self.skipTest()`; `monkeypatch.setattr(Net, "forward", ...)`: what
the test does behind them is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck import frameworks
from namecheck.analysis.objects.marks_of_tests import marks_in
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import (
    Anything,
    Instance,
    Library,
    Partial,
    Value,
    known,
)
from namecheck.frameworks import pytest, python

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_METHODS: Final = python.ENDING_METHODS | pytest.MARKING | pytest.REPLACING


def let_end(
    ev: Evaluator,
    receiver: Value,
    function: ir.Expression,
    callee: Value,
    arguments: Sequence[Argument] | None,
) -> None:
    """End the path behind a call of a method that ends a test, or what is known of it."""
    if isinstance(function, ir.Attribute) and function.name in _METHODS:
        if _ends(ev, receiver, function.name, callee, arguments):
            ev.alive = False


def _ends(
    ev: Evaluator,
    receiver: Value,
    name: str,
    callee: Value,
    arguments: Sequence[Argument] | None,
) -> bool:
    values = [ev.resolve(argument.value) for argument in arguments or ()]
    if name in python.ENDING_METHODS:
        return isinstance(receiver, Instance) and type(callee) is Anything
    if not isinstance(receiver, (Anything, Instance)):
        return False
    if name in pytest.MARKING:
        marks = [mark.path for value in values for mark in marks_in(ev, value)]
        return not marks or not pytest.NOT_RUN.isdisjoint(marks)
    return isinstance(receiver, Anything) and _is_of_project(ev, values)


def _is_of_project(ev: Evaluator, values: Sequence[Value]) -> bool:
    """Whether the first of the arguments is, or names, a part of the project."""
    constant = known(values[0]) if values else None
    if constant is None:
        return bool(values) and _is_part(values[0])
    file = ev.frame.source.file
    package = str(constant[0]).partition(".")[0]
    return file.program is not None and file.program.find(file, 0, package) is not None


def _is_part(value: Value) -> bool:
    return type(value) is not Anything and not isinstance(value, Library)


def replaces(ev: Evaluator, item: ir.Expression) -> bool:
    """Whether a context replaces a part of the project: `with patch("net.size", 3)`."""
    if not isinstance(item, ir.Call) or not isinstance(item.function, (ir.Name, ir.Attribute)):
        return False
    if item.function.name not in python.PATCHES or not item.positional:
        return False
    if not isinstance(item.positional[0], (ir.Str, ir.Name, ir.Attribute)):
        return False
    callee = ev.resolve(ev.value(item.function))
    if not isinstance(callee, Library):
        return False
    path = frameworks.canonical(callee.path)
    if not is_replaced_by(path):
        return False
    return _is_of_project(ev, [ev.resolve(ev.value(item.positional[0]))])


def is_replaced_by(path: str) -> bool:
    """Whether a decorator or a context may replace parts of the project."""
    return path.startswith(python.PATCH) and not path.endswith(python.PATCH_OF_DICT)


def may_expect(ev: Evaluator, item: ir.Expression, context: Value) -> bool:
    """Whether a context that a test gets as an argument may catch the exceptions of its body."""
    if isinstance(context, Partial):
        called = ev.resolve(context.function)
        if isinstance(called, Library):
            return called.path.rpartition(".")[2].startswith(frameworks.EXPECTING)
    function = ev.frame.function
    return (
        type(context) is Anything
        and isinstance(item, ir.Name)
        and function is not None
        and function.name.startswith(pytest.TEST)
        and any(parameter.name == item.name for parameter in function.parameters)
    )


__all__ = ["is_replaced_by", "let_end", "may_expect", "replaces"]
