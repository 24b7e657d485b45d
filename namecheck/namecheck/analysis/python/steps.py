"""Steps: the calls that a single call in the source makes, as a row calls its layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import MOST_OPTIONS, Container, Value

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

STEPS: Final = 100
"""The most layers of a row that are evaluated; options of a row number theirs in such blocks."""

_APART: Final = 1000
"""How far the numbers of the steps of two calls are apart."""

_NESTED: Final = STEPS * (MOST_OPTIONS + 1)
"""The first place of the steps of steps: those of a row within a row."""


class Step(NamedTuple):
    """One of the calls that a call in the source makes; its number is negative."""

    call: int
    """The number of the record of the call in the source."""
    place: int
    """Its place among them."""

    @property
    def number(self) -> int:
        return -(self.call * _APART + self.place + 2)

    @staticmethod
    def of(number: int) -> Step | None:
        """The step that a number stands for; None if it is the number of a record."""
        return Step(*divmod(-number - 2, _APART)) if number < 0 else None

    def inner(self, place: int) -> Step:
        """A step of this step."""
        return Step(self.call, _NESTED + (self.place * 31 + place) % (_APART - 2 - _NESTED))


def call_in_source(number: int) -> int:
    """The number of the record itself, or of the call that a step belongs to."""
    step_of = Step.of(number)
    return number if step_of is None else step_of.call


def call_step(
    ev: Evaluator,
    callee: Value,
    arguments: Sequence[Argument],
    node: ir.Call | None,
    index: int,
) -> Value:
    """The value of one of the calls that `node` makes."""
    # A row within a row has steps of its own.
    plain = index == 0 and not isinstance(callee, Container)
    seen = node if plain or node is None else step(node, index)
    return ev.call(callee, arguments, {}, seen)


def step(node: ir.Call, index: int) -> ir.Call:
    """The record of one of the calls that `node` makes, with a number of its own.

    It has no function, since the source does not show one: `map(xp.asarray, (x, y))`.
    """
    outer = Step.of(node.id)
    number = (Step(node.id, index) if outer is None else outer.inner(index)).number
    return ir.Call(ir.Omitted(number), (), (), number)
