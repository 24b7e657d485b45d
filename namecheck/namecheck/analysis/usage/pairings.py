"""`[N, 1]` beside `[N]`: every element with every element, and whether that was meant (NC202).

What happens to the result shows it.  The mean of it is the mean over all pairs, which no loss is.
Beside a matrix of the same two dims it is a part of pairwise distances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import Anything, History, Pairing, Statistic, Tensor, Value
from namecheck.analysis.usage.links import meant
from namecheck.analysis.usage.marks import statistic_of, with_history
from namecheck_runtime import declare
from namecheck_runtime.algebra import is_stated_one
from namecheck_runtime.lattice import UNKNOWN, Dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.broadcasts import MisalignedBroadcast

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_KIND: Final = "paired"
_ADDING: Final = frozenset({"maps", "powers", "linear", "difference"})
_POINTWISE: Final = frozenset(
    {"maps", "powers", "linear", "difference", "product", "quotient", "exponential"}
)
_WHOLE: Final = frozenset({"mean", "sum", "extent"})


def begin(
    ev: Evaluator,
    op: declare.Op,
    by_name: Mapping[str, Argument],
    value: Value,
    node: ir.Node,
) -> Value:
    """The result of an op that combines `[N, 1]` and `[N]`, remembered as that."""
    if op.effect not in _ADDING or type(value) is not Tensor or len(by_name) != 2:
        return value
    left, right = (ev.resolve(argument.value) for argument in by_name.values())
    if not isinstance(left, Tensor) or not isinstance(right, Tensor):
        return value
    ours, theirs = ev.current(left.shape), ev.current(right.shape)
    if not isinstance(ours, tuple) or not isinstance(theirs, tuple):
        return value
    history = value.history or History()
    if not (_are_paired(ours, theirs) or _are_paired(theirs, ours)) or history.statistic:
        return value
    size = min(ours, theirs, key=len)[-1].size
    names = list(by_name)
    mistake: MisalignedBroadcast | None = None
    if isinstance(size, int) and op.effect == "difference":
        mistake = MisalignedBroadcast(
            left=ours,
            right=theirs,
            result=value.shape,
            size=size,
            op=op.name,
            blame=(Blame(names[0]), Blame(names[1])),
        )
        if meant(ev, mistake, node, by_name):
            return value
    pairing = Pairing(ev.frame, node, mistake, dict(by_name))
    return with_history(value, history._replace(statistic=Statistic(_KIND, pairing)))


def _are_paired(longer: Dims, shorter: Dims) -> bool:
    """Whether two shapes are `[..., N, 1]`, with a 1 that nobody wrote, and `[..., N]`."""
    if len(longer) != len(shorter) + 1 or not shorter:
        return False
    size = shorter[-1].size
    return (
        longer[-1].size == 1
        and size != 1
        and longer[-2].size == size
        and not is_stated_one(longer[-1])
    )


def follow(
    ev: Evaluator, effect: str, operands: Sequence[Value], dims: Sequence[int], value: Value
) -> Statistic | None:
    """What a result is to a pairing among the operands; the pairing is blamed or excused by it."""
    pairings = [one for operand in operands if (one := pairing_of(operand)) is not None]
    if not pairings:
        return None
    pairing = pairings[0]
    if effect in _POINTWISE:
        others = [one for one in operands if isinstance(one, (Tensor, Anything))]
        if all(pairing_of(one) is pairing for one in others):
            return Statistic(_KIND, pairing)
        beside = [one for one in others if pairing_of(one) is None]
        adds = effect in _ADDING
        if any(_is_matrix(ev, one, adds) for one in beside):
            _excuse(ev, pairing)
        return None
    if effect in _WHOLE and not dims and isinstance(value, Tensor) and value.shape == ():
        _blame(ev, pairing)
    return None


def pairing_of(value: Value) -> Pairing | None:
    """The pairing that a value was computed from, element by element."""
    statistic = statistic_of(value)
    if statistic is None or statistic.kind != _KIND:
        return None
    assert isinstance(statistic.of, Pairing)
    return statistic.of


def _is_matrix(ev: Evaluator, value: Value, unknown: bool) -> bool:
    """Whether a value has the two dims of a pairing itself; `unknown` if that is not known."""
    shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if not isinstance(shape, tuple):
        return unknown and isinstance(value, (Tensor, Anything))
    return len(shape) > 1 and all(dim.size != 1 for dim in shape[-2:])


def _excuse(ev: Evaluator, pairing: Pairing) -> None:
    """Count an evaluation of the pairing that is right, so that it is not reported."""
    if pairing.frame is ev.frame:
        ev.frame.look(pairing.node.id)


def _blame(ev: Evaluator, pairing: Pairing) -> None:
    """Report a pairing of numbers that merely agree: all of its pairs are reduced to one number."""
    mistake = pairing.mistake
    if mistake is None or pairing.frame is not ev.frame:
        return
    question = (pairing.node.id, _KIND)
    ev.frame.look(question)
    where = [("all pairs are reduced to one number here", ev.frame.source, ev.frame.line)]
    ev.blame(mistake, mistake.level, pairing.node, pairing.by_name, question=question, notes=where)


__all__ = ["begin", "follow", "pairing_of"]
