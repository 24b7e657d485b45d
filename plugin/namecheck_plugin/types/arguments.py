"""Arguments as rules take them, literals and dims, read from expressions and mypy's types."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from mypy.nodes import (
    ComplexExpr,
    EllipsisExpr,
    Expression,
    FloatExpr,
    ListExpr,
    RefExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
)
from mypy.types import (
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    UnpackType,
    get_proper_type,
)

from namecheck_plugin.types.dims import plain_literal
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Shape
from namecheck_runtime.light.memory_orders import ORDERS, memory_format
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.readers.parameters import ANY, Plain
from namecheck_runtime.rules.index import IndexTensor
from namecheck_runtime.sizes import Origin

_NUMBERS: Final = frozenset({"builtins.int", "builtins.float", "builtins.complex"})


_WITH_ORDERS: Final = frozenset({"torch", "torch._C", memory_format.__module__})
"""The modules that define the values of `memory_format=`."""


class Operand:
    """An argument: its expression (None if the call shows none), its type, and its size if that is
    known in another way.
    """

    __slots__ = ("expression", "size", "type")

    def __init__(
        self, expression: Expression | None, type: Type | None, size: Any = UNKNOWN
    ) -> None:
        self.expression: Final = expression
        self.type: Final = type
        self.size: Final = size


class Reader(NamedTuple):
    """The questions about the program that reading an argument asks."""

    shape_of: Callable[[Operand], Shape | None]
    """The dims of a tensor; None if the operand is not one."""
    type_of: Callable[[Expression], Type | None]
    resolve: Callable[[Expression], Expression]
    """The value of a variable, if it is certain."""
    size_of: Callable[[Expression], Any]
    """The value of an int or a tuple of ints."""


def read(operand: Operand, reader: Reader, plain: Plain = ANY) -> Any:
    """An argument as a rule takes it; UNKNOWN if it is not known."""
    shape = reader.shape_of(operand)
    if shape is not None:
        return UNKNOWN if plain.as_int or (plain.as_tensors and shape == ()) else shape
    value = _of_type(get_proper_type(operand.type), plain)
    if value is not UNKNOWN:
        return value
    if operand.expression is None:
        return _as(operand.size, plain)
    expression = reader.resolve(operand.expression)
    if isinstance(expression, EllipsisExpr):
        return Ellipsis
    if isinstance(expression, (FloatExpr, ComplexExpr)):
        return expression.value
    if isinstance(expression, (TupleExpr, ListExpr)):
        if plain.as_tensors and not expression.items:
            return UNKNOWN
        return _parts(expression.items, reader, plain)
    order = order_of(expression)
    if order is not None:
        return order
    if expression is not operand.expression:
        value = _of_type(get_proper_type(reader.type_of(expression)), plain)
        if value is not UNKNOWN:
            return value
    return _as(reader.size_of(expression), plain)


def order_of(expression: Expression) -> memory_format | None:
    """The order of elements in memory that a variable of PyTorch or of our runtime stands for."""
    if not isinstance(expression, RefExpr):
        return None
    module, _, name = expression.fullname.rpartition(".")
    return ORDERS.get(name) if module in _WITH_ORDERS else None


def _as(size: Any, plain: Plain) -> Any:
    """A size as an argument: only parameters that take sizes take symbols."""
    if plain.as_tensors:
        return UNKNOWN
    if plain.as_size or type(size) is int:
        return size
    several = isinstance(size, tuple) and all(type(part) is int for part in size)
    return size if several else UNKNOWN


def _parts(items: Sequence[Expression], reader: Reader, plain: Plain) -> Any:
    parts: list[Any] = []
    for item in items:
        if isinstance(item, StarExpr):
            several = _as(reader.size_of(item.expr), plain)
            if not isinstance(several, tuple):
                return UNKNOWN
            parts.extend(several)
        else:
            parts.append(read(Operand(item, reader.type_of(item)), reader, plain))
    return tuple(parts) or []


def literal_of(proper: ProperType | None) -> Any:
    """The value that a literal type shows; UNKNOWN for another type."""
    literal = plain_literal(proper)
    if isinstance(literal, LiteralType):
        return UNKNOWN if literal.is_enum_literal() else literal.value
    return None if isinstance(literal, NoneType) else UNKNOWN


def _of_type(proper: ProperType | None, plain: Plain) -> Any:
    value = literal_of(proper)
    if value is not UNKNOWN:
        return value
    if isinstance(proper, Instance) and proper.type.fullname in _NUMBERS:
        # The value of an operand does not matter to a rule; that of another argument may.
        return math.nan if plain.as_tensor else UNKNOWN
    return UNKNOWN


def read_tuple(type_: Type | None, plain: Plain = ANY) -> Any:
    """The parts of a tuple by its type: `tuple[Literal["N"], Literal["C"]]`."""
    proper = get_proper_type(type_)
    if not isinstance(proper, TupleType) or any(isinstance(i, UnpackType) for i in proper.items):
        return UNKNOWN
    if len(proper.items) == 1:
        return UNKNOWN  # people write `Tuple[int]` for any number of ints
    return tuple(_of_type(get_proper_type(item), plain) for item in proper.items)


def read_index(expression: Expression, type_: Type | None, reader: Reader) -> Any:
    """The index in `x[...]`, as the rule of indexing takes it."""
    if reader.shape_of(Operand(expression, type_)) is None:
        expression = reader.resolve(expression)
    if isinstance(expression, TupleExpr):
        if any(isinstance(item, StarExpr) for item in expression.items):
            return UNKNOWN
        return tuple(_one_index(item, reader.type_of(item), reader) for item in expression.items)
    return _one_index(expression, type_, reader)


def _one_index(expression: Expression, type_: Type | None, reader: Reader) -> Any:
    if isinstance(expression, EllipsisExpr):
        return Ellipsis
    if isinstance(expression, SliceExpr):
        parts = (expression.begin_index, expression.end_index, expression.stride)
        return slice(*(_bound(part, reader) for part in parts))
    shape = reader.shape_of(Operand(expression, type_))
    if shape is not None:
        return IndexTensor(shape)
    if isinstance(expression, ListExpr):
        items = read(Operand(expression, type_), reader)
        return list(items) if isinstance(items, tuple) else UNKNOWN
    proper = get_proper_type(type_)
    value = _of_type(proper, ANY)
    if value is None or isinstance(value, int):
        return value
    if isinstance(proper, Instance):
        if proper.type.fullname == "builtins.int":
            return _SOME_INT
        if proper.type.fullname == "builtins.slice":
            return slice(UNKNOWN, UNKNOWN, UNKNOWN)
    return UNKNOWN


_SOME_INT: Final = sizes.symbol("i", Origin.DATA, least=-(2**62))
"""An index of any value, also negative."""


def _bound(expression: Expression | None, reader: Reader) -> Any:
    if expression is None:
        return None
    value = _of_type(get_proper_type(reader.type_of(expression)), ANY)
    return value if value is None or isinstance(value, int) else UNKNOWN
