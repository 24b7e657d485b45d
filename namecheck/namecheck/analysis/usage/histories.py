"""How a value was computed, as far as it shows what the value means: scores, weights, statistics.

Every answer of the rulebook passes through here. Its declared effect says what an op does to the
elements. Marks on the dims say what lies along them, and move with them; the tensor's `History`
says the rest. A centred value that is scaled by a spread over another axis is NC307. `weights`
follows scores and weights through contractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import (
    BLANK,
    Anything,
    History,
    Number,
    Role,
    Statistic,
    Tensor,
    Tuple,
    Value,
    known,
)
from namecheck.analysis.usage import blank_tensors, pairings, sequences, shares, slices, weights
from namecheck.analysis.usage.batch_axis import check_batch, check_one
from namecheck.analysis.usage.marks import (
    history_of,
    marked_again,
    marked_normalised,
    role_of,
    statistic_of,
    with_history,
    without_history,
)
from namecheck.analysis.usage.scales import (
    check_scale,
    check_weight,
    scaled_by_squares,
    still_summed,
)
from namecheck_runtime import declare, layers
from namecheck_runtime.declare import Effect
from namecheck_runtime.lattice import UNKNOWN, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import OtherDim, StatisticsAxis

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_BEGINNINGS: Final[frozenset[Effect]] = frozenset(
    {
        *("mean", "spread", "sum", "extent"),
        *("powers", "contraction", "exponential", "softmax", "log_softmax"),
        *("counts", "unit", "blank"),
    }
)
"""Effects that give a history to the result of operands without one."""

_POINTWISE: Final[frozenset[Effect]] = frozenset(
    {"maps", "powers", "linear", "difference", "product", "quotient"}
)


def follow(
    ev: Evaluator,
    op: declare.Op,
    arguments: Sequence[Argument],
    dim: Argument | None,
    value: Value,
    node: ir.Node,
) -> Value:
    """The value of a call with the history that its op and operands give it."""
    effect = op.effect
    if effect == "gathers":
        slices.check_gathered(ev, arguments, _ints(ev, dim), node, op.name)
    if effect not in _BEGINNINGS:
        for argument in arguments:
            if history_of(ev.resolve(argument.value)) is not None:
                break
        else:
            return value  # the usual case
    operands = [ev.resolve(argument.value) for argument in arguments]
    if effect == "counts":
        for size in (one.size for one in operands if isinstance(one, Number)):
            sequences.count(ev, size)
        return value
    if effect == "blank" or blank_tensors.of_blank(op, operands):
        return blank_tensors.blanked(value)
    if effect == "contraction":
        return weights.contract(ev, op, arguments, operands, value, node)
    return _follow(ev, effect, operands, _ints(ev, dim), value, node, op.name, arguments)


def follow_layer(
    ev: Evaluator, layer: layers.Instance, argument: Argument, value: Value, node: ir.Node
) -> Value:
    """The value of calling a layer with the history that its effect gives it."""
    operand = ev.resolve(argument.value)
    if history_of(operand) is None and layer.layer.effect != "softmax":
        return value
    dim = layer.fields.get("dim")
    dims = (dim,) if isinstance(dim, int) else ()
    effect = layer.layer.effect
    return _follow(ev, effect, [operand], dims, value, node, layer.layer.name, [argument])


def _ints(ev: Evaluator, argument: Argument | None) -> tuple[int, ...]:
    """The dims that an argument names; none unless all of them are known."""
    if argument is None:
        return ()
    value = ev.resolve(argument.value)
    constants = (
        [known(ev.resolve(one)) for one in value.elements] if isinstance(value, Tuple) else []
    )
    if not isinstance(value, Tuple):
        constants = [known(value)]
    numbers = [one[0] for one in constants if one is not None and type(one[0]) is int]
    return tuple(numbers) if len(numbers) == len(constants) else ()


def _follow(
    ev: Evaluator,
    effect: Effect,
    operands: Sequence[Value],
    dims: tuple[int, ...],
    value: Value,
    node: ir.Node,
    name: str,
    arguments: Sequence[Argument],
) -> Value:
    if effect in ("moves", "keeps"):
        first = operands[0]
        if type(value) is not Tensor or type(first) is not Tensor or first.history is None:
            return value
        if effect == "moves":
            moved = shares.moved(first.history._replace(letters=(), named=False, axis=0))
            return with_history(value, moved)
        if first.history.role in (None, Role.CONSTANT, Role.BLANK):
            return with_history(value, first.history)
        return with_history(
            value, first.history, marked_again(value.shape, ev.current(first.shape))
        )
    for operand in operands:
        if role_of(operand) is Role.WEIGHTS:
            weights.use(ev, operand)
        shares.use(ev, operand)
    value = shares.carry(ev, operands, value)
    paired = pairings.follow(ev, effect, operands, dims, value)
    if paired is not None and type(value) is Tensor:
        return with_history(without_history(value), History(None, None, paired))
    if effect == "extent" and isinstance(value, Tuple) and value.elements:
        first, *rest = value.elements  # the values, and where they are
        if type(first) is Tensor:
            first = with_history(first, _reduced(ev, effect, operands[0], dims))
        return Tuple((first, *rest), value.fields, of_op=value.of_op)
    if type(value) is not Tensor or role_of(value) is Role.CARRYING:
        return value
    if effect in ("softmax", "log_softmax"):
        return _normalised(ev, effect, operands[0], dims, value, node, name, arguments[0])
    if effect == "unit":
        unit = Statistic("unit", operands[0], dims) if len(dims) == 1 else None
        return with_history(without_history(value), History(None, None, unit))
    elif effect in ("mean", "spread", "sum", "extent"):
        if effect == "sum":
            shares.check_sum(ev, operands[0], dims, node, name, arguments[0])
        return with_history(value, _reduced(ev, effect, operands[0], dims))
    elif effect in _POINTWISE or effect == "exponential":
        return _combined(ev, effect, operands, value, node, name, arguments)
    return without_history(value)


def _normalised(
    ev: Evaluator,
    effect: Effect,
    operand: Value,
    dims: tuple[int, ...],
    value: Tensor,
    node: ir.Node,
    name: str,
    argument: Argument,
) -> Tensor:
    """The result of a softmax, or of its logarithm, with the history of shares or weights."""
    if len(dims) != 1:
        return without_history(value)
    (dim,) = dims
    ev.frame.normalised.add(node.id)
    if type(operand) is Tensor and operand.history != BLANK:
        check_one(ev, operand, dim, node, name, argument)
        if check_batch(ev, operand, dim, node, name, argument):
            return without_history(value)
    if effect == "log_softmax":
        return without_history(value)
    history = history_of(operand)
    if history is not None and history.role is Role.SCORES:
        marked = marked_normalised(ev, value.shape, dim, node)
        axis = min(dim, 0) if history.named else 0
        now = history._replace(role=Role.WEIGHTS, statistic=None, axis=axis)
        return with_history(value, now, marked)
    return shares.begin(ev, operand, dim, value, node)


# Pointwise


def _combined(
    ev: Evaluator,
    effect: Effect,
    operands: Sequence[Value],
    value: Tensor,
    node: ir.Node,
    name: str,
    arguments: Sequence[Argument],
) -> Tensor:
    """The result of a pointwise op, with the history that its operands give it."""
    scores = [one for one in operands if role_of(one) is Role.SCORES]
    if effect in ("product", "quotient"):
        check_scale(ev, effect == "quotient", operands, node, name, arguments)
    statistic = _computed(ev, effect, operands, value, node, name, arguments)
    if effect == "product":
        statistic = statistic or shares.weigh(ev, operands, arguments)
    if any(role_of(one) in (Role.WEIGHTS, Role.SHARES) for one in operands):
        return with_history(without_history(value), History(None, None, statistic))
    if scores:
        (first, *_) = scores
        assert isinstance(first, Tensor)
        shape = marked_again(value.shape, ev.current(first.shape))
        history = first.history
        assert history is not None
        if effect == "quotient" and statistic is not None and statistic.kind == "share":
            shape = marked_normalised(ev, shape, statistic.dims[0], node)
            return with_history(value, history._replace(role=Role.WEIGHTS, statistic=None), shape)
        same = len(known_dims(value.shape)) == len(known_dims(first.shape))
        letters = history.letters if same else ()
        over = still_summed(ev, effect, operands, history.over)
        updated = history._replace(statistic=statistic, letters=letters, over=over)
        return with_history(value, updated, shape)
    if effect == "quotient" and statistic is not None and statistic.kind == "share":
        return shares.begin(ev, statistic.of, statistic.dims[0], value, node)
    tensors = [one for one in operands if isinstance(one, (Tensor, Anything))]
    constant = bool(tensors) and all(role_of(one) is Role.CONSTANT for one in tensors)
    return with_history(value, History(Role.CONSTANT if constant else None, None, statistic))


def _computed(
    ev: Evaluator,
    effect: Effect,
    operands: Sequence[Value],
    value: Tensor,
    node: ir.Node,
    name: str,
    arguments: Sequence[Argument],
) -> Statistic | None:
    """What a result is in relation to the value that it was computed from."""
    if effect == "exponential":
        return Statistic("exponential", operands[0])
    statistics = [statistic_of(one) for one in operands]
    if effect == "powers" and statistics[0] is None:
        return Statistic("power", operands[0])
    if len(operands) == 2 and effect not in ("maps", "powers", "linear"):
        left, right = operands
        mine, other = statistics
        if effect in ("product", "quotient"):
            scaled = scaled_by_squares(ev, effect == "product", left, right)
            if scaled is not None:
                return scaled
        if effect == "product":
            check_weight(ev, left, right, node, name, arguments)
            check_weight(ev, right, left, node, name, arguments[::-1])
        if effect == "difference" and other is not None and other.kind == "mean":
            if _is(ev, other.of, left):
                return Statistic("centred", left, other.dims)
        if effect == "product" and mine is not None and mine.kind == "centred":
            if _is(ev, left, right):
                return Statistic("deviation", mine.of, mine.dims)
        if effect in ("product", "quotient"):
            _compare(ev, left, right, node, name, arguments)
            if effect == "product":
                _compare(ev, right, left, node, name, arguments[::-1])
        if effect == "quotient" and other is not None:
            if other.kind == "sum" and mine is not None and mine.kind == "exponential":
                if _is(ev, other.of, left) and len(other.dims) == 1:
                    return Statistic("share", other.of, other.dims)
        if effect == "product" and mine is not None and mine.kind == "exponential":
            return mine  # a mask
    (alone, *more) = [one for one in operands if isinstance(one, Tensor)]
    mine = statistic_of(alone)
    if mine is not None and mine.kind == "unit" and effect == "product":
        return mine if all(role_of(one) is Role.CONSTANT for one in more) else None
    if mine is None or more:
        return None
    if mine.kind in _SCALES and effect != "difference":
        return mine  # `1 / sqrt(var + eps)`
    if mine.kind == "mean" and effect != "difference":
        return mine._replace(kind="extent")
    if mine.kind == "centred" and effect in ("maps", "powers", "linear"):
        return Statistic("deviation", mine.of, mine.dims)
    return None


_SCALES: Final = frozenset({"spread", "sum", "extent", "exponential", "scale"})
"""The kinds of statistics that stay what they are in `1 / sqrt(var + eps)`."""


# Statistics


def _reduced(
    ev: Evaluator, effect: Effect, operand: Value, dims: tuple[int, ...]
) -> History | None:
    """The history of a reduction over some dims."""
    if type(operand) is Tensor:
        ev.roles.add_reduced(ev.current(operand.shape), dims)
    if not dims:
        return None
    statistic = statistic_of(operand)
    if statistic is not None and statistic.kind == "deviation" and effect in ("mean", "sum"):
        return History(None, None, Statistic("spread", statistic.of, _placed(ev, operand, dims)))
    if statistic is not None and statistic.kind == "power" and effect == "mean":
        return History(None, None, Statistic("scale", statistic.of, _placed(ev, operand, dims)))
    return History(None, None, Statistic(effect, operand, _placed(ev, operand, dims)))


def _placed(ev: Evaluator, operand: Value, dims: tuple[int, ...]) -> tuple[int, ...]:
    """The dims counted from the left, if the rank is known."""
    operand = ev.resolve(operand)
    shape = operand.shape if isinstance(operand, Tensor) else UNKNOWN
    rank = len(shape) if isinstance(shape, tuple) else 0
    return tuple(sorted(dim + rank if dim < 0 and rank else dim for dim in dims))


def _is(ev: Evaluator, left: Value, right: Value) -> bool:
    return ev.resolve(left) is ev.resolve(right)


def _compare(
    ev: Evaluator,
    centred: Value,
    scale: Value,
    node: ir.Node,
    name: str,
    arguments: Sequence[Argument],
) -> None:
    """Compare the dims of a mean with those of the spread that scales the centred value (NC307)."""
    mean, spread = statistic_of(centred), statistic_of(scale)
    if mean is None or spread is None or mean.kind != "centred" or spread.kind != "spread":
        return
    if not (_is(ev, mean.of, spread.of) or _is(ev, centred, spread.of)):
        return
    first, second = (_placed(ev, mean.of, one.dims) for one in (mean, spread))
    if set(first) <= set(second) or set(second) <= set(first):
        return
    if len({dim < 0 for dim in (*first, *second)}) > 1:
        return  # counted from both ends of a tensor of unknown rank
    assert isinstance(centred, Tensor)
    mistake = StatisticsAxis(
        shape=ev.current(centred.shape),
        mean_dims=first,
        spread_dims=second,
        op=name,
        blame=(Blame("input"), Blame("other")),
    )
    named = dict(zip(("input", "other"), arguments, strict=False))
    ev.blame(mistake, mistake.level, node, named)
    _withdraw_twins(ev)


def _withdraw_twins(ev: Evaluator) -> None:
    """Withdraw what was said of the line of the mean or the spread: here it is said once more."""
    for key in [k for k, one in ev.frame.wrong.items() if isinstance(one[2].mistake, OtherDim)]:
        del ev.frame.wrong[key]


__all__ = ["follow", "follow_layer"]
