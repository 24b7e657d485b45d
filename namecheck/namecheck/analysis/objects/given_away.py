"""Lists, dicts and objects that code may change by another name, or that is not followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.objects import parsed_options, shared_names
from namecheck.analysis.reading.changed_contents import changed_contents
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    Dict,
    Function,
    Instance,
    List,
    Number,
    Repeated,
    Tensor,
    Text,
    Tuple,
    Value,
    holders,
    spoiled,
)

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def mutate_unknown(ev: Evaluator, receiver: Value) -> None:
    """Forget the contents of a list, dict or container that an unknown method may have changed."""
    receiver = ev.resolve(receiver)
    if isinstance(receiver, (List, Dict, Container)):
        ev.cells[receiver] = Repeated(Anything())
    elif isinstance(receiver, Anything):
        forget_one_of(ev, receiver)
    parsed_options.spoil(ev, receiver)


def forget_one_of(ev: Evaluator, changed: Value) -> None:
    """Forget the contents of each list and dict that a value may be: one of them is changed."""
    for held in holders(changed):
        if isinstance(held, Dict):
            ev.cells[held] = spoiled(ev.cells.get(held), Anything())
        elif isinstance(held, (List, Container)):
            ev.cells[held] = Repeated(Anything())


def let_go(ev: Evaluator, arguments: Sequence[Argument], keywords: Keywords | None = None) -> None:
    """Forget the contents of lists and dicts that were passed to code which may change them.

    Code that gets an object and the name of an attribute may set it: `patch(model, "size", 3)`.
    """
    shared_names.forget(ev)
    for argument in arguments:
        _let_change(ev, argument.value)
    if len(arguments) > 1:
        owner, name = (ev.resolve(argument.value) for argument in arguments[:2])
        if isinstance(owner, Instance) and isinstance(name, Constant):
            if (owner, name.value) in ev.cells:
                ev.cells[owner, name.value] = Anything()
                owner.version += 1
    for argument in (keywords or {}).values():
        _let_change(ev, argument.value)


_DEEPEST: Final = 4
"""How deep lists in lists are forgotten."""


def _let_change(ev: Evaluator, value: Value, depth: int = 0) -> None:
    """Forget the contents of a list or dict, and of those in it; or what a function changes."""
    value = ev.resolve(value)
    if isinstance(value, (List, Dict)):
        contents = ev.cells.get(value)
        ev.cells[value] = spoiled(contents, Anything())
    elif isinstance(value, Tuple):
        contents = value.elements
    elif isinstance(value, Function):
        _let_run(ev, value)
        return
    elif isinstance(value, Bound):
        _call_back(ev, value.receiver)
        return
    else:
        if isinstance(value, Anything):
            forget_one_of(ev, value)
        elif isinstance(value, Instance) and ev.reach.driven:
            _let_call(ev, value)
        elif isinstance(value, Tensor):
            ev.memory.handing.update(ev.stack)
        parsed_options.spoil(ev, value)
        return
    if isinstance(contents, dict):
        contents = tuple(contents.values())
    for inner in contents if isinstance(contents, tuple) and depth < _DEEPEST else ():
        _let_change(ev, inner, depth + 1)


def _let_call(ev: Evaluator, instance: Instance) -> None:
    """Forget the plain attributes that methods of an object change: code may have called them."""
    for cls in instance.cls.lineage:
        if not isinstance(cls, Class):
            continue
        for name in (*cls.rebound, *cls.changed):
            held = ev.resolve(ev.cells.get((instance, name), NONE))
            if isinstance(held, (List, Dict)):
                forget_one_of(ev, held)
            if name in cls.rebound and isinstance(held, _PLAIN):
                ev.cells[instance, name] = Anything()


def is_called_back(ev: Evaluator, receiver: Instance, name: str) -> bool:
    """Whether hooks or callbacks may change an attribute at any time.

    A drive follows those of modules that it knows, so only others count there.
    """
    if ev.reach.driven and (receiver, _CALLED_BACK) not in ev.cells:
        return False
    return any(isinstance(one, Class) and name in one.called_back for one in receiver.cls.lineage)


def _call_back(ev: Evaluator, receiver: Value | None) -> None:
    """Let code that is not followed call a method of an object, or a function in one."""
    if not ev.reach.driven or not isinstance(receiver, Instance):
        return
    ev.cells[receiver, _CALLED_BACK] = NONE
    for name in ev.cells.attributes(receiver):
        if is_called_back(ev, receiver, name):
            ev.cells[receiver, name] = Anything()


_CALLED_BACK: Final = "<called back>"
"""The attribute of an object whose methods code that is not followed may call."""

_PLAIN: Final = (Number, Constant, Text, Tuple, List, Dict)


def _let_run(ev: Evaluator, function: Function) -> None:
    """Forget the lists and dicts around a function that it changes whenever it is called."""
    frame = function.scope
    if not isinstance(frame, Frame) or frame.function is None:
        return
    _call_back(ev, frame.receiver)
    for name in changed_contents(function.record).names:
        outer: Frame | None = frame
        while outer is not None and name not in outer.variables:
            outer = outer.parent
        value = ev.resolve(outer.variables[name]) if outer is not None else NONE
        if isinstance(value, (List, Dict)):
            ev.cells[value] = Repeated(Anything())


__all__ = ["forget_one_of", "is_called_back", "let_go", "mutate_unknown"]
