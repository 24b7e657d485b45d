"""Dims that a function passes through, whatever they are: `def f(t: Tensor[*Ds]) -> Tensor[*Ds]`,
`def f(t: Tensor[D]) -> Tensor[D]`.

To the rules they are dims of unknown number or name, and what is computed of them is unknown, too.
So the rule is asked about some such dims, of names that nobody can know: what it says of none, of
one, of two and of three in the same way holds of all of them.  What one variable stands for is one
dim, which may have no name, or a size: it passes if it does with a name, and as two sizes without.
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
    """What a call gives of the dims of a type variable; None where they matter."""
    passed: Passed | None = None
    for count in _COUNTS:
        unknowable = tuple(Dim(f"{variable.type} {place}") for place in range(count))

        def shape_of(operand: Operand, among: tuple[Dim, ...] = unknowable) -> Shape | None:
            typed = knowledge.typed(operand)
            if typed is None:
                return None
            own = typed.passed
            if own is None or own.variable != variable:
                return typed.shape
            return (*own.before, *among, *own.after)

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
"""Dims of a size that gives way to others, and of one that no program has."""


def singly(
    call: Call, read: Read, knowledge: Knowledge, variables: Iterable[TypeVarType]
) -> tuple[Any, dict[str, Type]] | None:
    """What a call gives of dims that are a type variable's each, and the types that its names are
    then written as; None where it matters what the variables stand for.
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
    """A name that nobody can know."""
    return f"{variable.name} {variable.id}"


def _asked(call: Call, read: Read, knowledge: Knowledge, dim: Dim | None) -> Any:
    """What the rule gives of a call with this dim in place of each type variable, or with one that
    has its name; None if that is not certain.
    """

    def shape_of(operand: Operand) -> Shape | None:
        typed = knowledge.typed(operand)
        own = knowledge.readings.of(operand.type).typed
        if typed is None or own is None or not isinstance(typed.shape, tuple):
            return None if typed is None else typed.shape
        dims = list(typed.shape)
        for at, variable in own.variables.items():
            dims[at] = dim or Dim(_name_of(variable))
        return tuple(dims)

    try:
        answer = infer(
            call.callee.spelling, *read(call, knowledge.reader._replace(shape_of=shape_of))
        )
    except (Mistake, Unbindable):
        return None
    return None if answer.duties else answer.result


def _instead(result: Any, names: Container[str], dim: Dim) -> Any:
    """A result with one dim for those of these names, if nothing else is known of them."""
    if isinstance(result, Dim):
        return dim if result.name in names and result.size is UNKNOWN else result
    return tuple(_instead(one, names, dim) for one in result) if type(result) is tuple else result


def _around(result: Any, unknowable: Dim, variable: UnpackType) -> Passed | None:
    """A result as what stands before and after the one dim of the variable."""
    if not is_shape(result) or not isinstance(result, tuple) or result.count(unknowable) != 1:
        return None
    at = result.index(unknowable)
    return Passed(result[:at], variable, result[at + 1 :])
