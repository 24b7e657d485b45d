"""Lists and dicts whose contents a piece of code changes, by its text alone.

`sizes.append(n)`, `self.sizes[0] = n`, `del sizes[0]`, `sizes += more`, also through another name:
`sizes = self.sizes` and then `sizes.pop()`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk_for
from namecheck.frameworks import torch
from namecheck.frameworks.python import CHANGING_METHODS
from namecheck_runtime.light.regexes import regex


class Changed(NamedTuple):
    """The variables and the attributes, of any value, whose contents some code changes."""

    names: frozenset[str]
    attributes: frozenset[str]
    parts: frozenset[tuple[str, str]]
    """Attributes of which it assigns an attribute, with that one: `self.out.weight = ...`."""


_CHANGING: Final = frozenset(
    {
        *(ir.Assign, ir.Call, ir.AugmentedAssign, ir.AnnotatedAssign, ir.For, ir.Clause),
        *(ir.Walrus, ir.Delete, ir.Attribute),
    }
)


@ir.read_once
def changed_contents(record: ir.Remembering) -> Changed:
    """What the code in a record changes."""
    names: set[str] = set()
    attributes: set[str] = set()
    parts: set[tuple[str, str]] = set()
    named: set[tuple[str, str]] = set()
    sources: list[tuple[str, ir.Expression]] = []
    for inner in walk_for(record, _CHANGING):
        # The most frequent ones, which change nothing; a `match` tries all cases.
        if isinstance(inner, ir.Attribute):
            if inner.name in CHANGING_METHODS:
                _note(inner.value, names, attributes)
            continue
        if isinstance(inner, ir.Call):
            if not isinstance(inner.function, ir.Name) or inner.function.name != "setattr":
                continue
        match inner:
            case ir.Assign(targets, value):
                for target in targets:
                    _note_target(target, names, attributes)
                    sources += _bound(target, value)
                    parts |= _assigned_parts(target, value)
                    named |= _parts_of_names(target)
            case ir.Call(ir.Name("setattr"), (owner, ir.Str(part), value)):
                parts |= _assigned_parts(ir.Attribute(owner, part, inner.id), value)
                named |= _parts_of_names(ir.Attribute(owner, part, inner.id))
            case ir.AugmentedAssign(target):
                _note(target, names, attributes)
            case ir.AnnotatedAssign(target, _, value):
                _note_target(target, names, attributes)
                if value is not None:
                    sources += _bound(target, value)
            case ir.For(target, value) | ir.Clause(target, value):
                _note_target(target, names, attributes)
                sources += _bound(target, value)
            case ir.Walrus(target, value):
                sources += _bound(target, value)
            case ir.Delete(targets):
                for target in targets:
                    _note_target(target, names, attributes)
    # Each round follows one more name: `row = self.rows; last = row[-1]; last.append(x)`.
    for _ in range(_MOST_NAMES):
        before = len(names) + len(attributes)
        for name, value in sources:
            if name in names:
                _note(value, names, attributes)
        if len(names) + len(attributes) == before:
            break
    if named:
        for name, value in sources:
            held = _owner(value)
            if held is not None:
                parts |= {(held, part) for variable, part in named if variable == name}
    return Changed(frozenset(names), frozenset(attributes), frozenset(parts))


def _assigned_parts(target: ir.Expression, value: ir.Expression) -> set[tuple[str, str]]:
    """What an assignment to an attribute of an attribute assigns.

    Nothing if both have the same parameter: `self.out.weight = self.embedding.weight`.
    """
    if isinstance(target, ir.Attribute) and target.name == torch.ELEMENTS:
        target = target.value
    match target:
        case ir.Attribute(owner, part):
            while isinstance(owner, ir.Subscript):
                owner = owner.value
            if isinstance(owner, ir.Attribute):
                is_same = isinstance(value, ir.Attribute) and value.name == part
                if not is_same or part not in torch.PARAMETERS:
                    return {(owner.name, part)}
    return set()


def _parts_of_names(target: ir.Expression) -> set[tuple[str, str]]:
    """The attribute of a variable that a target assigns, if it is not a tensor."""
    match target:
        case ir.Attribute(ir.Name(name), part) if part not in torch.PARAMETERS:
            return {(name, part)}
    return set()


def _owner(value: ir.Expression) -> str | None:
    """The attribute that a variable stands for, or of whose elements it is one."""
    match value:
        case ir.Attribute(_, name):
            return name
        case ir.Subscript(inner):
            return _owner(inner)
        case ir.Call(ir.Name("enumerate" | "reversed" | "list"), (inner,)):
            return _owner(inner)
    return None


_MOST_NAMES: Final = 4
"""Through how many other names a list is followed."""


def _note_target(target: ir.Expression, names: set[str], attributes: set[str]) -> None:
    """Note what an assignment to a target changes, other than a variable or an attribute."""
    match target:
        case ir.Subscript(value):
            _note(value, names, attributes)
        case ir.Tuple(elements) | ir.List(elements):
            for element in elements:
                _note_target(element, names, attributes)
        case ir.Starred(value):
            _note_target(value, names, attributes)


def _note(owner: ir.Expression, names: set[str], attributes: set[str]) -> None:
    """Note a change of the contents of a value, at any depth."""
    while isinstance(owner, ir.Subscript):
        owner = owner.value
    match owner:
        case ir.Name(name):
            names.add(name)
        case ir.Attribute(_, name):
            attributes.add(name)
        case ir.Walrus(ir.Name(name), value):
            names.add(name)
            _note(value, names, attributes)
        case ir.Call(ir.Attribute(inner, "values" | "items" | "get" | "setdefault")):
            _note(inner, names, attributes)
        case ir.Call(ir.Name("enumerate" | "reversed" | "zip" | "iter" | "next"), arguments):
            for argument in arguments:
                _note(argument, names, attributes)


def _bound(target: ir.Expression, value: ir.Expression) -> list[tuple[str, ir.Expression]]:
    """The variables of a target, each with the expression that its value is, or is a part of."""
    match target:
        case ir.Name(name):
            return [(name, value)]
        case ir.Tuple(elements) | ir.List(elements):
            values: Iterable[ir.Expression] = (value,) * len(elements)
            if isinstance(value, (ir.Tuple, ir.List)) and len(value.elements) == len(elements):
                values = value.elements
            pairs = zip(elements, values, strict=True)
            return [bound for element, part in pairs for bound in _bound(element, part)]
    return []


def changed_in_texts(names: Collection[str], texts: Iterable[str]) -> set[str]:
    """Those of the names whose contents code in some texts may change."""
    if not names:
        return set()
    return {
        name
        for text in texts
        if any(name in text for name in names)
        for found in _CHANGE.findall(text)
        for name in found
        if name in names
    }


_CHANGE: Final = regex(
    r"\b([A-Za-z_]\w*+)(?:\[[^\]\n]*+\])*"
    rf"(?:\.(?:{'|'.join(sorted(CHANGING_METHODS))})\b|\[[^\]\n]*\]\s*[-+*/|&^%@]?=(?!=)"
    r"|\s*(?:\+|\*|\|)=)"
    r"|\bdel\s+([A-Za-z_]\w*)\[",
    re.MULTILINE,
)
"""A name whose contents are changed; attributes of other values look the same."""
