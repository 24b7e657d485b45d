"""How often each variable of a function is bound, and to what: who is bound once is what it was
bound to.

mypy's types say nothing of sizes, and what a value of one moment has must not be said of another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, Final

from mypy import nodes, patterns
from mypy.nodes import Expression, FuncItem, MypyFile, Node, Var
from mypy.operators import op_methods
from mypy.types import Instance, get_proper_type

from namecheck_plugin import surface
from namecheck_runtime.declare import REGISTRY


class Bound:
    """What a variable is bound to: an expression, or one of the parts that it is unpacked to."""

    __slots__ = ("part", "value")

    def __init__(self, value: Expression, part: int | None = None) -> None:
        self.value: Final = value
        self.part: Final = part


_CHILDREN: Final[dict[type, tuple[str, ...]]] = {
    nodes.Block: ("body",),
    nodes.AssignmentStmt: ("lvalues", "rvalue"),
    nodes.OperatorAssignmentStmt: ("lvalue", "rvalue"),
    nodes.ExpressionStmt: ("expr",),
    nodes.ReturnStmt: ("expr",),
    nodes.AssertStmt: ("expr", "msg"),
    nodes.RaiseStmt: ("expr", "from_expr"),
    nodes.DelStmt: ("expr",),
    nodes.IfStmt: ("expr", "body", "else_body"),
    nodes.WhileStmt: ("expr", "body", "else_body"),
    nodes.ForStmt: ("expr", "body", "else_body"),
    nodes.WithStmt: ("expr", "body"),
    nodes.TryStmt: ("body", "handlers", "else_body", "finally_body"),
    nodes.MatchStmt: ("subject", "patterns", "guards", "bodies"),
    nodes.FuncDef: (),
    nodes.LambdaExpr: (),
    nodes.Decorator: ("func",),
    nodes.OverloadedFuncDef: ("items",),
    nodes.ClassDef: ("defs",),
    nodes.CallExpr: ("callee", "args"),
    nodes.MemberExpr: ("expr",),
    nodes.IndexExpr: ("base", "index"),
    nodes.SliceExpr: ("begin_index", "end_index", "stride"),
    nodes.OpExpr: ("left", "right"),
    nodes.UnaryExpr: ("expr",),
    nodes.ComparisonExpr: ("operands",),
    nodes.ConditionalExpr: ("cond", "if_expr", "else_expr"),
    nodes.TupleExpr: ("items",),
    nodes.ListExpr: ("items",),
    nodes.SetExpr: ("items",),
    nodes.StarExpr: ("expr",),
    nodes.GeneratorExpr: ("left_expr", "sequences", "condlists"),
    nodes.ListComprehension: ("generator",),
    nodes.SetComprehension: ("generator",),
    nodes.DictionaryComprehension: ("key", "value", "sequences", "condlists"),
    nodes.AssignmentExpr: ("value",),
    nodes.AwaitExpr: ("expr",),
    nodes.YieldExpr: ("expr",),
    nodes.YieldFromExpr: ("expr",),
    nodes.CastExpr: ("expr",),
    nodes.AssertTypeExpr: ("expr",),
    nodes.RevealExpr: ("expr",),
    patterns.AsPattern: ("pattern",),
    patterns.OrPattern: ("patterns",),
    patterns.SequencePattern: ("patterns",),
    patterns.MappingPattern: ("values",),
    patterns.ClassPattern: ("positionals", "keyword_values"),
}
"""What hangs below a node: nodes, None, and lists of them.

mypy's visitors are compiled: none of ours can inherit from them.
"""


class Bindings:
    """The bindings in one function or at the top of one module, functions within it included."""

    def __init__(self, scope: FuncItem | MypyFile) -> None:
        self._scope = scope
        self.bound: Final[dict[Var, list[Bound | None]]] = {}
        self.renamed: Final[set[Var]] = set()
        """Variables whose tensor gets other names or dims in place, so that no type tells them."""
        self.changed: Final[dict[Var, list[str]]] = {}
        """The operators that work on a variable in place: `__iadd__`."""
        self.returns: Final[list[tuple[FuncItem, nodes.ReturnStmt]]] = []
        self.annotated: Final[list[tuple[Var, Expression]]] = []
        """Variables that are given a type, and what they are bound to."""
        self.functions: Final[list[FuncItem]] = []
        """The function, and those that stand in it."""
        self._owners: Final[dict[Var, FuncItem]] = {}
        self._parameters: Final[set[Var]] = set()
        self.compares_sizes = False
        """Whether sizes are compared anywhere: two of different names may be the same then."""
        self._within: FuncItem | None = None
        if isinstance(scope, MypyFile):
            self._walk(scope.defs, None)
        else:
            self._walk(scope.body, scope)

    def _walk(self, top: object, function: FuncItem | None) -> None:
        """Look at a node, or a list of them, and all that hangs below."""
        if function is not None:
            self.functions.append(function)
            self._parameters.update(argument.variable for argument in function.arguments)
        self._within = function
        reached: list[Any] = [top]
        for node in reached:  # it grows on the way
            found = _BELOW.get(type(node))
            if found is None:
                continue  # most nodes are names and literals: nothing is bound there
            see, children, several = found
            if see is not None:
                see(self, node)
            if several:
                reached += children(node)
            elif children is not None:
                reached.append(children(node))

    def _see_function(self, node: FuncItem) -> None:
        # Methods and functions of a module are checked by themselves.
        if not isinstance(self._scope, MypyFile):
            within = self._within
            self._walk(node.body, node)
            self._within = within

    def only(self, var: Var) -> Bound | None:
        """What a variable is bound to, if it is bound once.  A parameter has a value before."""
        writes = self.bound.get(var, ())
        if len(writes) != 1 or var in self._parameters or not self._stays(var):
            return None
        return writes[0]

    def is_bound(self, var: Var) -> bool:
        """Whether a variable (a parameter, say) is bound anywhere in the function."""
        return var in self.bound or not self._stays(var)

    def _stays(self, var: Var) -> bool:
        """Whether what is done to a variable in place leaves it the tensor that it is, of the same
        dims: a number becomes another, and so does a tensor that cannot change.
        """
        if var not in self.changed:
            return True
        proper = get_proper_type(var.type)
        if not isinstance(proper, Instance) or surface.owner_of(proper.type) is None:
            return False
        return all(proper.type.has_readable_member(name) for name in self.changed[var])

    def owner_of(self, var: Var) -> FuncItem | None:
        """The function in which a variable is given its type."""
        return self._owners.get(var)

    def _bind(self, target: Node, value: Expression | None, part: int | None = None) -> None:
        if isinstance(target, nodes.NameExpr):
            if isinstance(target.node, Var):
                made = None if value is None else Bound(value, part)
                self.bound.setdefault(target.node, []).append(made)
        elif isinstance(target, nodes.StarExpr):
            self._bind(target.expr, None)
        elif isinstance(target, (nodes.TupleExpr, nodes.ListExpr)):
            self._unpack(target.items, None if part is not None else value)
        elif isinstance(target, nodes.MemberExpr) and _is_set(target.name):
            self._rename(target.expr)

    def _unpack(self, targets: list[Expression], value: Expression | None) -> None:
        starred = any(isinstance(target, nodes.StarExpr) for target in targets)
        if isinstance(value, (nodes.TupleExpr, nodes.ListExpr)):
            if not starred and len(value.items) == len(targets):
                for target, item in zip(targets, value.items, strict=True):
                    self._bind(target, item)
                return
            value = None
        for index, target in enumerate(targets):
            self._bind(target, None if starred else value, index)

    def _rename(self, expression: Node) -> None:
        if isinstance(expression, nodes.NameExpr) and isinstance(expression.node, Var):
            self.renamed.add(expression.node)

    def _see_assignment(self, node: nodes.AssignmentStmt) -> None:
        for target in node.lvalues:
            self._bind(target, node.rvalue)
            if node.unanalyzed_type is not None and isinstance(target, nodes.NameExpr):
                if isinstance(target.node, Var):
                    self.annotated.append((target.node, node.rvalue))
                    if self._within is not None:
                        self._owners[target.node] = self._within

    def _see_return(self, node: nodes.ReturnStmt) -> None:
        if self._within is not None:
            self.returns.append((self._within, node))

    def _see_walrus(self, node: nodes.AssignmentExpr) -> None:
        self._bind(node.target, node.value)

    def _see_augmented(self, node: nodes.OperatorAssignmentStmt) -> None:
        if isinstance(node.lvalue, nodes.NameExpr) and isinstance(node.lvalue.node, Var):
            method = op_methods[node.op].replace("__", "__i", 1)
            self.changed.setdefault(node.lvalue.node, []).append(method)

    def _see_for(self, node: nodes.ForStmt) -> None:
        self._bind(node.index, None)

    def _see_comprehension(self, node: nodes.GeneratorExpr | nodes.DictionaryComprehension) -> None:
        for index in node.indices:
            self._bind(index, None)

    def _see_with(self, node: nodes.WithStmt) -> None:
        for target in node.target:
            if target is not None:
                self._bind(target, None)

    def _see_try(self, node: nodes.TryStmt) -> None:
        for name in node.vars:
            if name is not None:
                self._bind(name, None)

    def _see_del(self, node: nodes.DelStmt) -> None:
        self._bind(node.expr, None)

    def _see_capture(self, node: patterns.AsPattern) -> None:
        if node.name is not None:
            self._bind(node.name, None)

    def _see_star(self, node: patterns.StarredPattern) -> None:
        if node.capture is not None:
            self._bind(node.capture, None)

    def _see_rest(self, node: patterns.MappingPattern) -> None:
        if node.rest is not None:
            self._bind(node.rest, None)

    def _see_call(self, node: nodes.CallExpr) -> None:
        callee = node.callee
        if isinstance(callee, nodes.MemberExpr) and callee.name.endswith("_"):
            spelling = REGISTRY.get(f"Tensor.{callee.name}")
            if spelling is not None and spelling.op.reshapes:
                self._rename(callee.expr)
        if "out" in node.arg_names:
            self._rename(node.args[node.arg_names.index("out")])

    def _see_comparison(self, node: nodes.ComparisonExpr) -> None:
        self.compares_sizes = self.compares_sizes or any(map(_speaks_of_size, node.operands))


_SEEN: Final[dict[type, Callable[[Bindings, Any], None]]] = {
    nodes.FuncDef: Bindings._see_function,
    nodes.LambdaExpr: Bindings._see_function,
    nodes.AssignmentStmt: Bindings._see_assignment,
    nodes.AssignmentExpr: Bindings._see_walrus,
    nodes.OperatorAssignmentStmt: Bindings._see_augmented,
    nodes.ForStmt: Bindings._see_for,
    nodes.ReturnStmt: Bindings._see_return,
    nodes.GeneratorExpr: Bindings._see_comprehension,
    nodes.DictionaryComprehension: Bindings._see_comprehension,
    nodes.WithStmt: Bindings._see_with,
    nodes.TryStmt: Bindings._see_try,
    nodes.DelStmt: Bindings._see_del,
    patterns.AsPattern: Bindings._see_capture,
    patterns.StarredPattern: Bindings._see_star,
    patterns.MappingPattern: Bindings._see_rest,
    nodes.CallExpr: Bindings._see_call,
    nodes.ComparisonExpr: Bindings._see_comparison,
}


_BELOW: Final[dict[type, tuple[Any, Any, bool]]] = {
    **{
        kind: (_SEEN.get(kind), attrgetter(*below) if below else None, len(below) > 1)
        for kind, below in _CHILDREN.items()
    },
    list: (None, tuple, True),
    tuple: (None, tuple, True),
}
"""What is to be done at a node, who gets what hangs below it, and whether that is a tuple."""


@cache
def _is_set(attribute: str) -> bool:
    """Whether a tensor's dims are other ones when something is assigned to it: `x.names = ...`."""
    return f"Tensor.{attribute}=" in REGISTRY


def _speaks_of_size(expression: Node) -> bool:
    """`x.shape[0]`, `x.size(0)`, `len(x)`."""
    if isinstance(expression, nodes.IndexExpr):
        return _speaks_of_size(expression.base)
    if isinstance(expression, nodes.CallExpr):
        return _speaks_of_size(expression.callee)
    if isinstance(expression, nodes.MemberExpr):
        return expression.name in ("shape", "size")
    return isinstance(expression, nodes.NameExpr) and expression.name == "len"
