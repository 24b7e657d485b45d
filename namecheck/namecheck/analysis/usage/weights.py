"""Scores and weights of attention: contractions that make them, and contractions that use them.

A product of two activations scores every query against every key. Weights are scores that were
normalised; when they are contracted over another axis than they were normalised over, that is
NC305.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import (
    BLANK,
    Anything,
    Constant,
    History,
    Number,
    Role,
    Tensor,
    Value,
)
from namecheck.analysis.usage import shares
from namecheck.analysis.usage.marks import (
    OF_VALUES,
    marked,
    marks_of,
    role_of,
    with_dims,
    with_history,
    without_history,
    without_stated,
)
from namecheck.analysis.usage.scales import excuse_scales
from namecheck_runtime import declare, sizes
from namecheck_runtime.declare import Summation
from namecheck_runtime.lattice import UNKNOWN, Dim, Mark, Size, Truth, known_dims
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import BadPattern, NormalisedAxis

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def contract(
    ev: Evaluator,
    op: declare.Op,
    arguments: Sequence[Argument],
    operands: Sequence[Value],
    value: Value,
    node: ir.Node,
) -> Value:
    """A product of two tensors: scores, if both are activations."""
    value = without_stated(value)
    pairs = [(a, v) for a, v in zip(arguments, operands, strict=True) if isinstance(v, Tensor)]
    texts = [v.value for v in operands if isinstance(v, Constant) and isinstance(v.value, str)]
    others = sum(isinstance(v, (Anything, Number)) for v in operands)
    summation: Summation | None = None
    if len(pairs) == 2 and not others and op.summation is not None:
        left, right = (ev.current(tensor.shape) for _, tensor in pairs)
        summation = op.summation(left, right, texts[0] if texts else "")
    if summation is not None and ev.frame.written.scales:
        for index, (argument, tensor) in enumerate(pairs):
            if role_of(tensor) is not Role.WEIGHTS:
                summed = [_size(ev, tensor, both[index]) for both in summation.summed]
                excuse_scales(ev, argument.node, summed)
    if summation is not None and type(value) is Tensor:
        mixed = _mixed(ev, pairs, summation, value, node)
        if mixed is not None:
            return mixed
    for index, (argument, tensor) in enumerate(pairs):
        if shares.are_shares(tensor):
            shares.use(ev, tensor)
            if role_of(tensor) is Role.SHARES and summation is not None:
                seen = _seen_from(summation, index)
                value = shares.contract(ev, op, pairs, index, seen, value, node)
            if role_of(value) is Role.CARRYING:
                return value
        if role_of(tensor) is not Role.WEIGHTS:
            continue
        use(ev, tensor)
        if summation is not None:
            _judge(ev, op, argument, tensor, pairs[1 - index], _seen_from(summation, index), node)
    value = shares.carry(ev, operands, value)
    if type(value) is not Tensor or role_of(value) is Role.CARRYING:
        return value
    value = without_history(value)
    named = _are_named(pairs)
    if summation is None or not _are_scored(ev, [tensor for _, tensor in pairs], summation, named):
        return value
    dims = list(known_dims(value.shape))
    since = ev.place(node)
    for mark, places in ((Mark.QUERIES, summation.rows), (Mark.KEYS, summation.columns)):
        for _, place in places:
            if -place <= len(dims):
                dims[place] = marked(dims[place], mark, since)
            elif not summation.presumed:
                return value
    (over, _), letters = summation.summed[0], summation.letters[2] if summation.letters else ()
    size = UNKNOWN if _is_projection(ev, pairs, named) else _size(ev, pairs[0][1], over)
    history = History(Role.SCORES, since, None, size, letters, named)
    return with_history(value, history, with_dims(value.shape, dims))


def _seen_from(summation: Summation, index: int) -> Summation:
    """A contraction as its first or second tensor (`index`) sees it: with that tensor first."""
    if index == 0:
        return summation
    letters = (
        (summation.letters[1], summation.letters[0], summation.letters[2])
        if summation.letters
        else ()
    )
    summed = tuple((b, a) for a, b in summation.summed)
    return Summation(summed, summation.columns, summation.rows, letters, summation.presumed)


def _mixed(
    ev: Evaluator,
    pairs: Sequence[tuple[Argument, Tensor]],
    summation: Summation,
    value: Tensor,
    node: ir.Node,
) -> Tensor | None:
    """Scores or weights whose heads were mixed by a parameter; they stay scores or weights."""
    for index, (_, tensor) in enumerate(pairs):
        history = tensor.history
        if history is None or history.role not in (Role.SCORES, Role.WEIGHTS):
            continue
        if role_of(pairs[1 - index][1]) is not Role.CONSTANT:
            continue
        seen = _seen_from(summation, index)
        source, dims = known_dims(ev.current(tensor.shape)), list(known_dims(value.shape))
        if any(
            -place > len(source) or not OF_VALUES.isdisjoint(marks_of(source[place]))
            for place, _ in seen.summed
        ):
            continue
        if len(dims) != len(source):
            continue
        for place, there in seen.rows:
            for mark in OF_VALUES & marks_of(source[place]):
                trace = source[place].trace
                dims[there] = marked(dims[there], mark, None if trace is None else trace.since)
        letters: tuple[str, ...] = ()
        if seen.letters and len(seen.letters[0]) == len(history.letters):
            before = [history.letters[place] for place, _ in seen.rows]
            read = [seen.letters[0][place] for place, _ in seen.rows]
            letters = seen.letters[2] if before == read else ()
            if before != read and sorted(before) == sorted(read):
                _blame_order(ev, pairs[index][0], before, read, seen.letters[2], node)
        return with_history(value, history._replace(letters=letters), with_dims(value.shape, dims))
    return None


def _blame_order(
    ev: Evaluator,
    argument: Argument,
    before: Sequence[str],
    read: Sequence[str],
    result: Sequence[str],
    node: ir.Node,
) -> None:
    """Blame a pattern that reads the letters of scores in another order (NC304).

    It is another order than they were made with, and the result has the first order again.
    """
    if [letter for letter in result if letter in before] != list(before):
        return
    letter, other = next((a, b) for a, b in zip(before, read, strict=True) if a != b)
    mistake = BadPattern(
        pattern=" ".join(read),
        reason=f"'{other}' stands where the scores and the result have '{letter}'",
        blame=(Blame("tensor"),),
    )
    ev.blame(mistake, "warning", node, {"tensor": argument})


_QUERIES: Final = regex(r"(?:^|_)(?:q|quer(?:y|ies))(?:$|_)", re.IGNORECASE)
_KEYS: Final = regex(r"(?:^|_)(?:k|keys?)(?:$|_)", re.IGNORECASE)
_VALUES: Final = regex(r"(?:^|_)(?:v|values?)(?:$|_)", re.IGNORECASE)
"""What people call the factors of attention."""


def _are_named(pairs: Sequence[tuple[Argument, Tensor]]) -> bool:
    """Whether the factors of a product are called queries, first, and keys."""
    return len(pairs) == 2 and all(
        _is_called(argument.node, words)
        for (argument, _), words in zip(pairs, (_QUERIES, _KEYS), strict=True)
    )


def _is_called(node: ir.Node | None, words: re.Pattern[str]) -> bool:
    """Whether an expression is a variable with such a name, or methods and attributes of one."""
    while isinstance(node, (ir.Call, ir.Attribute)):
        node = node.function if isinstance(node, ir.Call) else node.value
    return isinstance(node, ir.Name) and words.search(node.name) is not None


def _is_projection(ev: Evaluator, pairs: Sequence[tuple[Argument, Tensor]], named: bool) -> bool:
    """Whether one factor may be a table of random directions rather than keys.

    It has no batch then: `x @ directions / sqrt(m)` keeps lengths if there are m of them.
    """
    if named:
        return False
    left, right = (ev.current(tensor.shape) for _, tensor in pairs)
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return False
    return len(left) != len(right) or len(left) < 3


def _dim(ev: Evaluator, tensor: Tensor, place: int) -> Dim | None:
    dims = known_dims(ev.current(tensor.shape))
    return dims[place] if -place <= len(dims) else None


def _size(ev: Evaluator, tensor: Tensor, place: int) -> Size:
    dim = _dim(ev, tensor, place)
    return UNKNOWN if dim is None else dim.size


def _are_scored(
    ev: Evaluator, tensors: Sequence[Tensor], summation: Summation, named: bool
) -> bool:
    """Whether a product scores every pair of queries and keys.

    It is of two activations, and sums over one axis whose size is not that of a dim that stays, as
    it is for the nodes of an adjacency. With `named` they are called queries and keys, and their
    sizes need not be known.
    """
    if any(role_of(tensor) is not None and not shares.are_shares(tensor) for tensor in tensors):
        return False
    if len(summation.summed) != 1 or not summation.rows or not summation.columns:
        return False
    left, right = tensors
    over = _size(ev, left, summation.summed[0][0])
    staying = [_size(ev, left, place) for place, _ in summation.rows]
    staying += [_size(ev, right, place) for place, _ in summation.columns]
    if named and (over is UNKNOWN or UNKNOWN in staying):
        return True
    if summation.presumed:
        return False
    return over is not UNKNOWN and all(
        size is not UNKNOWN and sizes.compare(size, over) is not Truth.YES for size in staying
    )


def question(tensor: Tensor) -> Any:
    """The question that each use of weights asks: whether their scores are wrong each time."""
    history = tensor.history
    assert history is not None
    place = history.place
    return ("weights", id(place.source), place.line) if place is not None else "weights"


def use(ev: Evaluator, weights: Value) -> None:
    """Count a use of weights: they are reported only if they are wrong at each use."""
    assert isinstance(weights, Tensor)
    ev.frame.look(question(weights))


def _judge(
    ev: Evaluator,
    op: declare.Op,
    argument: Argument,
    weights: Tensor,
    other: tuple[Argument, Tensor],
    summation: Summation,
    node: ir.Node,
) -> None:
    """Check that weights that are contracted over the keys were normalised over them (NC305).

    Weights may be contracted over their queries: these are handed to what they were assigned to,
    such as clusters, slots or cells of a memory. Source: the policy of NC305.
    """
    partner, history = other[1], weights.history
    assert history is not None
    computed = partner.history not in (None, BLANK) and not shares.are_shares(partner)
    if len(summation.summed) != 1 or computed:
        return
    ((place, there),) = summation.summed
    shape = ev.current(weights.shape)
    dims = known_dims(shape)
    normalised = [k - len(dims) for k, dim in enumerate(dims) if Mark.NORMALISED in marks_of(dim)]
    if history.axis and not normalised:
        if summation.rows == ((-2, -2),) and _is_called(other[0].node, _VALUES):
            _judge_named(ev, op, argument, weights, other, history.axis, node)
        return
    if -place > len(dims):
        return
    contracted = dims[place]
    if _size(ev, partner, there) is UNKNOWN and not history.named:
        return
    if len(normalised) != 1 or normalised[0] == place:
        return
    read = summation.letters[0] if summation.letters else ()
    if Mark.KEYS not in marks_of(contracted):
        if not _are_turned(history.letters, read, place, normalised[0]):
            return
    along = dims[normalised[0]]
    if Mark.QUERIES in marks_of(along) and _is_configured(along.size, contracted.size):
        return
    if _is_of_scores(ev, weights, other[0]):
        return
    rank = len(dims) if isinstance(shape, tuple) else 0
    mistake = NormalisedAxis(
        weights=shape,
        normalised=normalised[0] + rank,
        contracted=place + rank,
        op=op.name,
        blame=(Blame("input"), Blame("other")),
    )
    named = {"input": argument, "other": other[0]}
    since = along.trace.since if along.trace is not None else None
    notes = [("normalised here", since.source, since.line)] if since is not None else []
    ev.blame(mistake, mistake.level, node, named, question=question(weights), notes=notes)


def _are_turned(letters: Sequence[str], read: Sequence[str], place: int, other: int) -> bool:
    """Whether two dims of scores are read with each other's letters.

    The letter that is summed over stood for another dim then.
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
    """As `_judge`, for weights of unknown dims: the scores of queries and keys, times values."""
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
    """Whether the normalised axis has a configured size, and the contracted one does not.

    The contracted elements are assigned to clusters, slots or classes then.
    """
    return _of_config(normalised) and not _of_config(contracted)


def _of_config(size: Size) -> bool:
    involved = sizes.symbols(size)
    return bool(involved) and all(atom.origin is sizes.Origin.CONFIG for atom in involved)


def _is_of_scores(ev: Evaluator, weights: Tensor, partner: Argument) -> bool:
    """Whether the partner is one of the tensors that were scored.

    A centre is computed from the elements that were assigned to it by their distance.
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
    values = {name: ev.frame.variables.get(name) for name in names}
    return {
        name
        for name, value in values.items()
        if value is not None and isinstance(ev.resolve(value), (Tensor, Anything))
    }


__all__ = ["contract", "use"]
