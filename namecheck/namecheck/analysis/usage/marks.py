"""The history of a tensor, and the marks on its dims: how they are put there and taken off.

A `History` says how a whole tensor was computed. A mark stands on one dim, moves with it, and says
what is along it: queries, keys, or what a softmax made shares of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import History, Role, Statistic, Tensor, Value
from namecheck_runtime.lattice import UNKNOWN, Dim, Mark, Shape, Trace, Trailing, known_dims

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

OF_VALUES = frozenset({Mark.QUERIES, Mark.KEYS, Mark.NORMALISED})
"""Marks that say something of the elements along a dim, and not of the dim."""


def history_of(value: Value) -> History | None:
    return value.history if type(value) is Tensor else None


def role_of(value: Value) -> Role | None:
    history = history_of(value)
    return None if history is None else history.role


def statistic_of(value: Value) -> Statistic | None:
    history = history_of(value)
    return None if history is None else history.statistic


def with_history(tensor: Tensor, history: History | None, shape: Shape | None = None) -> Tensor:
    """The tensor with a history, and with other traces."""
    if history == History():
        history = None
    if history == tensor.history and shape is None:
        return tensor
    return tensor.remember(history, tensor.shape if shape is None else shape)


def without_history(tensor: Tensor) -> Tensor:
    """A tensor of which nothing is remembered: marks that its dims brought along are void."""
    dims = known_dims(tensor.shape)
    if not any(OF_VALUES & marks_of(dim) for dim in dims):
        return with_history(tensor, None)
    return with_history(
        tensor, None, with_dims(tensor.shape, [_without_marks(dim) for dim in dims])
    )


def _without_marks(dim: Dim) -> Dim:
    trace = dim.trace
    if trace is None or trace.marks.isdisjoint(OF_VALUES):
        return dim
    kept = trace._replace(marks=trace.marks - OF_VALUES, since=None)
    return Dim(dim.name, dim.size, None if kept == Trace() else kept)


def marked(dim: Dim, mark: Mark, since: object) -> Dim:
    trace = dim.trace or Trace()
    return Dim(dim.name, dim.size, trace._replace(marks=trace.marks | {mark}, since=since))


def marks_of(dim: Dim) -> frozenset[Mark]:
    return frozenset() if dim.trace is None else dim.trace.marks


def marked_normalised(ev: Evaluator, shape: Shape, dim: int, node: ir.Node) -> Shape:
    """The dims of scores with a mark on the one that they were normalised along."""
    dims = known_dims(shape)
    place = dim if dim < 0 or not isinstance(shape, tuple) else dim - len(dims)
    if not -len(dims) <= place < 0:
        return shape
    made = list(dims)
    made[place] = marked(made[place], Mark.NORMALISED, ev.place(node))
    return with_dims(shape, made)


def marked_again(shape: Shape, source: Shape) -> Shape:
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
            for mark in OF_VALUES & (dim.trace.marks - marks_of(mine)):
                dims[-back] = marked(dims[-back], mark, dim.trace.since)
    return with_dims(shape, dims)


def with_dims(shape: Shape, dims: Sequence[Dim]) -> Shape:
    """A shape of these dims in place of those that it knows."""
    if not dims:
        return shape
    return tuple(dims) if isinstance(shape, tuple) else Trailing(tuple(dims))
