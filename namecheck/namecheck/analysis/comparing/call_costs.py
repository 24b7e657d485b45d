"""How far calls of other files' functions are followed.

Every file calls functions that build, load and register, and few of these say anything of a tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import (
    CONSTRUCTORS,
    Anything,
    Constant,
    Function,
    Tensor,
    Value,
)
from namecheck_runtime.lattice import UNKNOWN

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def have_tensor(ev: Evaluator, arguments: Sequence[Argument]) -> bool:
    """Whether one of the arguments is a tensor with some known dims."""
    for argument in arguments:
        value = ev.resolve(argument.value)
        if isinstance(value, Tensor) and value.shape is not UNKNOWN:
            return True
    return False


LONGEST = 400
LONGEST_INFORMED = 2_000
"""The most expressions that one call of another file's function may cost, inner calls included.

The second holds if an argument is a tensor with some known dims.
"""


def gives_nothing(function: Function, result: Value) -> bool:
    """Whether a call gave nothing to compute with: no result, and no attributes of an instance."""
    if function.name in CONSTRUCTORS:
        return False
    return (isinstance(result, Anything) and result.maybe is None) or (
        isinstance(result, Constant) and result.value is None
    )


USELESS = 4
"""The factor by which the cost of a call counts that gave nothing to compute with."""

MOST_SPENT = 3_000
"""The most expressions that one function of another file may cost a file, inner calls included.

It holds for calls without tensors: every file calls functions that build, load and register models.
"""

MOST_IDLE = 24
"""How often a file evaluates one function that gives nothing and gets no tensors.

One example is a function that builds the models of a family by their names.
"""

MOST_TIMES = 12
"""How often one function is evaluated within another if its arguments have no tensors."""


def is_worn_out(
    ev: Evaluator, function: Function, keyed: Any, arguments: Sequence[Argument]
) -> bool:
    """Whether one more evaluation of a function would probably teach nothing.

    None of the arguments is a tensor with some known dims, and the function was evaluated
    often, at great cost, or for a call of this form that could not be remembered.
    """
    if ev.reach.driven or have_tensor(ev, arguments):
        return False
    if ev.memory.spent.get(id(function.record), 0) > MOST_SPENT:
        return True
    if ev.memory.idle.get(id(function.record), 0) >= MOST_IDLE:
        return True
    count = ev.memory.evaluated.get(id(function.record), 0) + 1
    ev.memory.evaluated[id(function.record)] = count
    return count > MOST_TIMES or (keyed is not None and keyed[0] in ev.memory.forgotten)


__all__ = [
    "LONGEST",
    "LONGEST_INFORMED",
    "MOST_SPENT",
    "USELESS",
    "gives_nothing",
    "have_tensor",
    "is_worn_out",
]
