"""Comments behind a statement whose value the program itself shows (NC402).

`contradictions` compares a claim with any value, and asks for two labels before it takes another
number of dims for a mistake. Less is enough if no comment takes part in what is known: the number
of dims is computed, and the claim stands behind the very statement that computes it. The same holds
for arithmetic: `(B, N, 3*C)` beside `[B, N, 2*C]` is wrong for any C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.evidence.contradictions import (
    Contradiction,
    contradiction,
    dim_text,
    paired,
)
from namecheck.analysis.evidence.labels import (
    known_label,
    label_or_variable,
    names,
    size_called,
    variable_size,
)
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.rank_back import answer_for, mixed_answer_for
from namecheck.analysis.state.unknown_ranks import Made, Mixed
from namecheck.analysis.state.values import Tensor, Value
from namecheck_runtime.declare import Spelling
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, unknown_dims
from namecheck_runtime.memory_effects import Memory
from namecheck_runtime.mistakes.base import counted
from namecheck_runtime.notation.comments import read_comment
from namecheck_runtime.notation.syntax import Arithmetic, WrittenDim, WrittenShape, names_of
from namecheck_runtime.notation.written import plain_name, size_of_term
from namecheck_runtime.sizes import Relation, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def denied(
    ev: Evaluator, written: WrittenShape, value: Tensor, shape: Shape, behind: bool
) -> Contradiction | None:
    """Why a claim cannot be true of a value; None if it may be, or if a comment knows its rank.

    `behind` says whether the claim stands at the end of the statement that computes the value.
    """
    if not isinstance(shape, tuple) or value.rank_claimed or value in ev.ranks.doubted:
        return None
    if ev.trials.is_on:
        return None  # the number of dims is supposed
    if any(dim.many or dim.term is None for dim in written.dims):
        return None
    if len(written.dims) == len(shape):
        return _other_square(ev, written, shape) or _other_arithmetic(ev, written, shape)
    return _other_rank(ev, written, shape) if behind else None


def _other_rank(ev: Evaluator, written: WrittenShape, shape: Dims) -> Contradiction | None:
    """Another number of dims than a value has, if the claim is not written of a part of it."""
    if any(dim.size == 0 for dim in shape):
        return None  # the start of something that grows
    if _lists_contents(written, shape) or _may_be_unit(ev, written):
        return None
    # The 1 of a dim that was kept or lost, as in `(N,)` for `[N, 1]` or `(N, 1)` for `[N]`, and the
    # shape of one sample of a batch, are loose, not wrong. A 1 in front is written on purpose.
    if len(written.dims) < len(shape):
        if _may_be_part(ev, written, shape):
            return None
    elif _needed(written) <= len(shape):
        return None
    reason = f"it has {counted(len(shape), 'dim')}, not {len(written.dims)}"
    return Contradiction(reason + _missing(ev, written, shape), rank=True)


def refused(ev: Evaluator, written: WrittenShape, value: Value) -> Contradiction | None:
    """Why an op on this value's way gives no tensor of as many dims as a claim has, or no such one.

    `torch.stack(parts, 2)` has at least three dims, whatever the parts have. None if it may be.
    """
    ranks = _possible_ranks(ev, value)
    if not ranks:
        return _turned(ev, written, value)
    least, dims = min(ranks), len([dim for dim in written.dims if not dim.many])
    if dims >= least:
        return _turned(ev, written, value)
    return Contradiction(f"the value has at least {counted(least, 'dim')}, not {dims}", rank=True)


def _turned(ev: Evaluator, written: WrittenShape, value: Value) -> Contradiction | None:
    """Why a claim about a value of unknown rank has labels at other dims than its operands give it.

    `x @ w` of an `x` that is `(N, D)` has N in front if it has two dims, whatever `w` has.
    """
    if value in ev.ranks.guessed or ev.trials.is_on:
        return None
    if len(written.dims) < 2 or any(dim.many or dim.term is None for dim in written.dims):
        return None
    possible = shapes_of_rank(ev, value, len(written.dims))
    reasons = [contradiction(ev, written, dims, labels_only=True) for dims in possible]
    return reasons[0] if reasons and None not in reasons else None


def shapes_of_rank(ev: Evaluator, value: Value, rank: int) -> list[Dims]:
    """The shapes of this many dims that the op behind a value gives; () if that is not known."""
    made = ev.ranks.made_of.get(value)
    if made is None:
        return []
    shapes: list[Dims] = []
    for dims in _operand_shapes(ev, made.operand):
        answer = _answer(made, dims)
        if answer is not None and not isinstance(answer, tuple):
            return []
        if answer is not None and len(answer) == rank:
            shapes.append(answer)
    return shapes


def _operand_shapes(ev: Evaluator, value: Value, deep: int = 0) -> list[Dims]:
    """The shapes that a value may have by the ops that made it."""
    value = ev.resolve(value)
    shape: Shape = value.shape if isinstance(value, Tensor) else UNKNOWN
    if isinstance(shape, tuple):
        return [shape]
    made = ev.ranks.made_of.get(value) if deep <= _DEEPEST else None
    if made is not None:
        answers = [_answer(made, dims) for dims in _operand_shapes(ev, made.operand, deep + 1)]
        if all(answer is None or isinstance(answer, tuple) for answer in answers):
            return [answer for answer in answers if isinstance(answer, tuple)]
    ending = known_dims(shape)
    ranks = range(len(ending), _MOST_DIMS + 1)
    return [(*unknown_dims(rank - len(ending)), *ending) for rank in ranks]


def _answer(made: Made, dims: Dims) -> Any:
    """The op's answer for an operand of these dims; a size with a name is not taken for a 1."""
    answer = answer_for(made, dims)
    if not isinstance(answer, tuple) or not isinstance(made.call, Spelling):
        return answer
    if made.call.op.memory is not Memory.POINTWISE:
        return answer
    filled = list(answer)
    others: list[Any] = [*made.arguments, *made.keywords.values(), dims]
    for other in others:
        if not isinstance(other, tuple) or not all(isinstance(dim, Dim) for dim in other):
            continue
        for back, dim in enumerate(reversed(other), 1):
            if back <= len(filled) and filled[-back].size is UNKNOWN:
                filled[-back] = Dim(UNKNOWN, UNKNOWN if dim.size == 1 else dim.size)
    return tuple(filled)


def is_certain(ev: Evaluator, written: WrittenShape, value: Value) -> bool:
    """Whether a refused claim is written of the whole value, and not of the elements in it, and
    leaves out more than 1s.
    """
    if value in ev.ranks.guessed or ev.trials.is_on or len(written.dims) < 2:
        return False
    if any(dim.many or dim.term in (None, 1) for dim in written.dims):
        return False
    ranks = _possible_ranks(ev, value) or {}
    least = ranks[min(ranks)] if ranks else ()
    if len([dim for dim in least if dim.size != 1]) <= len(written.dims):
        return False
    return not any(dim.size == len(written.dims) for dim in least)


_MOST_DIMS: Final = 8
"""The most dims that operands of unknown rank are tried with."""
_DEEPEST: Final = 20
"""The most ops that are followed back from a value."""


def _possible_ranks(ev: Evaluator, value: Value, deep: int = 0) -> dict[int, Dims] | None:
    """How many dims a value of unknown rank may have by the ops that made it, each with its dims.

    None if that is not known.
    """
    value = ev.resolve(value)
    shape: Shape = value.shape if isinstance(value, Tensor) else UNKNOWN
    made: Made | Mixed | None = None
    if isinstance(value, Tensor) and value.rank_claimed:
        shape = UNKNOWN  # no claim decides what may be
    elif isinstance(shape, tuple):
        return {len(shape): shape}
    elif deep <= _DEEPEST:
        made = ev.ranks.made_of.get(value) or ev.ranks.mixed.get(value)
        made = made or ev.ranks.indexed.get(value)
    if made is None or (isinstance(made, Mixed) and len(made.places) > 1):
        # Several operands may have several ranks; those in one list have one.
        ending = known_dims(shape)
        return {
            rank: (*unknown_dims(rank - len(ending)), *ending)
            for rank in range(len(ending), _MOST_DIMS + 1)
        }
    ranks: dict[int, Dims] = {}
    for dims in (_possible_ranks(ev, made.operand, deep + 1) or {}).values():
        answer = answer_for(made, dims) if isinstance(made, Made) else mixed_answer_for(made, dims)
        if answer is not None and not isinstance(answer, tuple):
            return None
        if answer is not None:
            ranks[len(answer)] = answer
    return ranks or None


def _needed(written: WrittenShape) -> int:
    """How many dims a value needs for a claim, 1s aside that do not stand in front."""
    front = next((k for k, dim in enumerate(written.dims) if dim.term != 1), len(written.dims))
    return front + sum(dim.term != 1 for dim in written.dims)


def _lists_contents(written: WrittenShape, shape: Dims) -> bool:
    """Whether a claim may list the elements of a value, or those along its last dim.

    `(x, y, z)` beside `[n, 3]`, and `(rows, cols)` beside an array of two numbers.
    """
    if not shape or any(plain_name(dim) is None for dim in written.dims):
        return False
    last = shape[-1].size
    return last == len(written.dims) or (len(shape) == 1 and plain_symbol(last) is None)


def _may_be_unit(ev: Evaluator, written: WrittenShape) -> bool:
    """Whether a claim may be a unit: `[N]` behind a force, `[N*m]` behind a torque."""
    return len(written.dims) == 1 and all(
        len(name) == 1 and name.lower() not in BATCH and label_or_variable(ev, name) is UNKNOWN
        for name in names_of(written.dims[0].term)
    )


def _may_be_part(ev: Evaluator, written: WrittenShape, shape: Dims) -> bool:
    """Whether a claim may leave out 1s, or the dims in front of those of one sample."""
    if len([dim for dim in shape if dim.size != 1]) <= len(written.dims):
        rest = [dim for dim in shape if dim.size != 1 and dim.size is not UNKNOWN]
        if len(rest) <= sum(dim.term != 1 for dim in written.dims):
            return True
    first = plain_name(written.dims[0]) if written.dims else None
    if first is not None and (first.lower() in BATCH or names(ev, first, shape[0].size)):
        return False
    last = shape[len(shape) - len(written.dims) :]
    return all(
        _may_be(ev, dim, one.size, shape) for dim, one in zip(written.dims, last, strict=True)
    )


def _may_be(ev: Evaluator, dim: WrittenDim, size: Size, shape: Dims) -> bool:
    """Whether a dim of a claim may be of this size, one of those of a value."""
    name = plain_name(dim)
    if name is not None:
        return names(ev, name, size) or not any(names(ev, name, one.size) for one in shape)
    said = size_of_term(dim.term, lambda label: size_called(ev, label, shape))
    return ev.facts.relate(said, size) not in (Relation.NO, Relation.DEGENERATE)


def _missing(ev: Evaluator, written: WrittenShape, shape: Dims) -> str:
    """Which dims only the claim has, or only the value; "" if that is not clear."""
    open_dims = list(range(len(shape)))
    absent = []
    for dim in written.dims:
        place = next((k for k in open_dims if _is(ev, dim, shape[k].size)), None)
        if place is None:
            absent.append(f"'{dim_text(dim)}'")
        else:
            open_dims.remove(place)
    if len(absent) == len(written.dims) - len(shape):
        return f" ({_listed(absent)} {'is' if len(absent) == 1 else 'are'} missing)"
    if not absent:
        places = _listed([str(place) for place in open_dims])
        return f" (the comment leaves out dim {places})"
    return ""


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _is(ev: Evaluator, dim: WrittenDim, size: Size) -> bool:
    if isinstance(dim.term, int):
        return size == dim.term
    name = plain_name(dim)
    return name is not None and names(ev, name, size)


def _other_square(ev: Evaluator, written: WrittenShape, shape: Dims) -> Contradiction | None:
    """One label at two dims of different sizes, where the value has one size at two other dims.

    `(n, c, n)` beside `[c, n, n]`: whatever the labels are, the square is somewhere else.
    """
    pairs = paired(written, shape) or []
    labels = [plain_name(pair.written) for pair in pairs]
    held = [ev.facts.representative(pair.size) for pair in pairs]
    if None in labels or len(pairs) < 3 or not all(map(plain_symbol, held)):
        return None
    if len(set(labels)) != len(labels) - 1 or len(set(held)) != len(held) - 1:
        return None
    twice = next(name for name in labels if labels.count(name) == 2)
    square = next(size for size in held if held.count(size) == 2)
    said = [pair.shown for pair, name in zip(pairs, labels, strict=True) if name == twice]
    real = [pair.shown for pair, size in zip(pairs, held, strict=True) if size == square]
    if said == real:
        return None
    return Contradiction(
        f"dims {real[0]} and {real[1]} have one size, not dims {said[0]} and {said[1]}",
        shown=True,
    )


def _other_arithmetic(ev: Evaluator, written: WrittenShape, shape: Dims) -> Contradiction | None:
    """Arithmetic that is the size of its dim for no sizes: `3*C` where the value has `2*C`.

    No other dim contradicts the claim, and at least one confirms it. People use labels loosely, so
    its names must be variables of the program or sizes of the value.
    """
    held = 0
    apart = None
    for pair in paired(written, shape) or ():
        term = pair.written.term
        name = plain_name(pair.written)
        if name is not None:
            held += names(ev, name, pair.size)
            continue
        size = size_of_term(term, lambda label: size_called(ev, label, shape))
        relation = ev.facts.relate(size, pair.size)
        if relation is Relation.YES:
            held += pair.size != 1
        elif relation is not Relation.NO or not isinstance(term, Arithmetic) or pair.size == 1:
            return None
        elif apart is not None or not _is_of_program(ev, term, shape):
            return None
        else:
            apart = pair
    if apart is None or not held:
        return None
    return Contradiction(f"dim {apart.shown} is {apart.size}, not {dim_text(apart.written)}")


def _is_of_program(ev: Evaluator, term: Arithmetic, shape: Dims) -> bool:
    """Whether the names in a term are variables, or sizes that the value shows by these names.

    A comment that computes with a name above the line that binds the variable means another size:
    `4*N` may still be said of the former `N`.
    """
    return all(
        (
            known_label(ev, name) is None
            or ev.facts.known_equal(variable_size(ev, name), size_called(ev, name, shape))
        )
        and not _is_written_before(ev, name)
        for name in names_of(term)
    )


def _is_written_before(ev: Evaluator, name: str) -> bool:
    """Whether a comment computes with a label above the line that binds the variable."""
    function, source = ev.frame.function, ev.frame.source
    bound = ev.frame.bound_at.get(name)
    if bound is None or bound[0] is not source:
        return False
    first = 0 if function is None else function.line
    return any(
        isinstance(dim.term, Arithmetic) and name in names_of(dim.term)
        for comments in source.comments.values()
        for comment in comments
        if first <= comment.line < bound[1]
        for claim in read_comment(comment.text)
        for written in (*claim.alternatives, *claim.before)
        for dim in written.dims
    )


__all__ = ["denied", "is_certain", "refused", "shapes_of_rank"]
