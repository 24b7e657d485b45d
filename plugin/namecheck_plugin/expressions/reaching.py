"""The binding of a variable where it is read, if its function binds it more than once.

`x = self.norm(x)` gives `x` other dims from there on.  This module follows a function in the order
in which it runs.  A variable is unknown where two paths with different values meet, and at the top
of a loop that binds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from mypy import nodes
from mypy.nodes import Block, Expression, FuncItem, NameExpr, Node, Statement, TypeInfo, Var
from mypy.types import CallableType, Instance, get_proper_type

from namecheck_plugin.expressions.tree import TARGETS, Binder, Bound, within

State: TypeAlias = dict[Var, Bound | None]
"""The bindings of variables at one point; None for one that is not known."""


class Reaching(Binder):
    """The bindings that a function and its inner functions read."""

    def __init__(self, function: FuncItem, stays: Callable[[Var], bool]) -> None:
        """`stays` says whether augmented operators leave a variable the same tensor."""
        self._stays: Final = stays
        self._reads: Final[dict[NameExpr, Bound | None]] = {}
        self._function: FuncItem = function
        self._owners: Final[dict[Var, FuncItem]] = {}
        self._shared: Final[set[Var]] = set()
        """Variables that other functions bind as well, at times that are not known."""
        self._state: State | None = None
        """None at a point that is never reached, as behind a `return`."""
        self._define(function)

    def at(self, read: NameExpr) -> Bound | None:
        """The binding that a name reads; None if it is not certain."""
        return None if read.node in self._shared else self._reads.get(read)

    def _define(self, function: FuncItem) -> None:
        before = self._function, self._state
        self._function, self._state = function, {}
        for argument in function.arguments:
            self.put(argument.variable, Bound(None))
        self._block(function.body)
        self._function, self._state = before

    def _block(self, block: Block | None) -> None:
        if block is not None:
            for statement in block.body:
                act = _STATEMENTS.get(type(statement))
                if act is not None:
                    act(self, statement)
                else:
                    self._read(statement)

    # -- reads and bindings ------------------------------------------------------------------------

    def _read(self, node: Node | None) -> None:
        """Record the reads in an expression, or in a statement that binds nothing."""
        state = self._state
        for part in within(node):
            if type(part) is NameExpr:
                if state is not None and isinstance(part.node, Var):
                    self._reads[part] = state.get(part.node)
            elif type(part) is nodes.AssignmentExpr:
                self.bind(part.target, None)  # an operand before it may skip it

    def put(self, variable: Var, bound: Bound | None) -> None:
        owner = self._owners.setdefault(variable, self._function)
        if owner is not self._function or "." in variable.fullname:
            self._shared.add(variable)
        if self._state is not None:
            self._state[variable] = bound

    def change(self, target: Node) -> None:
        pass

    # -- paths that part and meet ------------------------------------------------------------------

    def _paths(self, paths: Iterable[Callable[[], None]], none: bool = False) -> None:
        """Take one of several paths, or none of them if `none`."""
        before = self._state
        ends = [before] if none else []
        for path in paths:
            self._state = _copied(before)
            path()
            ends.append(self._state)
        self._state = _met(ends)

    def _if(self, node: nodes.IfStmt) -> None:
        for test in node.expr:
            self._read(test)
        self._paths([_path(self._block, body) for body in (*node.body, node.else_body)])

    def _for(self, node: nodes.ForStmt) -> None:
        self._read(node.expr)
        self._forget(node.body)
        self.bind(node.index, None)
        self._loop(node)

    def _while(self, node: nodes.WhileStmt) -> None:
        self._forget(node.body)
        self._read(node.expr)
        self._loop(node)

    def _loop(self, node: nodes.ForStmt | nodes.WhileStmt) -> None:
        before = _copied(self._state)
        self._block(node.body)
        self._state = before
        if node.else_body is not None:
            self._paths([_path(self._block, node.else_body)], none=True)  # `break` skips it

    def _try(self, node: nodes.TryStmt) -> None:
        before = _copied(self._state)

        def main() -> None:
            self._block(node.body)
            self._block(node.else_body)

        def handle(place: int) -> None:
            self._forget(node.body)
            self.bind(node.vars[place], None)
            self._block(node.handlers[place])

        self._paths([main, *(_path(handle, place) for place in range(len(node.handlers)))])
        if node.finally_body is not None:
            after, self._state = self._state, before
            self._forget(node.body, *node.handlers, node.else_body)
            self._block(node.finally_body)
            self._state = after
            self._forget(node.finally_body)

    def _with(self, node: nodes.WithStmt) -> None:
        for manager, target in zip(node.expr, node.target, strict=True):
            self._read(manager)
            self.bind(target, None)
        before = _copied(self._state)
        self._block(node.body)
        if any(map(_may_swallow, node.expr)):
            self._state = before
            self._forget(node.body)

    def _match(self, node: nodes.MatchStmt) -> None:
        self._read(node.subject)

        def case(place: int) -> None:
            self._forget(node.patterns[place])
            self._read(node.guards[place])
            self._block(node.bodies[place])

        self._paths([_path(case, place) for place in range(len(node.bodies))], none=True)

    def _forget(self, *blocks: Node | None) -> None:
        """Make every variable unknown that these blocks bind."""
        for block in blocks:
            for node in within(block):
                targets = TARGETS.get(type(node))
                for target in () if targets is None else targets(node):
                    self.bind(target, None)

    # -- statements --------------------------------------------------------------------------------

    def _assign(self, node: nodes.AssignmentStmt) -> None:
        self._read(node)
        for target in node.lvalues:
            self.bind(target, node.rvalue)

    def _augment(self, node: nodes.OperatorAssignmentStmt) -> None:
        self._read(node)
        target = node.lvalue
        if isinstance(target, NameExpr) and isinstance(target.node, Var):
            if not self._stays(target.node):
                self.put(target.node, None)

    def _delete(self, node: nodes.DelStmt) -> None:
        self.bind(node.expr, None)

    def _leave(self, node: Statement) -> None:
        self._read(node)
        self._state = None

    def _decorated(self, node: nodes.Decorator) -> None:
        self._define(node.func)

    def _class(self, node: nodes.ClassDef) -> None:
        self._block(node.defs)


_STATEMENTS: Final[dict[type, Callable[[Reaching, Any], None]]] = {
    Block: Reaching._block,
    nodes.AssignmentStmt: Reaching._assign,
    nodes.OperatorAssignmentStmt: Reaching._augment,
    nodes.DelStmt: Reaching._delete,
    nodes.ReturnStmt: Reaching._leave,
    nodes.RaiseStmt: Reaching._leave,
    nodes.BreakStmt: Reaching._leave,
    nodes.ContinueStmt: Reaching._leave,
    nodes.IfStmt: Reaching._if,
    nodes.WhileStmt: Reaching._while,
    nodes.ForStmt: Reaching._for,
    nodes.TryStmt: Reaching._try,
    nodes.WithStmt: Reaching._with,
    nodes.MatchStmt: Reaching._match,
    nodes.FuncDef: Reaching._define,
    nodes.Decorator: Reaching._decorated,
    nodes.ClassDef: Reaching._class,
}


def _path(go: Callable[[Any], None], argument: Any) -> Callable[[], None]:
    return lambda: go(argument)


def _copied(state: State | None) -> State | None:
    return None if state is None else state.copy()


def _met(ends: Iterable[State | None]) -> State | None:
    """The bindings that are the same at the ends of all paths that reach this point."""
    states = [end for end in ends if end is not None]
    if not states:
        return None
    first, *others = states
    return {
        variable: bound if all(other.get(variable) is bound for other in others) else None
        for variable, bound in first.items()
    }


def _may_swallow(manager: Expression) -> bool:
    """Whether a context manager may swallow an exception: its `__exit__` returns a bool."""
    callee = manager.callee if isinstance(manager, nodes.CallExpr) else None
    class_ = callee.node if isinstance(callee, nodes.RefExpr) else None
    method = class_.get_method("__exit__") if isinstance(class_, TypeInfo) else None
    signature = None if method is None else get_proper_type(method.type)
    if not isinstance(signature, CallableType):
        return False
    returned = get_proper_type(signature.ret_type)
    return isinstance(returned, Instance) and returned.type.fullname == "builtins.bool"
