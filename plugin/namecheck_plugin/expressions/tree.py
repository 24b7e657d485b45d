"""mypy's tree of a function: the children of a node, and the variables that a target binds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, Final

from mypy import nodes, patterns
from mypy.nodes import Expression, Node, Var

CHILDREN: Final[dict[type, tuple[str, ...]]] = {
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
"""The attributes of a node that hold its children: nodes, None, and lists of these.

mypy's visitors are compiled, so that no class of ours can inherit from them.
"""


TARGETS: Final[dict[type, Callable[[Any], Any]]] = {
    nodes.AssignmentStmt: attrgetter("lvalues"),
    nodes.OperatorAssignmentStmt: lambda node: (node.lvalue,),
    nodes.ForStmt: lambda node: (node.index,),
    nodes.WithStmt: attrgetter("target"),
    nodes.TryStmt: attrgetter("vars"),
    nodes.DelStmt: lambda node: (node.expr,),
    nodes.AssignmentExpr: lambda node: (node.target,),
    patterns.AsPattern: lambda node: (node.name,),
    patterns.StarredPattern: lambda node: (node.capture,),
    patterns.MappingPattern: lambda node: (node.rest,),
}
"""The targets that a node binds."""

_BELOW: Final[dict[type, Callable[[Any], Any]]] = {
    kind: attrgetter(*names) for kind, names in CHILDREN.items() if names
}


def within(node: Any) -> Iterator[Any]:
    """A node and everything below it, except the body of a function, which runs later."""
    reached: list[Any] = [node]
    for part in reached:  # the list grows on the way
        if isinstance(part, (list, tuple)):
            reached += part
        elif part is not None:
            yield part
            below = _BELOW.get(type(part))
            if below is not None:
                reached.append(below(part))


class Bound:
    """The binding of a variable: an expression, or one part of an unpacked expression."""

    __slots__ = ("part", "value")

    def __init__(self, value: Expression | None, part: int | None = None) -> None:
        self.value: Final = value
        """None for a parameter, whose value is an argument of the call."""
        self.part: Final = part


class Binder:
    """Follows assignments to variables."""

    def bind(self, target: Node | None, value: Expression | None, part: int | None = None) -> None:
        """Bind a target to a value or one of its parts; None if no expression gives the value."""
        if isinstance(target, nodes.NameExpr):
            if isinstance(target.node, Var):
                self.put(target.node, None if value is None else Bound(value, part))
        elif isinstance(target, nodes.StarExpr):
            self.bind(target.expr, None)
        elif isinstance(target, (nodes.TupleExpr, nodes.ListExpr)):
            self._unpack(target.items, None if part is not None else value)
        elif target is not None:
            self.change(target)

    def _unpack(self, targets: list[Expression], value: Expression | None) -> None:
        starred = any(isinstance(target, nodes.StarExpr) for target in targets)
        if isinstance(value, (nodes.TupleExpr, nodes.ListExpr)):
            if not starred and len(value.items) == len(targets):
                for target, item in zip(targets, value.items, strict=True):
                    self.bind(target, item)
                return
            value = None
        for index, target in enumerate(targets):
            self.bind(target, None if starred else value, index)

    def put(self, variable: Var, bound: Bound | None) -> None:
        """Bind a variable; None if no expression gives its value."""
        raise NotImplementedError

    def change(self, target: Node) -> None:
        """Note an assignment to `x.y` or `x[i]`."""
        raise NotImplementedError
