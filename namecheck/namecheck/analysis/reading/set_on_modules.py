"""Attributes that code sets on the modules inside a module, by its text.

`for m in net.modules(): m.mode = mode` changes modules that no name of the program stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names, walk
from namecheck.frameworks import torch

ANY = ""
"""The name that stands for any attribute: the text does not say which one is set."""


class SetOnModules:
    """What a function sets on the modules inside its arguments: names, and functions that get them.

    `helpers` are the names of the functions that get one of the modules.
    """

    __slots__ = ("helpers", "names")

    def __init__(self, names: frozenset[str], helpers: frozenset[str]) -> None:
        self.names = names
        self.helpers = helpers


NOTHING_SET = SetOnModules(frozenset(), frozenset())


def set_on_modules(record: ir.FunctionDef) -> SetOnModules:
    """The attributes that a function sets on the modules over which its loops go."""
    names: set[str] = set()
    helpers: set[str] = set()
    for node in walk(record):
        if isinstance(node, ir.For) and _walks(node.iterable):
            inside = frozenset(target_names(node.target))
            names.update(_set_on(node.body, inside))
            helpers.update(_helpers(node.body, inside))
    return SetOnModules(frozenset(names), frozenset(helpers)) if names or helpers else NOTHING_SET


def set_on_parameters(record: ir.FunctionDef) -> frozenset[str]:
    """The attributes that a function sets on its parameters."""
    parameters = frozenset(parameter.name for parameter in record.parameters)
    return frozenset(_set_on(record.body, parameters))


def _walks(iterable: ir.Expression) -> bool:
    """Whether an iterable gives all modules inside a module: `net.named_modules()`."""
    return any(
        isinstance(node, ir.Call)
        and isinstance(node.function, ir.Attribute)
        and node.function.name in torch.WALKS
        for node in walk(iterable)
    )


def _set_on(body: Sequence[ir.Statement], owners: frozenset[str]) -> Iterator[str]:
    """The attributes that statements set on the variables `owners`."""
    for statement in body:
        for node in walk(statement):
            match node:
                case ir.Assign(targets):
                    for target in targets:
                        yield from _of_target(target, owners)
                case ir.AugmentedAssign(target) | ir.AnnotatedAssign(target):
                    yield from _of_target(target, owners)
                case ir.Call(ir.Name("setattr"), (ir.Name(owner), name, _)) if owner in owners:
                    yield name.value if isinstance(name, ir.Str) else ANY


def _of_target(target: ir.Expression, owners: frozenset[str]) -> Iterator[str]:
    match target:
        case ir.Attribute(ir.Name(owner), name) if owner in owners:
            yield name
        case ir.Tuple(elements) | ir.List(elements):
            for element in elements:
                yield from _of_target(element, owners)


def _helpers(body: Sequence[ir.Statement], owners: frozenset[str]) -> Iterator[str]:
    """The functions that get one of the variables `owners`."""
    for statement in body:
        for node in walk(statement):
            if isinstance(node, ir.Call) and isinstance(node.function, ir.Name):
                values = (*node.positional, *(keyword.value for keyword in node.keywords))
                if any(isinstance(value, ir.Name) and value.name in owners for value in values):
                    yield node.function.name


__all__ = ["ANY", "NOTHING_SET", "SetOnModules", "set_on_modules", "set_on_parameters"]
