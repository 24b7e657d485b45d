"""Functions that call themselves: how far a drive follows them.

What goes over a tree that is not known (an XML file, a dict of unknown entries) has no end that a
drive could see, and calls itself several times at each level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.values import Anything, Class, Function, Tensor, Value
from namecheck_runtime.lattice import UNKNOWN

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

RECURSIONS: Final = 16
"""How often a function may call itself, directly or not, in a drive."""


def is_endless(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
) -> bool:
    """Whether a function calls itself too often, or with nothing that is known."""
    count = ev.stack.count(id(function.record))
    if count == 0:
        return False
    if not ev.reach.driven or count > RECURSIONS:
        return True
    is_method = function.owner is not None and function.kind == "function"
    passed = [*(arguments or ())[1 if is_method else 0 :], *(keywords or {}).values()]
    values = [ev.resolve(one.value) for one in passed]
    values = [value for value in values if not isinstance(value, Class)]
    return bool(values) and all(map(_is_unknown, values))


def _is_unknown(value: Value) -> bool:
    return type(value) is Anything or (isinstance(value, Tensor) and value.shape is UNKNOWN)


__all__ = ["RECURSIONS", "is_endless"]
