"""Attributes that the methods of a class assign, and those whose contents they change, by its text.

What a constructor sets need not last: another method may assign it later, or add to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.changed_contents import changed_contents
from namecheck.analysis.reading.walking import walk
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.light.regexes import regex

BUILDERS = frozenset({"__init__", frameworks.python.AFTER_FIELDS, frameworks.flax.SETUP})
"""Methods that set the attributes of an instance before any other runs; `setup` is flax's."""


def rebound_attributes(
    record: ir.ClassDef,
) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Three sets of attributes: rebound, built, and working.

    Methods other than `__init__` assign the rebound ones, so that their first value need not last.
    `__init__`, or a method that it alone calls, assigns the built ones. The working ones are the
    rebound ones that are assigned while the object works: by methods that other methods call, or by
    methods like `forward`.
    """
    built: set[str] = set()
    later: dict[str, set[str]] = {}
    methods = [
        statement
        for statement in record.body
        if isinstance(statement, ir.FunctionDef) and statement.parameters
    ]
    for method in methods:
        names = built if method.name in BUILDERS else later.setdefault(method.name, set())
        _assigned(method.body, method.parameters[0].name, names)
    if any(later.values()):
        for name in _steps_of_construction(methods, {name for name in later if later[name]}):
            built |= later.pop(name)
    rebound = frozenset(name for names in later.values() for name in names)
    assigning = {name for name in later if later[name]}
    working_methods = _called_by_others(methods, assigning) if rebound & built else assigning
    working = frozenset(name for method in working_methods for name in later[method])
    return rebound, frozenset(built), working


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
            made: set[str] = set()
            _assigned(method.body, method.parameters[0].name, made, updates=False)
            contents |= changes[method.name].attributes - made
            parts |= {part for part in changes[method.name].parts if part[0] not in made}
    return contents, parts


def replaced_attributes(record: ir.ClassDef) -> set[str]:
    """Attributes that methods other than `__init__` assign, augmented assignments left out.

    `self.w -= d` leaves an array its shape.
    """
    attributes: set[str] = set()
    for method in record.body:
        if isinstance(method, ir.FunctionDef) and method.parameters:
            if method.name not in BUILDERS:
                _assigned(method.body, method.parameters[0].name, attributes, updates=False)
    return attributes


_WORKING = regex(r"^(?:__\w+__|\w*(?:forward|step|call|encode|decode|train|eval|apply)\w*)$")
"""Methods that work with an object, and do not configure it."""


def _called_by_others(methods: Sequence[ir.FunctionDef], candidates: set[str]) -> set[str]:
    """Those of the candidates that are called while the object works."""
    called = {name for name in candidates if _WORKING.match(name)}
    for method in methods:
        if method.name not in BUILDERS:
            for record in walk(method):
                match record:
                    case ir.Attribute(ir.Name(owner), name) if owner == method.parameters[0].name:
                        if name in candidates:
                            called.add(name)
    return called


_AGAIN = ("set", "reset", "update", "enable", "disable", "load", "init", "_init", "_set", "_reset")
"""How the names of methods begin that a program calls again after the construction."""


def _steps_of_construction(methods: Sequence[ir.FunctionDef], candidates: set[str]) -> set[str]:
    """Those of the candidates that only a constructor calls: `self._build(dim)`."""
    steps: set[str] = set()
    for method in methods:
        if method.name in BUILDERS:
            for node in walk(method):
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
    body: Sequence[ir.Statement], receiver: str, found: set[str], updates: bool = True
) -> None:
    """Add to `found` the attributes of the receiver that statements assign."""
    for statement in body:
        match statement:
            case ir.AugmentedAssign() if not updates:
                pass
            case ir.Assign(targets, value):
                for target in targets:
                    if not _keeps_itself(target, value):
                        _note_target(target, receiver, found)
            case ir.AnnotatedAssign(target) | ir.AugmentedAssign(target):
                _note_target(target, receiver, found)
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


def _keeps_itself(target: ir.Expression, value: ir.Expression) -> bool:
    """Whether an assignment leaves an attribute its dims: `self.bank = self.bank.to(device)`."""
    match target, value:
        case (
            ir.Attribute(ir.Name(owner), name),
            ir.Call(ir.Attribute(ir.Attribute(ir.Name(receiver), attribute), method)),
        ):
            spelling = REGISTRY.get(f"{frameworks.torch.TENSOR}.{method}")
            same = owner == receiver and name == attribute
            return same and spelling is not None and spelling.op.effect == "keeps"
    return False


def _note_target(target: ir.Expression, receiver: str, found: set[str]) -> None:
    match target:
        case ir.Attribute(ir.Name(name), attribute) if name == receiver:
            found.add(attribute)
        case ir.Tuple(elements) | ir.List(elements):
            for element in elements:
                _note_target(element, receiver, found)
