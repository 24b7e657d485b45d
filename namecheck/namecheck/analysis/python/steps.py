"""Calls that a single call in the source stands for: the layers of a row, what `map` calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import MOST_OPTIONS, Container, Value

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

STEPS = 100
"""The most layers of a row that are looked at; the numbers of their calls are told apart by it."""


def call_step(
    ev: Evaluator,
    callee: Value,
    arguments: Sequence[Argument],
    node: ir.Call | None,
    index: int,
) -> Value:
    """One of several calls that a single call in the source stands for."""
    # A row within a row has steps of its own.
    plain = index == 0 and not isinstance(callee, Container)
    seen = node if plain or node is None else step(node, index)
    return ev.call(callee, arguments, {}, seen)


_NESTED = STEPS * (MOST_OPTIONS + 1)
"""From where on the steps of rows within rows are numbered."""


def step(node: ir.Call, index: int) -> ir.Call:
    """A call that stands for several, seen from one of them: a number of its own, and no expression
    of the program's (`map(xp.asarray, (x, y))` writes no `xp.asarray(x)`).
    """
    real, offset = node.id, index
    if real < 0:
        real, outer = divmod(-real - 2, 1000)
        offset = _NESTED + (outer * 31 + index) % (998 - _NESTED)
    number = -(real * 1000 + offset + 2)
    return ir.Call(ir.Omitted(number), (), (), number)
