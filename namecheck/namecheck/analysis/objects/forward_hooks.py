"""Functions that a module calls behind its `forward`: `layer.register_forward_hook(save)`.

A drive calls them where the module is called, with the module, its inputs and its output, until the
handle is removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.values import NONE, Anything, Container, Instance, Layer, Tuple, Value

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

HOOKS: Final = "<hooks>"
"""The attribute of a module that keeps its hooks."""

_HANDLE: Final = ("<module>", "<hook>")
"""The fields of what registering a hook gives."""

Module = Instance | Container | Layer


def register(
    ev: Evaluator, module: Module, arguments: Sequence[Argument], keywords: Keywords
) -> Value:
    """Register a hook; one that gets more than the usual arguments is not known."""
    if len(arguments) != 1 or keywords.keys() - {"always_call"}:
        return Anything()
    hook = ev.resolve(arguments[0].value)
    ev.cells[module, HOOKS] = Tuple((*_hooks_of(ev, module), hook))
    return Tuple((module, hook), _HANDLE)


def is_handle(value: Value) -> bool:
    """Whether a value is the handle of a hook."""
    return isinstance(value, Tuple) and value.fields == _HANDLE


def remove(ev: Evaluator, handle: Tuple) -> Value:
    """Remove the hook of a handle."""
    module, hook = handle.elements
    if isinstance(module, (Instance, Container, Layer)):
        left = [one for one in _hooks_of(ev, module) if one is not hook]
        ev.cells[module, HOOKS] = Tuple(left)
    return NONE


def called(ev: Evaluator, module: Module, arguments: Sequence[Argument], result: Value) -> Value:
    """What a module gives behind its hooks: a hook may return something else."""
    for hook in _hooks_of(ev, module):
        given = (module, Tuple([argument.value for argument in arguments]), result)
        changed = ev.resolve(ev.call(hook, [Argument(one) for one in given], {}, None))
        if not ev.alive:
            break
        if changed is not NONE:
            result = changed
    return result


def _hooks_of(ev: Evaluator, module: Module) -> tuple[Value, ...]:
    held = ev.cells.get((module, HOOKS))
    return held.elements if isinstance(held, Tuple) else ()


__all__ = ["HOOKS", "called", "is_handle", "register", "remove"]
