"""Losses of several vectors: rankings, angles, triplets."""

from __future__ import annotations

from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import Shape
from namecheck_runtime.lattice import UNKNOWN, known_dims
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.rules.nn.loss import (
    REDUCTION,
    Options,
    broadcast_all,
    declare_loss,
    without_last,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _same_rank(operands: Sequence[Shape], names: Sequence[str], text: str) -> None:
    ranks = {len(shape) for shape in operands if isinstance(shape, tuple)}
    if len(ranks) > 1 and all(isinstance(shape, tuple) for shape in operands):
        blame = tuple(map(Blame, names))
        first = operands[0]
        wanted = str(len(known_dims(first)))
        other = next(s for s in operands if len(known_dims(s)) != len(known_dims(first)))
        raise RankMismatch(shape=other, wanted=wanted, text=text, blame=blame)


def _ranked(operands: Sequence[Shape], options: Options) -> Shape:
    """The broadcast of three tensors of one rank.  Source: torch.nn.MarginRankingLoss."""
    text = "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
    listed = ", ".join(
        f"{name}: torch.Size({size_list(shape)})"
        for name, shape in zip(("input1", "input2", "target"), operands, strict=True)
    )
    _same_rank(operands, ("input1", "input2", "target"), text + listed)
    return broadcast_all(operands, options)


declare_loss(
    "margin_ranking_loss",
    "MarginRankingLoss",
    _ranked,
    "input1 input2 target",
    f"margin= {REDUCTION}",
    f"margin=0.0 {REDUCTION}",
)


def _cosine(operands: Sequence[Shape], options: Options) -> Shape:
    """`[N, D], [N, D], [N] -> [N]`, or without N.  Source: torch.nn.CosineEmbeddingLoss."""
    first, second, target = operands
    if isinstance(target, tuple):
        if len(target) > 1:
            text = "0D or 1D target tensor expected, multi-target not supported"
            raise RankMismatch(shape=target, wanted="0 or 1", text=text, blame=(Blame("target"),))
        wanted = len(target) + 1
        for shape, name in ((first, "input1"), (second, "input2")):
            if isinstance(shape, tuple) and len(shape) != wanted:
                text = (
                    f"{len(target)}D target tensor expects {wanted}D input tensors, but found "
                    f"inputs with sizes {size_list(first)} and {size_list(second)}."
                )
                blame = (Blame(name), Blame("target"))
                raise RankMismatch(shape=shape, wanted=str(wanted), text=text, blame=blame)
    vectors = broadcast(first, second, arguments=("input1", "input2"), suspicious=False)
    lead = without_last(vectors)
    return broadcast(lead, target, arguments=("input1", "target"), suspicious=False)


declare_loss(
    "cosine_embedding_loss",
    "CosineEmbeddingLoss",
    _cosine,
    "input1 input2 target",
    f"margin= {REDUCTION}",
    f"margin=0.0 {REDUCTION}",
)


def _triplet(operands: Sequence[Shape], options: Options) -> Shape:
    """`[*, D]` three times: `[*]`.  Source: torch.nn.TripletMarginLoss, "Shape"."""
    ranks = [len(known_dims(shape)) for shape in operands]
    text = (
        "The anchor, positive, and negative tensors are expected to have the same number of "
        f"dimensions, but got: anchor {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D "
        "inputs"
    )
    _same_rank(operands, ("anchor", "positive", "negative"), text)
    return without_last(broadcast_all(operands, options))


declare_loss(
    "triplet_margin_loss",
    "TripletMarginLoss",
    _triplet,
    "anchor positive negative",
    f"margin= p= eps= swap= {REDUCTION}",
    f"margin=1.0 p=2.0 eps=1e-06 swap=False {REDUCTION}",
)
declare_loss(
    "triplet_margin_with_distance_loss",
    "TripletMarginWithDistanceLoss",
    lambda operands, options: UNKNOWN,
    "anchor positive negative",
    "* distance_function= margin= swap= reduction=mean",
    "* distance_function= margin=1.0 swap=False reduction=mean",
)
