"""Comments that deny sizes that the operands of their line have: `q @ k * scale  # (b, h, t, t)`.

Nobody knows the scale, so the result has no known shape. But a scale changes no size of the
product, unless that size is 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from namecheck.analysis.evidence.contradictions import contradiction
from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import Anything, Tensor, Value
from namecheck_runtime.lattice import UNKNOWN, Dims

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck_runtime.notation.comments import Claim

_ELEMENTWISE: Final = frozenset({"*", "/", "+", "-"})


def computed_otherwise(ev: Evaluator, statement: ir.Statement, claim: Claim) -> bool:
    """Whether a value of unknown shape comes from a product whose sizes the comment denies.

    The sizes of the product count from here on, and not the labels of the comment.
    """
    match statement:
        case ir.Assign((ir.Name(name),), made) if name in ev.frame.variables:
            value = ev.resolve(ev.frame.variables[name])
        case _:
            return False
    watched = ev.frame.watched
    if watched is None or (isinstance(value, Tensor) and isinstance(value.shape, tuple)):
        return False
    if not isinstance(value, (Tensor, Anything)):
        return False
    node: ir.Expression = made
    while isinstance(node, ir.Binary) and node.operator in _ELEMENTWISE:
        for side in (node.left, node.right):
            if _is_product(side) and side.id in watched:
                shape = _sizes_denied(ev, ev.resolve(watched[side.id]), claim)
                if shape is not None:
                    ev.give_shape(value, shape)
                    return True
        node = node.left
    return False


def _is_product(node: ir.Expression) -> bool:
    match node:
        case ir.Call() | ir.Binary(operator="@"):
            return True
    return False


def _sizes_denied(ev: Evaluator, operand: Value, claim: Claim) -> Dims | None:
    """The dims of an operand if a claim of as many dims contradicts them.

    None if it does not, or if another operand may have repeated the one place of a dim.
    """
    shape = ev.current(operand.shape) if isinstance(operand, Tensor) else UNKNOWN
    if not isinstance(shape, tuple) or len(shape) != len(claim.alternatives[0].dims):
        return None
    if any(dim.size is UNKNOWN or isinstance(dim.size, int) for dim in shape):
        return None
    conflict = contradiction(ev, claim.alternatives[0], shape)
    return None if conflict is None or conflict.rank else shape


__all__ = ["computed_otherwise"]
