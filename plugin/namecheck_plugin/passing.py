"""Dims that a function passes through, whatever they are: `def f(t: Tensor[*Ds]) -> Tensor[*Ds]`.

To the rules they are dims of unknown number, and what is computed of them is unknown, too.  So the
rule is asked about some such dims, of names that nobody can know: what it says of none, of one, of
two and of three in the same way holds of all of them.
"""

from __future__ import annotations

from typing import Any, Final

from mypy.types import UnpackType

from namecheck_plugin.arguments import Operand
from namecheck_plugin.dims import Passed
from namecheck_plugin.knowledge import Knowledge
from namecheck_plugin.readings import is_shape
from namecheck_plugin.written import Call, Read
from namecheck_runtime.declare import Unbindable
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import Dim, Shape
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


def _around(result: Any, unknowable: Dim, variable: UnpackType) -> Passed | None:
    """A result as what stands before and after the one dim of the variable."""
    if not is_shape(result) or not isinstance(result, tuple) or result.count(unknowable) != 1:
        return None
    at = result.index(unknowable)
    return Passed(result[:at], variable, result[at + 1 :])
