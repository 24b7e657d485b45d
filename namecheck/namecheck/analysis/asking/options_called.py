"""Comments beside the call of one of several layers: `self.embed(x)  # (batch, seq, width)`.

If one of them is an embedding and another one `Identity`, such a comment holds for some of the
options alone, and the rest of the function may be written for the others. So the comment gives the
result no rank, unless all options are known to give the same one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.unknown_ranks import Called
from namecheck.analysis.state.values import Anything, Tensor, Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Dim

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_MOST_DIMS: Final = 5
"""More dims than most layers take: each number up to it is tried."""


def may_hold_for_some(ev: Evaluator, value: Value, rank: int) -> bool:
    """Whether a comment of so many dims may be about some options of a callee only.

    The callee gave the value, or another one that the statement with the comment computes with.
    """
    called = _called(ev, value)
    if called is not None:
        return not _agree(ev, called, rank if called.direct else None)
    for other in list((ev.frame.watched or {}).values()):
        called = _called(ev, other)
        if called is not None and not _agree(ev, called, None):
            return True
    return False


def _called(ev: Evaluator, value: Value) -> Called | None:
    """The call of one of several layers that gave a value of unknown rank."""
    resolved = ev.resolve(value)
    if _rank(ev, resolved) is not None:
        return None
    return ev.ranks.called.get(value) or ev.ranks.called.get(resolved)


def _agree(ev: Evaluator, called: Called, rank: int | None) -> bool:
    """Whether all options give the same number of dims, and this `rank` if it is not None."""
    if called.operand is None:
        ranks = {_rank(ev, ev.resolve(result)) for result in called.results}
        return len(ranks) < 2 if rank is None else ranks <= {None, rank}
    count = _rank(ev, ev.resolve(called.operand))
    if count is None:
        # There may be a number of dims of the operand from which all options make the same one.
        return any(_agree_on(ev, called, count) for count in range(1, _MOST_DIMS + 1))
    return _agree_on(ev, called, count, rank)


def _agree_on(ev: Evaluator, called: Called, count: int, rank: int | None = None) -> bool:
    """Whether all options give one number of dims for an operand of `count` dims.

    An option of which nothing is known need not keep the dims as another one does, unless the
    comment says `rank`, which that other one gives.
    """
    dims = tuple([Dim(None, sizes.symbol("?")) for _ in range(count)])
    results = [_result(ev, option, dims) for option in called.options]
    ranks = {_rank(ev, result) for result in results}
    known = ranks - {None}
    if rank is not None:
        return known <= {rank}
    kept = any(isinstance(one, Tensor) and one.shape == dims for one in results)
    return len(known) < 2 and not (kept and None in ranks)


def _result(ev: Evaluator, option: Value, dims: tuple[Dim, ...]) -> Value:
    """What an option makes of a tensor of such dims; the program goes on as if nobody had asked."""
    start = ev.fork()
    operand = Tensor(dims, "unknown", ev.tensor_class)
    with ev.frame.quietly():
        result = ev.resolve(ev.call(option, (Argument(operand),), {}, None))
    if isinstance(result, Tensor):
        result = result.with_shape(ev.current(result.shape))
    if not ev.alive:
        result = Anything()
    ev.go(start)
    return result


def _rank(ev: Evaluator, value: Value) -> int | None:
    """The number of dims of a tensor, as far as the program shows it."""
    if isinstance(value, Tensor) and isinstance(value.shape, tuple):
        return len(value.shape)
    return None


__all__ = ["may_hold_for_some"]
