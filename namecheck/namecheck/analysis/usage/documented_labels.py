"""Labels of a docstring beside variables of the same name that mean something else.

A docstring calls the channels of `features` C, and the code reads `B, N, C = xyz.shape` off another
parameter. Which of the two a comment means by C, nobody can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names, walk
from namecheck.analysis.state.independence import BATCH
from namecheck_runtime.notation.docstrings import read_docstring
from namecheck_runtime.notation.written import plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.frames import Frame
    from namecheck.terms import Terms


def means_another(frame: Frame, label: str) -> bool:
    """Whether the docstring has a label for a parameter other than those a variable is read off."""
    function = frame.function
    if function is None or not isinstance(function.record, ir.FunctionDef):
        return False
    meanings = function.source.other_meanings
    labels = meanings.get(function.record.id)
    if labels is None:
        labels = meanings[function.record.id] = _meaning_another(
            function.record, function.source.file.terms
        )
    if not labels or label.lower() in BATCH:
        return False  # all parameters have one batch
    return frame.label(label) in labels


def _meaning_another(record: ir.FunctionDef, terms: Terms) -> frozenset[str]:
    """The keys of the labels of which `means_another` is true in a function."""
    owners: dict[str, set[str]] = {}
    for parameter, labels in _documented(record).items():
        for label in labels:
            owners.setdefault(terms.label(label), set()).add(parameter)
    if not owners:
        return frozenset()
    read_off: dict[str, set[str]] = {}
    for name, values in _read_off(record).items():
        read_off.setdefault(terms.label(name), set()).update(values)
    parameters = {parameter.name for parameter in record.parameters}
    return frozenset(
        key
        for key, documented in owners.items()
        if key in read_off and read_off[key] <= parameters - documented
    )


def _documented(record: ir.FunctionDef) -> Mapping[str, frozenset[str]]:
    """The labels in what the docstring says of each parameter."""
    match record.body[:1]:
        case (ir.ExpressionStatement(ir.Str(text)),):
            names = {parameter.name for parameter in record.parameters}
            return {name: labels for name, labels in _labels(text).items() if name in names}
    return {}


def _labels(text: str) -> Mapping[str, frozenset[str]]:
    labels: dict[str, frozenset[str]] = {}
    for name, claim in read_docstring(text):
        words = {plain_name(dim) for shape in claim.alternatives for dim in shape.dims}
        labels[name] = frozenset(word for word in words if word is not None)
    return labels


def _read_off(record: ir.FunctionDef) -> Mapping[str, set[str]]:
    """The variables whose shapes each name is unpacked from; "" for any other expression."""
    read: dict[str, set[str]] = {}
    for inner in walk(record):
        if isinstance(inner, ir.Assign):
            for target in inner.targets:
                for name in target_names(target):
                    read.setdefault(name, set()).add(_owner(inner.value))
    return read


def _owner(value: ir.Expression) -> str:
    """The variable whose shape, or a size of it, an expression is."""
    match value:
        case (
            ir.Attribute(ir.Name(name), "shape")
            | ir.Call(ir.Attribute(ir.Name(name), "size"))
            | ir.Subscript(ir.Attribute(ir.Name(name), "shape"))
        ):
            return str(name)
    return ""


__all__ = ["means_another"]
