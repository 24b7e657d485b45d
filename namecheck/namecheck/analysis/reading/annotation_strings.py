"""Annotations that are written as strings, and their records.

`x: "Float[Tensor, 'b t']"` means the same as without the outer quotes. Only the syntax that
annotations use is read. Every record has the number of the string, which is the place of its
findings.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Final

from namecheck.analysis.reading import ir

_LONGEST: Final = 1000


@lru_cache(maxsize=1024)
def read_forward(text: str, number: int) -> ir.Expression | None:
    """The annotation in a string; None if the string is not one."""
    if len(text) > _LONGEST:
        return None
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return _record(tree.body, number)


def _record(node: ast.expr, number: int) -> ir.Expression | None:
    match node:
        case ast.Name(name):
            return ir.Name(name, number)
        case ast.Attribute(value, name):
            owner = _record(value, number)
            return None if owner is None else ir.Attribute(owner, name, number)
        case ast.Subscript(value, index):
            owner, inner = _record(value, number), _record(index, number)
            if owner is None or inner is None:
                return None
            return ir.Subscript(owner, inner, number)
        case ast.Tuple(elements):
            parts = [_record(element, number) for element in elements]
            return ir.Tuple(tuple(part or ir.Omitted(number) for part in parts), number)
        case ast.BinOp(left, ast.BitOr(), right):
            first, second = _record(left, number), _record(right, number)
            if first is None or second is None:
                return None
            return ir.Binary(first, "|", second, number)
        case ast.Constant(None):
            return ir.NoneLiteral(number)
        case ast.Constant(str() as text):
            return ir.Str(text, number)
        case ast.Constant(bool()):
            return None
        case ast.Constant(int() as value):
            return ir.Int(value, number)
        case ast.Constant(value) if value is ...:
            return ir.EllipsisLiteral(number)
    return None
