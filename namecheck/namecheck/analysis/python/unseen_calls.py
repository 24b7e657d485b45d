"""What a call leaves unknown whose function the walk did not run: what it assigns, by its text.

A call may be too deep or too costly to follow, or have taught nothing before. It runs all the
same: `search.update()` may have cut `search.scores` to fewer rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.python.assigned_elsewhere import forget_attributes
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.assigned_attributes import assigned_on
from namecheck.analysis.reading.changed_contents import changed_contents
from namecheck.analysis.reading.spelled_values import UNCLEAR
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.lineage import look_up
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Container,
    Dict,
    Either,
    Function,
    Instance,
    List,
    Repeated,
    Value,
)

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_MOST_CALLS = 100
"""The most functions whose texts are read for one call."""


def forget_assigned(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
) -> None:
    """Forget the attributes that a function assigns to its arguments, itself or by its calls."""
    seen: set[tuple[int, Value]] = set()
    names = [parameter.name for parameter in function.parameters]
    for name, argument in zip(names, arguments or (), strict=False):
        _forget(ev, function, name, argument.value, seen)
    for name, argument in (keywords or {}).items():
        _forget(ev, function, name, argument.value, seen)


def _forget(
    ev: Evaluator, function: Function, name: str, value: Value, seen: set[tuple[int, Value]]
) -> None:
    """Forget what a function does to the objects that one of its parameters may be."""
    value = ev.resolve(value)
    if isinstance(value, Either):
        for option in value.options:
            _forget(ev, function, name, option, seen)
        return
    record = function.record
    key = (id(record), value)
    if not isinstance(value, Instance) or key in seen or len(seen) > _MOST_CALLS:
        return
    if not isinstance(record, ir.FunctionDef):
        return
    seen.add(key)
    for node in walk(record):
        if isinstance(node, ir.Call):
            _forget_by_call(ev, function, name, value, node, seen)
    _forget_attributes(ev, record, name, value)


def _forget_attributes(ev: Evaluator, record: ir.FunctionDef, name: str, owner: Instance) -> None:
    """Forget the attributes of one object that the text of a function assigns or changes."""
    assigned = assigned_on(record, name)
    if UNCLEAR in assigned or any(_is_property(owner, one) for one in assigned):
        forget_attributes(ev, owner)
        owner.version += 1
    for attribute in sorted(assigned):
        if (owner, attribute) in ev.cells or look_up(owner.cls.lineage, attribute) is not None:
            if not _is_property(owner, attribute):
                ev.cells[owner, attribute] = Anything(f"{owner.label}.{attribute}", True)
                owner.version += 1
    for attribute in sorted(changed_contents(record).attributes):
        stored = ev.resolve(ev.cells.get((owner, attribute), Anything()))
        if isinstance(stored, (List, Dict, Container)):
            ev.cells[stored] = Repeated(Anything())


def _is_property(owner: Instance, name: str) -> bool:
    """Whether an attribute is a property, whose setter assigns others."""
    return isinstance(look_up(owner.cls.lineage, name), Function)


def _forget_by_call(
    ev: Evaluator,
    function: Function,
    name: str,
    owner: Instance,
    node: ir.Call,
    seen: set[tuple[int, Value]],
) -> None:
    """Forget what a call inside an unseen function does to the object, or to one that it holds."""
    match node.function:
        case ir.Attribute(ir.Name(receiver), method) if receiver == name:
            _forget_by_method(ev, owner, method, seen)
        case ir.Attribute(ir.Call(ir.Name("super")), method) if function.owner is not None:
            for base in owner.cls.lineage:
                inherited = base.attributes.get(method) if isinstance(base, Class) else None
                if isinstance(inherited, Function) and inherited.parameters:
                    _forget(ev, inherited, inherited.parameters[0].name, owner, seen)
        case ir.Attribute(ir.Attribute(ir.Name(receiver), part), method) if receiver == name:
            held = ev.resolve(ev.cells.get((owner, part), Anything()))
            if isinstance(held, Instance):
                _forget_by_method(ev, held, method, seen)
        case ir.Name(called):
            helper = _function(function.scope, called)
            if helper is None:
                return
            for parameter, given in zip(helper.parameters, node.positional, strict=False):
                if isinstance(given, ir.Name) and given.name == name:
                    _forget(ev, helper, parameter.name, owner, seen)


def _forget_by_method(
    ev: Evaluator, owner: Instance, method: str, seen: set[tuple[int, Value]]
) -> None:
    called = look_up(owner.cls.lineage, method)
    if isinstance(called, Function) and called.parameters:
        _forget(ev, called, called.parameters[0].name, owner, seen)


def _function(scope: Frame | None, name: str) -> Function | None:
    """The function that a name means in a scope."""
    while scope is not None:
        value = scope.variables.get(name)
        if value is not None:
            return value if isinstance(value, Function) else None
        scope = scope.parent
    return None


__all__ = ["forget_assigned"]
