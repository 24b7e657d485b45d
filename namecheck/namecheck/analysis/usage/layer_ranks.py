"""Which rank a layer's input must have, found by asking the layer's own rule.

A convolution takes three dims or four, the fourth being a batch in front; models mean the batch. A
rule that takes any rank, or whose optional dim is not in front, does not say.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from namecheck_runtime import sizes
from namecheck_runtime.declare import Unbindable
from namecheck_runtime.infer import Answer, infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims
from namecheck_runtime.layers import Instance, Layer
from namecheck_runtime.mistakes.base import Mistake

_MOST: Final = 6
_Form = str | int | None
_known: dict[tuple[Layer, tuple[_Form, ...], int, tuple[str, ...]], Rank] = {}


class Rank(NamedTuple):
    """The number of dims that the first operand of a layer has; None if that is not known."""

    dims: int | None
    certain: bool = False
    """Whether it takes only this number of dims, not counting a batch."""


def rank_of_input(instance: Instance, others: int = 0, keywords: Iterable[str] = ()) -> Rank:
    """The rank of a layer's input, by its other positional arguments and its keywords.

    `EmbeddingBag` takes other inputs with `offsets` than without.
    """
    forms = tuple([_form(value) for value in instance.fields.values()])
    key = (instance.layer, forms, others, tuple(keywords))
    rank = _known.get(key)
    if rank is None:
        rank = _find(instance, others, key[-1])
        if rank.dims is not None and (others or key[-1]) and rank != rank_of_input(instance):
            rank = Rank(None)
        _known[key] = rank
    return rank


def _form(value: object) -> _Form:
    """What an option says of ranks: a pattern, or how many sizes it has, but no size itself."""
    if isinstance(value, str) or value is None:
        return value
    return len(value) if isinstance(value, tuple) else type(value).__name__


def _find(instance: Instance, others: int, keywords: tuple[str, ...]) -> Rank:
    rest, named = (UNKNOWN,) * others, dict.fromkeys(keywords, UNKNOWN)
    answers: dict[int, tuple[Dims, Answer]] = {}
    for rank in range(1, _MOST + 1):
        dims = tuple(Dim(UNKNOWN, sizes.symbol("?")) for _ in range(rank))
        try:
            answers[rank] = dims, infer(instance, (dims, *rest), named)
        except Mistake:
            continue
        except Unbindable:
            return Rank(None)
    ranks = sorted(answers)
    if len(ranks) == 1:
        return Rank(ranks[0], True)
    if len(ranks) != 2 or ranks[1] != ranks[0] + 1 or ranks[1] == _MOST:
        return Rank(None)
    small, large = (_traits(*answers[rank]) for rank in ranks)
    return Rank(ranks[1] if small == large and small else None)


def _traits(dims: Dims, answer: Answer) -> frozenset[Any]:
    """What a rule does with dims, by their place from the right: it requires or replaces them."""
    traits: set[Any] = set()
    for duty in answer.duties:
        involved = sizes.symbols(duty.left) | sizes.symbols(duty.right)
        for back, dim in enumerate(reversed(dims), 1):
            if involved & sizes.symbols(dim.size):
                traits.add(("requires", back))
    result = answer.result
    if isinstance(result, tuple) and len(result) == len(dims) and isinstance(result[0], Dim):
        for back, (dim, result_dim) in enumerate(
            zip(reversed(dims), reversed(result), strict=True), 1
        ):
            if result_dim is not dim:
                traits.add(("replaces", back))
    return frozenset(traits)
