"""The attributes of an object, as the methods of its class assign them.

One method says `self.fc = nn.Linear(64, 10)`, and another `self.fc(x)`.  An attribute that the
classes of the checked module assign once has that value wherever it is read from `self`.  Of other
modules mypy knows only types if it takes them from its cache.
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
    """The value that an attribute is assigned, and the method that assigns it."""

    value: Expression
    method: FuncDef


class Attributes:
    """The attributes of the classes of one module."""

    def __init__(self, tree: MypyFile, libraries: Libraries) -> None:
        self.tree: Final = tree
        self._libraries: Final = libraries
        self._assigned: Final[dict[TypeInfo, dict[str, list[Assignment | None]]]] = {}
        self._values: Final[dict[tuple[TypeInfo, str], Any]] = {}
        self._symbols: Final[dict[tuple[Var, str], Any]] = {}
        self._bindings: Final[dict[FuncDef, Bindings]] = {}
        self._elsewhere: set[str] | None = None

    def assignment(self, info: TypeInfo, name: str) -> Assignment | None:
        """The only assignment of an attribute of `self` in a class; None if not exactly one."""
        assignments: list[Assignment | None] = []
        for base in info.mro:
            if base.module_name != self.tree.fullname:
                if name in base.names:
                    return None
                continue
            assignments += self._assigned_in(base).get(name, ())
        if len(assignments) != 1 or self.changes(name):
            return None
        return assignments[0]

    def of(self, info: TypeInfo, name: str) -> Any:
        """The layer, shape or size that an attribute of `self` is; else UNKNOWN."""
        key = info, name
        if key not in self._values:
            self._values[key] = UNKNOWN  # for an attribute that refers to itself
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
        self_variable = method.arguments[0].variable

        def bound_at(name: NameExpr, variable: Var) -> Bound | None:
            return bindings.at(name, variable)

        def answered(expression: Expression) -> Any:
            """Symbols for ints that only the caller of the constructor knows."""
            if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
                return self._symbol(expression.node, "")
            if not isinstance(expression, MemberExpr):
                return UNKNOWN
            owner = expression.expr
            if not isinstance(owner, NameExpr) or not isinstance(owner.node, Var):
                return UNKNOWN
            if owner.node is self_variable:
                return self.of(info, expression.name)
            bound = bindings.at(owner, owner.node)
            if bound is None or bound.value is not None:
                return UNKNOWN
            return self._symbol(owner.node, expression.name)

        quantities = Quantities(answered, bound_at)
        return Construction(quantities, bound_at, self._libraries).of(assignment.value)

    def _symbol(self, parameter: Var, attribute: str) -> Any:
        """The size that a parameter, or its attribute, is: `width`, `config.width`."""
        type_ = get_proper_type(parameter.type)
        if attribute and isinstance(type_, Instance):
            symbol = type_.type.get(attribute)
            type_ = get_proper_type(None if symbol is None else symbol.type)
        if not _may_be_size(type_):
            return UNKNOWN
        key = parameter, attribute
        if key not in self._symbols:
            # The value may be 0, or a flag.
            label = attribute or parameter.name
            self._symbols[key] = sizes.symbol(label, sizes.Origin.CONFIG, least=0)
        return self._symbols[key]

    def _assigned_in(self, info: TypeInfo) -> dict[str, list[Assignment | None]]:
        assignments = self._assigned.get(info)
        if assignments is None:
            assignments = self._assigned[info] = defaultdict(list)
            for method in _methods(info):
                self_variable = method.arguments[0].variable if method.arguments else None
                for node in _throughout(method.body):
                    for name, owner, value in _stores(node):
                        if isinstance(owner, NameExpr) and owner.node is self_variable:
                            assignments[name].append(
                                None if value is None else Assignment(value, method)
                            )
            for name in _class_variables(info):
                assignments[name].append(None)
        return assignments

    def changes(self, name: str) -> bool:
        """Whether an attribute of this name is reshaped, or assigned on an object but `self`."""
        return name in self._assigned_elsewhere()

    def _assigned_elsewhere(self) -> set[str]:
        if self._elsewhere is None:
            names = self._elsewhere = set()
            for node in _throughout(self.tree.defs):
                for name, owner, _ in _stores(node):
                    is_self = (
                        isinstance(owner, NameExpr)
                        and isinstance(owner.node, Var)
                        and owner.node.is_self
                    )
                    if not is_self:
                        names.add(name)
                callee = node.callee if isinstance(node, CallExpr) else None
                if isinstance(callee, MemberExpr) and reshapes(callee.name):
                    if isinstance(callee.expr, MemberExpr):  # `self.w.t_()`
                        names.add(callee.expr.name)
        return self._elsewhere


def _may_be_size(type_: ProperType | None) -> bool:
    """Whether a parameter may be an int, by its type; without a type it may."""
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
    """The names that the body of a class assigns."""
    for statement in info.defn.defs.body:
        if isinstance(statement, AssignmentStmt) and not isinstance(statement.rvalue, TempNode):
            for target in statement.lvalues:
                if isinstance(target, NameExpr):
                    yield target.name


def _throughout(top: Any) -> Iterator[Any]:
    """All nodes of a module or of a function's body, including those of inner functions."""
    reached: list[Any] = [top]
    for body in reached:  # the list grows on the way
        for node in within(body):
            yield node
            if isinstance(node, FuncDef):
                reached.append(node.body)


def _stores(node: Any) -> Iterator[tuple[str, Expression, Expression | None]]:
    """The name, object and value of each `object.name = value` at a node; the value is None if no
    expression gives it.
    """
    targets = TARGETS.get(type(node))
    if targets is None:
        return
    value = getattr(node, "rvalue", None)
    for target in targets(node):
        if isinstance(target, MemberExpr):
            yield target.name, target.expr, value
        else:
            for part in within(target):
                if isinstance(part, MemberExpr):
                    yield part.name, part.expr, None
