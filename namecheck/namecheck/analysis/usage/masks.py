"""A tensor keeps its dims under a mask or a bias of unknown shape: `scores + attn_mask`.

Only the name of such an operand is known, and that it is made to fit the other one: it adds no
dims, and it changes a size only where the other one has a 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.reading import ir
from namecheck_runtime import declare, layers
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Trailing
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.base import Mistake

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument

_LAID_ON: Final = regex(r"(?:^|_)(?:mask|masks|bias)(?:$|_)", re.IGNORECASE)

LEAST_RANK: Final = 3
"""The rank from which on a tensor is not taken for a mask of a larger one itself."""


def under(
    call: declare.Spelling | layers.Instance,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    by_name: Mapping[str, Argument],
    result: Any,
) -> Any:
    """The result of an op on a mask of unknown shape and a tensor whose dims are all known."""
    if not isinstance(call, declare.Spelling) or not isinstance(result, Trailing) or keywords:
        return result
    operands = list(by_name.values())
    if len(operands) != len(arguments):
        return result
    shapes = [one for one in arguments if isinstance(one, Trailing) or (type(one) is tuple and one)]
    unknown = [k for k, one in enumerate(arguments) if one is UNKNOWN]
    if len(shapes) != 1 or len(unknown) != 1 or not _is_whole(shapes[0]):
        return result
    if not _is_laid_on(operands[unknown[0]].node):
        return result
    try:
        answer = infer(call, [() if one is UNKNOWN else one for one in arguments], keywords).result
    except (Mistake, declare.Unbindable):
        return result
    if not _is_whole(answer) or len(answer) != len(result.dims):
        return result
    return tuple(
        kept if dim.size is UNKNOWN and kept.size != 1 else dim
        for dim, kept in zip(result.dims, answer, strict=True)
    )


def _is_whole(value: Any) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) >= LEAST_RANK
        and all(type(dim) is Dim for dim in value)
    )


def _is_laid_on(node: ir.Node | None) -> bool:
    """Whether an expression is called a mask or a bias, or is computed from one alone."""
    while isinstance(node, (ir.Call, ir.Subscript, ir.Attribute, ir.Unary)):
        match node:
            case ir.Attribute(_, name) if _LAID_ON.search(name):
                return True
            case ir.Attribute(value) | ir.Subscript(value) | ir.Unary(_, value):
                node = value
            case ir.Call(function):
                node = function
    return isinstance(node, ir.Name) and _LAID_ON.search(node.name) is not None


__all__ = ["under"]
