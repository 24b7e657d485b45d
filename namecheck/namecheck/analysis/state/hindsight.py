"""Ranks that later lines of a function teach, for use from its first line on.

The walk reads code from the top. The rank of an undeclared tensor may be known only at the line
where a layer, a pattern or an unpacking needs it, and the ops above that line were asked without
it. If the rank holds on every way out of the function, the function is evaluated once more with it.
This module keeps the expressions whose rank was missing, and the ranks that they turned out to
have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from namecheck.analysis.reading import ir
from namecheck.analysis.state.unknown_ranks import Hindsight, is_open
from namecheck.analysis.state.values import List, Tensor, Tuple, Value
from namecheck_runtime.lattice import UNKNOWN, Trailing

if TYPE_CHECKING:
    from collections.abc import Callable

    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame


def miss(ev: Evaluator, operands: Mapping[str, Argument], result: Any) -> None:
    """Record the operands of an op if not even the rank of its result is known."""
    hindsight = ev.ranks.hindsight
    if hindsight is None or ev.frame is not hindsight.frame or not _lacks_rank(result):
        return
    for argument in operands.values():
        _add(ev, hindsight, argument.node, argument.value)


def _add(ev: Evaluator, hindsight: Hindsight, node: ir.Node | None, value: Value) -> None:
    if node is None:
        return
    value = ev.resolve(value)
    if is_open(value):
        hindsight.missed.setdefault(node.id, []).append(value)
    elif isinstance(node, (ir.List, ir.Tuple)) and isinstance(value, (List, Tuple)):
        contents = ev.cells.get(value) if isinstance(value, List) else value.elements
        if isinstance(contents, tuple) and len(contents) == len(node.elements):
            for element, held in zip(node.elements, contents, strict=True):
                _add(ev, hindsight, element, held)


def learned(ev: Evaluator) -> dict[int | str, int]:
    """The ranks, at the end of the function, of the operands that lacked one."""
    hindsight = ev.ranks.hindsight
    if hindsight is None:
        return {}
    known: dict[int | str, int] = {}
    for key, values in hindsight.missed.items():
        ranks = {_rank(ev, value) for value in values}
        rank = ranks.pop()
        if rank is not None and not ranks:
            known[key] = rank
    if known:
        for name, value in hindsight.given.items():
            rank = _rank(ev, value) if is_open(value) else None
            if rank is not None:
                known[name] = rank
    return known


def give_rank(ev: Evaluator, hindsight: Hindsight, key: int | str, value: Value) -> None:
    """Give a value the rank that an earlier evaluation has learned for it."""
    rank = hindsight.ranks.get(key)
    if rank is not None and ev.frame is hindsight.frame and is_open(ev.resolve(value)):
        ev.prepare_operand(value, rank, True)


def _lacks_rank(result: Any) -> bool:
    """Whether a rule's answer is a shape of unknown rank, or several of them."""
    if type(result) is tuple and result:
        result = result[0]
    return result is UNKNOWN or type(result) is Trailing


def _rank(ev: Evaluator, value: Value) -> int | None:
    """The rank of a value if it is certain, else None."""
    if value in ev.cells.changed:
        return None  # the rank at the end is not the one that it had
    value = ev.resolve(value)
    if not isinstance(value, Tensor) or not isinstance(value.shape, tuple):
        return None
    return None if value.rank_claimed or value in ev.ranks.from_here else len(value.shape)


def begin(ev: Evaluator, frame: Frame, ranks: Mapping[int | str, int]) -> Hindsight:
    """Begin to evaluate a function in `frame`, the current one, with the learned ranks."""
    hindsight = Hindsight(frame, ranks)
    if ranks:
        ev.on_expression = _with_ranks(ev.on_expression, hindsight)
        for parameter in frame.function.parameters if frame.function is not None else ():
            give_rank(ev, hindsight, parameter.name, frame.variables[parameter.name])
    return hindsight


def _with_ranks(
    table: Mapping[type, Callable[[Evaluator, Any], Value]], hindsight: Hindsight
) -> dict[type, Callable[[Evaluator, Any], Value]]:
    """The evaluation of expressions, with the ranks that later lines taught."""

    def with_rank(inner: Callable[[Evaluator, Any], Value]) -> Callable[[Evaluator, Any], Value]:
        def evaluate(ev: Evaluator, node: Any) -> Value:
            value = inner(ev, node)
            if node.id in hindsight.ranks:
                give_rank(ev, hindsight, node.id, value)
            return value

        return evaluate

    return {kind: with_rank(inner) for kind, inner in table.items()}


__all__ = ["begin", "learned", "miss"]
