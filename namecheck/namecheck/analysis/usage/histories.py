"""How a value was computed, as far as that tells what it means: scores, weights, statistics.

Every answer of the rulebook comes by here. What an op does to the elements is its declared effect;
what was along which dim stands as marks on the dims, which move with them; the rest stands in the
tensor's `History`. Two mistakes are seen in it: weights that are contracted over another axis than
they were normalised over (NC305), and a centred value scaled by a spread over another axis (NC307).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import (
    Anything,
    Constant,
    History,
    Number,
    Role,
    Statistic,
    Tensor,
    Tuple,
    Value,
    known,
)
from namecheck.analysis.usage import sequences
from namecheck.analysis.usage.batch_axis import check_batch
from namecheck.analysis.usage.scales import check_scale
from namecheck_runtime import declare, layers, sizes
from namecheck_runtime.declare import Effect, Summation
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Mark,
    Shape,
    Size,
    Trace,
    Trailing,
    Truth,
    known_dims,
)
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import BadPattern, NormalisedAxis, StatisticsAxis

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_BEGINNINGS: frozenset[Effect] = frozenset(
    {"mean", "spread", "sum", "extent", "contraction", "exponential", "counts", "unit"}
)
"""Effects that tell something of operands without a history."""

_POINTWISE: frozenset[Effect] = frozenset({"maps", "difference", "product", "quotient"})
_OF_VALUES = frozenset({Mark.QUERIES, Mark.KEYS, Mark.NORMALISED})
"""Marks that say something of the elements along a dim, and not of the dim."""


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
    if effect not in _BEGINNINGS:
        for argument in arguments:
            if _history(ev.resolve(argument.value)) is not None:
                break
        else:
            return value  # the usual case
    operands = [ev.resolve(argument.value) for argument in arguments]
    if effect == "counts":
        for size in (one.size for one in operands if isinstance(one, Number)):
            sequences.count(ev, size)
        return value
    if effect == "contraction":
        return _contract(ev, op, arguments, operands, value, node)
    return _follow(ev, effect, operands, _ints(ev, dim), value, node, op.name, arguments)


def follow_layer(
    ev: Evaluator, layer: layers.Instance, argument: Argument, value: Value, node: ir.Node
) -> Value:
    """The value of calling a layer with the history that its effect gives it."""
    operand = ev.resolve(argument.value)
    if _history(operand) is None:
        return value
    dim = layer.fields.get("dim")
    dims = (dim,) if isinstance(dim, int) else ()
    effect = layer.layer.effect
    return _follow(ev, effect, [operand], dims, value, node, layer.layer.name, [argument])


def _history(value: Value) -> History | None:
    return value.history if type(value) is Tensor else None


def _role(value: Value) -> Role | None:
    history = _history(value)
    return None if history is None else history.role


def _statistic(value: Value) -> Statistic | None:
    history = _history(value)
    return None if history is None else history.statistic


def _ints(ev: Evaluator, argument: Argument | None) -> tuple[int, ...]:
    """The dims that an argument names; none when they are not known one by one."""
    if argument is None:
        return ()
    value = ev.resolve(argument.value)
    found = [known(ev.resolve(one)) for one in value.elements] if isinstance(value, Tuple) else []
    if not isinstance(value, Tuple):
        found = [known(value)]
    numbers = [one[0] for one in found if one is not None and type(one[0]) is int]
    return tuple(numbers) if len(numbers) == len(found) else ()


def _remember(tensor: Tensor, history: History | None, shape: Shape | None = None) -> Tensor:
    """The tensor with a history, and with other traces."""
    if history == History():
        history = None
    if history == tensor.history and shape is None:
        return tensor
    return tensor.remember(history, tensor.shape if shape is None else shape)


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
            return _remember(value, first.history._replace(letters=(), named=False, axis=0))
        if first.history.role not in (Role.SCORES, Role.WEIGHTS):
            return _remember(value, first.history)
        return _remember(value, first.history, _marked_again(value.shape, ev.current(first.shape)))
    for operand in operands:
        if _role(operand) is Role.WEIGHTS:
            use(ev, operand)
    if type(value) is not Tensor:
        return value
    if effect == "softmax":
        first = operands[0]
        if len(dims) == 1 and type(first) is Tensor:
            if check_batch(ev, first, dims[0], node, name, arguments[0]):
                return _plain(value)
        history = _history(operands[0])
        if history is not None and history.role is Role.SCORES and len(dims) == 1:
            marked = _normalise(ev, value.shape, dims[0], node)
            axis = min(dims[0], 0) if history.named else 0
            weights = history._replace(role=Role.WEIGHTS, statistic=None, axis=axis)
            return _remember(value, weights, marked)
    elif effect == "unit":
        found = Statistic("unit", operands[0], dims) if len(dims) == 1 else None
        return _remember(_plain(value), History(None, None, found))
    elif effect in ("mean", "spread", "sum", "extent"):
        return _remember(value, _reduced(ev, effect, operands[0], dims))
    elif effect in _POINTWISE or effect == "exponential":
        return _combined(ev, effect, operands, value, node, name, arguments)
    return _plain(value)


def _plain(tensor: Tensor) -> Tensor:
    """A tensor of which nothing is remembered: marks that its dims brought along are void."""
    dims = known_dims(tensor.shape)
    if not any(_OF_VALUES & _marks(dim) for dim in dims):
        return _remember(tensor, None)
    return _remember(tensor, None, _like(tensor.shape, [_without_marks(dim) for dim in dims]))


def _without_marks(dim: Dim) -> Dim:
    trace = dim.trace
    if trace is None or trace.marks.isdisjoint(_OF_VALUES):
        return dim
    kept = trace._replace(marks=trace.marks - _OF_VALUES, since=None)
    return Dim(dim.name, dim.size, None if kept == Trace() else kept)


def _mark(dim: Dim, mark: Mark, since: object) -> Dim:
    trace = dim.trace or Trace()
    return Dim(dim.name, dim.size, trace._replace(marks=trace.marks | {mark}, since=since))


def _marks(dim: Dim) -> frozenset[Mark]:
    return frozenset() if dim.trace is None else dim.trace.marks


def _normalise(ev: Evaluator, shape: Shape, dim: int, node: ir.Node) -> Shape:
    """The dims of scores with a mark on the one that they were normalised along."""
    dims = known_dims(shape)
    place = dim if dim < 0 or not isinstance(shape, tuple) else dim - len(dims)
    if not -len(dims) <= place < 0:
        return shape
    made = list(dims)
    made[place] = _mark(made[place], Mark.NORMALISED, ev.place(node))
    return _like(shape, made)


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
    """What comes of the elements of several tensors at one place each."""
    scores = [one for one in operands if _role(one) is Role.SCORES]
    if effect in ("product", "quotient"):
        check_scale(ev, operands, node, name, arguments)
    statistic = _computed(ev, effect, operands, value, node, name, arguments)
    if any(_role(one) is Role.WEIGHTS for one in operands):
        return _remember(_plain(value), History(None, None, statistic))
    if scores:
        (first, *_) = scores
        assert isinstance(first, Tensor)
        shape = _marked_again(value.shape, ev.current(first.shape))
        history = first.history
        assert history is not None
        if effect == "quotient" and statistic is not None and statistic.kind == "share":
            shape = _normalise(ev, shape, statistic.dims[0], node)
            return _remember(value, history._replace(role=Role.WEIGHTS, statistic=None), shape)
        same = len(known_dims(value.shape)) == len(known_dims(first.shape))
        letters = history.letters if same else ()
        kept = history._replace(statistic=statistic, letters=letters)
        return _remember(value, kept, shape)
    tensors = [one for one in operands if isinstance(one, (Tensor, Anything))]
    constant = bool(tensors) and all(_role(one) is Role.CONSTANT for one in tensors)
    return _remember(value, History(Role.CONSTANT if constant else None, None, statistic))


def _marked_again(shape: Shape, source: Shape) -> Shape:
    """The dims of a result with the marks of the tensor that it was computed of, place by place:
    two tensors that both have marks lose them where they are lined up, and what is broadcast with
    something unknown has new dims.
    """
    dims = list(known_dims(shape))
    for back, dim in enumerate(reversed(known_dims(source)), 1):
        if back > len(dims) or dim.trace is None:
            continue
        mine = dims[-back]
        if mine.size == dim.size or mine.size is UNKNOWN:
            for mark in _OF_VALUES & (dim.trace.marks - _marks(mine)):
                dims[-back] = _mark(dims[-back], mark, dim.trace.since)
    return _like(shape, dims)


def _like(shape: Shape, dims: Sequence[Dim]) -> Shape:
    """A shape of these dims in place of those that it knows."""
    if not dims:
        return shape
    return tuple(dims) if isinstance(shape, tuple) else Trailing(tuple(dims))


def _computed(
    ev: Evaluator,
    effect: Effect,
    operands: Sequence[Value],
    value: Tensor,
    node: ir.Node,
    name: str,
    arguments: Sequence[Argument],
) -> Statistic | None:
    """What a result is in relation to the value that it was computed of."""
    if effect == "exponential":
        return Statistic("exponential", operands[0])
    found = [_statistic(one) for one in operands]
    if len(operands) == 2 and effect != "maps":
        left, right = operands
        mine, other = found
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
    mine = _statistic(alone)
    if mine is not None and mine.kind == "unit" and effect == "product":
        return mine if all(_role(one) is Role.CONSTANT for one in more) else None
    if mine is None or more:
        return None
    if mine.kind in ("spread", "sum", "extent", "exponential") and effect != "difference":
        return mine  # `1 / sqrt(var + eps)`
    if mine.kind == "centred" and effect == "maps":
        return Statistic("deviation", mine.of, mine.dims)
    return None


# Statistics


def _reduced(
    ev: Evaluator, effect: Effect, operand: Value, dims: tuple[int, ...]
) -> History | None:
    """What a reduction over some dims is the reduction of."""
    if not dims:
        return None
    statistic = _statistic(operand)
    if statistic is not None and statistic.kind == "deviation" and effect in ("mean", "sum"):
        return History(None, None, Statistic("spread", statistic.of, _placed(ev, operand, dims)))
    return History(None, None, Statistic(effect, operand, _placed(ev, operand, dims)))


def _placed(ev: Evaluator, operand: Value, dims: tuple[int, ...]) -> tuple[int, ...]:
    """Dims as they are counted from the left, where the rank is known."""
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
    """Hold the dims of a mean against those of the spread that the centred value is scaled by."""
    mean, spread = _statistic(centred), _statistic(scale)
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


# Contractions


def _contract(
    ev: Evaluator,
    op: declare.Op,
    arguments: Sequence[Argument],
    operands: Sequence[Value],
    value: Value,
    node: ir.Node,
) -> Value:
    """A product of two tensors: scores, if both are activations."""
    pairs = [(a, v) for a, v in zip(arguments, operands, strict=True) if isinstance(v, Tensor)]
    texts = [v.value for v in operands if isinstance(v, Constant) and isinstance(v.value, str)]
    others = sum(isinstance(v, (Anything, Number)) for v in operands)
    found: Summation | None = None
    if len(pairs) == 2 and not others and op.summation is not None:
        left, right = (ev.current(tensor.shape) for _, tensor in pairs)
        found = op.summation(left, right, texts[0] if texts else "")
    if found is not None and type(value) is Tensor:
        mixed = _mixed(ev, pairs, found, value, node)
        if mixed is not None:
            return mixed
    for index, (argument, tensor) in enumerate(pairs):
        if _role(tensor) is not Role.WEIGHTS:
            continue
        use(ev, tensor)
        if found is not None:
            _judge(ev, op, argument, tensor, pairs[1 - index], _seen_from(found, index), node)
    if type(value) is not Tensor:
        return value
    value = _plain(value)
    named = _are_named(pairs)
    if found is None or not _are_scored(ev, [tensor for _, tensor in pairs], found, named):
        return value
    dims = list(known_dims(value.shape))
    since = ev.place(node)
    for mark, places in ((Mark.QUERIES, found.rows), (Mark.KEYS, found.columns)):
        for _, place in places:
            if -place <= len(dims):
                dims[place] = _mark(dims[place], mark, since)
            elif not found.presumed:
                return value
    (over, _), letters = found.summed[0], found.letters[2] if found.letters else ()
    size = _size(ev, pairs[0][1], over)
    history = History(Role.SCORES, since, None, size, letters, named)
    return _remember(value, history, _like(value.shape, dims))


def _seen_from(found: Summation, index: int) -> Summation:
    """A contraction with its second tensor as the first, if that is the one looked at."""
    if index == 0:
        return found
    letters = (found.letters[1], found.letters[0], found.letters[2]) if found.letters else ()
    summed = tuple((b, a) for a, b in found.summed)
    return Summation(summed, found.columns, found.rows, letters, found.presumed)


def _mixed(
    ev: Evaluator,
    pairs: Sequence[tuple[Argument, Tensor]],
    found: Summation,
    value: Tensor,
    node: ir.Node,
) -> Tensor | None:
    """Scores or weights of which heads were mixed by a parameter: they still are what they were."""
    for index, (_, tensor) in enumerate(pairs):
        history = tensor.history
        if history is None or history.role not in (Role.SCORES, Role.WEIGHTS):
            continue
        if _role(pairs[1 - index][1]) is not Role.CONSTANT:
            continue
        seen = _seen_from(found, index)
        source, made = known_dims(ev.current(tensor.shape)), list(known_dims(value.shape))
        if any(
            -place > len(source) or not _OF_VALUES.isdisjoint(_marks(source[place]))
            for place, _ in seen.summed
        ):
            continue
        if len(made) != len(source):
            continue
        for place, there in seen.rows:
            for mark in _OF_VALUES & _marks(source[place]):
                trace = source[place].trace
                made[there] = _mark(made[there], mark, None if trace is None else trace.since)
        letters: tuple[str, ...] = ()
        if seen.letters and len(seen.letters[0]) == len(history.letters):
            before = [history.letters[place] for place, _ in seen.rows]
            read = [seen.letters[0][place] for place, _ in seen.rows]
            letters = seen.letters[2] if before == read else ()
            if before != read and sorted(before) == sorted(read):
                _blame_order(ev, pairs[index][0], before, read, seen.letters[2], node)
        return _remember(value, history._replace(letters=letters), _like(value.shape, made))
    return None


def _blame_order(
    ev: Evaluator,
    argument: Argument,
    before: Sequence[str],
    read: Sequence[str],
    result: Sequence[str],
    node: ir.Node,
) -> None:
    """Scores are read with their letters in another order than they were made with, and the result
    has them in the first order again (NC304).
    """
    if [letter for letter in result if letter in before] != list(before):
        return
    letter, other = next((a, b) for a, b in zip(before, read, strict=True) if a != b)
    mistake = BadPattern(
        pattern=" ".join(read),
        reason=f"'{other}' stands where the scores have '{letter}', and the result as well",
        blame=(Blame("tensor"),),
    )
    ev.blame(mistake, "warning", node, {"tensor": argument})


_QUERIES = regex(r"(?:^|_)(?:q|quer(?:y|ies))(?:$|_)", re.IGNORECASE)
_KEYS = regex(r"(?:^|_)(?:k|keys?)(?:$|_)", re.IGNORECASE)
_VALUES = regex(r"(?:^|_)(?:v|values?)(?:$|_)", re.IGNORECASE)
"""What people call the factors of attention."""


def _are_named(pairs: Sequence[tuple[Argument, Tensor]]) -> bool:
    """Whether the factors of a product are called queries, first, and keys."""
    return len(pairs) == 2 and all(
        _is_called(argument.node, words)
        for (argument, _), words in zip(pairs, (_QUERIES, _KEYS), strict=True)
    )


def _is_called(node: ir.Node | None, words: re.Pattern[str]) -> bool:
    """Whether an expression is a variable of such a name, or what it is turned to."""
    while isinstance(node, (ir.Call, ir.Attribute)):
        node = node.function if isinstance(node, ir.Call) else node.value
    return isinstance(node, ir.Name) and words.search(node.name) is not None


def _dim(ev: Evaluator, tensor: Tensor, place: int) -> Dim | None:
    dims = known_dims(ev.current(tensor.shape))
    return dims[place] if -place <= len(dims) else None


def _size(ev: Evaluator, tensor: Tensor, place: int) -> Size:
    dim = _dim(ev, tensor, place)
    return UNKNOWN if dim is None else dim.size


def _are_scored(ev: Evaluator, tensors: Sequence[Tensor], found: Summation, named: bool) -> bool:
    """Whether a product scores every pair of queries and keys: of two activations, over one axis
    that is neither of theirs, as the nodes of an adjacency are. `named` says that they are called
    so, and need not be known then.
    """
    if any(_role(tensor) is not None for tensor in tensors):
        return False
    if len(found.summed) != 1 or not found.rows or not found.columns:
        return False
    left, right = tensors
    over = _size(ev, left, found.summed[0][0])
    kept = [_size(ev, left, place) for place, _ in found.rows]
    kept += [_size(ev, right, place) for place, _ in found.columns]
    if named and (over is UNKNOWN or UNKNOWN in kept):
        return True
    if found.presumed:
        return False
    return over is not UNKNOWN and all(
        size is not UNKNOWN and sizes.compare(size, over) is not Truth.YES for size in kept
    )


def question(tensor: Tensor) -> Any:
    """What is asked when weights are used: whether their scores are wrong each time."""
    history = tensor.history
    assert history is not None
    place = history.place
    return ("weights", id(place.source), place.line) if place is not None else "weights"


def use(ev: Evaluator, weights: Value) -> None:
    """Weights are used: whoever says that they are wrong has to say it this time too."""
    assert isinstance(weights, Tensor)
    ev.frame.look(question(weights))


def _judge(
    ev: Evaluator,
    op: declare.Op,
    argument: Argument,
    weights: Tensor,
    other: tuple[Argument, Tensor],
    found: Summation,
    node: ir.Node,
) -> None:
    """Whether weights are contracted over the keys, but were normalised over another axis (NC305).

    Weights that are contracted over their queries hand these on to what they were assigned to:
    clusters, slots, cells of a memory. Source: the policy of NC305.
    """
    partner, history = other[1], weights.history
    assert history is not None
    if len(found.summed) != 1 or partner.history is not None:
        return
    ((place, there),) = found.summed
    shape = ev.current(weights.shape)
    dims = known_dims(shape)
    normalised = [k - len(dims) for k, dim in enumerate(dims) if Mark.NORMALISED in _marks(dim)]
    if history.axis and not normalised:
        if found.rows == ((-2, -2),) and _is_called(other[0].node, _VALUES):
            _judge_named(ev, op, argument, weights, other, history.axis, node)
        return
    if -place > len(dims):
        return
    contracted = dims[place]
    if _size(ev, partner, there) is UNKNOWN and not history.named:
        return
    if len(normalised) != 1 or normalised[0] == place:
        return
    read = found.letters[0] if found.letters else ()
    if Mark.KEYS not in _marks(contracted):
        if not _are_turned(history.letters, read, place, normalised[0]):
            return
    along = dims[normalised[0]]
    if Mark.QUERIES in _marks(along) and _is_configured(along.size, contracted.size):
        return
    if _is_of_scores(ev, weights, other[0]):
        return
    whole = len(dims) if isinstance(shape, tuple) else 0
    mistake = NormalisedAxis(
        weights=shape,
        normalised=normalised[0] + whole,
        contracted=place + whole,
        op=op.name,
        blame=(Blame("input"), Blame("other")),
    )
    named = {"input": argument, "other": other[0]}
    since = along.trace.since if along.trace is not None else None
    notes = [("normalised here", since.source, since.line)] if since is not None else []
    ev.blame(mistake, mistake.level, node, named, question=question(weights), notes=notes)


def _are_turned(letters: Sequence[str], read: Sequence[str], place: int, other: int) -> bool:
    """Whether two dims of scores are read with each other's letters: what is summed over by its
    letter is not what the letter stood for.
    """
    if len(letters) != len(read) or -min(place, other) > len(read):
        return False
    return letters[place] == read[other] != read[place] == letters[other]


def _judge_named(
    ev: Evaluator,
    op: declare.Op,
    argument: Argument,
    weights: Tensor,
    other: tuple[Argument, Tensor],
    axis: int,
    node: ir.Node,
) -> None:
    """The same of weights of unknown dims: the scores of queries and keys, times values."""
    if axis == -1:
        return
    mistake = NormalisedAxis(
        weights=ev.current(weights.shape),
        normalised=axis,
        contracted=-1,
        op=op.name,
        blame=(Blame("input"), Blame("other")),
    )
    named = {"input": argument, "other": other[0]}
    ev.blame(mistake, mistake.level, node, named, question=question(weights))


def _is_configured(normalised: Size, contracted: Size) -> bool:
    """Whether the axis that was normalised has a size that a model is built with, and the other one
    not: clusters, slots, classes to which what is contracted was assigned.
    """
    return _of_config(normalised) and not _of_config(contracted)


def _of_config(size: Size) -> bool:
    involved = sizes.symbols(size)
    return bool(involved) and all(atom.origin is sizes.Origin.CONFIG for atom in involved)


def _is_of_scores(ev: Evaluator, weights: Tensor, partner: Argument) -> bool:
    """Whether the partner is one of the tensors that were scored: what a centre is computed of was
    assigned to it by its own distance.
    """
    history = weights.history
    assert history is not None
    place = history.place
    if place is None or partner.node is None or place.source is not ev.frame.source:
        return False
    return not _tensors_in(ev, place.node).isdisjoint(_tensors_in(ev, partner.node))


def _tensors_in(ev: Evaluator, node: ir.Node | None) -> set[str]:
    """The variables in an expression that hold tensors, or may."""
    if not isinstance(node, ir.Record):
        return set()
    names = {record.name for record in walk(node) if isinstance(record, ir.Name)}
    found = {name: ev.frame.variables.get(name) for name in names}
    return {
        name
        for name, value in found.items()
        if value is not None and isinstance(ev.resolve(value), (Tensor, Anything))
    }


__all__ = ["follow", "follow_layer", "use"]
