"""Shares along a dim that the next contraction only carries (NC305), whatever made their scores.

A softmax over the heads of `[B, H, N, M]` makes the heads compete.  A product with `[B, H, M, D]`
that sums over M keeps them apart: the weights of its sums do not add up to 1.  What is competed for
may also be summed over afterwards, as in a mixture, and then the product is right.

Capsules compete for the inputs, and each capsule sums over them: such a product has no rows. There
only a softmax over the batch is wrong, whose samples never compete.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.independence import is_batch
from namecheck.analysis.state.values import History, Role, Statistic, Tensor, Value
from namecheck.analysis.usage.marks import (
    marked,
    marked_again,
    marked_normalised,
    marks_of,
    role_of,
    with_dims,
    with_history,
    without_history,
)
from namecheck_runtime import declare
from namecheck_runtime.declare import Summation
from namecheck_runtime.lattice import Dims, Mark, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import NormalisedAxis

if TYPE_CHECKING:
    from collections.abc import Hashable

    from namecheck.analysis.state.evaluate import Evaluator

_KIND = "shares"


def begin(ev: Evaluator, source: Value, dim: int, value: Tensor, node: ir.Node) -> Tensor:
    """The result of a softmax over a dim of something that is not known to be scores."""
    plain = without_history(value)
    if not isinstance(value.shape, tuple) or len(value.shape) < 2:
        return plain
    if len(value.shape) == 2 and not is_batch(value.shape[dim].size):
        return plain
    shape = marked_normalised(ev, plain.shape, dim, node)
    history = History(Role.SHARES, ev.place(node), Statistic(_KIND, ev.resolve(source)))
    return with_history(plain, history, shape)


def are_shares(value: Value) -> bool:
    """Whether a value is shares, or the result of a product that carried their dim."""
    return role_of(value) in (Role.SHARES, Role.CARRYING)


def question(tensor: Tensor) -> Hashable:
    """The question that each use of shares asks: whether they are wrong each time.

    Two softmaxes of one value ask the same: over both axes is meant.
    """
    history = tensor.history
    assert history is not None
    statistic, place = history.statistic, history.place
    if statistic is not None and statistic.kind == _KIND:
        return _KIND, statistic.of
    return (_KIND, id(place.source), place.line) if place is not None else _KIND


def use(ev: Evaluator, shares: Value) -> None:
    """Count a use of shares: they are reported only if they are wrong at each use."""
    if role_of(shares) is Role.SHARES:
        assert isinstance(shares, Tensor)
        ev.frame.look(question(shares))


def carry(ev: Evaluator, operands: Sequence[Value], value: Value) -> Value:
    """The result of an op on the result of a product that carried a normalised dim.

    An op that keeps the number of dims passes it on; one that has fewer sums over the dim, so that
    the shares were meant.
    """
    for operand in operands:
        if role_of(operand) is not Role.CARRYING:
            continue
        assert isinstance(operand, Tensor)
        history = operand.history
        assert history is not None
        if type(value) is not Tensor or not isinstance(value.shape, tuple):
            continue
        before = known_dims(ev.current(operand.shape))
        if len(value.shape) >= len(before):
            return with_history(value, history, marked_again(value.shape, before))
        if _normalised(before) and not _normalised(value.shape):
            ev.frame.look(question(operand))
    return value


def contract(
    ev: Evaluator,
    op: declare.Op,
    pairs: Sequence[tuple[Argument, Tensor]],
    index: int,
    summation: Summation,
    value: Value,
    node: ir.Node,
) -> Value:
    """The result of a product with shares as its tensor number `index`, which is judged (NC305)."""
    argument, shares = pairs[index]
    partner = pairs[1 - index][1]
    shape, other = ev.current(shares.shape), ev.current(partner.shape)
    if not isinstance(shape, tuple) or not isinstance(other, tuple) or summation.presumed:
        return value
    if role_of(partner) not in (None, Role.BLANK) or len(summation.summed) != 1:
        return value
    places = _normalised(shape)
    place = summation.summed[0][0]
    if len(places) != 1 or -place > len(shape) or not _are_many(shape, (*places, place)):
        return value
    (along,) = places
    there = _carried(along, summation, len(other))
    queries = [row for row, _ in summation.rows if -row <= len(shape)]
    if there is None or other[there].size == 1 or not _are_many(shape, queries):
        return value
    if not queries and not is_batch(shape[along].size):
        return value  # capsules compete for each input, and each sums over the inputs
    mistake = NormalisedAxis(
        weights=shape,
        normalised=along + len(shape),
        contracted=place + len(shape),
        op=op.name,
        blame=(Blame("input"), Blame("other")),
    )
    named = {"input": argument, "other": pairs[1 - index][0]}
    trace = shape[along].trace
    since = trace.since if trace is not None else None
    notes = [("normalised here", since.source, since.line)] if since is not None else []
    ev.blame(mistake, mistake.level, node, named, question=question(shares), notes=notes)
    return _carrying(shares, along, summation, value)


def _normalised(dims: Dims) -> list[int]:
    """The places of the normalised dims, from the right."""
    return [k - len(dims) for k, dim in enumerate(dims) if Mark.NORMALISED in marks_of(dim)]


def _are_many(dims: Dims, places: Sequence[int]) -> bool:
    """Whether each of some dims may have several elements."""
    return all(dims[place].size != 1 for place in places)


def _carried(along: int, summation: Summation, rank: int) -> int | None:
    """The place in the partner of a dim that both tensors and the result have; None if it is none.

    `rank` is the number of the partner's dims.
    """
    if any(along == place for place, _ in (*summation.summed, *summation.rows)):
        return None
    if not summation.letters:
        return along if -along <= rank else None
    mine, theirs, _ = summation.letters
    if -along > len(mine) or mine[along] not in theirs:
        return None
    return theirs.index(mine[along]) - len(theirs)


def _carrying(shares: Tensor, along: int, summation: Summation, value: Value) -> Value:
    """The result, whose dim is still the one that was normalised."""
    history = shares.history
    if type(value) is not Tensor or not isinstance(value.shape, tuple) or history is None:
        return value
    there = along
    if summation.letters:
        mine, _, result = summation.letters
        if mine[along] not in result:
            return value
        there = result.index(mine[along]) - len(result)
    dims = list(value.shape)
    if -there > len(dims):
        return value
    dims[there] = marked(dims[there], Mark.NORMALISED, history.place)
    now = history._replace(role=Role.CARRYING)
    return with_history(value, now, with_dims(value.shape, dims))


__all__ = ["are_shares", "begin", "carry", "contract", "use"]
