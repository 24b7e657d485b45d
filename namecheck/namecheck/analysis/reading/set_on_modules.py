"""Attributes that code sets on the modules inside a module, by its text.

`for m in net.modules(): m.mode = mode` changes modules that no name of the program stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names, walk
from namecheck.frameworks import torch

ANY: Final = ""
"""The name that stands for any attribute: the text does not say which one is set."""


class SetOnModules:
    """What a function sets on the modules inside its arguments: names, and functions that get them.

    `helpers` are the names of the functions that get one of the modules.
    """

    __slots__ = ("helpers", "names")

    def __init__(self, names: frozenset[str], helpers: frozenset[str]) -> None:
        self.names = names
        self.helpers = helpers


NOTHING_SET: Final = SetOnModules(frozenset(), frozenset())


def set_on_modules(record: ir.FunctionDef) -> SetOnModules:
    """The attributes that a function sets on modules inside another.

    Where it goes over them, `for m in net.modules():` or `left.extend(m.children())`, they are
    those that it sets on any variable.
    """
    if not any(_walks(node) for node in walk(record)):
        return NOTHING_SET
    helpers: set[str] = set()
    for node in walk(record):
        if isinstance(node, ir.For) and any(True for _ in walked_in(node)):
            helpers.update(_helpers(node.body, frozenset(target_names(node.target))))
    return SetOnModules(set_on_variables(record), frozenset(helpers))


def set_in_loop(node: ir.For) -> SetOnModules:
    """The attributes that the rounds of a loop over the modules inside another set on them."""
    helpers = _helpers(node.body, frozenset(target_names(node.target)))
    return SetOnModules(frozenset(_set_on(node.body)), frozenset(helpers))


def walked_in(node: ir.For) -> Iterator[ir.Expression]:
    """The expressions for the modules whose inner modules a loop goes over: `net`."""
    if not isinstance(node.iterable, ir.Call):
        return
    for part in walk(node.iterable):
        match part:
            case ir.Call(ir.Attribute(owner, name)) if name in torch.WALKS:
                yield owner


def set_on_variables(record: ir.FunctionDef) -> frozenset[str]:
    """The attributes that a function sets on its parameters and its other variables."""
    return frozenset(_set_on(record.body))


def _walks(node: ir.Record) -> bool:
    """Whether an expression gives the modules inside a module: `net.named_modules()`."""
    return (
        isinstance(node, ir.Call)
        and isinstance(node.function, ir.Attribute)
        and node.function.name in torch.WALKS
    )


def _set_on(body: Sequence[ir.Statement]) -> Iterator[str]:
    """The attributes that statements set on variables."""
    for statement in body:
        for node in walk(statement):
            match node:
                case ir.Assign(targets):
                    for target in targets:
                        yield from _of_target(target)
                case ir.AugmentedAssign(target) | ir.AnnotatedAssign(target):
                    yield from _of_target(target)
                case ir.Call(ir.Name("setattr"), (owner, name, _)):
                    if not isinstance(name, ir.Str):
                        yield ANY
                    elif isinstance(owner, ir.Name):
                        yield name.value


def _of_target(target: ir.Expression) -> Iterator[str]:
    match target:
        case ir.Attribute(ir.Name(), name):
            yield name
        case ir.Subscript(ir.Attribute(_, name)) if name == torch.HELD_MODULES:
            yield ANY
        case ir.Tuple(elements) | ir.List(elements):
            for element in elements:
                yield from _of_target(element)


def _helpers(body: Sequence[ir.Statement], owners: frozenset[str]) -> Iterator[str]:
    """The functions that get one of the variables `owners`."""
    for statement in body:
        for node in walk(statement):
            if isinstance(node, ir.Call) and isinstance(node.function, ir.Name):
                values = (*node.positional, *(keyword.value for keyword in node.keywords))
                if any(isinstance(value, ir.Name) and value.name in owners for value in values):
                    yield node.function.name


__all__ = [
    "ANY",
    "NOTHING_SET",
    "SetOnModules",
    "set_in_loop",
    "set_on_modules",
    "set_on_variables",
    "walked_in",
]
