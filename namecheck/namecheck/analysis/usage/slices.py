"""Unpacking a tensor into its slices: `q, k, v = qkv.unbind(2)`, `x, y = point`.

The number of targets says how long the dim is that is taken apart. If that dim has a name of its
own, and another dim of the tensor was made to have that length, the slices lie along the wrong dim
(NC211). Chunks are checked likewise (NC212), and so are indices that gather along another dim than
the one along which they choose one element.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.independence import is_batch
from namecheck.analysis.state.values import Repeated, Tensor
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import BadExtent, ForcedLiteral

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def check(
    ev: Evaluator,
    contents: Repeated,
    count: int,
    target: ir.Expression,
    origin: ir.Expression | None,
) -> None:
    """Check that slices unpacked into `count` targets lie along the right dim (NC211)."""
    if contents.cut is None or count < 2:
        return
    dims, along = contents.cut
    shape = ev.current(dims)
    assert isinstance(shape, tuple)
    size = shape[along].size
    node = origin if origin is not None else target
    question = (node.id, "slices")
    ev.frame.look(question)
    if not isinstance(size, sizes.Polynomial) or size.opaque:
        return
    if all(atom.label == "?" for atom in size.symbols()):
        return
    lengths = [dim.size for dim in shape]
    if lengths.count(count) != 1:
        return
    place = lengths.index(count)
    cause = BadExtent(
        shape=shape,
        reason=f"{count} names for the slices along dim {along}, but dim {place} is {count}",
        text=f"too many values to unpack (expected {count})",
        op="unbind",
        blame=(Blame("input", along),),
    )
    mistake = ForcedLiteral(
        left_size=size, right_size=count, cause=cause, op=cause.op, blame=cause.blame
    )
    by_name = {"input": Argument(Tensor(shape), _operand(origin))}
    ev.blame(mistake, "warning", node, by_name, question=question)


def check_chunks(
    ev: Evaluator,
    parts: tuple[Any, int, int],
    by_name: Mapping[str, Argument],
    node: ir.Node,
    op: str,
) -> None:
    """Blame a tensor that is cut into equal parts along the wrong dim (NC212).

    That dim has no parts, and another one has as many: `[B, N, 3*C]` is cut into three along N.
    `parts` are the tensor's shape, how many parts there are, and along which dim. Two halves of the
    first dim are a batch that was doubled, whatever else there are two of.
    """
    shape, count, along = parts
    shape = ev.current(shape)
    question = (node.id, "chunks")
    ev.frame.look(question)
    if not isinstance(shape, tuple) or not -len(shape) <= along < len(shape):
        return
    along %= len(shape)
    size = shape[along].size
    if not _is_plain(size) or count < (3 if along == 0 else 2):
        return
    others = [k for k, dim in enumerate(shape) if _has_parts(dim.size, count)]
    if len(others) != 1:
        return
    (place,) = others
    reason = (
        f"'{size}' does not divide into {count} equal parts, but dim {place} "
        f"({shape[place].size}) does"
    )
    mistake = BadExtent(
        shape=shape, reason=reason, text=reason, op=op, blame=(Blame("input", along),)
    )
    ev.blame(mistake, "warning", node, by_name, question=question)


def check_gathered(
    ev: Evaluator, arguments: Sequence[Argument], dims: Sequence[int], node: ir.Node, op: str
) -> None:
    """Blame a gather that reads only the first of a dim it does not gather along (NC212).

    Indices `[N, 1]` choose one of K in each row of `[N, K]`. Along dim 0 they choose N rows of the
    first column, whatever the other columns hold.
    """
    if len(dims) != 1:
        return
    tensors = [one for a in arguments if isinstance(one := ev.resolve(a.value), Tensor)]
    if len(tensors) != 2:
        return
    shape, indices = (ev.current(tensor.shape) for tensor in tensors)
    ours, theirs = known_dims(shape), known_dims(indices)
    (along,) = dims
    if along >= 0:
        if not isinstance(shape, tuple) or not isinstance(indices, tuple):
            return
        along -= len(ours)
    question = (node.id, "gathered")
    ev.frame.look(question)
    for place in range(-min(len(ours), len(theirs)), 0):
        size = ours[place].size
        if place == along or theirs[place].size != 1 or size == 1 or is_batch(size):
            continue
        if isinstance(size, sizes.Polynomial) and _is_named(size):
            shown = place + len(ours) if isinstance(shape, tuple) else place
            reason = f"the indices have 1 along dim {shown}, so only the first of '{size}' is read"
            mistake = BadExtent(
                shape=shape, reason=reason, text=reason, op=op, blame=(Blame("input", place),)
            )
            named = dict(zip(("input", "index"), (arguments[0], arguments[-1]), strict=True))
            ev.blame(mistake, "warning", node, named, question=question)
            return


def _is_named(size: sizes.Polynomial) -> bool:
    """Whether a size is known by names of the program, so that it is not 1 by construction."""
    return not size.opaque and all(
        atom.label != "?" or atom.origin is not sizes.Origin.FRESH for atom in size.symbols()
    )


def _is_plain(size: Size) -> bool:
    """Whether a size is `N` or `H * W`, as it was read: a sum or a multiple may have parts."""
    if not isinstance(size, sizes.Polynomial) or size.opaque or len(size.terms) > 1:
        return False
    ((monomial, coefficient),) = size.terms
    named = all(atom.label != "?" for atom in size.symbols())
    return named and coefficient == 1 and all(exponent > 0 for _, exponent in monomial)


def _has_parts(size: Size, count: int) -> bool:
    """Whether a size is so many times another one by its form, as `3*C` is three times C."""
    if not isinstance(size, sizes.Polynomial) or size.opaque:
        return False
    return all(coefficient == count for _, coefficient in size.terms)


def _operand(origin: ir.Expression | None) -> ir.Expression | None:
    """The expression of the tensor that is taken apart."""
    match origin:
        case ir.Call(ir.Attribute(value)):
            return value
        case ir.Name() | ir.Attribute() | ir.Subscript():
            return origin
    return None


__all__ = ["check", "check_chunks", "check_gathered"]
