"""What later lines teach of a function, from its first line on.

Code is read from the top: of a tensor that nobody declares the rank may be known only where a
layer, a pattern or an unpacking asks for it, and ops above that line were asked in vain. Where what
was learned below holds however the function is left, the function is evaluated once more with it.
Here stands which expressions were asked in vain, and what they turned out to be; what is learned of
a tensor, and how, is elsewhere.
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
    """An op was asked, and of its result not even the rank is known."""
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
            for inner, one in zip(node.elements, contents, strict=True):
                _add(ev, hindsight, inner, one)


def learned(ev: Evaluator) -> dict[int | str, int]:
    """The ranks that are known where the function has been left, of what was asked in vain."""
    hindsight = ev.ranks.hindsight
    if hindsight is None:
        return {}
    found: dict[int | str, int] = {}
    for key, values in hindsight.missed.items():
        ranks = {_rank(ev, value) for value in values}
        rank = ranks.pop()
        if rank is not None and not ranks:
            found[key] = rank
    if found:
        for name, value in hindsight.given.items():
            rank = _rank(ev, value) if is_open(value) else None
            if rank is not None:
                found[name] = rank
    return found


def tell(ev: Evaluator, hindsight: Hindsight, key: int | str, value: Value) -> None:
    """Say of a value what its rank has turned out to be."""
    rank = hindsight.ranks.get(key)
    if rank is not None and ev.frame is hindsight.frame and is_open(ev.resolve(value)):
        ev.prepare_operand(value, rank, True)


def _lacks_rank(result: Any) -> bool:
    """Whether what a rule answers is a shape of unknown rank, or several such."""
    if type(result) is tuple and result:
        result = result[0]
    return result is UNKNOWN or type(result) is Trailing


def _rank(ev: Evaluator, value: Value) -> int | None:
    """The number of dims that a value has for certain."""
    value = ev.resolve(value)
    if not isinstance(value, Tensor) or not isinstance(value.shape, tuple):
        return None
    return None if value.claimed or value in ev.ranks.presumed else len(value.shape)


def begin(ev: Evaluator, frame: Frame, ranks: Mapping[int | str, int]) -> Hindsight:
    """Begin to evaluate a function in `frame`, which is the current one, with known ranks."""
    made = Hindsight(frame, ranks)
    if ranks:
        ev.on_expression = _told(ev.on_expression, made)
        for parameter in frame.function.parameters if frame.function is not None else ():
            tell(ev, made, parameter.name, frame.variables[parameter.name])
    return made


def _told(
    table: Mapping[type, Callable[[Evaluator, Any], Value]], hindsight: Hindsight
) -> dict[type, Callable[[Evaluator, Any], Value]]:
    """How expressions are evaluated where ranks are known that later lines taught."""

    def telling(one: Callable[[Evaluator, Any], Value]) -> Callable[[Evaluator, Any], Value]:
        def evaluate(ev: Evaluator, node: Any) -> Value:
            value = one(ev, node)
            if node.id in hindsight.ranks:
                tell(ev, hindsight, node.id, value)
            return value

        return evaluate

    return {kind: telling(one) for kind, one in table.items()}


__all__ = ["begin", "learned", "miss"]
