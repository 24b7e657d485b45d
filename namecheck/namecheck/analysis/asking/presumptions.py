"""Numbers that are numbers only if a constructor's parameters are: `np.exp(-rate)`.

A parameter of a constructor is taken for a number, and what is computed from it for one, too: the
tensor that `np.sqrt(dim // heads)` scales keeps its dims. But it may be an array, so the result of
an op on it has no known rank of its own (`Anything.scalar`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import Anything, Number
from namecheck_runtime import declare, sizes
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.sizes import Origin

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_PLACES: Final = frozenset({"DimRef", "DimRefs", "Size", "Sizes"})
"""Kinds of parameters that name dims or state sizes."""


def among(ev: Evaluator, arguments: Iterable[Argument]) -> bool:
    """Whether one of the arguments is a number only by presumption."""
    for argument in arguments:
        value = ev.resolve(argument.value)
        if type(value) is Anything:
            if value.scalar:
                return True
        elif type(value) is Number and any(
            # Only its use as a size shows that a parameter is a number.
            atom.origin is Origin.CONFIG and atom.least == 0
            for atom in sizes.symbols(value.size)
        ):
            return True
    return False


def is_elementwise(spelling: declare.Spelling) -> bool:
    """Whether an op takes its operands element by element, so that a number changes no dims."""
    parameters = spelling.op.rules[0].parameters
    return (
        bool(parameters)
        and "Operand" in parameters[0].takes
        and not any(_PLACES.intersection(parameter.takes) for parameter in parameters)
    )


def as_number(ev: Evaluator, argument: Argument) -> Argument:
    """An argument as an elementwise op takes it: a number if it is presumed to be one."""
    value = ev.resolve(argument.value)
    if type(value) is Anything and value.scalar:
        return Argument(Number(UNKNOWN, "float"), argument.node)
    return argument
