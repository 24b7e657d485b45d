"""The binding of each variable of a function, where it is read.

mypy's types do not hold sizes, and the size of a value at one point must not be used at another.  A
variable that is bound once has that value everywhere; `reaching` follows the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, Final

from mypy import nodes, patterns
from mypy.nodes import Expression, FuncItem, MypyFile, NameExpr, Node, Var
from mypy.operators import op_methods
from mypy.types import Instance, get_proper_type

from namecheck_plugin.expressions.reaching import Reaching
from namecheck_plugin.expressions.tree import CHILDREN, TARGETS, Binder, Bound
from namecheck_plugin.types import surface
from namecheck_runtime.declare import REGISTRY

_REFILL: Final = frozenset(
    {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}
)
"""Methods that change the items of a list."""

_PASSED: Final = Bound(None)


class Bindings(Binder):
    """The bindings in one function, including inner functions, or at the top of one module."""

    def __init__(self, scope: FuncItem | MypyFile) -> None:
        self._scope = scope
        self.bound: Final[dict[Var, list[Bound | None]]] = {}
        self.renamed: Final[set[Var]] = set()
        """Variables whose tensor gets other names or dims in place, which no type shows."""
        self.filled: Final[set[Var]] = set()
        """Variables that are passed as `out=`, where a tensor without names gets some."""
        self.refilled: Final[set[Var]] = set()
        """Variables whose items are assigned, or whose list changes its items."""
        self.changed: Final[dict[Var, list[str]]] = {}
        """The methods of augmented operators that a variable is the target of: `__iadd__`."""
        self.returns: Final[list[tuple[FuncItem, nodes.ReturnStmt]]] = []
        self.annotated: Final[list[tuple[Var, Expression]]] = []
        """Variables with an annotation, and the values that they are bound to there."""
        self.functions: Final[list[FuncItem]] = []
        """The function and its inner functions."""
        self._owners: Final[dict[Var, FuncItem]] = {}
        self._parameters: Final[set[Var]] = set()
        self._compared: Final[list[Expression]] = []
        self._within: FuncItem | None = None
        self._reaching: Reaching | None = None
        if isinstance(scope, MypyFile):
            self._walk(scope.defs, None)
        else:
            self._walk(scope.body, scope)

    def _walk(self, top: object, function: FuncItem | None) -> None:
        """Look at a node or a list of nodes, and at everything below."""
        if function is not None:
            self.functions.append(function)
            self._parameters.update(argument.variable for argument in function.arguments)
        self._within = function
        reached: list[Any] = [top]
        for node in reached:  # the list grows on the way
            actions = _BELOW.get(type(node))
            if actions is None:
                continue  # most nodes are names and literals, which bind nothing
            see, children, several = actions
            if see is not None:
                see(self, node)
            if several:
                reached += children(node)
            elif children is not None:
                reached.append(children(node))

    def _see_function(self, node: FuncItem) -> None:
        # mypy checks the functions and methods of a module one by one.
        if not isinstance(self._scope, MypyFile):
            within = self._within
            self._walk(node.body, node)
            self._within = within

    def is_settled(self, variable: Var) -> bool:
        """Whether a variable, such as a parameter, has the same value wherever it is read."""
        writes = self.bound.get(variable)
        if writes is not None and (len(writes) != 1 or variable in self._parameters):
            return False
        return self._stays(variable)

    def at(self, read: NameExpr, variable: Var) -> Bound | None:
        """The binding of a variable where it is read; None if it is not certain."""
        if self.is_settled(variable):
            writes = self.bound.get(variable)
            if writes is None:
                return _PASSED if variable in self._parameters else None
            bound = writes[0]
        elif isinstance(self._scope, MypyFile):
            return None  # a function may bind it at any time
        else:
            if self._reaching is None:
                self._reaching = Reaching(self._scope, self._stays)
            bound = self._reaching.at(read)
        if bound is not None and isinstance(bound.value, nodes.ListExpr):
            if variable in self.refilled or not bound.value.items:
                return None
        return bound

    def is_bound(self, variable: Var) -> bool:
        """Whether the function binds a variable, instead of only reading it."""
        return variable in self.bound or variable in self._parameters

    def is_declared_by(self, variable: Var, value: Expression) -> bool:
        """Whether a variable's annotated assignment gives it this value."""
        return any(
            declared is variable and assigned is value for declared, assigned in self.annotated
        )

    @property
    def compares_sizes(self) -> bool:
        """Whether the function compares sizes: two with different names may then be equal."""
        return any(map(self._speaks_of_size, self._compared))

    def _speaks_of_size(self, expression: Node) -> bool:
        """Whether an expression is a size: `x.shape[0]`, `len(x)`, a variable of one of these."""
        root = _root(expression)
        if isinstance(root, nodes.OpExpr):
            return self._speaks_of_size(root.left) or self._speaks_of_size(root.right)
        if not isinstance(root, NameExpr):
            return _is_size(root)
        if root.name == "len":
            return True
        bindings = self.bound.get(root.node, ()) if isinstance(root.node, Var) else ()
        return any(bound is not None and _is_size(_root(bound.value)) for bound in bindings)

    def _stays(self, var: Var) -> bool:
        """Whether augmented operators leave a variable the same tensor, with the same dims.

        They rebind a variable whose type lacks the method of the operator: a number, or an
        immutable tensor.
        """
        if var not in self.changed:
            return True
        proper = get_proper_type(var.type)
        if not isinstance(proper, Instance) or surface.owner_of(proper.type) is None:
            return False
        return all(proper.type.has_readable_member(name) for name in self.changed[var])

    def owner_of(self, var: Var) -> FuncItem | None:
        """The function that annotates a variable."""
        return self._owners.get(var)

    def put(self, variable: Var, bound: Bound | None) -> None:
        self.bound.setdefault(variable, []).append(bound)

    def change(self, target: Node) -> None:
        if isinstance(target, nodes.MemberExpr) and _is_set(target.name):
            _mark(target.expr, self.renamed)
        if isinstance(target, nodes.IndexExpr):
            _mark(target.base, self.refilled)

    def _see_assignment(self, node: nodes.AssignmentStmt) -> None:
        for target in node.lvalues:
            self.bind(target, node.rvalue)
            if node.unanalyzed_type is not None and isinstance(target, NameExpr):
                if isinstance(target.node, Var):
                    self.annotated.append((target.node, node.rvalue))
                    if self._within is not None:
                        self._owners[target.node] = self._within

    def _see_return(self, node: nodes.ReturnStmt) -> None:
        if self._within is not None:
            self.returns.append((self._within, node))

    def _see_walrus(self, node: nodes.AssignmentExpr) -> None:
        self.bind(node.target, node.value)

    def _see_augmented(self, node: nodes.OperatorAssignmentStmt) -> None:
        if isinstance(node.lvalue, NameExpr) and isinstance(node.lvalue.node, Var):
            method = op_methods[node.op].replace("__", "__i", 1)
            self.changed.setdefault(node.lvalue.node, []).append(method)

    def _see_targets(self, node: Node) -> None:
        for target in TARGETS[type(node)](node):
            self.bind(target, None)

    def _see_comprehension(self, node: nodes.GeneratorExpr | nodes.DictionaryComprehension) -> None:
        for index in node.indices:
            self.bind(index, None)

    def _see_call(self, node: nodes.CallExpr) -> None:
        callee = node.callee
        if isinstance(callee, nodes.MemberExpr) and callee.name in _REFILL:
            _mark(callee.expr, self.refilled)
        elif isinstance(callee, nodes.MemberExpr) and surface.reshapes(callee.name):
            _mark(callee.expr, self.renamed)
        if "out" in node.arg_names:
            _mark(node.args[node.arg_names.index("out")], self.filled)

    def _see_comparison(self, node: nodes.ComparisonExpr) -> None:
        self._compared.extend(node.operands)


_SEEN: Final[dict[type, Callable[[Bindings, Any], None]]] = {
    nodes.FuncDef: Bindings._see_function,
    nodes.LambdaExpr: Bindings._see_function,
    nodes.AssignmentStmt: Bindings._see_assignment,
    nodes.AssignmentExpr: Bindings._see_walrus,
    nodes.OperatorAssignmentStmt: Bindings._see_augmented,
    nodes.ForStmt: Bindings._see_targets,
    nodes.ReturnStmt: Bindings._see_return,
    nodes.GeneratorExpr: Bindings._see_comprehension,
    nodes.DictionaryComprehension: Bindings._see_comprehension,
    nodes.WithStmt: Bindings._see_targets,
    nodes.TryStmt: Bindings._see_targets,
    nodes.DelStmt: Bindings._see_targets,
    patterns.AsPattern: Bindings._see_targets,
    patterns.StarredPattern: Bindings._see_targets,
    patterns.MappingPattern: Bindings._see_targets,
    nodes.CallExpr: Bindings._see_call,
    nodes.ComparisonExpr: Bindings._see_comparison,
}


_BELOW: Final[dict[type, tuple[Any, Any, bool]]] = {
    **{
        kind: (_SEEN.get(kind), attrgetter(*below) if below else None, len(below) > 1)
        for kind, below in CHILDREN.items()
    },
    list: (None, tuple, True),
    tuple: (None, tuple, True),
}
"""For each kind of node: its method, the getter of its children, and whether that gets several."""


@cache
def _is_set(attribute: str) -> bool:
    """Whether an assignment to this attribute changes a tensor's dims: `x.names = ...`."""
    return f"Tensor.{attribute}=" in REGISTRY


def _mark(expression: Node, variables: set[Var]) -> None:
    """Add an expression to a set of variables, if it is one."""
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        variables.add(expression.node)


def _root(expression: Node | None) -> Node | None:
    """The expression that is indexed or called: `x.shape` of `x.shape[0]`."""
    if isinstance(expression, nodes.IndexExpr):
        return _root(expression.base)
    if isinstance(expression, nodes.CallExpr):
        return _root(expression.callee)
    return expression


def _is_size(root: Node | None) -> bool:
    """Whether an expression reads sizes: `b, t = x.shape`, `t = x.size(1)`."""
    return isinstance(root, nodes.MemberExpr) and surface.answers_sizes(root.name)
