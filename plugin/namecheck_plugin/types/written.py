"""A call as the program writes it, and its arguments as rules take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from mypy.nodes import ArgKind, CallExpr, Context, IndexExpr, TupleExpr
from mypy.types import TupleType, Type, UnpackType, get_proper_type

from namecheck_plugin.types.arguments import Operand, Reader, read, read_index, read_tuple
from namecheck_plugin.types.callees import Callee
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.readers.parameters import has_company, name_at, positional_names


class Call(NamedTuple):
    """A call of an op, as the program writes it."""

    callee: Callee
    operands: Sequence[Operand]
    """The positional arguments, with the tensor of a method first."""
    keywords: Mapping[str, Operand]
    context: Context
    default: Type
    """The type that mypy gives it without us."""
    implicit: bool = False
    """Whether `context` is the receiver of the method instead of the call: `for row in x`."""


Read: TypeAlias = Callable[[Call, Reader], tuple[Sequence[Any], Mapping[str, Any]]]
"""Reads the arguments of a call, by position and by name."""


def values(call: Call, reader: Reader) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments of a call as rules take them, by position and by name."""
    callee, operands = call.callee, call.operands
    positional: list[Any] = []
    for place, operand in enumerate(operands):
        plain = callee.plain(place)
        value = read(operand, reader, plain)
        if value is UNKNOWN and not has_company(callee.names, place, len(operands)):
            value = read_tuple(operand.type, plain)
        positional.append(value)
    keywords = {}
    for name, operand in call.keywords.items():
        parameter, plain = callee.keyword(name)
        keywords[parameter] = read(operand, reader, plain)
    return positional, keywords


def indexed(call: Call, reader: Reader) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The same for `x[...]`, also as the target of an assignment."""
    receiver, index, *rest = call.operands
    assert isinstance(call.context, IndexExpr)
    entries = read_index(call.context.index, index.type, reader)
    return [reader.shape_of(receiver), entries, *map(reader.shape_of, rest)], {}


def by_name(call: Call) -> dict[str, Operand]:
    """The arguments of a call by the names of their parameters."""
    callee, spelling = call.callee, call.callee.spelling
    arguments = {name_at(callee.names, place): one for place, one in enumerate(call.operands)}
    if spelling.order is None:
        for rule in spelling.op.rules[1:]:  # another signature may use another name
            names = positional_names(rule)
            for place, operand in enumerate(call.operands):
                arguments.setdefault(name_at(names, place), operand)
    for name, operand in call.keywords.items():
        arguments[callee.keyword(name)[0]] = operand
    return arguments


def arguments_of(call: CallExpr, reader: Reader) -> tuple[list[Operand], dict[str, Operand]] | None:
    """The arguments of a call by position and by name.

    A starred tuple of known length counts as its parts.  None if the number of arguments is not
    known.
    """
    operands: list[Operand] = []
    keywords: dict[str, Operand] = {}
    for argument, kind, name in zip(call.args, call.arg_kinds, call.arg_names, strict=True):
        type_ = reader.type_of(argument)
        if kind == ArgKind.ARG_POS:
            operands.append(Operand(argument, type_))
        elif kind == ArgKind.ARG_NAMED and name is not None:
            keywords[name] = Operand(argument, type_)
        elif kind == ArgKind.ARG_STAR:
            proper = get_proper_type(type_)
            if not isinstance(proper, TupleType):
                sizes = reader.size_of(argument)
                if not isinstance(sizes, tuple):
                    return None
                operands.extend(Operand(None, None, size) for size in sizes)
                continue
            if any(isinstance(item, UnpackType) for item in proper.items):
                return None
            shown = reader.resolve(argument)
            if len(proper.items) == 1 and not isinstance(shown, TupleExpr):
                return None  # people write `Tuple[int]` for any number of ints
            if isinstance(shown, TupleExpr) and len(shown.items) == len(proper.items):
                operands.extend(map(Operand, shown.items, proper.items))
            else:
                operands.extend(Operand(None, item) for item in proper.items)
        else:
            return None
    return operands, keywords
