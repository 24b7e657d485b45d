"""What calls leave of the attributes of objects: their state, and what a function sets on them.

A module's own state belongs to the object that ran, and the walk may have one object for several.
A call that the walk does not follow runs all the same: what its text assigns is unknown behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.asking.layers import forget_option
from namecheck.analysis.measuring import call_notes, dtypes
from namecheck.analysis.objects.held_tensors import held_by, note_dressed
from namecheck.analysis.python.assigned_elsewhere import forget_attributes, unknown_attribute
from namecheck.analysis.python.classes import construction_of, look_into
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.assigned_attributes import assigned_on
from namecheck.analysis.reading.changed_contents import changed_contents
from namecheck.analysis.reading.set_on_modules import (
    ANY,
    NOTHING_SET,
    SetOnModules,
    set_in_loop,
    set_on_modules,
    set_on_variables,
    walked_in,
)
from namecheck.analysis.reading.spelled_values import UNCLEAR, assigned_outside
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.argument import Argument, Keywords, given_as
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.lineage import LAYER, is_module, look_up
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Constant,
    Container,
    Dict,
    Either,
    Function,
    Instance,
    Layer,
    List,
    Number,
    Repeated,
    Tensor,
    Text,
    Tuple,
    Value,
    Walked,
)
from namecheck.frameworks import torch

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


MODES: Final = (Constant, Text)
"""What attributes hold that any code may set: `training`, `step_mode`."""

DATA: Final = (Constant, Text, Tensor)
"""What attributes hold that may be set by a name which the text does not say."""

ANY_NAME: Final = frozenset((ANY,))


def begin_call(ev: Evaluator, instance: Instance) -> None:
    """Take back what earlier calls of an instance assigned to its attributes.

    Modules built alike share one instance here, and the rounds of a loop may stand for many. Each
    has its own state, and the program may have reset it.
    """
    if not instance.left or ev.frame.receiver is instance:
        return
    if ev.reach.driven and not instance.several:
        return
    made = ev.memory.cells.get(construction_of(ev, instance), {})
    for name in sorted(instance.left):
        first = made.get((instance, name))
        ev.cells[instance, name] = unknown_attribute(instance, name) if first is None else first
    instance.left.clear()
    instance.version += 1


def let_set(ev: Evaluator, arguments: Sequence[Argument], keywords: Keywords | None = None) -> None:
    """Forget the modes of modules that were passed to unknown code, and of the modules in them.

    It may have set them, as `functional.set_step_mode(net, "m")` does.
    """
    values = [argument.value for argument in (*arguments, *(keywords or {}).values())]
    if ev.units.trace is not None:
        call_notes.unknown_called(ev, ev.units.trace, values)
    for value in _modules_inside(ev, values):
        _forget(ev, value, ANY_NAME, MODES)
    for given in values:
        layer = ev.resolve(given)
        if isinstance(layer, Layer):
            note_dressed(ev, layer)


def let_load(ev: Evaluator, module: Value) -> None:
    """Forget the tensors of a module, and of the modules in it: it gets those of a file."""
    for value in _modules_inside(ev, [module]):
        _forget(ev, value, ANY_NAME)


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
    given = [*(arguments or ()), *(keywords or {}).values()]
    values = [ev.resolve(argument.value) for argument in given]
    if not isinstance(record, ir.FunctionDef) or not any(map(_may_hold_modules, values)):
        return
    key = (id(record), is_seen)
    names = ev.memory.set_on_modules.get(key)
    if names is None:
        names = ev.memory.set_on_modules[key] = _read(function, record)
        if not is_seen:
            names = ev.memory.set_on_modules[key] = names | set_on_variables(record)
    if names:
        for value in _modules_inside(ev, values):
            _forget(ev, value, names)


def loop_set(ev: Evaluator, node: ir.For) -> None:
    """Forget what a loop over the modules inside another has set on them, by its text."""
    for walked in walked_in(node):
        with ev.frame.quietly():
            values = _modules_inside(ev, [ev.value(walked)])
        names = _with_helpers(ev.frame, set_in_loop(node)) if values else frozenset()
        for value in values if names else ():
            _forget(ev, value, names)


def _read(function: Function, record: ir.FunctionDef) -> frozenset[str]:
    found: SetOnModules = set_on_modules(record)
    return frozenset() if found is NOTHING_SET else _with_helpers(function.scope, found)


def _with_helpers(scope: Frame | None, found: SetOnModules) -> frozenset[str]:
    """The attributes that some text sets on modules, itself or by the functions that get them."""
    names = set(found.names)
    for name in found.helpers:
        helper = _function(scope, name)
        if helper is not None:
            names |= set_on_variables(helper)
    return frozenset(names)


def _function(scope: Frame | None, name: str) -> ir.FunctionDef | None:
    """The record of the function that a name means in a scope."""
    function = _function_named(scope, name)
    record = None if function is None else function.record
    return record if isinstance(record, ir.FunctionDef) else None


def _function_named(scope: Frame | None, name: str) -> Function | None:
    """The function that a name means in a scope."""
    while scope is not None:
        value = scope.variables.get(name)
        if value is not None:
            return value if isinstance(value, Function) else None
        scope = scope.parent
    return None


_MOST_MODULES: Final = 200
"""The most modules inside a module whose attributes are forgotten."""


def _may_hold_modules(value: Value) -> bool:
    if isinstance(value, Instance):
        return is_module(value.cls)
    return isinstance(value, (Container, Either))


def _modules_inside(ev: Evaluator, values: Sequence[Value]) -> list[Instance | Container]:
    """The modules among some values, with those that they hold, and the lists of modules."""
    found: list[Instance | Container] = []
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
            found.append(value)
        elif is_module(value.cls):
            look_into(ev, value)
            found.append(value)
            waiting.extend(
                held
                for held in ev.cells.attributes(value).values()
                if isinstance(held, (Instance, Container, Either))
            )
    return found


def _forget(
    ev: Evaluator,
    module: Instance | Container,
    names: frozenset[str],
    kinds: tuple[type[Value], ...] = DATA,
) -> None:
    """Forget attributes of a module that hold data: modes, numbers and tensors.

    Its layers stay, and so do its numbers if the text does not say which attribute was set: what is
    of one of the `kinds` is forgotten then. What a list of modules has in it is set by no name.
    """
    if isinstance(module, Container):
        if ANY in names and kinds is DATA:
            ev.cells[module] = Repeated(Anything())
        return
    if any(name != ANY and _is_property(module, name) for name in names):
        names, kinds = ANY_NAME, MODES  # a property, which sets others
    attributes = {
        name: value
        for one in reversed(module.cls.lineage)
        if isinstance(one, Class)
        for name, value in one.attributes.items()
        if not name.startswith("__")
    }
    attributes.update(ev.cells.attributes(module))
    for held in attributes.values():
        if isinstance(held, (Layer, Container, Either)):
            for name in sorted(names - {ANY}):
                forget_option(ev, held, name)
    for name, held in attributes.items():
        value = ev.resolve(held)
        if isinstance(value, kinds) if ANY in names else name in names:
            if isinstance(value, (Constant, Text, Number, Tensor)):
                ev.cells[module, name] = unknown_attribute(module, name)
                module.version += 1


def let_assign(ev: Evaluator, value: Value, function: Value, depth: int = 0) -> None:
    """Forget the attributes that a function may assign which a module applies to all its modules.

    Only their names say which modules it changes: `def fuse(m): m.stride = 1`.
    """
    value = ev.resolve(value)
    if not isinstance(function, Function) or depth > _DEEPEST:
        return
    if isinstance(value, Instance):
        names = assigned_outside((function.record,))
        look_into(ev, value)
        for name, held in ev.cells.attributes(value).items():
            if name in names:
                ev.cells[value, name] = unknown_attribute(value, name)
                value.version += 1
            elif isinstance(held, (Instance, Container)):
                let_assign(ev, held, function, depth + 1)
    elif isinstance(value, Container):
        contents = ev.cells.get(value)
        for held in contents if isinstance(contents, tuple) else ():
            let_assign(ev, held, function, depth + 1)


_DEEPEST: Final = 4
"""How deep modules in modules are changed."""


def walk_modules(ev: Evaluator, module: Instance | Container | Layer, name: str) -> Value | None:
    """What `net.modules()`, and the other methods that go over modules, give in a drive.

    None if the modules of a row are not known.
    """
    held = attributes_by_owner(ev)
    rows: list[Value] = []
    seen: set[Value] = set()
    named = name.startswith("named")
    deep = name.endswith("modules")
    unsure = False
    waiting: list[tuple[str, Value, bool]] = [("", module, deep)]
    while waiting:
        path, value, is_one = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        if is_one:
            rows.append(Tuple((Constant(path), value)) if named else value)
        if not deep and value is not module:
            continue
        inside = modules_held(ev, value, held)
        if inside is None or len(seen) > _MOST_WALKED:
            return None
        unsure = unsure or any(isinstance(part, Anything) for _, part in inside)
        for key, part in reversed(inside):
            if not isinstance(part, Anything):
                waiting.append((f"{path}.{key}" if path else key, part, True))
    if unsure:
        unknown = Anything()
        return Walked(Tuple((Text(), unknown)) if named else unknown, rows)
    return Tuple(rows)


_MOST_WALKED: Final = 1000


def attributes_by_owner(ev: Evaluator) -> dict[Any, dict[str, Value]]:
    """The attributes of all instances on the current path."""
    held: dict[Any, dict[str, Value]] = {}
    for part in (ev.cells.base, ev.cells.recent):
        for key, value in part.items():
            if type(key) is tuple and isinstance(key[0], Instance) and isinstance(value, Value):
                held.setdefault(key[0], {})[key[1]] = value
    return held


def modules_held(
    ev: Evaluator, value: Value, held: dict[Any, dict[str, Value]]
) -> list[tuple[str, Value]] | None:
    """The modules that a module holds, and what may be one, by name; None if they are not known."""
    contents: Any = {}
    if isinstance(value, Instance):
        look_into(ev, value)
        contents = held.get(value) or ev.cells.attributes(value)
        row = contents.get(LAYER)
        if isinstance(row, Container):
            return modules_held(ev, row, held)
    elif isinstance(value, Container):
        contents = ev.cells.get(value)
    if isinstance(contents, tuple):
        contents = {str(index): one for index, one in enumerate(contents)}
    if not isinstance(contents, dict):
        return None
    found: list[tuple[str, Value]] = []
    for name, one in contents.items():
        if name == LAYER and ev.units.trace is not None:
            continue  # the layer that the module itself is
        part = ev.resolve(one)
        options = part.options if isinstance(part, Either) else (part,)
        for option in options:
            if isinstance(option, (Layer, Container)) or type(option) is Anything:
                found.append((str(name), option))
            elif isinstance(option, Instance) and is_module(option.cls):
                found.append((str(name), option))
    return found


def modules_within(ev: Evaluator, module: Value) -> list[Value]:
    """A module and all modules in it, as far as they are known, for a summary."""
    held = attributes_by_owner(ev)
    found: dict[Value, None] = {}
    waiting = [module]
    while waiting:
        value = waiting.pop()
        if value not in found:
            found[value] = None
            waiting.extend([part for _, part in modules_held(ev, value, held) or ()])
            if ev.units.trace is not None and isinstance(value, Layer):
                waiting.extend(ev.units.trace.inside(value).values())
    return list(found)


def note_change(
    ev: Evaluator,
    module: Value,
    name: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
) -> None:
    """Note for a summary what `net.half()` or `net.requires_grad_(False)` does to all tensors."""
    trace = ev.units.trace
    assert trace is not None
    dtype = dtypes.of_module(ev, name, arguments, keywords)
    if name != torch.FREEZES and dtype is None:
        return
    tensors: list[Value] = [
        held.tensor
        for part in modules_within(ev, module)
        for held in held_by(ev, trace, part)
        if dtype is not None or not held.is_buffer
    ]
    if dtype is not None:
        call_notes.cast(ev, tensors, dtype)
        return
    given = given_as(arguments, keywords, 0, torch.REQUIRES_GRADIENT)
    call_notes.require(ev, trace, tensors, given)


def set_mode(
    ev: Evaluator, module: Value, name: str, arguments: Sequence[Argument], keywords: Keywords
) -> None:
    """Put a module into the mode of `net.train(mode)` or `net.eval()`, if this is such a call."""
    if not ev.reach.driven or name not in (torch.TRAIN, torch.EVAL):
        return
    mode = given_as(arguments, keywords, 0, "mode")
    training: Value = Constant(True) if mode is None else ev.resolve(mode.value)
    if name == torch.EVAL:
        training = Constant(False)
        if isinstance(module, Instance):
            own = look_up(module.cls.lineage, torch.TRAIN)
            if isinstance(own, Function):
                ev.call(own, (Argument(module), Argument(training)), {}, None)
                return
    _set_inside(ev, module, training)


def _set_inside(ev: Evaluator, module: Value, is_training: Value) -> None:
    """Set `training` of a module and of all in it, as `net.train(False)` does in a drive."""
    held = attributes_by_owner(ev)
    waiting = [module]
    seen: set[Value] = set()
    while waiting:
        value = waiting.pop()
        if value in seen or len(seen) > _MOST_WALKED:
            continue
        seen.add(value)
        if isinstance(value, Instance):
            own = look_up(value.cls.lineage, torch.TRAIN)
            if isinstance(own, Function) and value is not module:
                ev.call(own, (Argument(value), Argument(is_training)), {}, None)
                continue
            ev.cells[value, torch.TRAINING] = is_training
        waiting.extend([part for _, part in modules_held(ev, value, held) or ()])


_MOST_CALLS: Final = 100
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
        _forget_in(ev, function, name, argument.value, seen)
    for name, argument in (keywords or {}).items():
        _forget_in(ev, function, name, argument.value, seen)


def _forget_in(
    ev: Evaluator, function: Function, name: str, value: Value, seen: set[tuple[int, Value]]
) -> None:
    """Forget what a function does to the objects that one of its parameters may be."""
    value = ev.resolve(value)
    if isinstance(value, Either):
        for option in value.options:
            _forget_in(ev, function, name, option, seen)
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
                ev.cells[owner, attribute] = unknown_attribute(owner, attribute)
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
                    _forget_in(ev, inherited, inherited.parameters[0].name, owner, seen)
        case ir.Attribute(ir.Attribute(ir.Name(receiver), part), method) if receiver == name:
            held = ev.resolve(ev.cells.get((owner, part), Anything()))
            if isinstance(held, Instance):
                _forget_by_method(ev, held, method, seen)
        case ir.Name(called):
            helper = _function_named(function.scope, called)
            if helper is None:
                return
            for parameter, given in zip(helper.parameters, node.positional, strict=False):
                if isinstance(given, ir.Name) and given.name == name:
                    _forget_in(ev, helper, parameter.name, owner, seen)


def _forget_by_method(
    ev: Evaluator, owner: Instance, method: str, seen: set[tuple[int, Value]]
) -> None:
    called = look_up(owner.cls.lineage, method)
    if isinstance(called, Function) and called.parameters:
        _forget_in(ev, called, called.parameters[0].name, owner, seen)


__all__ = [
    "begin_call",
    "forget_assigned",
    "function_set",
    "let_assign",
    "let_load",
    "let_set",
    "attributes_by_owner",
    "loop_set",
    "modules_held",
    "modules_within",
    "note_change",
    "set_mode",
    "walk_modules",
]
