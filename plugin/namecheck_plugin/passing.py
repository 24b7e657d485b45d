"""Dims that a function passes through, whatever they are: `def f(t: Tensor[*Ds]) -> Tensor[*Ds]`,
`def f(t: Tensor[D]) -> Tensor[D]`.

To the rules these are dims of unknown number or name, so the result would be unknown, too.  The
plugin asks the rule about dims with names that no program has instead: what the rule answers alike
for none, one, two and three of them holds for any number.  A type variable of one dim may stand for
a dim without a name, or for a size: it passes through if it does so with a name, and as two sizes
without one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, Final

from mypy.types import Type, TypeVarType, UnpackType

from namecheck_plugin.expressions.knowledge import Knowledge
from namecheck_plugin.types.arguments import Operand
from namecheck_plugin.types.dims import Passed
from namecheck_plugin.types.readings import is_shape
from namecheck_plugin.types.written import Call, Read
from namecheck_runtime.declare import Unbindable
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape
from namecheck_runtime.mistakes import Mistake

_COUNTS: Final = (1, 0, 2, 3)


def through(call: Call, read: Read, knowledge: Knowledge, variable: UnpackType) -> Passed | None:
    """The result of a call on the dims of a type variable; None if it depends on what they are."""
    passed: Passed | None = None
    for count in _COUNTS:
        unknowable = tuple(Dim(f"{variable.type} {place}") for place in range(count))

        def shape_of(operand: Operand, among: tuple[Dim, ...] = unknowable) -> Shape | None:
            typed = knowledge.typed(operand)
            if typed is None:
                return None
            passed_through = typed.passed
            if passed_through is None or passed_through.variable != variable:
                return typed.shape
            return (*passed_through.before, *among, *passed_through.after)

        try:
            answer = infer(
                call.callee.spelling, *read(call, knowledge.reader._replace(shape_of=shape_of))
            )
        except (Mistake, Unbindable):
            return None
        if answer.duties or answer.doubts:
            return None
        if passed is None:
            passed = _around(answer.result, unknowable[0], variable)
            if passed is None:
                return None
        if answer.result != (*passed.before, *unknowable, *passed.after):
            return None
    return passed


_UNNAMED: Final = (Dim(None, 1), Dim(None, 104729))
"""A dim of size 1, which broadcasts, and one of a size that no program has."""


def singly(
    call: Call, read: Read, knowledge: Knowledge, variables: Iterable[TypeVarType]
) -> tuple[Any, dict[str, Type]] | None:
    """The result of a call on dims that are one type variable each, and the types that spell the
    names in it; None if it depends on what the variables stand for.
    """
    spelled: dict[str, Type] = {_name_of(variable): variable for variable in variables}
    result = _asked(call, read, knowledge, None)
    if result is None:
        return None
    for dim in _UNNAMED:
        if _asked(call, read, knowledge, dim) != _instead(result, spelled, dim):
            return None
    return result, spelled


def _name_of(variable: TypeVarType) -> str:
    """A name for a variable that no program can use."""
    return f"{variable.name} {variable.id}"


def _asked(call: Call, read: Read, knowledge: Knowledge, dim: Dim | None) -> Any:
    """The rule's result for a call with this dim in place of each type variable, or with a dim
    named after the variable if `dim` is None; None if the result is not certain.
    """

    def shape_of(operand: Operand) -> Shape | None:
        typed = knowledge.typed(operand)
        written = knowledge.readings.of(operand.type).typed
        if typed is None or written is None or not isinstance(typed.shape, tuple):
            return None if typed is None else typed.shape
        dims = list(typed.shape)
        for place, variable in written.variables.items():
            dims[place] = dim or Dim(_name_of(variable))
        return tuple(dims)

    try:
        answer = infer(
            call.callee.spelling, *read(call, knowledge.reader._replace(shape_of=shape_of))
        )
    except (Mistake, Unbindable):
        return None
    return None if answer.duties else answer.result


def _instead(result: Any, names: Container[str], dim: Dim) -> Any:
    """A result with `dim` in place of the dims of these names, if only their names are known."""
    if isinstance(result, Dim):
        return dim if result.name in names and result.size is UNKNOWN else result
    return tuple(_instead(part, names, dim) for part in result) if type(result) is tuple else result


def _around(result: Any, unknowable: Dim, variable: UnpackType) -> Passed | None:
    """A result as the dims before and after the one dim of the variable."""
    if not is_shape(result) or not isinstance(result, tuple) or result.count(unknowable) != 1:
        return None
    place = result.index(unknowable)
    return Passed(result[:place], variable, result[place + 1 :])
