"""The rank of an operand, learned from the rank of the result.

Once the rank of a result is known, that of its operand follows: a layer norm with a result of three
dims had an operand of three. The walk asks the op again about operands with as many dims, with one
fewer and with one more. If exactly one of them gives the rank of the result, the operand has that
rank, and the dims that the op has passed on are the same. Which op keeps which dims only its rule
knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.state.unknown_ranks import Made, Mixed, is_open
from namecheck.analysis.state.values import List, Tensor, Tuple, Value
from namecheck_runtime import declare, layers, sizes
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Trailing, known_dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.sizes import plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


def keep(
    ev: Evaluator,
    call: declare.Spelling | layers.Instance,
    asked: Sequence[Any],
    keywords: Mapping[str, Any],
    given: Sequence[Argument],
    named: Mapping[str, Argument],
    result: Tensor,
) -> None:
    """Remember the call that made a result of unknown dims, if one operand is of unknown rank."""
    operands: list[tuple[int | str, Any, Value]] = [
        (index, asked[index], ev.resolve(argument.value)) for index, argument in enumerate(given)
    ]
    for name, argument in named.items():
        operands.append((name, keywords.get(name), ev.resolve(argument.value)))
    laid_out, is_ranked = ev.ranks.laid_out, type(result.shape) is tuple
    candidates = [(at, value) for at, shape, value in operands if _is_of_any_rank(value, shape)]
    if is_ranked and not candidates:
        candidates = [(at, value) for at, _, value in operands if value in laid_out]
    if len(candidates) == 1 and candidates[0][1] is not result:
        made = Made(call, tuple(asked), keywords, *candidates[0])
        (laid_out if is_ranked else ev.ranks.made_of)[result] = made
    elif not is_ranked:
        _keep_mixed(ev, call, asked, keywords, operands, result)


def keep_beside(
    ev: Evaluator,
    call: declare.Spelling | layers.Instance,
    asked: Sequence[Any],
    keywords: Mapping[str, Any],
    given: Sequence[Argument],
    result: Tensor,
) -> None:
    """Remember the call in a statement with a comment that made a result of known dims of an
    operand of unknown rank: `x.view(x.shape[0], -1)`.
    """
    candidates: list[tuple[int, Value]] = []
    for index, argument in enumerate(given):
        value = ev.resolve(argument.value)
        if _is_of_any_rank(value, asked[index]) or value in ev.ranks.beside:
            candidates.append((index, value))
    if len(candidates) == 1 and candidates[0][1] is not result:
        ev.ranks.beside[result] = Made(call, tuple(asked), keywords, *candidates[0])


def _keep_mixed(
    ev: Evaluator,
    call: declare.Spelling | layers.Instance,
    asked: Sequence[Any],
    keywords: Mapping[str, Any],
    operands: Sequence[tuple[int | str, Any, Value]],
    result: Tensor,
) -> None:
    """Remember the call that made a result from several tensors of unknown rank, or a list."""
    places: list[int | str] = []
    first: Value | None = None
    for at, shape, value in operands:
        if isinstance(value, (Tuple, List)) and isinstance(shape, (tuple, list)):
            candidates = [one for one in _held(ev, value) if is_open(one)]
        else:
            candidates = [value] if _is_of_any_rank(value, shape) else []
        if candidates and result not in candidates:
            places.append(at)
            first = first or candidates[0]
    if first is not None:
        ev.ranks.mixed[result] = Mixed(call, tuple(asked), keywords, tuple(places), first)


def _held(ev: Evaluator, value: Value) -> list[Value]:
    """The values in a tuple or a list, as far as they are known one by one."""
    if isinstance(value, Tuple):
        return [ev.resolve(one) for one in value.elements]
    held = ev.cells.get(value) if isinstance(value, List) else None
    return [ev.resolve(one) for one in held] if isinstance(held, tuple) else []


def pass_doubt_on(ev: Evaluator, given: Iterable[Argument], result: Value) -> None:
    """Let what an op makes of tensors be in doubt if one of them is.

    So it is with what one of several layers gave, as long as the rank is not known.
    """
    doubted, called = ev.ranks.doubted, ev.ranks.called
    if not doubted and not called:
        return
    for argument in given:
        value = ev.resolve(argument.value)
        if value in doubted or (doubted and any(one in doubted for one in _held(ev, value))):
            doubted.add(result)
        of = called.get(value) or called.get(argument.value)
        if of is not None and is_open(result) and result not in called:
            called[result] = of._replace(direct=False)


def says_little(shape: Shape) -> bool:
    """Whether the rank of a shape is unknown, or the size of every dim."""
    if type(shape) is not tuple:
        return True
    return bool(shape) and all(dim.size is UNKNOWN for dim in shape)


def _is_of_any_rank(value: Value, asked: Any) -> bool:
    return is_open(value) and (asked is UNKNOWN or type(asked) is Trailing)


def teach(ev: Evaluator, result: Value, known: Tensor) -> None:
    """Learn the rank of an operand, if possible, from that of the result, now `known`."""
    made = ev.ranks.made_of[result]
    if type(known.shape) is not tuple:
        ev.ranks.made_of[known] = made
        return
    operand = ev.resolve(made.operand)
    if known.rank_claimed or not is_open(operand):
        return
    ending = known_dims(operand.shape) if isinstance(operand, Tensor) else ()
    fits: list[tuple[Dims, Dims]] = []
    about = len(known.shape)
    for rank in range(max(len(ending), about - 1, 1), about + 2):
        front = tuple(Dim(UNKNOWN, sizes.symbol("?")) for _ in range(rank - len(ending)))
        answer = answer_for(made, (*front, *ending))
        if answer is UNKNOWN or isinstance(answer, Trailing):
            return  # this rank is possible, and others may be
        if answer is not None and len(answer) == len(known.shape):
            fits.append(((*front, *ending), answer))
    if len(fits) == 1:
        dims, answer = fits[0]
        ev.give_shape(operand, _passed_on(dims, answer, known.shape))


def answer_for(made: Made, dims: Shape) -> Any:
    """The op's answer for an operand of these dims; None if it refuses them."""
    arguments, keywords = list(made.arguments), dict(made.keywords)
    _put(arguments, keywords, made.place, dims)
    return _answer(made.call, arguments, keywords)


def mixed_answer_for(mixed: Mixed, dims: Shape) -> Any:
    """The same if all of several operands have these dims; UNKNOWN for a product of two tensors."""
    arguments, keywords = list(mixed.arguments), dict(mixed.keywords)
    if isinstance(mixed.call, declare.Spelling) and mixed.call.op.effect == "contraction":
        return UNKNOWN
    for place in mixed.places:
        _put(arguments, keywords, place, dims)
    return _answer(mixed.call, arguments, keywords)


def _put(arguments: list[Any], keywords: dict[str, Any], place: int | str, dims: Shape) -> None:
    """Let one operand, or each tensor of a list, have these dims."""
    before = arguments[place] if isinstance(place, int) else keywords.get(place)
    value: Any = dims
    if isinstance(before, (tuple, list)) and not all(type(part) is Dim for part in before):
        value = [dims] * len(before)
    if isinstance(place, int):
        arguments[place] = value
    else:
        keywords[place] = value


def _answer(
    call: declare.Spelling | layers.Instance, arguments: list[Any], keywords: dict[str, Any]
) -> Any:
    try:
        result = infer(call, arguments, keywords).result
    except Mistake:
        return None
    except declare.Unbindable:
        return UNKNOWN
    if isinstance(result, tuple) and all(type(dim) is Dim for dim in result):
        return result
    return result if isinstance(result, Trailing) else UNKNOWN


def _passed_on(dims: Dims, answer: Dims, known: Dims) -> Dims:
    """The operand's dims, with the sizes of those that the op has passed on."""
    passed = {
        atom: now.size
        for dim, now in zip(answer, known, strict=True)
        if (atom := plain_symbol(dim.size)) is not None and now.size is not UNKNOWN
    }
    learned = []
    for dim in dims:
        atom = plain_symbol(dim.size)
        is_new = atom is not None and atom.label == "?" and dim.name is UNKNOWN
        learned.append(Dim(dim.name, passed[atom]) if is_new and atom in passed else dim)
    return tuple(learned)


__all__ = ["answer_for", "keep", "mixed_answer_for", "teach"]
