"""Views that a later view undoes: `x.view(b * t, c, h, w)`, maps resized, `.view(b, c, t, h, w)`.

The first view puts elements into dims that they do not belong to, and so does the second. If all
that is computed between them treats each map by itself, the second restores the order of the first,
and neither is wrong (NC205).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from namecheck.analysis.state.values import Tensor, Value
from namecheck_runtime import sizes
from namecheck_runtime.declare import Effect
from namecheck_runtime.lattice import UNKNOWN, Dims, Size
from namecheck_runtime.mistakes.sizes import ScrambledReshape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


class View(NamedTuple):
    """A view that regroups dims: its operand's dims, its own, and the number of its expression."""

    source: Dims
    target: Dims
    node: int


_SEPARATE: frozenset[Effect] = frozenset({"resamples", "keeps"})
"""The effects of ops that treat each map by itself."""


def note_view(ev: Evaluator, operand: Value, value: Value, node: int) -> None:
    """Remember a view whose first dims are not those of its operand."""
    operand = ev.resolve(operand)
    if isinstance(operand, Tensor) and isinstance(value, Tensor):
        source, target = ev.current(operand.shape), ev.current(value.shape)
        if isinstance(source, tuple) and isinstance(target, tuple):
            if len(source) != len(target) and min(len(source), len(target)) > 1:
                ev.frame.views[value] = View(source, target, node)


def carry(
    ev: Evaluator, effect: Effect, pointwise: bool, operands: Sequence[Value], value: Value
) -> None:
    """Remember of a result that it comes from a view, if an op treats each map by itself."""
    if effect in _SEPARATE or pointwise:
        tensors = [one for one in map(ev.resolve, operands) if isinstance(one, Tensor)]
        view = _view_of(ev, tensors[0]) if len(tensors) == 1 else None
        if view is not None:
            ev.frame.views[value] = view


def _view_of(ev: Evaluator, value: Value) -> View | None:
    for viewed, view in ev.frame.views.items():
        if isinstance(view, View) and ev.resolve(viewed) is value:
            return view
    return None


def is_undoing(ev: Evaluator, doubt: ScrambledReshape, operands: Mapping[str, Argument]) -> bool:
    """Whether a view restores the dims of the view that its operand comes from.

    What was said of that view is withdrawn.
    """
    if not ev.frame.views or not operands:
        return False
    view = _view_of(ev, ev.resolve(next(iter(operands.values())).value))
    source, target = ev.current(doubt.source), ev.current(doubt.target)
    if view is None or not isinstance(source, tuple) or not isinstance(target, tuple):
        return False
    if len(view.source) != len(target) or len(view.target) != len(source):
        return False
    before, between = (ev.current(dims) for dims in (view.source, view.target))
    assert isinstance(before, tuple)
    assert isinstance(between, tuple)
    maps = _common(source, target)
    ours, theirs = len(source) - maps, len(target) - maps
    if not _agree(between[:ours], source[:ours]) or not _agree(before[:theirs], target[:theirs]):
        return False
    ev.frame.wrong.pop((view.node, doubt.code), None)
    return True


def _common(left: Dims, right: Dims) -> int:
    """How many of the last dims two shapes have in common: those of a map."""
    count = 0
    for mine, other in zip(reversed(left), reversed(right), strict=False):
        if mine.size != other.size:
            break
        count += 1
    return count


def _agree(known: Dims, stated: Dims) -> bool:
    """Whether dims have the sizes that are stated; at most one size may be unknown.

    The others and the number of elements then say what it is.
    """
    differing = [mine for mine, other in zip(known, stated, strict=True) if mine.size != other.size]
    return not differing or (len(differing) == 1 and _is_open(differing[0].size))


def _is_open(size: Size) -> bool:
    """Whether a size is not known, or computed from one to which nobody gave a name."""
    return size is UNKNOWN or any(atom.label == "?" for atom in sizes.symbols(size))


__all__ = ["View", "carry", "is_undoing", "note_view"]
