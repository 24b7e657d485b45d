"""What is known of expressions beyond their types, for as long as one function is checked.

Types carry names.  Sizes are kept here, by the expression that a rule answered for: a variable has
those of what it was bound to, if it is bound once in its function.  What is not sure is not known.
"""

from __future__ import annotations

from typing import Any

from mypy.checker import TypeChecker
from mypy.nodes import Expression, FuncItem, MypyFile, NameExpr, Var

from namecheck_plugin import dims
from namecheck_plugin.arguments import Operand, Reader
from namecheck_plugin.bindings import Bindings
from namecheck_runtime.algebra import Duty
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape
from namecheck_runtime.sizes import Facts, Settlement


class Knowledge:
    """The sizes of expressions in the function (or at the top of the module) that is checked."""

    def __init__(self) -> None:
        self._scope: FuncItem | MypyFile | None = None
        self._bindings: Bindings | None = None
        self._results: dict[Expression, Any] = {}

    def at(self, checker: TypeChecker) -> Reader:
        """Who answers for the place that `checker` has come to."""
        scope = checker.scope.top_level_function() or checker.tree
        if scope is not self._scope:
            self._scope, self._bindings, self._results = scope, None, {}
        return Reader(self._shape_of, checker.lookup_type_or_none, self.resolve)

    def _shape_of(self, operand: Operand) -> Shape | None:
        typed = self.typed(operand)
        return None if typed is None else typed.shape

    @property
    def bindings(self) -> Bindings:
        """The bindings of the function that is checked."""
        if self._bindings is None:
            assert self._scope is not None
            self._bindings = Bindings(self._scope)
        return self._bindings

    def keep(self, expression: Expression, result: Any) -> None:
        """What a rule answered for an expression."""
        self._results[expression] = result

    def settle(self, duty: Duty) -> Settlement:
        """What is known of a requirement that no rule could decide."""
        return Facts().settle(duty.left, duty.right, None, duty.or_one)

    def resolve(self, expression: Expression) -> Expression:
        """What a variable is bound to, if that is one thing; else the expression itself."""
        for _ in range(8):
            if not (isinstance(expression, NameExpr) and isinstance(expression.node, Var)):
                break
            bound = self.bindings.only(expression.node)
            if bound is None or bound.part is not None:
                break
            expression = bound.value
        return expression

    def result(self, expression: Expression | None) -> Any:
        """What is known of an expression's value: a shape, a tuple of them; UNKNOWN."""
        if expression is None:
            return UNKNOWN
        found = self._results.get(expression, UNKNOWN)
        if found is not UNKNOWN or not isinstance(expression, NameExpr):
            return found
        if not isinstance(expression.node, Var):
            return UNKNOWN
        bound = self.bindings.only(expression.node)
        if bound is None or bound.value is expression:
            return UNKNOWN
        whole = self.result(bound.value)
        if bound.part is None:
            return whole
        if isinstance(whole, tuple) and bound.part < len(whole) and not _is_shape(whole):
            return whole[bound.part]
        return UNKNOWN

    def typed(self, operand: Operand) -> dims.Typed | None:
        """The dims of an operand's type with the sizes known of it; None of what is no tensor."""
        typed = dims.read(operand.type)
        if typed is None:
            return None
        expression = operand.expression
        if isinstance(expression, NameExpr) and expression.node in self.bindings.renamed:
            return dims.NOTHING
        return typed._replace(shape=_refine(typed.shape, self.result(expression)))


def _is_shape(result: Any) -> bool:
    return isinstance(result, tuple) and all(isinstance(dim, Dim) for dim in result)


def _refine(shape: Shape, known: Any) -> Shape:
    """The dims of a type with the sizes of what was computed, where both are of one rank."""
    if not isinstance(shape, tuple) or not _is_shape(known) or len(shape) != len(known):
        return shape
    return tuple(
        found if found.name == dim.name else dim for dim, found in zip(shape, known, strict=True)
    )
