"""The sizes that a program computes: `x.shape[0]`, `b, t = x.shape`, `(*x.shape[:-1], h, c // h)`.

mypy's types say `int`.  Its value is read from the expressions that compute it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy.nodes import (
    CallExpr,
    Expression,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)

from namecheck_plugin.expressions.tree import Bound
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Size, Symbolic

_ARITHMETIC: Final[dict[str, Callable[[Size, Size], Size]]] = {
    "+": sizes.add,
    "-": sizes.subtract,
    "*": sizes.multiply,
    "//": sizes.floor_divide,
    "%": sizes.modulo,
}

_DEPTH: Final = 12
"""How many steps a size is followed, through variables and into its operands."""


class Quantities:
    """Evaluates ints and tuples of ints."""

    def __init__(
        self,
        answered: Callable[[Expression], Any],
        bound_at: Callable[[NameExpr, Var], Bound | None],
    ) -> None:
        """`answered` returns what is known about a parameter, an attribute or a call, `bound_at`
        the binding of a name where it is read.
        """
        self._answered: Final = answered
        self._bound_at: Final = bound_at

    def of(self, expression: Expression | None, depth: int = _DEPTH) -> Any:
        """The int, symbolic size, or tuple of these that an expression is; else UNKNOWN."""
        if expression is None or depth == 0:
            return UNKNOWN
        if isinstance(expression, IntExpr):
            return expression.value
        if isinstance(expression, NameExpr):
            return self._of_name(expression, depth)
        if isinstance(expression, (MemberExpr, CallExpr)):
            return _sized(self._answered(expression))
        if isinstance(expression, IndexExpr):
            return self._of_index(expression, depth)
        if isinstance(expression, (TupleExpr, ListExpr)):
            return self._of_items(expression.items, depth)
        if isinstance(expression, OpExpr):
            return self._of_operator(expression, depth)
        if isinstance(expression, UnaryExpr) and expression.op == "-":
            value = self.of(expression.expr, depth - 1)
            return -value if type(value) is int else UNKNOWN
        return UNKNOWN

    def _of_name(self, name: NameExpr, depth: int) -> Any:
        if not isinstance(name.node, Var):
            return UNKNOWN
        bound = self._bound_at(name, name.node)
        if bound is None:
            return UNKNOWN
        if bound.value is None:
            return _sized(self._answered(name))
        value = self.of(bound.value, depth - 1)
        if bound.part is None:
            return value
        return value[bound.part] if _has_item(value, bound.part) else UNKNOWN

    def _of_index(self, node: IndexExpr, depth: int) -> Any:
        items = self.of(node.base, depth - 1)
        if not isinstance(items, tuple):
            return UNKNOWN
        if not isinstance(node.index, SliceExpr):
            place = self.of(node.index, depth - 1)
            return items[place] if _has_item(items, place) else UNKNOWN
        slice_ = node.index
        bounds = [
            None if bound is None else self.of(bound, depth - 1)
            for bound in (slice_.begin_index, slice_.end_index, slice_.stride)
        ]
        if any(bound is not None and type(bound) is not int for bound in bounds) or bounds[2] == 0:
            return UNKNOWN
        return items[slice(*bounds)]

    def _of_items(self, items: list[Expression], depth: int) -> Any:
        values: list[Any] = []
        for item in items:
            value = self.of(item.expr if isinstance(item, StarExpr) else item, depth - 1)
            if not isinstance(item, StarExpr):
                values.append(UNKNOWN if isinstance(value, tuple) else value)
            elif isinstance(value, tuple):
                values.extend(value)
            else:
                return UNKNOWN
        return tuple(values)

    def _of_operator(self, node: OpExpr, depth: int) -> Any:
        left, right = self.of(node.left, depth - 1), self.of(node.right, depth - 1)
        if isinstance(left, tuple) or isinstance(right, tuple):
            both = isinstance(left, tuple) and isinstance(right, tuple)
            return left + right if both and node.op == "+" else UNKNOWN
        compute = _ARITHMETIC.get(node.op)
        return UNKNOWN if compute is None else compute(left, right)


def _has_item(value: Any, place: Any) -> bool:
    return isinstance(value, tuple) and type(place) is int and -len(value) <= place < len(value)


def _is_size(value: Any) -> bool:
    return value is UNKNOWN or type(value) is int or isinstance(value, Symbolic)


def _sized(answer: Any) -> Any:
    """A rule's answer, if it is a size or a tuple of sizes; else UNKNOWN."""
    if isinstance(answer, tuple):
        return answer if all(map(_is_size, answer)) else UNKNOWN
    return answer if _is_size(answer) else UNKNOWN
