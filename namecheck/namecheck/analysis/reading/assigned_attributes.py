"""Attributes that the methods of a class assign, and those whose contents they change, by its text.

What a constructor sets need not last: another method may assign it later, or add to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.changed_contents import changed_contents
from namecheck.analysis.reading.spelled_values import (
    UNCLEAR,
    Spelled,
    set_by_call,
    spelling,
    text_of,
)
from namecheck.analysis.reading.walking import walk, walk_for
from namecheck_runtime.light.regexes import regex

BUILDERS: Final = frozenset({"__init__", frameworks.python.AFTER_FIELDS, frameworks.flax.SETUP})
"""Methods that set the attributes of an instance before any other runs; `setup` is flax's."""


class Assigned(NamedTuple):
    """The attributes that the methods of a class assign."""

    built: Spelled
    """Those that `__init__` assigns, or a method that it alone calls, with the values' texts."""
    rebound: Spelled
    """Those that other methods assign, so that their first value need not last."""
    working: frozenset[str]
    """Those of `rebound` that are assigned while the object works: by methods that other methods
    call, or by methods like `forward`.
    """
    by_name: bool
    """Whether another method may assign any of them: `setattr(self, name, value)`."""


@ir.read_once
def rebound_attributes(record: ir.ClassDef) -> Assigned:
    """The attributes that the methods of a class assign."""
    built: Spelled = {}
    later: dict[str, Spelled] = {}
    methods = [
        statement
        for statement in record.body
        if isinstance(statement, ir.FunctionDef) and statement.parameters
    ]
    for method in methods:
        if method.name in _RESTORING:
            continue
        names = built if method.name in BUILDERS else later.setdefault(method.name, {})
        _assigned(method.body, method.parameters[0].name, names)
    if any(later.values()):
        for name in _steps_of_construction(methods, {name for name in later if later[name]}):
            add_texts(built, later.pop(name))
    by_name = any(UNCLEAR in names for names in later.values())
    rebound: Spelled = {}
    for names in later.values():
        add_texts(rebound, names)
    for spelled in (built, rebound):
        spelled.pop(UNCLEAR, None)
    assigning = {name for name in later if later[name]}
    working_methods = _called_by_others(methods, assigning) if rebound else assigning
    working = frozenset(name for method in working_methods for name in later[method])
    return Assigned(built, rebound, working, by_name)


def add_texts(spelled: Spelled, more: Spelled) -> None:
    """Add the attributes in `more`, with the texts of their values, to others."""
    for name, texts in more.items():
        spelled.setdefault(name, set()).update(texts)


@ir.read_once
def spelled_in_body(record: ir.ClassDef) -> Spelled:
    """The attributes that the body of a class assigns, with the texts of the values."""
    spelled: Spelled = {}
    for statement in record.body:
        match statement:
            case ir.Assign((ir.Name(name),), value) | ir.AnnotatedAssign(ir.Name(name), _, value):
                if value is not None:
                    spelled.setdefault(name, set()).add(text_of(value))
    return spelled


@ir.read_once
def annotated_in_body(record: ir.ClassDef) -> set[str]:
    """The attributes that the body of a class annotates."""
    return {
        part.target.name
        for part in record.body
        if isinstance(part, ir.AnnotatedAssign) and isinstance(part.target, ir.Name)
    }


@ir.read_once
def changed_attributes(record: ir.ClassDef) -> tuple[set[str], set[tuple[str, str]]]:
    """Attributes whose contents methods change after the object is built.

    And attributes of which they assign an attribute, with that one: `self.out.weight = ...`.
    """
    methods = [
        statement
        for statement in record.body
        if isinstance(statement, ir.FunctionDef) and statement.parameters
    ]
    changes = {m.name: changed_contents(m) for m in methods if m.name not in BUILDERS}
    candidates = {name for name, one in changes.items() if one.attributes or one.parts}
    if candidates:
        candidates -= _steps_of_construction(methods, candidates)
    contents: set[str] = set()
    parts: set[tuple[str, str]] = set()
    for method in methods:
        if method.name in candidates:
            # What a method makes itself is complete when it has run: `self.layers = ModuleList()`.
            made: Spelled = {}
            _assigned(method.body, method.parameters[0].name, made, updates=False)
            contents |= changes[method.name].attributes.difference(made)
            parts |= {part for part in changes[method.name].parts if part[0] not in made}
    return contents, parts


@ir.read_once
def replaced_attributes(record: ir.ClassDef) -> set[str]:
    """Attributes that methods other than `__init__` assign, augmented assignments left out.

    `self.w -= d` leaves an array its shape.
    """
    attributes: Spelled = {}
    for method in record.body:
        if isinstance(method, ir.FunctionDef) and method.parameters:
            if method.name not in BUILDERS:
                _assigned(method.body, method.parameters[0].name, attributes, updates=False)
    return set(attributes)


@ir.read_once
def called_back_attributes(record: ir.ClassDef) -> frozenset[str]:
    """Attributes that code changes which others may call at any time, as a hook or a callback.

    That is a method that the class names without calling it, as `register_forward_hook(self.keep)`
    does, each function inside a method, and what these call.
    """
    methods: dict[str, tuple[ir.FunctionDef, str]] = {}
    for one in record.body:
        if isinstance(one, ir.FunctionDef) and one.parameters and not one.decorators:
            methods[one.name] = one, one.parameters[0].name
    waiting: list[tuple[ir.FunctionDef | ir.Lambda, str]] = []
    for method, receiver in methods.values():
        uses = _uses(method, receiver)
        waiting += [(inner, receiver) for inner in uses.inside]
        waiting += [methods[name] for name in methods if name in uses.named]
    names: Spelled = {}
    seen: set[int] = set()
    while waiting:
        code, receiver = waiting.pop()
        if code.id in seen:
            continue
        seen.add(code.id)
        for name in changed_contents(code).attributes:
            names.setdefault(name, set())
        if isinstance(code, ir.FunctionDef):
            _assigned(code.body, receiver, names)
        called = _uses(code, receiver).called
        waiting += [methods[name] for name in methods if name in called]
    return frozenset(names)


class _Uses(NamedTuple):
    """The attributes of a variable that code calls, and those that it names without calling them;
    the functions inside the code.
    """

    called: set[str]
    named: set[str]
    inside: list[ir.FunctionDef | ir.Lambda]


_READING: Final = frozenset({ir.Attribute})
_CALLING: Final = frozenset({ir.Call})
_USING: Final = frozenset({ir.Attribute, ir.Call, ir.FunctionDef, ir.Lambda})


def _uses(record: ir.FunctionDef | ir.Lambda, receiver: str) -> _Uses:
    attributes: dict[int, str] = {}
    functions: set[int] = set()
    uses = _Uses(set(), set(), [])
    for inner in walk_for(record, _USING):
        if isinstance(inner, ir.Attribute):
            if isinstance(inner.value, ir.Name) and inner.value.name == receiver:
                attributes[inner.id] = inner.name
        elif isinstance(inner, ir.Call):
            functions.add(inner.function.id)
        elif isinstance(inner, (ir.FunctionDef, ir.Lambda)) and inner is not record:
            uses.inside.append(inner)
    for number, name in attributes.items():
        (uses.called if number in functions else uses.named).add(name)
    return uses


def assigned_on(function: ir.FunctionDef, receiver: str) -> set[str]:
    """The attributes of a variable that a function assigns; `UNCLEAR` stands for any of them."""
    return assigned_in(function.body, receiver)


def assigned_in(body: Sequence[ir.Statement], receiver: str) -> set[str]:
    """As `assigned_on`, for some statements."""
    attributes: Spelled = {}
    _assigned(body, receiver, attributes)
    return set(attributes)


_RESTORING: Final = frozenset({"__setattr__", "__setstate__"})
"""Methods that assign what others have given an attribute."""

_WORKING: Final = regex(r"^(?:__\w+__|\w*(?:forward|step|call|encode|decode|train|eval|apply)\w*)$")
"""Methods that work with an object, and do not configure it."""


def _called_by_others(methods: Sequence[ir.FunctionDef], candidates: set[str]) -> set[str]:
    """Those of the candidates that are called while the object works."""
    called = {name for name in candidates if _WORKING.match(name)}
    for method in methods:
        if method.name not in BUILDERS:
            for record in walk_for(method, _READING):
                match record:
                    case ir.Attribute(ir.Name(owner), name) if owner == method.parameters[0].name:
                        if name in candidates:
                            called.add(name)
    return called


_AGAIN: Final = (
    "set",
    "reset",
    "update",
    "enable",
    "disable",
    "load",
    "init",
    "_init",
    "_set",
    "_reset",
)
"""How the names of methods begin that a program calls again after the construction."""


def _steps_of_construction(methods: Sequence[ir.FunctionDef], candidates: set[str]) -> set[str]:
    """Those of the candidates that only a constructor calls: `self._build(dim)`."""
    steps: set[str] = set()
    for method in methods:
        if method.name in BUILDERS:
            for node in walk_for(method, _CALLING):
                match node:
                    case ir.Call(ir.Attribute(ir.Name(owner), name)) if (
                        owner == method.parameters[0].name and name in candidates
                    ):
                        steps.add(name)
    steps = {name for name in steps if not name.startswith(_AGAIN)}
    if steps:
        for method in methods:
            if method.name not in BUILDERS:
                for node in walk(method):
                    if isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name):
                        if node.value.name == method.parameters[0].name:
                            steps.discard(node.name)
    return steps


def _assigned(
    body: Sequence[ir.Statement], receiver: str, found: Spelled, updates: bool = True
) -> None:
    """Add to `found` the attributes of the receiver that statements assign, with their values.

    An attribute that may be any has the name "".
    """
    for statement in body:
        match statement:
            case ir.AugmentedAssign() if not updates:
                pass
            case ir.Assign(targets, value):
                for target in targets:
                    if isinstance(target, ir.Name):
                        continue  # a variable, whose value need not be put into words
                    text = spelling(target, value)
                    if text is not None:
                        _note_target(target, receiver, text, found)
            case ir.AnnotatedAssign(target, _, set_to):
                text = UNCLEAR if set_to is None else text_of(set_to)
                _note_target(target, receiver, text, found)
            case ir.AugmentedAssign(target):
                _note_target(target, receiver, UNCLEAR, found)
            case ir.ExpressionStatement():
                by_call = set_by_call(statement)
                if by_call is not None:
                    owner, name, text = by_call
                    if isinstance(owner, ir.Name) and owner.name == receiver:
                        found.setdefault(name, set()).add(text)
            case ir.If() | ir.For() | ir.While():
                _assigned(statement.body, receiver, found, updates)
                _assigned(statement.orelse, receiver, found, updates)
            case ir.With():
                _assigned(statement.body, receiver, found, updates)
            case ir.Try():
                for inner in (statement.body, statement.orelse, statement.final):
                    _assigned(inner, receiver, found, updates)
                for handler in statement.handlers:
                    _assigned(handler.body, receiver, found, updates)
            case ir.Match():
                for case in statement.cases:
                    _assigned(case.body, receiver, found, updates)


def _note_target(target: ir.Expression, receiver: str, text: str, found: Spelled) -> None:
    match target:
        case ir.Attribute(ir.Name(name), attribute) if name == receiver:
            found.setdefault(attribute, set()).add(text)
        case ir.Attribute(ir.Attribute(ir.Name(name), attribute) as tensor, part) if (
            name == receiver and part in frameworks.torch.RESIZING_ATTRIBUTES
        ):
            if text_of(tensor) not in text:  # `self.w.data = self.w.data / norm` keeps the dims
                found.setdefault(attribute, set()).add(UNCLEAR)
        case ir.Tuple(elements) | ir.List(elements):
            for element in elements:
                _note_target(element, receiver, UNCLEAR, found)
