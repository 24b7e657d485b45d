"""Context managers that are written as generators: `@contextmanager def scaled(x): yield 2 * x`.

A drive evaluates such a function where a `with` statement enters it, and the body of the statement
where the function yields, as Python does. So what the function does before and behind the body
happens there, and a mode of a library that it enters holds in the body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import (
    Anything,
    Bound,
    Function,
    Partial,
    Transformed,
    Tuple,
    Value,
)
from namecheck.frameworks import python

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

Body: TypeAlias = Callable[[Value], None]
"""What is to be evaluated with the value that the function yields."""

_FIELDS: Final = ("<context>",)
"""The field of what calling such a function gives: its call, which entering makes."""


def made(function: Value) -> Transformed | None:
    """What `@contextmanager` makes of a function; None if it does not yield at one place, once."""
    record = function.record if isinstance(function, Function) else None
    if not isinstance(record, ir.FunctionDef) or record.is_async:
        return None
    yields = [one for one in walk(record) if isinstance(one, (ir.Yield, ir.YieldFrom))]
    if len(yields) != 1 or not isinstance(yields[0], ir.Yield):
        return None
    for loop in walk(record):
        if isinstance(loop, (ir.For, ir.While, ir.Lambda)) or (
            isinstance(loop, ir.FunctionDef) and loop is not record
        ):
            if any(one is yields[0] for one in walk(loop)):
                return None
    return Transformed(python.CONTEXT_MANAGER, function, {})


def is_one(value: Value) -> bool:
    """Whether a value is a function behind `@contextmanager`."""
    return isinstance(value, Transformed) and value.path == python.CONTEXT_MANAGER


def bound(value: Value, receiver: Value) -> Value:
    """A method behind `@contextmanager`, of an object; other values as they are."""
    if not isinstance(value, Transformed) or not is_one(value):
        return value
    if not isinstance(value.function, Function) or value.function.kind == "static":
        return value
    return Transformed(value.path, Bound(value.function, receiver), {})


def called(
    callee: Transformed,
    arguments: Sequence[Argument] | None,
    keywords: Mapping[str, Argument] | None,
) -> Value:
    """What calling such a function gives; nothing is evaluated before it is entered."""
    if arguments is None or keywords is None:
        return Anything()
    given = tuple([argument.value for argument in arguments])
    named = {name: argument.value for name, argument in keywords.items()}
    return Tuple((Partial(callee.function, given, named),), _FIELDS)


def is_context(value: Value) -> bool:
    """Whether a value is what calling such a function gives."""
    return isinstance(value, Tuple) and value.fields == _FIELDS


def enter(ev: Evaluator, context: Value, body: Body) -> None:
    """Evaluate the function of a context manager, with the body of a `with` where it yields."""
    assert isinstance(context, Tuple)
    (call,) = context.elements
    assert isinstance(call, Partial)
    function = call.function.function if isinstance(call.function, Bound) else call.function
    assert isinstance(function, Function)
    outer, entered, ended = ev.frame, False, False

    def inside(value: Value) -> None:
        nonlocal entered, ended
        entered = True
        within, ev.frame = ev.frame, outer
        body(value)
        ended = not ev.alive
        ev.frame = within

    ev.reach.entering[id(function.record)] = inside
    ev.call(call, (), {}, None)
    ev.reach.entering.pop(id(function.record), None)  # the call was not followed
    if not entered and ev.alive:
        body(Anything())  # the function could not be followed
    elif ended:
        ev.alive = False


def at_yield(ev: Evaluator, value: Value) -> None:
    """Evaluate the body of the `with` statement that has entered the function of this frame."""
    body = ev.reach.bodies.get(ev.frame)
    if body is not None:
        ev.reach.bodies[ev.frame] = None
        body(value)
