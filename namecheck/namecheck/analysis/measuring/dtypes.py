"""The exact dtypes of tensors, which only `namecheck summary` asks for.

A tensor's `kind` decides what is right; its `dtype` decides how many bytes it takes. "" is the
dtype that tensors of the kind have unless a program says otherwise, and "?" one that is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import (
    NONE,
    DType,
    Library,
    List,
    Repeated,
    Tensor,
    Tuple,
    Value,
    kind_of_number,
)
from namecheck.frameworks import torch
from namecheck_runtime import declare
from namecheck_runtime.readers.parameters import SHAPES

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

UNKNOWN: Final = "?"


def give(
    ev: Evaluator,
    spelling: declare.Spelling,
    by_name: Mapping[str, Argument],
    given: Iterable[Argument],
    value: Value,
) -> None:
    """Set the dtype of what an op gives, from its operands and from what the call says."""
    operands = [ev.resolve(argument.value) for argument in given]
    if type(value) is DType:
        if operands and isinstance(operands[0], Tensor):
            value.kind, value.dtype = operands[0].kind, operands[0].dtype
        return
    said = _said(ev, by_name, operands, spelling) or _filled(ev, spelling, by_name, operands)
    for place, tensor in enumerate(_tensors_in(value)):
        if any(tensor is operand for operand in operands):
            continue
        if said is not None:
            tensor.kind, tensor.dtype = said
        elif place and spelling.op.kind == "same, then int":
            tensor.dtype = ""
        else:
            tensor.dtype = _computed(ev, spelling.op.kind, tensor.kind, operands)


def of_module(
    ev: Evaluator, name: str, arguments: Sequence[Argument], keywords: Mapping[str, Argument]
) -> str | None:
    """The dtype that a method of a module gives its tensors; None if it changes none."""
    if name in torch.CASTS:
        return torch.exact(name)
    for argument in (*arguments, *keywords.values()):
        said = _named(ev.resolve(argument.value))
        if said is not None:
            return said[1]
    return None


def option_of(ev: Evaluator, keywords: Mapping[str, Argument]) -> str:
    """The dtype that the constructor of a layer is given."""
    given = keywords.get(torch.DTYPE)
    value = NONE if given is None else ev.resolve(given.value)
    if value is NONE:
        return ""
    said = _named(value)
    return UNKNOWN if said is None else said[1]


def _tensors_in(value: Value) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, Tuple):
        return [tensor for element in value.elements for tensor in _tensors_in(element)]
    if isinstance(value, Repeated):
        return _tensors_in(value.element)
    return []


def _named(value: Value) -> tuple[str, str] | None:
    """The kind and the dtype that a value is the name of; None of other values."""
    if isinstance(value, Library):
        if value.path in torch.DTYPES:
            return torch.DTYPES[value.path], torch.exact(value.path.rpartition(".")[2])
        if value.path in torch.PYTHON_TYPES:
            return torch.PYTHON_TYPES[value.path]
        return None
    if type(value) is DType:
        return (value.kind, value.dtype) if value.kind else ("unknown", UNKNOWN)
    return None


def _said(
    ev: Evaluator,
    by_name: Mapping[str, Argument],
    operands: Sequence[Value],
    spelling: declare.Spelling,
) -> tuple[str, str] | None:
    """The kind and the dtype that the call itself says; None if it says nothing."""
    given = by_name.get(torch.DTYPE)
    if given is not None:
        value = ev.resolve(given.value)
        if value is not NONE:
            return _named(value) or ("unknown", UNKNOWN)
    if spelling.op.effect != "keeps":
        return None
    for operand in operands[1:]:
        said = _named(operand)
        if said is not None:
            return said
        if isinstance(operand, Tensor) and spelling.path in torch.CASTS_TO_OTHER:
            return operand.kind, operand.dtype
    return None


def _filled(
    ev: Evaluator,
    spelling: declare.Spelling,
    by_name: Mapping[str, Argument],
    operands: Sequence[Value],
) -> tuple[str, str] | None:
    """The kind and the dtype of a new tensor of some sizes; None of what has operands.

    Its elements are floats, unless the call gives a value for them.
    """
    names = spelling.op.parameters
    if spelling.op.kind != "same" or any(isinstance(one, Tensor) for one in operands):
        return None
    if "fill_value" in by_name:
        kind = kind_of_number(ev.resolve(by_name["fill_value"].value))
        return kind or "unknown", "" if kind else UNKNOWN
    is_new = not SHAPES.isdisjoint(names) or names <= _OF_MATRICES
    return ("float", "") if is_new and spelling.path.startswith(torch.PACKAGE) else None


_OF_MATRICES: Final = frozenset({"n", "m", "names"})
"""The parameters of what makes a matrix of its two sizes."""


def _computed(ev: Evaluator, of_op: str, kind: str, operands: Sequence[Value]) -> str:
    """The dtype of a result of a kind: what the operands of this kind promote to."""
    if of_op == kind == "int" or kind == "bool":
        return ""
    tensors = [one for operand in operands for one in _operands_in(ev, operand)]
    if kind == "unknown":
        dtypes = {one.dtype for one in tensors}
        return dtypes.pop() if len(dtypes) == 1 and dtypes != {""} else UNKNOWN
    if kind == "complex" or not any(one.kind == kind for one in tensors):
        of_parts = {one.dtype for one in tensors if one.kind in ("float", "complex")} - {""}
        return UNKNOWN if of_parts else ""
    same = [one for one in tensors if one.kind == kind]
    # A tensor without dims takes the dtype of the others.
    large = [one for one in same if one.shape != ()] or same
    return torch.promoted(kind, {one.dtype for one in large})


def _operands_in(ev: Evaluator, value: Value) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    contents: object = value.elements if isinstance(value, Tuple) else None
    if isinstance(value, List):
        contents = ev.cells.get(value)
    if isinstance(contents, Repeated):
        contents = (contents.element,)
    found: list[Tensor] = []
    for element in contents if isinstance(contents, tuple) else ():
        one = ev.resolve(element)
        if isinstance(one, Tensor):
            found.append(one)
    return found


__all__ = ["UNKNOWN", "give", "of_module", "option_of"]
