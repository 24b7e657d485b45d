"""What an answer depends on: two calls of one op with equal keys have the same outcome.

A key is made at every call, and hardly anything else is: what is done here is written to be done
fast.  Of each argument it has what `arguments.read` looks at.
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
"""Stands for the source of a variable that was not asked for yet."""


class Keys:
    """Makes keys of what is known at a place."""

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
        """That of a call; None where the number of its arguments is not known."""
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
        """That of an operator, a subscript or an attribute."""
        key: list[object] = [callee, _result(default)]
        for expression, type_ in operands:
            key.append(self.part(expression, type_))
        return tuple(key)

    def part(self, expression: Expression | None, type_: Type | None) -> object:
        """What is known of an argument: the same for all of which the same is known."""
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
        """The same of what stands in the program, whose type is to be looked up."""
        if type(expression) in _OF_SEVERAL:
            return self._of_several(expression)
        return self.part(expression, self._knowledge.type_of(expression))

    def _of_several(self, expression: Expression) -> object:
        """The same of what holds other expressions."""
        if isinstance(expression, SliceExpr):
            bounds = expression.begin_index, expression.end_index, expression.stride
            return (SliceExpr, *(None if one is None else self._written(one) for one in bounds))
        if isinstance(expression, StarExpr):
            return StarExpr, self._written(expression.expr)
        assert isinstance(expression, (TupleExpr, ListExpr))
        return (type(expression), *map(self._written, expression.items))

    def _other(self, reading: Reading, expression: Expression | None) -> object:
        """What is known of an argument that is no tensor of ours, and whose type is no literal."""
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
        if isinstance(expression, NameExpr):
            resolved = self._knowledge.resolve(expression)
            return reading, None if resolved is expression else self._written(resolved)
        if isinstance(expression, (FloatExpr, ComplexExpr)):
            return type(expression), expression.value
        return type(expression), reading


def _result(default: Type) -> object:
    """What mypy makes of a call, as far as the outcome depends on it: of a tensor's dims nothing
    is left where a rule has answered.
    """
    if isinstance(default, Instance) and default.type.fullname == TENSOR:
        return default.type
    return default
