"""What calls leave of the attributes of modules: their state, and what a function sets on them.

A module's own state belongs to the object that ran, and the walk may have one object for several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.python.classes import look_into
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.set_on_modules import (
    ANY,
    NOTHING_SET,
    SetOnModules,
    set_on_modules,
    set_on_variables,
)
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.lineage import is_module, look_up
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Constant,
    Container,
    Either,
    Function,
    Instance,
    Number,
    Text,
    Value,
)

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def begin_call(ev: Evaluator, instance: Instance) -> None:
    """Take back what earlier calls of an instance assigned to its attributes.

    Modules built alike share one instance here, and the rounds of a loop may stand for many. Each
    has its own state, and the program may have reset it.
    """
    if not instance.left or ev.frame.receiver is instance:
        return
    made = ev.memory.cells.get((instance, ev.facts.stated_configuration()), {})
    for name in sorted(instance.left):
        first = made.get((instance, name))
        ev.cells[instance, name] = _unknown(instance, name) if first is None else first
    instance.left.clear()
    instance.version += 1


def let_set(ev: Evaluator, arguments: Sequence[Argument], keywords: Keywords | None = None) -> None:
    """Forget the modes of modules that were passed to unknown code, and of the modules in them.

    It may have set them, as `functional.set_step_mode(net, "m")` does.
    """
    values = [*arguments, *(keywords or {}).values()]
    for value in _modules_inside(ev, [argument.value for argument in values]):
        _forget(ev, value, frozenset((ANY,)))


def function_set(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    is_seen: bool,
) -> None:
    """Forget what a function has set on the modules inside its arguments, by its text.

    If the walk has not seen it run, also what it sets on any variable.
    """
    record = function.record
    if not isinstance(record, ir.FunctionDef):
        return
    key = (id(record), is_seen)
    names = ev.memory.set_on_modules.get(key)
    if names is None:
        names = ev.memory.set_on_modules[key] = _read(function, record)
        if not is_seen:
            names = ev.memory.set_on_modules[key] = names | set_on_variables(record)
    if names:
        values = [*(arguments or ()), *(keywords or {}).values()]
        for value in _modules_inside(ev, [argument.value for argument in values]):
            _forget(ev, value, names)


def _read(function: Function, record: ir.FunctionDef) -> frozenset[str]:
    found: SetOnModules = set_on_modules(record)
    if found is NOTHING_SET:
        return frozenset()
    names = set(found.names)
    for name in found.helpers:
        helper = _function(function.scope, name)
        if helper is not None and helper is not record:
            names |= set_on_variables(helper)
    return frozenset(names)


def _function(scope: Frame | None, name: str) -> ir.FunctionDef | None:
    """The function that a name means in a scope."""
    while scope is not None:
        value = scope.variables.get(name)
        if value is not None:
            record = value.record if isinstance(value, Function) else None
            return record if isinstance(record, ir.FunctionDef) else None
        scope = scope.parent
    return None


_MOST_MODULES = 200
"""The most modules inside a module whose attributes are forgotten."""


def _modules_inside(ev: Evaluator, values: Sequence[Value]) -> list[Instance]:
    """The modules among some values, with those that they hold."""
    found: list[Instance] = []
    waiting: list[Any] = list(values)
    seen: set[Value] = set()
    while waiting and len(found) < _MOST_MODULES:
        value = ev.resolve(waiting.pop())
        if isinstance(value, Either):
            waiting.extend(value.options)
            continue
        if not isinstance(value, (Instance, Container)) or value in seen:
            continue
        seen.add(value)
        if isinstance(value, Container):
            contents = ev.cells.get(value)
            if isinstance(contents, dict):
                contents = tuple(contents.values())
            if isinstance(contents, tuple):
                waiting.extend(contents)
            elif contents is not None:
                waiting.append(contents.element)
        elif is_module(value.cls):
            look_into(ev, value)
            found.append(value)
            waiting.extend(
                held
                for held in ev.cells.attributes(value).values()
                if isinstance(held, (Instance, Container, Either))
            )
    return found


def _forget(ev: Evaluator, instance: Instance, names: frozenset[str]) -> None:
    """Forget attributes of an instance that hold plain data; its sizes stay, as its layers do."""
    for name in names:
        if name != ANY and isinstance(look_up(instance.cls.lineage, name), Function):
            names = frozenset((ANY,))  # a property, which sets others
            break
    attributes = {
        name: value
        for one in reversed(instance.cls.lineage)
        if isinstance(one, Class)
        for name, value in one.attributes.items()
        if not name.startswith("__")
    }
    attributes.update(ev.cells.attributes(instance))
    for name, held in attributes.items():
        value = ev.resolve(held)
        if isinstance(value, (Constant, Text)) if ANY in names else name in names:
            if isinstance(value, (Constant, Text, Number)):
                ev.cells[instance, name] = _unknown(instance, name)
                instance.version += 1


def _unknown(instance: Instance, name: str) -> Anything:
    return Anything(f"{instance.label}.{name}", True)


__all__ = ["begin_call", "function_set", "let_set"]
