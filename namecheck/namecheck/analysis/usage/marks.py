"""The history of a tensor and the marks on its dims: how they are set and removed.

A `History` says how a whole tensor was computed. A mark belongs to one dim, moves with it, and says
what lies along it: queries, keys, or shares that a softmax made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import History, Role, Statistic, Tensor, Value
from namecheck_runtime.lattice import UNKNOWN, Dim, Mark, Shape, Trace, Trailing, known_dims

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

OF_VALUES: Final = frozenset({Mark.QUERIES, Mark.KEYS, Mark.NORMALISED})
"""Marks that describe the elements along a dim, not the dim itself."""


def history_of(value: Value) -> History | None:
    return value.history if type(value) is Tensor else None


def role_of(value: Value) -> Role | None:
    history = history_of(value)
    return None if history is None else history.role


def statistic_of(value: Value) -> Statistic | None:
    history = history_of(value)
    return None if history is None else history.statistic


def with_history(tensor: Tensor, history: History | None, shape: Shape | None = None) -> Tensor:
    """The tensor with a history, and with the dims of `shape` if it is given."""
    if history == History():
        history = None
    if history == tensor.history and shape is None:
        return tensor
    return tensor.remember(history, tensor.shape if shape is None else shape)


def without_history(tensor: Tensor) -> Tensor:
    """The tensor without a history, and without the marks on its dims that describe elements."""
    dims = known_dims(tensor.shape)
    if not any(OF_VALUES & marks_of(dim) for dim in dims):
        return with_history(tensor, None)
    return with_history(
        tensor, None, with_dims(tensor.shape, [_without_marks(dim) for dim in dims])
    )


def without_stated(value: Value) -> Value:
    """A product without the marks of the 1s in its factors: nobody wrote those of the result."""
    if type(value) is not Tensor or not any(
        Mark.STATED in marks_of(dim) for dim in known_dims(value.shape)
    ):
        return value
    dims = [_without_marks(dim, frozenset({Mark.STATED})) for dim in known_dims(value.shape)]
    return with_history(value, value.history, with_dims(value.shape, dims))


def _without_marks(dim: Dim, marks: frozenset[Mark] = OF_VALUES) -> Dim:
    trace = dim.trace
    if trace is None or trace.marks.isdisjoint(marks):
        return dim
    remaining = trace._replace(marks=trace.marks - marks, since=None)
    return Dim(dim.name, dim.size, None if remaining == Trace() else remaining)


def marked(dim: Dim, mark: Mark, since: object) -> Dim:
    trace = dim.trace or Trace()
    return Dim(dim.name, dim.size, trace._replace(marks=trace.marks | {mark}, since=since))


def marks_of(dim: Dim) -> frozenset[Mark]:
    return frozenset() if dim.trace is None else dim.trace.marks


def marked_normalised(ev: Evaluator, shape: Shape, dim: int, node: ir.Node) -> Shape:
    """The dims of scores with a mark on the dim along which they were normalised."""
    dims = known_dims(shape)
    place = dim if dim < 0 or not isinstance(shape, tuple) else dim - len(dims)
    if not -len(dims) <= place < 0:
        return shape
    marked_dims = list(dims)
    marked_dims[place] = marked(marked_dims[place], Mark.NORMALISED, ev.place(node))
    return with_dims(shape, marked_dims)


def marked_again(shape: Shape, source: Shape) -> Shape:
    """The dims of a result with the marks of the tensor that it was computed from.

    The dims are new where two tensors with marks are lined up, or one is broadcast with something
    unknown.
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
    """The shape with these dims in place of its known ones."""
    if not dims:
        return shape
    return tuple(dims) if isinstance(shape, tuple) else Trailing(tuple(dims))
