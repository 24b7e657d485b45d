"""Views that a later view undoes: `x.view(b * t, c, h, w)`, maps resized, `.view(b, c, t, h, w)`.

The first view puts elements into dims that they do not belong to, and so does the second. If all
that is computed between them treats each map by itself, the second restores the order of the first,
and neither is wrong (NC205). So it is with parts that are viewed and joined block by block, if a
view of the whole restores the rows: the keys and values of `kv.weight`, interleaved by head.

Heads that a view split off are merged again in the order of that view, once the values were
weighted: `[B, T, H, D]` of `C` channels becomes `[B, T, C]`, and `[B, T, D, H]` never does. Only
what shuffles channels on purpose merges them in another order, and that takes no weighted sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.analysis.state.values import List, Role, Tensor, Tuple, Value
from namecheck.analysis.usage.marks import role_of
from namecheck_runtime import sizes
from namecheck_runtime.declare import Effect
from namecheck_runtime.lattice import UNKNOWN, Dims, Size
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import ScrambledReshape
from namecheck_runtime.rules.regrouping import groups

if TYPE_CHECKING:
    from collections.abc import Mapping

    from namecheck.analysis.reading import ir
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


class View(NamedTuple):
    """A view that regroups dims: its operand's dims, its own, and the number of its expression.

    The parts of a tensor that is joined may come from several views.
    """

    source: Dims
    target: Dims
    nodes: tuple[int, ...]


class Attended:
    """A weighted sum of values, perhaps with its dims moved since."""

    __slots__ = ()


_SEPARATE: Final[frozenset[Effect]] = frozenset({"resamples", "keeps"})
"""The effects of ops that treat each map by itself."""


def note_view(ev: Evaluator, operand: Value, value: Value, node: int) -> None:
    """Remember a view whose first dims are not those of its operand.

    If it restores the rows that a view before it had cut up, nothing was wrong with that.
    """
    operand = ev.resolve(operand)
    if isinstance(operand, Tensor) and isinstance(value, Tensor):
        source, target = ev.current(operand.shape), ev.current(value.shape)
        if isinstance(source, tuple) and isinstance(target, tuple):
            before = _view_of(ev, operand) if ev.frame.views else None
            if before is not None and _restores_rows(ev, before, source, target):
                _withdraw(ev, before, ScrambledReshape.code)
            if len(source) != len(target) and min(len(source), len(target)) > 1:
                ev.frame.views[value] = View(source, target, (node,))


def check_order(
    ev: Evaluator, by_name: Mapping[str, Argument], value: Value, node: ir.Node, op: str
) -> None:
    """Doubt a view of a weighted sum that merges two dims in the other order than they were split.

    All views of the function split them in that order.
    """
    name, argument = next(iter(by_name.items()))
    operand = ev.resolve(argument.value)
    value = ev.resolve(value)
    if not isinstance(operand, Tensor) or not isinstance(value, Tensor):
        return
    source, target = ev.current(operand.shape), ev.current(value.shape)
    if not isinstance(source, tuple) or not isinstance(target, tuple):
        return
    if not isinstance(_of(ev, operand), Attended):
        return
    views = [view for view in ev.frame.views.values() if isinstance(view, View)]
    known = {pair for view in views for pair in _pairs(view.target, view.source)}
    found = [pair for pair in _pairs(source, target) if pair not in known]
    for before, after in found:
        if (after, before) in known:
            mistake = ScrambledReshape(
                source=source,
                target=target,
                moved=after,
                order=(after, before),
                op=op,
                blame=(Blame(name),),
            )
            ev.blame(mistake, mistake.level, node, by_name)
            return


def _neighbours(dims: Dims) -> Iterator[tuple[Size, Size]]:
    for left, right in pairwise(dim.size for dim in dims):
        if left != right and _is_stated(left) and _is_stated(right):
            yield left, right


def _pairs(parts: Dims, whole: Dims) -> Iterator[tuple[Size, Size]]:
    """The sizes of two neighbours in `parts` that are within one dim of `whole`."""
    for group in groups([dim.size for dim in parts], [dim.size for dim in whole]):
        if group.decided and len(group.target) == 1:
            yield from _neighbours(tuple([parts[place] for place in group.source]))


def _is_stated(size: Size) -> bool:
    return isinstance(size, sizes.Polynomial) and not _is_open(size)


def note_order(ev: Evaluator, effect: Effect, operands: Sequence[Value], value: Value) -> None:
    """Remember of a result what `check_order` asks about it."""
    value = ev.resolve(value)
    tensors = [one for one in map(ev.resolve, operands) if isinstance(one, Tensor)]
    if effect == "contraction":
        if any(role_of(one) is Role.WEIGHTS for one in tensors):
            ev.frame.views[value] = Attended()
    elif effect in ("moves", "keeps"):
        if tensors and isinstance(_of(ev, tensors[0]), Attended):
            ev.frame.views[value] = Attended()


def carry(
    ev: Evaluator, effect: Effect, pointwise: bool, operands: Sequence[Value], value: Value
) -> None:
    """Remember of a result that it comes from a view, if an op treats each map by itself."""
    if effect in _SEPARATE or pointwise:
        tensors = [one for one in map(ev.resolve, operands) if isinstance(one, Tensor)]
        view = _view_of(ev, tensors[0]) if len(tensors) == 1 else None
        if view is not None:
            ev.frame.views[value] = view


def join(ev: Evaluator, parts: Value, value: Value) -> None:
    """Remember of a tensor that is joined from parts that all of them come from equal views."""
    parts, value = ev.resolve(parts), ev.resolve(value)
    contents = ev.cells.get(parts) if isinstance(parts, List) else None
    if isinstance(parts, Tuple):
        contents = tuple(parts.elements)
    if not isinstance(contents, tuple) or not isinstance(value, Tensor):
        return
    views = [_view_of(ev, ev.resolve(part)) for part in contents]
    known = [view for view in views if view is not None]
    if not known or len(known) < len(views):
        return
    source, target, _ = known[0]
    if any(_sizes(ev, view) != _sizes(ev, known[0]) for view in known):
        return
    nodes = tuple([node for view in known for node in view.nodes])
    ev.frame.views[value] = View(source, target, nodes)


def _sizes(ev: Evaluator, view: View) -> tuple[list[Size], list[Size]]:
    source, target = (
        [ev.facts.representative(dim.size) for dim in dims] for dims in (view.source, view.target)
    )
    return source, target


def _restores_rows(ev: Evaluator, view: View, source: Dims, target: Dims) -> bool:
    """Whether a view has the rows again that an earlier one regrouped, perhaps of several parts.

    `source` are the dims between the two. Joined along the last dim, the parts have cut the rows.
    """
    if len(view.target) != len(source) or len(view.source) != len(target) or len(target) < 2:
        return False
    before, between = _sizes(ev, view)
    now = [ev.facts.representative(dim.size) for dim in target]
    last = ev.facts.representative(source[-1].size)
    return UNKNOWN not in before and before[1:] == now[1:] and between[-1] == last


def _withdraw(ev: Evaluator, view: View, code: str) -> None:
    for node in view.nodes:
        ev.frame.wrong.pop((node, code), None)


def _view_of(ev: Evaluator, value: Value) -> View | None:
    view = _of(ev, value)
    return view if isinstance(view, View) else None


def _of(ev: Evaluator, value: Value) -> object:
    """What is remembered of a tensor."""
    for viewed, view in ev.frame.views.items():
        if ev.resolve(viewed) is value:
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
    if _restores_rows(ev, view, source, target):
        return True  # `note_view` withdraws what was said of the other
    if len(view.source) != len(target) or len(view.target) != len(source):
        return False
    before, between = (ev.current(dims) for dims in (view.source, view.target))
    assert isinstance(before, tuple)
    assert isinstance(between, tuple)
    maps = _common(source, target)
    ours, theirs = len(source) - maps, len(target) - maps
    if not _agree(between[:ours], source[:ours]) or not _agree(before[:theirs], target[:theirs]):
        return False
    _withdraw(ev, view, doubt.code)
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


__all__ = ["View", "carry", "check_order", "is_undoing", "join", "note_order", "note_view"]
