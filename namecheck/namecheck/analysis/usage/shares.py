"""Shares along a dim that the next contraction only carries (NC305), whatever made their scores.

A softmax over the heads of `[B, H, N, M]` makes the heads compete.  A product with `[B, H, M, D]`
that sums over M keeps them apart: the weights of its sums do not add up to 1.  What is competed for
may also be summed over afterwards, as in a mixture, and then the product is right.

Capsules compete for the inputs, and each capsule sums over them: such a product has no rows. There
only a softmax over the batch is wrong, whose samples never compete.

A weighted sum may also be written out, as in attention pooling: `(weights * x).sum(1)`. It is one
if the weights and what they weigh are computed from the same tensor; the product of probabilities
and targets is summed over whatever a loss sums over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import assigned_once, sources
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.independence import is_batch
from namecheck.analysis.state.values import (
    Anything,
    History,
    Role,
    Statistic,
    Tensor,
    Value,
)
from namecheck.analysis.usage.marks import (
    history_of,
    marked,
    marked_again,
    marked_normalised,
    marks_of,
    role_of,
    statistic_of,
    with_dims,
    with_history,
    without_history,
)
from namecheck.analysis.usage.scales import SCALED
from namecheck_runtime import declare
from namecheck_runtime.declare import Summation
from namecheck_runtime.lattice import Dims, Mark, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import NormalisedAxis

if TYPE_CHECKING:
    from collections.abc import Hashable

    from namecheck.analysis.state.evaluate import Evaluator

_KIND: Final = "shares"
_ALONG: Final = "along"
"""Shares of a tensor of unknown rank, with the dim as it is written."""
_WEIGHTED: Final = "weighted"
"""A product of shares, which it is of, and of what they weigh."""


def begin(ev: Evaluator, source: Value, dim: int, value: Tensor, node: ir.Node) -> Tensor:
    """The result of a softmax over a dim of something that is not known to be scores."""
    plain = without_history(value)
    if not isinstance(value.shape, tuple):
        return with_history(plain, History(None, ev.place(node), Statistic(_ALONG, source, (dim,))))
    if len(value.shape) < 2:
        return plain
    if len(value.shape) == 2 and not is_batch(value.shape[dim].size):
        return plain
    shape = marked_normalised(ev, plain.shape, dim, node)
    history = History(Role.SHARES, ev.place(node), Statistic(_KIND, ev.resolve(source)))
    return with_history(plain, history, shape)


def moved(history: History) -> History | None:
    """The history of a value whose dims were moved: those of its statistic are lost."""
    statistic = history.statistic
    if statistic is None or statistic.kind not in (_ALONG, _WEIGHTED, SCALED):
        return history
    return history._replace(statistic=None)


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


def weigh(
    ev: Evaluator, operands: Sequence[Value], arguments: Sequence[Argument]
) -> Statistic | None:
    """What the product of two tensors is if one is shares of what makes the other, too."""
    if len(operands) != 2 or len(arguments) != 2:
        return None
    weights = [k for k, one in enumerate(operands) if _dim_of(ev, one) is not None]
    if len(weights) != 1:
        return None
    (index,) = weights
    shares, partner = operands[index], arguments[1 - index].node
    along, history = _dim_of(ev, shares), history_of(shares)
    assert along is not None
    assert history is not None
    if history.place is None or history.place.source is not ev.frame.source:
        return None
    if not _have_one_source(ev, history.place.node, arguments[index].node, partner):
        return None
    if _is_of_shares(ev, partner):
        return None  # a mixture: the sum goes over what the other shares are shares of
    return Statistic(_WEIGHTED, shares, (along,))


def check_sum(
    ev: Evaluator,
    operand: Value,
    dims: Sequence[int],
    node: ir.Node,
    name: str,
    argument: Argument,
) -> None:
    """Check that a sum of weighted elements is over the dim of the weights (NC305)."""
    statistic = statistic_of(operand)
    if statistic is None or statistic.kind != _WEIGHTED or len(dims) != 1:
        return
    assert isinstance(operand, Tensor)
    assert isinstance(statistic.of, Tensor)
    shape, weights = ev.current(operand.shape), ev.current(statistic.of.shape)
    (along,), (over,) = statistic.dims, dims
    if isinstance(shape, tuple) and isinstance(weights, tuple):
        over = over - len(shape) if over >= 0 else over
        along = along - len(weights) if along >= 0 else along
        if -over > len(weights) or weights[over].size == 1 or weights[along].size == 1:
            over = along
    history = statistic.of.history
    place = history.place if history is not None else None
    asked = (_WEIGHTED, node.id)
    ev.frame.look(asked)
    if over == along or (over < 0) != (along < 0) or place is None:
        return
    if isinstance(weights, tuple) and along not in (0, -len(weights)):
        if any(dim.size == 1 for dim in weights):
            return  # soft assignment: each element is shared out among clusters, which stay
    mistake = NormalisedAxis(
        weights=weights,
        normalised=along + len(weights) if isinstance(weights, tuple) else along,
        contracted=over + len(weights) if isinstance(weights, tuple) else over,
        op=name,
        blame=(Blame("input"),),
    )
    notes = [("normalised here", place.source, place.line)]
    ev.blame(mistake, mistake.level, node, {"input": argument}, question=asked, notes=notes)


def _dim_of(ev: Evaluator, value: Value) -> int | None:
    """The dim that shares are shares along; None if a value is no shares of one dim."""
    if not isinstance(value, Tensor) or value.history is None:
        return None
    statistic = value.history.statistic
    if statistic is not None and statistic.kind == _ALONG:
        return statistic.dims[0]
    if value.history.role is not Role.SHARES:
        return None
    places = _normalised(known_dims(ev.current(value.shape)))
    return places[0] if len(places) == 1 else None


def _have_one_source(
    ev: Evaluator, softmax: object, shares: ir.Node | None, partner: ir.Node | None
) -> bool:
    """Whether shares and their partner come from one tensor, and the partner not from the shares.

    `softmax` is the call that made the shares.
    """
    function = ev.frame.function
    if function is None or not isinstance(softmax, ir.Record) or not isinstance(shares, ir.Name):
        return False
    if not isinstance(partner, ir.Record):
        return False
    mine, theirs = sources(function.record, softmax), sources(function.record, partner)
    if shares.name in theirs:
        return False
    common = (mine & theirs) - {shares.name}
    return any(isinstance(ev.frame.variables.get(name), (Tensor, Anything)) for name in common)


def _is_of_shares(ev: Evaluator, expression: ir.Node | None) -> bool:
    """Whether an expression is a softmax, or a part of one: `p.unsqueeze(2)`, `p[:, k]`."""
    function = ev.frame.function
    bound = assigned_once(function.record) if function is not None else {}
    for _ in range(_LONGEST):
        if expression is not None and expression.id in ev.frame.normalised:
            return True
        match expression:
            case ir.Call(ir.Attribute(inner)) | ir.Subscript(inner):
                expression = inner
            case ir.Name(name) if name in bound:
                expression = bound[name]
            case _:
                return False
    return False


_LONGEST: Final = 12
"""Through how many calls and names shares are followed back."""


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


__all__ = ["are_shares", "begin", "carry", "check_sum", "contract", "moved", "use", "weigh"]
