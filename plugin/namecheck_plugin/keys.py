"""The keys of answers: two calls of one op with equal keys have the same outcome.

Every call makes a key, and most calls need nothing else, so this code is written for speed.  A key
holds of each argument what `arguments.read` looks at.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from mypy.nodes import (
    ArgKind,
    CallExpr,
    ComplexExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
)
from mypy.types import Instance, Type

from namecheck_plugin.expressions.knowledge import Knowledge
from namecheck_plugin.types.arguments import order_of
from namecheck_plugin.types.callees import Callee
from namecheck_plugin.types.dims import TENSOR
from namecheck_plugin.types.readings import Reading, exact
from namecheck_runtime.lattice import UNKNOWN

Key: TypeAlias = tuple[object, ...]

_BY_PLACE: Final = ArgKind.ARG_POS
_BY_NAME: Final = ArgKind.ARG_NAMED
_OF_SEVERAL: Final = frozenset((TupleExpr, ListExpr, SliceExpr, StarExpr))
_COMPUTED: Final = (NameExpr, MemberExpr, CallExpr, IndexExpr, OpExpr, UnaryExpr)
_ASK: Final = NameExpr("")
"""Marks a variable whose source has not been looked up yet."""


class Keys:
    """Makes keys from what is known at a place."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge: Final = knowledge
        self._readings: Final = knowledge.readings
        self._results: Final = knowledge.results
        self._sources: Final = knowledge.sources

    def of_call(
        self,
        callee: Callee,
        default: Type,
        call: CallExpr,
        receiver: tuple[Expression, Type] | None,
    ) -> Key | None:
        """The key of a call; None if the number of its arguments is not known."""
        key: list[object] = [callee, _result(default)]
        if receiver is not None:
            key.append(self.part(receiver[0], receiver[1]))
        for kind in call.arg_kinds:
            if kind is not _BY_PLACE and kind is not _BY_NAME:
                return None
        for argument in call.args:
            kind_ = type(argument)
            if kind_ is StrExpr or kind_ is IntExpr:
                key.append(argument.value)  # type: ignore[attr-defined]
            else:
                key.append(self._written(argument))
        key.extend(call.arg_names)
        return tuple(key)

    def of_operands(
        self, callee: Callee, default: Type, operands: tuple[tuple[Expression | None, Type], ...]
    ) -> Key:
        """The key of an operator, a subscript or an attribute."""
        key: list[object] = [callee, _result(default)]
        for expression, type_ in operands:
            key.append(self.part(expression, type_))
        return tuple(key)

    def part(self, expression: Expression | None, type_: Type | None) -> object:
        """What is known about an argument; equal for arguments about which the same is known."""
        readings = self._readings
        reading = readings.types.get(type_) or readings.of(type_)
        typed = reading.typed
        if typed is None:
            return reading if reading.literal else self._other(reading, expression)
        kind = type(expression)
        if kind is NameExpr or kind is MemberExpr:
            source = self._sources.get(expression.node, _ASK)  # type: ignore[union-attr]
            if source is _ASK:
                return self._knowledge.typed_by(reading, expression)
        else:
            source = expression
        if source is None:
            return typed
        known = self._results.get(source, UNKNOWN)
        return typed if known is UNKNOWN else readings.refined(typed, known)

    def _written(self, expression: Expression) -> object:
        """The same for an expression whose type has to be looked up."""
        if type(expression) in _OF_SEVERAL:
            return self._of_several(expression)
        return self.part(expression, self._knowledge.type_of(expression))

    def _of_several(self, expression: Expression) -> object:
        """The same for an expression that holds others."""
        if isinstance(expression, SliceExpr):
            bounds = expression.begin_index, expression.end_index, expression.stride
            return (
                SliceExpr,
                *(None if bound is None else self._written(bound) for bound in bounds),
            )
        if isinstance(expression, StarExpr):
            return StarExpr, self._written(expression.expr)
        assert isinstance(expression, (TupleExpr, ListExpr))
        return (type(expression), *map(self._written, expression.items))

    def _other(self, reading: Reading, expression: Expression | None) -> object:
        """The same for an argument that is neither one of our tensors nor of a literal type."""
        if expression is not None and type(expression) in _OF_SEVERAL:
            return self._of_several(expression)
        if reading.array or reading.any:
            typed = self._knowledge.typed_by(reading, expression)
            if typed is not None:
                return typed
        if isinstance(expression, _COMPUTED):
            size = self._knowledge.quantities.of(expression)
            if size is not UNKNOWN:
                return reading, exact(size)
        order = None if expression is None else order_of(expression)
        if order is not None:
            return order
        if isinstance(expression, NameExpr):
            resolved = self._knowledge.resolve(expression)
            return reading, None if resolved is expression else self._written(resolved)
        if isinstance(expression, (FloatExpr, ComplexExpr)):
            return type(expression), expression.value
        return type(expression), reading


def _result(default: Type) -> object:
    """The type that mypy gives a call, as far as the outcome depends on it: a rule's answer
    replaces all dims of a tensor.
    """
    if isinstance(default, Instance) and default.type.fullname == TENSOR:
        return default.type
    return default
