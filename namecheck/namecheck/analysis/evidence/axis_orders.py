"""Annotations of one signature that have the same axes in two orders (NC401, a warning).

`x: Float[Tensor, "*bs n 3"]` and `-> Float[Tensor, "3 *bs"]`: one of the two is a slip. An axis is
a name, a `*name` or a number above 1. Two annotations disagree if one of them has all the axes of
the other; scores `"b h q k"` beside queries `"b q h d"` do not. So does a `*name` that leads in one
of them and ends the other. Where one of them has more axes, plain names may be laid out anew: the
sums `"heads time"` beside queries `"time heads dim"`.

A function may well turn the axes of its argument. Its result is judged at a `return` whose value
does not show the order that is declared. Parameters that are each other's transposes may be factors
of a product: a third annotation has to agree with one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from namecheck.analysis.evidence.annotation import (
    Declaration,
    Declared,
    Each,
    OneOf,
    Several,
    read,
)
from namecheck.analysis.evidence.declarations import contradicts
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.values import Function, Tensor, Value
from namecheck_runtime.lattice import UNKNOWN, known_dims
from namecheck_runtime.mistakes.claims import AxesInTwoOrders, CommentMismatch
from namecheck_runtime.notation import matching
from namecheck_runtime.notation.syntax import WrittenDim, WrittenShape
from namecheck_runtime.notation.written import many_name, plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame, Outcome


class Shown(NamedTuple):
    """One annotated shape of a signature."""

    whose: str
    """The parameter; "" is the result."""
    declared: Declared
    node: ir.Expression
    """The annotation that contains it."""
    axes: tuple[str | None, ...]
    """None: a dim that says nothing of its order."""


def of_parameters(ev: Evaluator, frame: Frame, documented: bool) -> None:
    """Blame a parameter that has the axes of another in another order."""
    record = None if frame.function is None else frame.function.record
    if not isinstance(record, ir.FunctionDef):
        return
    shapes = list(_parameters(ev, record))
    if len(shapes) < 2:
        return
    for first, second in combinations(shapes, 2):
        if first.whose == second.whose:
            continue
        axes = disorder(first.axes, second.axes)
        if axes is None:
            continue
        everywhere = [*shapes, *_result(ev, record)]
        if first.axes[-2:] == second.axes[:-3:-1]:
            others = [one for one in everywhere if one is not first and one is not second]
            if not any(set(axes) <= set(one.axes) for one in others):
                continue  # factors of a product
        if axes[0] == axes[1] and any(axes[0] in one.axes[1:-1] for one in everywhere):
            continue  # `"time *batch neuron"` shows that both are parts of one order
        odd, other = _odd(first, second, everywhere)
        ev.frame.look((odd.node.id, "order"))
        _blame(ev, odd, other, axes)


def of_result(ev: Evaluator, node: ir.Return, value: Value) -> Value:
    """Blame the annotation of a result whose order is not that of the parameters."""
    function = ev.frame.function
    if node.value is None or function is None or not isinstance(function.record, ir.FunctionDef):
        return value
    record = function.record
    if record.returns is None or ev.frame.depth or ev.spelled:
        return value
    if any(key[-1] == CommentMismatch.code for key in ev.frame.wrong):
        return value  # a comment that is reported has hidden what the value shows
    results = [one for one in _result(ev, record) if not _is_repeated(one, record)]
    if not results:
        return value
    shapes = list(_parameters(ev, record))
    for result in results:
        for shape in shapes:
            axes = disorder(shape.axes, result.axes)
            if axes is None:
                continue
            if axes[0] != axes[1] and _hides_order(shape) and not _has_rank(ev, value):
                continue
            odd, other = _odd(shape, result, [*shapes, *results])
            ev.frame.look((odd.node.id, "order"))
            if not (_shows(ev, result.declared, value) or contradicts(ev, result.declared, value)):
                _blame(ev, odd, other, axes)
            return value
    return value


def _hides_order(shown: Shown) -> bool:
    """Whether a shape has a `*name` behind other axes: how an op lays these out is not followed."""
    return any(axis is not None and axis[0] == "*" for axis in shown.axes[1:])


def _has_rank(ev: Evaluator, value: Value) -> bool:
    value = ev.resolve(value)
    return isinstance(value, Tensor) and isinstance(ev.current(value.shape), tuple)


def _is_repeated(shown: Shown, record: ir.FunctionDef) -> bool:
    """Whether a function writes the annotation of its result once more: nobody slips twice.

    `cast(Float[Array, "w h"], turn(x))`
    """
    return any(
        isinstance(inner, ir.Str) and inner.value == shown.declared.text
        for statement in record.body
        for inner in walk(statement)
    )


def is_turned(function: Function, outcomes: Sequence[Outcome]) -> bool:
    """Whether an annotation of a function's signature is blamed for the order of its axes."""
    record = function.record
    if not isinstance(record, ir.FunctionDef):
        return False
    annotations = [record.returns, *[parameter.annotation for parameter in record.parameters]]
    places = {annotation.id for annotation in annotations if annotation is not None}
    return any(
        isinstance(outcome.mistake, AxesInTwoOrders)
        and outcome.source is function.source
        and outcome.node in places
        for outcome in outcomes
    )


def disorder(first: Sequence[str | None], second: Sequence[str | None]) -> tuple[str, str] | None:
    """Two axes that stand in another order in the second shape; None if there are none.

    For a `*name` at the other end of the second shape, that name twice.
    """
    once = [
        axis
        for axis in first
        if axis is not None and first.count(axis) == 1 and second.count(axis) == 1
    ]
    if all(axis in once for axis in first) or all(axis in once for axis in second):
        alike = len(first) == len(second)
        for left, right in combinations(once, 2):
            if left.isdecimal() and right.isdecimal():
                continue
            if not (alike or any(axis[0] == "*" or axis.isdecimal() for axis in (left, right))):
                continue
            if second.index(left) > second.index(right):
                return left, right
    if len(first) > 1 and len(second) > 1:
        for axis in once:
            if axis[:1] == "*" and axis != "*":
                if (first[0], second[-1]) == (axis, axis) or (first[-1], second[0]) == (axis, axis):
                    return axis, axis
    return None


def _axes(written: WrittenShape) -> tuple[str | None, ...]:
    return tuple([_axis(dim) for dim in written.dims if dim.term != 1])


def _axis(dim: WrittenDim) -> str | None:
    if dim.many:
        name = many_name(dim)
        return None if dim.broadcastable or dim.tree else f"*{name or ''}"
    if isinstance(dim.term, int) and dim.term > 1 and not dim.broadcastable:
        return str(dim.term)
    return plain_name(dim)


def _parameters(ev: Evaluator, record: ir.FunctionDef) -> Iterator[Shown]:
    for parameter in record.parameters:
        if parameter.annotation is not None:
            yield from _shown(ev, parameter.name, parameter.annotation)


def _result(ev: Evaluator, record: ir.FunctionDef) -> Iterator[Shown]:
    if record.returns is not None:
        yield from _shown(ev, "", record.returns)


def _shown(ev: Evaluator, whose: str, annotation: ir.Expression) -> list[Shown]:
    declaration = read(ev, annotation)
    if declaration is None:
        return []
    return [
        Shown(whose, declared, annotation, _axes(declared.written))
        for declared in _declared(declaration)
        if declared.written is not None and len(declared.written.dims) > 1
    ]


def _declared(declaration: Declaration) -> Iterator[Declared]:
    match declaration:
        case Declared():
            yield declaration
        case OneOf(options):
            orders = [_axes(option.written) for option in options if option.written is not None]
            # Several layouts are accepted: neither is the order of the axes.
            if not any(disorder(a, b) for a, b in combinations(orders, 2)):
                yield from options
        case Several(parts):
            for part in parts:
                if part is not None:
                    yield from _declared(part)
        case Each(element):
            yield from _declared(element)


def _odd(first: Shown, second: Shown, shapes: Sequence[Shown]) -> tuple[Shown, Shown]:
    """The one of two shapes with which more shapes disagree, and the other; else the second."""
    against = [
        sum(disorder(shape.axes, one.axes) is not None for shape in shapes)
        for one in (first, second)
    ]
    return (first, second) if against[0] > against[1] else (second, first)


def _shows(ev: Evaluator, declared: Declared, value: Value) -> bool:
    """Whether a value is known to have a declared dim in its place."""
    value = ev.resolve(value)
    if declared.written is None or not isinstance(value, Tensor):
        return False
    dims = known_dims(ev.current(value.shape))
    for place, dim in matching.pairs(declared.written, ev.current(value.shape)):
        size = matching.declared_size(ev.frame.written.names, dim, known=True)
        if size is not UNKNOWN and ev.facts.known_equal(size, dims[place].size):
            return True
    return False


def _blame(ev: Evaluator, odd: Shown, other: Shown, axes: tuple[str, str]) -> None:
    mistake = AxesInTwoOrders(
        found=UNKNOWN,
        declared=odd.declared.text,
        what=_who(odd),
        other=other.declared.text,
        whose=_who(other),
        reason=f"'{axes[0]}' leads in one of them and ends the other"
        if axes[0] == axes[1]
        else f"'{axes[0]}' and '{axes[1]}' are in another order",
    )
    ev.blame(mistake, mistake.level, odd.node, {}, question=(odd.node.id, "order"))


def _who(shape: Shown) -> str:
    return f"'{shape.whose}'" if shape.whose else "the result"
