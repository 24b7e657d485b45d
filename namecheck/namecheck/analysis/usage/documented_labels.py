"""Labels of a docstring beside variables of the same name that mean something else.

A docstring calls the channels of `features` C, and the code reads `B, N, C = xyz.shape` off another
parameter. Which of the two a comment means by C, nobody can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import Same
from namecheck.analysis.reading.walking import target_names, walk
from namecheck.analysis.state.independence import BATCH
from namecheck_runtime.notation.docstrings import read_docstring
from namecheck_runtime.notation.written import plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.frames import Frame


def means_another(frame: Frame, label: str) -> bool:
    """Whether the docstring has a label for a parameter other than those a variable is read off."""
    function = frame.function
    if label.lower() in BATCH:
        return False  # all parameters have one batch
    if function is None or not isinstance(function.record, ir.FunctionDef):
        return False
    record = function.record
    documented = _documented(record)
    if not documented:
        return False
    key = frame.label(label)
    owners = {
        parameter
        for parameter, labels in documented.items()
        if any(frame.label(one) == key for one in labels)
    }
    read_off: set[str] = set()
    for name, values in _read_off(Same(record)).items():
        if frame.label(name) == key:
            read_off.update(values)
    parameters = {parameter.name for parameter in record.parameters}
    return bool(owners and read_off) and read_off <= parameters - owners


def _documented(record: ir.FunctionDef) -> Mapping[str, frozenset[str]]:
    """The labels in what the docstring says of each parameter."""
    match record.body[:1]:
        case (ir.ExpressionStatement(ir.Str(text)),):
            names = {parameter.name for parameter in record.parameters}
            return {name: labels for name, labels in _labels(text).items() if name in names}
    return {}


@lru_cache(maxsize=64)
def _labels(text: str) -> Mapping[str, frozenset[str]]:
    labels: dict[str, frozenset[str]] = {}
    for name, claim in read_docstring(text):
        words = {plain_name(dim) for shape in claim.alternatives for dim in shape.dims}
        labels[name] = frozenset(word for word in words if word is not None)
    return labels


@lru_cache(maxsize=64)
def _read_off(function: Same) -> Mapping[str, frozenset[str]]:
    """The variables whose shapes each name is unpacked from; "" for any other expression."""
    read: dict[str, set[str]] = {}
    for inner in walk(function.record):
        if isinstance(inner, ir.Assign):
            for target in inner.targets:
                for name in target_names(target):
                    read.setdefault(name, set()).add(_owner(inner.value))
    return {name: frozenset(values) for name, values in read.items()}


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
