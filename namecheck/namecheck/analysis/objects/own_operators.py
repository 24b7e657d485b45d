"""Operators of the project's own objects, in a drive: `a * b` is `a.__mul__(b)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.lineage import look_up
from namecheck.analysis.state.values import (
    Anything,
    Function,
    Instance,
    Library,
    Value,
    kind_of_number,
    same_class,
)
from namecheck.frameworks import python

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def binary(
    ev: Evaluator, left: Value, symbol: str, right: Value, inplace: bool = False
) -> Value | None:
    """`left symbol right` by a method of one of them; None if no class of the project says it."""
    if not ev.reach.driven or symbol not in python.OPERATORS or symbol in python.ORDERINGS:
        return None
    name = _name(python.OPERATORS[symbol])
    if isinstance(left, Instance):
        if isinstance(right, Instance) and not same_class(left.cls, right.cls):
            if look_up(right.cls.lineage, f"__r{name}__") is not None:
                return Anything()  # a class that derives from the other is asked first
        for method in (f"__i{name}__", f"__{name}__") if inplace else (f"__{name}__",):
            answer = _answer(ev, left, method, (right,))
            if answer is not None:
                return answer
    if isinstance(right, Instance) and (isinstance(left, Instance) or kind_of_number(left)):
        return _answer(ev, right, f"__r{name}__", (left,))
    return None


def unary(ev: Evaluator, symbol: str, value: Value) -> Value | None:
    """`-value` by a method of its class; None if the project does not say it."""
    if not ev.reach.driven or not isinstance(value, Instance) or symbol not in python.UNARY:
        return None
    return _answer(ev, value, f"__{_name(python.UNARY[symbol])}__", ())


def _name(path: str) -> str:
    return path.partition(".")[2].rstrip("_")


def _answer(ev: Evaluator, owner: Instance, name: str, others: tuple[Value, ...]) -> Value | None:
    """What a method gives; None if there is none, or if it does not take the operand."""
    method = look_up(owner.cls.lineage, name)
    if not isinstance(method, Function):
        return None
    arguments = [Argument(one) for one in (owner, *others)]
    answer = ev.resolve(ev.call(method, arguments, {}, None))
    refused = isinstance(answer, Library) and answer.path == python.REFUSED
    return None if refused else answer
