"""A tensor beside its own mean or sum that lies along another of its dims (NC202).

`x / x.sum(-1)` divides the last dim by sums over the last dim, one for each place along the dim
before it.  Which dims these are is known, so equal sizes are no excuse.  A symmetric matrix is:
its rows are its columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import Tensor, Value
from namecheck.analysis.usage.links import alike, has_effect, symmetric
from namecheck.analysis.usage.marks import marked, marks_of, statistic_of, with_dims
from namecheck_runtime import declare
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Mark, Shape
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.broadcasts import CrossedBroadcast

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_SCALING: Final = ("difference", "quotient", "product")
_REDUCED: Final = frozenset({"mean", "sum", "spread", "extent"})
"""The kinds of statistics that have a value for each place along the other dims."""


def crossing(
    ev: Evaluator, op: declare.Op, by_name: Mapping[str, Argument], result: Any
) -> CrossedBroadcast | None:
    """The doubt about a tensor that is combined with its own statistic along another dim.

    `result` is the answer of the rule, a shape if the op scales.
    """
    if op.effect not in _SCALING or len(by_name) != 2:
        return None
    for (name, whole), (other, part) in permutations(by_name.items()):
        pair = _crossed(ev, ev.resolve(whole.value), ev.resolve(part.value))
        if pair is None or _is_written(ev, part.node):
            continue
        left, right = (ev.current(_shape(ev, argument)) for argument in by_name.values())
        return CrossedBroadcast(
            left=left,
            right=right,
            result=result,
            size=UNKNOWN,
            place=pair[0],
            met=pair[1],
            blame=(Blame(name), Blame(other)),
        )
    return None


def _shape(ev: Evaluator, argument: Argument) -> Shape:
    value = ev.resolve(argument.value)
    return value.shape if isinstance(value, Tensor) else UNKNOWN


def _crossed(ev: Evaluator, whole: Value, part: Value) -> tuple[int, int] | None:
    """A dim of a tensor that its statistic is computed for, and the dim that this one meets.

    None if the two are the same dim throughout, or if the tensor is symmetric in them.
    """
    statistic = statistic_of(part)
    if statistic is None or statistic.kind not in _REDUCED or not statistic.dims:
        return None
    if not isinstance(whole, Tensor) or ev.resolve(statistic.of) is not whole:
        return None
    dims, sums = ev.current(whole.shape), ev.current(_tensor(part).shape)
    if not isinstance(dims, tuple) or not isinstance(sums, tuple):
        return None
    reduced = {dim % len(dims) for dim in statistic.dims if -len(dims) <= dim < len(dims)}
    remaining = [k for k in range(len(dims)) if k not in reduced]
    if len(sums) != len(remaining):
        return None
    beside = range(len(dims) - len(sums), len(dims))
    pairs = [(k, met) for k, met in zip(remaining, beside, strict=True) if k != met]
    pairs = [(k, met) for k, met in pairs if dims[k].size != 1]
    if not pairs or all(_are_symmetric(dims, pair) for pair in pairs):
        return None
    return pairs[-1]


def _tensor(value: Value) -> Tensor:
    assert isinstance(value, Tensor)
    return value


def _are_symmetric(dims: Dims, places: Sequence[int]) -> bool:
    return all(Mark.SYMMETRIC in marks_of(dims[place]) for place in places)


def _is_written(ev: Evaluator, node: ir.Node | None) -> bool:
    """Whether the function also uses the statistic with its missing dim: both sides are scaled.

    `d[:, None] * a * d` has rows and columns scaled by the same sums.
    """
    function = ev.frame.function
    if not isinstance(node, ir.Name) or function is None:
        return False
    for record in walk(function.record):
        match record:
            case ir.Subscript(value, index) if alike(value, node):
                parts = index.elements if isinstance(index, ir.Tuple) else (index,)
                if any(isinstance(part, (ir.NoneLiteral, ir.Attribute)) for part in parts):
                    return True
            case ir.Call(ir.Attribute(value, name), arguments):
                given = sum(alike(one, node) for one in arguments)
                if given > 1 or ((given or alike(value, node)) and has_effect(name, "moves")):
                    return True
    return False


def mark_symmetric(
    ev: Evaluator, op: declare.Op, arguments: Sequence[Argument], value: Value
) -> Value:
    """The result of an op; two dims of one size are marked if they may be exchanged.

    They may in a tensor combined with itself transposed, and if their sizes first meet in it:
    distances, covariances, a matrix of zeros.  Random numbers do not, nor products of two tensors.
    """
    if type(value) is not Tensor or not isinstance(value.shape, tuple) or len(value.shape) < 2:
        return value
    dims = list(value.shape)
    places = _twins(ev, dims)
    if not places or all(Mark.SYMMETRIC in marks_of(dims[place]) for place in places):
        return value
    tensors = [one for one in arguments if isinstance(ev.resolve(one.value), Tensor)]
    if not _makes_symmetric(ev, op, tensors):
        return value
    for place in places:
        trace = dims[place].trace
        since = None if trace is None else trace.since
        dims[place] = marked(dims[place], Mark.SYMMETRIC, since)
    return value.remember(value.history, with_dims(value.shape, dims))


def _makes_symmetric(ev: Evaluator, op: declare.Op, tensors: Sequence[Argument]) -> bool:
    if op.effect == "drawn":
        return False
    squares = [_is_square(ev, _shape(ev, tensor)) for tensor in tensors]
    nodes = [tensor.node for tensor in tensors]
    if len(nodes) == 2 and nodes[0] is not None and nodes[1] is not None:
        if squares[0] is squares[1]:
            if symmetric(ev, nodes[0], nodes[1]) or alike(nodes[0], nodes[1]):
                return True
    return op.effect != "contraction" and not any(squares)


def _is_square(ev: Evaluator, shape: Shape) -> bool:
    """Whether two dims have one size, or may have."""
    if not isinstance(shape, tuple):
        return True
    return bool(_twins(ev, shape)) or any(dim.size is UNKNOWN for dim in shape)


def _twins(ev: Evaluator, dims: Sequence[Dim]) -> list[int]:
    """The places of the dims whose size another dim has, too."""
    if len(dims) == len({dim.size for dim in dims}):
        return []  # the usual case
    sizes = [ev.facts.representative(dim.size) for dim in dims]
    return [
        place
        for place, size in enumerate(sizes)
        if size is not UNKNOWN and size != 1 and sizes.count(size) > 1
    ]


__all__ = ["crossing", "mark_symmetric"]
