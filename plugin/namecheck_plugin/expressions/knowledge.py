"""What is known about expressions beyond their types, while one function is checked.

Types carry names.  Sizes, and the dims of arrays whose types cannot hold them, are stored here by
the expression that a rule answered for.  A variable has those of its value, if its function binds
it once.  Whatever is not certain counts as unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from mypy.checker import TypeChecker
from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    FuncItem,
    MemberExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.types import Instance, TupleType, Type, get_proper_type

from namecheck_plugin.expressions.attributes import Attributes
from namecheck_plugin.expressions.bindings import Bindings
from namecheck_plugin.expressions.construction import Built, Construction, Row
from namecheck_plugin.expressions.quantities import Quantities
from namecheck_plugin.expressions.tree import Bound
from namecheck_plugin.settings import Settings
from namecheck_plugin.types import annotated, dims
from namecheck_plugin.types.arguments import Operand, Reader
from namecheck_plugin.types.readings import Reading, Readings, is_shape
from namecheck_plugin.types.scopes import Scope, returned_by
from namecheck_plugin.types.surface import Libraries
from namecheck_runtime.algebra import Duty, has_names
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Truth, known_dims
from namecheck_runtime.layers import Instance as DeclaredInstance
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.notation.matching import declared_shape, filled
from namecheck_runtime.notation.syntax import WrittenShape
from namecheck_runtime.sizes import Facts, Relation, Verdict


class Expected(NamedTuple):
    """The type that an annotation declares for an expression that is returned or assigned."""

    expression: Expression
    """The expression at its use, where a finding is reported."""
    type: Type
    scope: Scope
    returned: bool
    part: int | None = None
    """Its place in an unpacked value, if it is unpacked."""

    def of(self, result: Any) -> Any:
        """The part of a result that the annotation is about."""
        return result if self.part is None else part_of(result, self.part)


class Knowledge:
    """What is known in the checked function, or at the top of the checked module."""

    def __init__(self, settings: Settings, libraries: Libraries) -> None:
        self.settings: Final = settings
        self._libraries: Final = libraries
        self.readings: Final = Readings()
        self.quantities: Final = Quantities(self._answered, self._bound_at)
        self._construction: Final = Construction(self.quantities, self._bound_at, libraries)
        self._attributes: Attributes | None = None
        self.results: Final[dict[Expression, Any]] = {}
        """The answers of rules by expression."""
        self.sources: Final[dict[SymbolNode | None, Expression | None]] = {}
        """Variables whose dims are those of one expression; None if only the type of the variable
        shows them.
        """
        self._asked: Final[set[NameExpr]] = set()
        self.forget()

    def forget(self) -> None:
        """Forget everything: a file has changed."""
        self.readings.forget()
        self.scope: FuncItem | MypyFile | None = None
        self.checker: TypeChecker | None = None
        self._attributes = None
        self._leave()

    def _leave(self) -> None:
        self.results.clear()
        self.sources.clear()
        self._bindings: Bindings | None = None
        self._scopes: dict[FuncItem | TypeInfo | None, Scope] = {}
        self._facts: Facts | None = None
        self._expected: dict[Expression, list[Expected]] | None = None

    def come(self, scope: FuncItem | MypyFile, checker: TypeChecker | None) -> None:
        """Move to a function that `checker` checks; None before mypy checks it, when only annotated
        types are known.
        """
        self.scope, self.checker = scope, checker
        self._leave()
        if checker is not None:
            if self._attributes is not None and self._attributes.tree is not checker.tree:
                self._attributes = None
            self.type_of: Callable[[Expression], Type | None] = checker.lookup_type_or_none
            self.reader = Reader(self._shape_of, self.type_of, self.resolve, self.quantities.of)

    def _shape_of(self, operand: Operand) -> Shape | None:
        typed = self.typed(operand)
        return None if typed is None else typed.shape

    def _answered(self, expression: Expression) -> Any:
        answer = self.results.get(expression, UNKNOWN)
        if answer is UNKNOWN and isinstance(expression, MemberExpr):
            return self._of_self(expression)
        return answer

    def _of_self(self, expression: MemberExpr) -> Any:
        """The value that the methods of a class assign to an attribute of `self`."""
        info = self._class_of_self(expression.expr)
        return UNKNOWN if info is None else self.attributes.of(info, expression.name)

    def _class_of_self(self, owner: Expression) -> TypeInfo | None:
        if (
            not isinstance(owner, NameExpr)
            or not isinstance(owner.node, Var)
            or not owner.node.is_self
        ):
            return None
        type_ = get_proper_type(self.type_of(owner)) if self.checker else None
        return type_.type if isinstance(type_, Instance) else None

    @property
    def attributes(self) -> Attributes:
        """The attributes of the classes of the checked module."""
        assert self.checker is not None
        if self._attributes is None:
            self._attributes = Attributes(self.checker.tree, self._libraries)
        return self._attributes

    def built(self, expression: Expression) -> Built | None:
        """The layer of a library, or the row of layers, that an expression is; else None."""
        expression = self.resolve(expression)
        if isinstance(expression, NameExpr):
            return None
        if isinstance(expression, MemberExpr):
            built = self._of_self(expression)
        else:
            built = self._construction.of(expression)
        return built if isinstance(built, (DeclaredInstance, Row)) else None

    def _bound_at(self, name: NameExpr, variable: Var) -> Bound | None:
        return self.bindings.at(name, variable)

    @property
    def function(self) -> FuncItem | None:
        """The innermost function that mypy is checking."""
        return None if self.checker is None else self.checker.scope.current_function()

    @property
    def bindings(self) -> Bindings:
        """The bindings of the checked function."""
        if self._bindings is None:
            assert self.scope is not None
            self._bindings = Bindings(self.scope)
        return self._bindings

    @property
    def facts(self) -> Facts:
        """What the annotations say of sizes: different names are different sizes, unless the
        function itself compares sizes.
        """
        if self._facts is None:
            facts = self._facts = Facts()
            functions = self.bindings.functions
            self._scopes = {function: Scope(function) for function in functions}
            self._scopes[None] = Scope(None)
            if not self.bindings.compares_sizes:
                for scope in self._scopes.values():
                    scope.differ(facts)
        return self._facts

    def scope_of(self, owner: FuncItem | TypeInfo | None) -> Scope:
        """The names in the annotations of a function, or of a class's attributes."""
        assert self.facts is not None
        scope = self._scopes.get(owner)
        if scope is None:
            scope = self._scopes[owner] = Scope(owner if isinstance(owner, FuncItem) else None)
        return scope

    @property
    def expected(self) -> dict[Expression, list[Expected]]:
        """What annotations expect, by expression."""
        if self._expected is None:
            self._expected = self._expectations()
        return self._expected

    def see_renamed(self, operand: Operand | None, result: Any) -> None:
        """Note that a tensor was written to and is `result` now; its type keeps the old names."""
        if operand is None or not isinstance(operand.expression, (NameExpr, MemberExpr)):
            return
        before, variable = self._shape_of(operand), operand.expression.node
        if isinstance(variable, Var) and isinstance(before, tuple) and is_shape(result):
            if [dim.name for dim in before] != [dim.name for dim in known_dims(result)]:
                self.bindings.renamed.add(variable)
                self.sources.clear()

    def settle(self, duty: Duty) -> Verdict:
        """Settle a duty that the rule could not decide, by what is known."""
        # Nothing is learned: what one branch requires need not hold in another.
        verdict = self.facts.copy().settle(duty.left, duty.right, None, duty.or_one).verdict
        if verdict is Verdict.CONTRADICTS_DECLARED:
            verdict = Verdict.CONTRADICTED  # mypy's errors have no levels
        if verdict is Verdict.CONTRADICTED and duty.mistake.is_of_one_operand:
            # Two names in one annotation may stand for the same size.
            if self.facts.relate(duty.left, duty.right) is not Relation.NO:
                return Verdict.ASSUMED
        return verdict

    def resolve(self, expression: Expression) -> Expression:
        """The value of a variable, if it is certain; else the expression itself."""
        for _ in range(8):
            if not (isinstance(expression, NameExpr) and isinstance(expression.node, Var)):
                break
            bound = self.bindings.at(expression, expression.node)
            if bound is None or bound.value is None or bound.part is not None:
                break
            expression = bound.value
        return expression

    def result(self, expression: Expression | None) -> Any:
        """What is known about an expression's value: a shape, a tuple of shapes, or UNKNOWN."""
        if expression is None:
            return UNKNOWN
        known = self.results.get(expression, UNKNOWN)
        if known is not UNKNOWN:
            return known
        if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
            return self._of_variable(expression, expression.node)
        if isinstance(expression, MemberExpr):
            attribute = self._attribute(expression)
            return UNKNOWN if attribute is None else self._of_attribute(expression, attribute)
        return UNKNOWN

    def _of_variable(self, read: NameExpr, variable: Var) -> Any:
        bindings = self.bindings
        bound, settled = bindings.at(read, variable), bindings.is_settled(variable)
        if bound is None:
            if settled and annotated.text_of(variable.type) is None:
                self.sources[variable] = None
            return UNKNOWN
        if bound.value is None:
            return self._of_parameter(variable, settled)
        if read in self._asked:
            return UNKNOWN
        self._asked.add(read)  # a loop may hold `a = b` and `b = a`
        try:
            whole = self.result(bound.value)
        finally:
            self._asked.discard(read)
        if bound.part is not None:
            return part_of(whole, bound.part)
        written = None if variable.is_inferred else annotated.written_in(variable.type)
        if written is None:
            if settled and not isinstance(bound.value, RefExpr):
                self.sources[variable] = bound.value
            return whole
        if not settled and not bindings.is_declared_by(variable, bound.value):
            return whole  # the variable may have other dims by now
        names = self.scope_of(bindings.owner_of(variable)).names
        return filled(names, written, whole if is_shape(whole) else UNKNOWN)

    def _of_parameter(self, variable: Var, settled: bool) -> Any:
        if settled and annotated.text_of(variable.type) is None:
            self.sources[variable] = None
            return UNKNOWN
        assert self.facts is not None
        for scope in self._scopes.values():
            if variable in scope.shapes:
                return scope.shapes[variable]
        return UNKNOWN

    def is_as_made(self, expression: Expression, depth: int = 8) -> bool:
        """Whether an instance is as its class makes it; `jax.vmap(net)` only has its type."""
        if depth == 0:
            return False
        if isinstance(expression, CallExpr):
            return isinstance(expression.callee, RefExpr) and isinstance(
                expression.callee.node, TypeInfo
            )
        if isinstance(expression, MemberExpr):
            attribute = self._attribute(expression)
            if attribute is None or not attribute.is_inferred:
                return attribute is not None
            info = self._class_of_self(expression.expr)
            assignment = None if info is None else self.attributes.assignment(info, expression.name)
            return assignment is not None and self.is_as_made(assignment.value, depth - 1)
        if not isinstance(expression, NameExpr) or not isinstance(expression.node, Var):
            return False
        variable = expression.node
        bound = self.bindings.at(expression, variable)
        if bound is None or bound.part is not None:
            return not variable.is_inferred and not self.bindings.is_bound(variable)
        return bound.value is None or self.is_as_made(bound.value, depth - 1)

    def _attribute(self, expression: MemberExpr) -> Var | None:
        """The variable of the attribute that an expression reads."""
        owner = get_proper_type(self.type_of(expression.expr)) if self.checker else None
        if isinstance(owner, TupleType):
            owner = owner.partial_fallback
        symbol = owner.type.get(expression.name) if isinstance(owner, Instance) else None
        return symbol.node if symbol is not None and isinstance(symbol.node, Var) else None

    def _of_attribute(self, expression: MemberExpr, attribute: Var) -> Any:
        """The dims of an attribute; the names in its annotation belong to its class."""
        written = None if attribute.is_inferred else annotated.written_in(attribute.type)
        if written is None:
            result = self._of_self(expression)
            if result is UNKNOWN:
                result = self._of_layer(expression)
            return result if is_shape(result) else UNKNOWN
        owner = expression.expr
        if isinstance(owner, NameExpr) and isinstance(owner.node, Var) and owner.node.is_self:
            return declared_shape(self.scope_of(attribute.info).names, written)
        return blank(written)

    def _of_layer(self, expression: MemberExpr) -> Any:
        """A tensor that belongs to a layer: `self.fc.weight`."""
        layer = self.built(expression.expr)
        if not isinstance(layer, DeclaredInstance) or self.attributes.changes(expression.name):
            return UNKNOWN
        return layer.layer.parameters(layer.fields).get(expression.name, UNKNOWN)

    def typed(self, operand: Operand) -> dims.Typed | None:
        """The dims of an operand's type with the known sizes; None if it is not a tensor."""
        return self.typed_by(self.readings.of(operand.type), operand.expression)

    def typed_by(self, reading: Reading, expression: Expression | None) -> dims.Typed | None:
        """The same for an expression whose type was read before."""
        typed = reading.typed
        if typed is None:
            if reading.array:
                known = self.result(expression)
                return self.readings.of_shape(known) if is_shape(known) else dims.NOTHING
            if reading.any:
                known = self.result(expression)
                return self.readings.of_shape(known) if is_shape(known) else None
            return None
        if expression is None:
            return typed
        if isinstance(expression, RefExpr):
            if expression.node in self.bindings.renamed:
                return dims.NOTHING
            if expression.node in self.bindings.filled and not _has_names(typed):
                return dims.NOTHING
        if isinstance(expression, MemberExpr) and not reading.sized:
            known = self.results.get(expression, UNKNOWN)  # of an attribute the type says the rest
        else:
            known = self.result(expression)
        return typed if known is UNKNOWN else self.readings.refined(typed, known)

    # -- what annotations expect -------------------------------------------------------------------

    def _expectations(self) -> dict[Expression, list[Expected]]:
        """The uses of expressions that an annotation declares a type for, by expression."""
        by_use: dict[Expression, list[Expected]] = {}
        for use, expected in self._uses():
            if not isinstance(use, NameExpr):
                by_use.setdefault(use, []).append(expected)
        return by_use

    def unasked(self) -> Iterator[tuple[Expected, Shape]]:
        """Parameters that are returned or assigned unchanged where an annotation writes dims, with
        their shapes: mypy asks nothing about them.
        """
        for use, expected in self._uses():
            known = self.result(use) if isinstance(use, NameExpr) else UNKNOWN
            if known is not UNKNOWN and is_shape(known):
                yield expected, known

    def _uses(self) -> Iterator[tuple[Expression, Expected]]:
        for function, statement in self.bindings.returns:
            returned = returned_by(function)
            if statement.expr is None or not annotated.mentions(returned):
                continue
            scope = self.scope_of(function)
            if scope.returned is not None:
                yield from self._parts(statement.expr, scope.returned, scope, True)
        for variable, value in self.bindings.annotated:
            if variable.type is not None and annotated.mentions(variable.type):
                scope = self.scope_of(self.bindings.owner_of(variable))
                yield from self._parts(value, variable.type, scope, False)

    def _parts(
        self, expression: Expression, type_: Type, scope: Scope, returned: bool
    ) -> Iterator[tuple[Expression, Expected]]:
        proper = get_proper_type(type_)
        if isinstance(expression, TupleExpr) and isinstance(proper, TupleType):
            if len(expression.items) == len(proper.items):
                for item, item_type in zip(expression.items, proper.items, strict=True):
                    yield from self._parts(item, item_type, scope, returned)
        elif isinstance(expression, ConditionalExpr):
            yield from self._parts(expression.if_expr, type_, scope, returned)
            yield from self._parts(expression.else_expr, type_, scope, returned)
        elif annotated.text_of(type_) is not None:
            use, part = self.resolve(expression), None
            if isinstance(use, NameExpr) and isinstance(use.node, Var):
                bound = self.bindings.at(use, use.node)
                if bound is not None and bound.value is not None:
                    use, part = self.resolve(bound.value), bound.part
            yield use, Expected(expression, type_, scope, returned, part)


def _has_names(typed: dims.Typed) -> bool:
    """Whether a tensor certainly has a name: `out=` does not change the names of one that has."""
    return has_names(known_dims(typed.shape)) is Truth.YES


def part_of(result: Any, part: int) -> Any:
    """The part of an unpacked result at a place; UNKNOWN if there is none."""
    if isinstance(result, tuple) and part < len(result) and not is_shape(result):
        return result[part]
    return UNKNOWN


def blank(written: WrittenShape) -> Shape:
    """A shape of as many dims as are written, with the sizes that are numbers."""
    if any(dim.many for dim in written.dims):
        return UNKNOWN
    return tuple(
        Dim(UNKNOWN, dim.term if isinstance(dim.term, int) and not dim.broadcastable else UNKNOWN)
        for dim in written.dims
    )
