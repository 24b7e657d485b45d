"""What the attributes of an object are, as the methods of its class assign them.

`self.fc = nn.Linear(64, 10)` stands in one method, and `self.fc(x)` in another.  What is assigned
once, in classes of the module that is checked, is what it is wherever `self` is read; mypy knows of
other modules no more than types when it takes them from its cache.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OverloadedFuncDef,
    TempNode,
    TypeInfo,
    Var,
)
from mypy.types import (
    AnyType,
    Instance,
    NoneType,
    ProperType,
    UnionType,
    get_proper_type,
    get_proper_types,
)

from namecheck_plugin.expressions.bindings import Bindings
from namecheck_plugin.expressions.construction import Construction
from namecheck_plugin.expressions.quantities import Quantities
from namecheck_plugin.expressions.tree import TARGETS, Bound, within
from namecheck_plugin.types.surface import Libraries, reshapes
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN


class Assignment(NamedTuple):
    """What an attribute is assigned, and the method in which."""

    value: Expression
    method: FuncDef


class Attributes:
    """Of the classes of one module."""

    def __init__(self, tree: MypyFile, libraries: Libraries) -> None:
        self.tree: Final = tree
        self._libraries: Final = libraries
        self._assigned: Final[dict[TypeInfo, dict[str, list[Assignment | None]]]] = {}
        self._values: Final[dict[tuple[TypeInfo, str], Any]] = {}
        self._symbols: Final[dict[tuple[Var, str], Any]] = {}
        self._bindings: Final[dict[FuncDef, Bindings]] = {}
        self._elsewhere: set[str] | None = None

    def assignment(self, info: TypeInfo, name: str) -> Assignment | None:
        """The one assignment of an attribute of `self` in a class; None if there is not one."""
        found: list[Assignment | None] = []
        for base in info.mro:
            if base.module_name != self.tree.fullname:
                if name in base.names:
                    return None
                continue
            found += self._assigned_in(base).get(name, ())
        if len(found) != 1 or self.changes(name):
            return None
        return found[0]

    def of(self, info: TypeInfo, name: str) -> Any:
        """A layer, a shape, a size that an attribute of `self` is; UNKNOWN."""
        key = info, name
        if key not in self._values:
            self._values[key] = UNKNOWN  # of what refers to itself
            assignment = self.assignment(info, name)
            # A list may be filled later.
            if assignment is not None and not isinstance(assignment.value, ListExpr):
                self._values[key] = self._evaluate(info, assignment)
        return self._values[key]

    def _evaluate(self, info: TypeInfo, assignment: Assignment) -> Any:
        method = assignment.method
        bindings = self._bindings.get(method)
        if bindings is None:
            bindings = self._bindings[method] = Bindings(method)
        own = method.arguments[0].variable

        def bound_at(name: NameExpr, variable: Var) -> Bound | None:
            return bindings.at(name, variable)

        def answered(expression: Expression) -> Any:
            """Ints that nobody but the caller of the constructor knows."""
            if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
                return self._symbol(expression.node, "")
            if not isinstance(expression, MemberExpr):
                return UNKNOWN
            of = expression.expr
            if not isinstance(of, NameExpr) or not isinstance(of.node, Var):
                return UNKNOWN
            if of.node is own:
                return self.of(info, expression.name)
            bound = bindings.at(of, of.node)
            if bound is None or bound.value is not None:
                return UNKNOWN
            return self._symbol(of.node, expression.name)

        quantities = Quantities(answered, bound_at)
        return Construction(quantities, bound_at, self._libraries).of(assignment.value)

    def _symbol(self, parameter: Var, attribute: str) -> Any:
        """The size that a parameter is, or has: `width`, `config.width`."""
        type_ = get_proper_type(parameter.type)
        if attribute and isinstance(type_, Instance):
            found = type_.type.get(attribute)
            type_ = get_proper_type(None if found is None else found.type)
        if not _may_be_size(type_):
            return UNKNOWN
        key = parameter, attribute
        if key not in self._symbols:
            # It may be 0, or a flag.
            label = attribute or parameter.name
            self._symbols[key] = sizes.symbol(label, sizes.Origin.CONFIG, least=0)
        return self._symbols[key]

    def _assigned_in(self, info: TypeInfo) -> dict[str, list[Assignment | None]]:
        found = self._assigned.get(info)
        if found is None:
            found = self._assigned[info] = defaultdict(list)
            for method in _methods(info):
                own = method.arguments[0].variable if method.arguments else None
                for node in _throughout(method.body):
                    for name, of, value in _stores(node):
                        if isinstance(of, NameExpr) and of.node is own:
                            found[name].append(None if value is None else Assignment(value, method))
            for name in _class_variables(info):
                found[name].append(None)
        return found

    def changes(self, name: str) -> bool:
        """Whether an attribute of this name is assigned to anything but `self`, or reshaped."""
        return name in self._assigned_elsewhere()

    def _assigned_elsewhere(self) -> set[str]:
        if self._elsewhere is None:
            found = self._elsewhere = set()
            for node in _throughout(self.tree.defs):
                for name, of, _ in _stores(node):
                    own = isinstance(of, NameExpr) and isinstance(of.node, Var) and of.node.is_self
                    if not own:
                        found.add(name)
                callee = node.callee if isinstance(node, CallExpr) else None
                if isinstance(callee, MemberExpr) and reshapes(callee.name):
                    if isinstance(callee.expr, MemberExpr):  # `self.w.t_()`
                        found.add(callee.expr.name)
        return self._elsewhere


def _may_be_size(type_: ProperType | None) -> bool:
    """Whether a parameter may be an int and nothing else, by its type if it has one."""
    if isinstance(type_, UnionType):
        return all(map(_may_be_size, get_proper_types(type_.items)))
    if isinstance(type_, Instance):
        return type_.type.fullname == "builtins.int"
    return type_ is None or isinstance(type_, (AnyType, NoneType))


def _methods(info: TypeInfo) -> Iterator[FuncDef]:
    for statement in info.defn.defs.body:
        items = statement.items if isinstance(statement, OverloadedFuncDef) else [statement]
        for item in items:
            method = item.func if isinstance(item, Decorator) else item
            if isinstance(method, FuncDef):
                yield method


def _class_variables(info: TypeInfo) -> Iterator[str]:
    """Names that have a value in the body of a class."""
    for statement in info.defn.defs.body:
        if isinstance(statement, AssignmentStmt) and not isinstance(statement.rvalue, TempNode):
            for target in statement.lvalues:
                if isinstance(target, NameExpr):
                    yield target.name


def _throughout(top: Any) -> Iterator[Any]:
    """All nodes of a module, or of the body of a function, those of functions within included."""
    reached: list[Any] = [top]
    for body in reached:  # it grows on the way
        for node in within(body):
            yield node
            if isinstance(node, FuncDef):
                reached.append(node.body)


def _stores(node: Any) -> Iterator[tuple[str, Expression, Expression | None]]:
    """`of.name = value` at a node; None for a value that no expression is."""
    targets = TARGETS.get(type(node))
    if targets is None:
        return
    value = getattr(node, "rvalue", None)
    for target in targets(node):
        if isinstance(target, MemberExpr):
            yield target.name, target.expr, value
        else:
            for one in within(target):
                if isinstance(one, MemberExpr):
                    yield one.name, one.expr, None
