"""Answers to mypy's questions about calls, operators, subscripts and attributes.

Each answer is wrapped in `safely`: an exception within it becomes one note, and mypy's own answer
stands.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from typing import Any, Final, TypeAlias

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    UnaryExpr,
)
from mypy.operators import op_methods
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.subtypes import is_subtype
from mypy.types import CallableType, Instance, TupleType, Type

from namecheck_plugin import codes
from namecheck_plugin.calls import Asker, Formal
from namecheck_plugin.expressions.knowledge import part_of
from namecheck_plugin.types import dims
from namecheck_plugin.types.arguments import Operand
from namecheck_plugin.types.callees import Callee, callee_of
from namecheck_plugin.types.signatures import Signatures
from namecheck_plugin.types.surface import Libraries, Method
from namecheck_plugin.types.written import arguments_of
from namecheck_runtime.declare import Spelling
from namecheck_runtime.readers.parameters import returned

Hook: TypeAlias = Callable[[Any], Type]


class Answers:
    """One method for each kind of question."""

    def __init__(self, asker: Asker, signatures: Signatures, libraries: Libraries) -> None:
        self._ask: Final = asker
        self._signatures: Final = signatures
        self._libraries: Final = libraries

    def function(self, callee: Callee, context: FunctionContext) -> Type:
        default, node = context.default_return_type, context.context
        asker = self._ask.at(context.api)
        if asker.is_unheard or not isinstance(node, CallExpr):
            return default
        return asker.type_of_call(callee, default, node)

    def overloaded(
        self, signatures: Sequence[CallableType], context: FunctionContext | MethodContext
    ) -> Type:
        """A call of a function with one signature or several, or mypy's trial of one of them."""
        if len(signatures) == 1:
            return self._declared(signatures[0], context)
        for signature in signatures:
            if _accepts(signature, context):
                return self._declared(signature, context)
        return context.default_return_type

    def _declared(self, signature: CallableType, context: FunctionContext | MethodContext) -> Type:
        asker = self._ask.at(context.api)
        formals = []
        by_name = dict(zip(signature.arg_names, signature.arg_types, strict=True))
        arguments = zip(context.callee_arg_names, context.args, context.arg_types, strict=True)
        for name, expressions, types in arguments:
            type_ = by_name.get(name)
            if name is not None and type_ is not None and len(expressions) == 1:
                formals.append(Formal(name, type_, Operand(expressions[0], types[0])))
        default = context.default_return_type
        return asker.of_declared(formals, signature.ret_type, context.context, default)

    def call(self, context: MethodContext) -> Type:
        """A call of a value that is not a function: a NumPy ufunc, a module, a jitted one."""
        node, default = context.context, context.default_return_type
        asker = self._ask.at(context.api)
        if asker.is_unheard or not isinstance(node, CallExpr):
            return default
        callee = node.callee
        if isinstance(callee, RefExpr):
            spelling = self._libraries.spelling_of(callee.fullname)
            if spelling is not None:
                default = _ufunc_default(spelling, node, context)
                return asker.type_of_call(callee_of(spelling), default, node)
            for signature in self._signatures.of(callee.node):
                return self._wrapped(signature, signature.arg_names, node, context)
        if not isinstance(context.type, Instance):
            return default
        built = asker.knowledge.built(callee)
        if built is not None:
            return asker.type_of_layer(built, default, node)
        if not asker.knowledge.is_as_made(callee):
            return default
        called = self._signatures.of_instance(context.type.type)
        if called:
            return self.overloaded(called, context)
        for forward in self._signatures.of_module(context.type.type):
            return self._wrapped(forward, forward.arg_names[1:], node, context)
        return default

    def _wrapped(
        self,
        signature: CallableType,
        names: Sequence[str | None],
        node: CallExpr,
        context: MethodContext,
    ) -> Type:
        """A call of a wrapper that passes all its arguments to a function of this signature."""
        asker, default = self._ask.at(context.api), context.default_return_type
        arguments = arguments_of(node, asker.knowledge.reader)
        if arguments is None:
            return default
        operands, keywords = arguments
        types = dict(zip(signature.arg_names, signature.arg_types, strict=True))
        by_name = {name: operand for name, operand in zip(names, operands, strict=False) if name}
        by_name.update(keywords)
        formals = [Formal(n, types[n], operand) for n, operand in by_name.items() if n in types]
        return asker.of_declared(formals, signature.ret_type, node, default)

    def method(self, method: Method, callee: Callee, context: MethodContext) -> Type:
        asker = self._ask.at(context.api)
        default, node = context.default_return_type, context.context
        if asker.is_unheard:
            return default
        if isinstance(node, CallExpr):
            called = node.callee
            # `for row in f(x)` calls `__iter__`.
            if isinstance(called, MemberExpr) and called.name == method.name:
                return asker.type_of_call(callee, default, node, (called.expr, context.type))
        elif isinstance(node, OpExpr) and context.args and context.args[0]:
            mine, other = context.type, context.arg_types[0][0]
            left, right = (other, mine) if method.reflected else (mine, other)
            return asker.type_of(callee, default, node, ((node.left, left), (node.right, right)))
        arguments = [
            (expression, type_)
            for expressions, types in zip(context.args, context.arg_types, strict=True)
            for expression, type_ in zip(expressions, types, strict=True)
        ]
        if isinstance(node, IndexExpr) and arguments:
            return asker.type_of_subscript(
                callee, default, node, ((node.base, context.type), *arguments)
            )
        if isinstance(node, UnaryExpr):
            return asker.type_of(callee, default, node, ((node.expr, context.type),))
        if len(arguments) != 1:
            receiver = node if isinstance(node, Expression) else None
            operands = (receiver, context.type), *arguments
            return asker.type_of(callee, default, node, operands, implicit=True)
        return asker.type_of(callee, default, node, _operands(method, context, *arguments[0]))

    def attribute(self, callee: Callee, context: AttributeContext) -> Type:
        node = context.context
        asker, default = self._ask.at(context.api), context.default_attr_type
        if asker.is_unheard or context.is_lvalue or not isinstance(node, MemberExpr):
            return default
        return asker.type_of(callee, default, node, ((node.expr, context.type),))

    def declared(self, context: AttributeContext) -> Type:
        """An attribute whose annotation writes dims."""
        node = context.context
        if not context.is_lvalue and isinstance(node, MemberExpr):
            asker = self._ask.at(context.api)
            asker.keep(node, asker.knowledge.result(node))
        return context.default_attr_type

    def field(self, place: int, context: AttributeContext) -> Type:
        """One of several results, read by its name: `x.max("C").values`."""
        node, default = context.context, context.default_attr_type
        if context.is_lvalue or not isinstance(node, MemberExpr):
            return default
        asker = self._ask.at(context.api)
        asker.keep(node, part_of(asker.knowledge.result(node.expr), place))
        owner = context.type
        if isinstance(owner, TupleType) and place < len(owner.items):
            return owner.items[place]
        return default


def _accepts(signature: CallableType, context: FunctionContext | MethodContext) -> bool:
    """Whether the arguments of a call fit this signature."""
    names = context.callee_arg_names  # without the `self` of a method
    parameters = slice(len(signature.arg_names) - len(names), None)
    return signature.arg_names[parameters] == names and all(
        is_subtype(type_, expected)
        for expected, types in zip(signature.arg_types[parameters], context.arg_types, strict=True)
        for type_ in types
    )


def _ufunc_default(spelling: Spelling, node: CallExpr, context: MethodContext) -> Type:
    """The type that mypy gives a call, except for a ufunc of one of our tensors: it returns a
    tensor (`__array_ufunc__`), which NumPy's stubs do not say.
    """
    ufunc = context.type
    if (
        isinstance(ufunc, Instance)
        and ufunc.type.has_base("numpy.ufunc")
        and "out" not in node.arg_names
    ):
        if returned(spelling.op.rules) == "Shape":
            for type_ in chain.from_iterable(context.arg_types):
                tensor = dims.plain(type_)
                if tensor is not None:
                    return dims.of_any_dims(tensor)
    return context.default_return_type


def _operands(
    method: Method, context: MethodContext, right: Expression, type_: Type
) -> tuple[tuple[Expression | None, Type], ...]:
    """The two sides of an operator and their types; of a reflected one mypy shows types alone."""
    node = context.context
    left: Expression | None
    left, shown = _sides(node, right)
    if method.reflected:
        return (left, type_), (shown, context.type)
    if _is_swapped(node, method.name):
        left, shown = shown, left
    return (left, context.type), (shown, type_)


def _sides(node: Any, right: Expression) -> tuple[Expression | None, Expression | None]:
    """The two sides of an operator in the program's order; None if mypy does not show them."""
    if isinstance(node, OperatorAssignmentStmt):
        return node.lvalue, node.rvalue
    if isinstance(node, ComparisonExpr):
        if len(node.operands) == 2:
            return node.operands[0], node.operands[1]
        for left, operand in pairwise(node.operands):
            if operand is right:
                return left, right
    return None, None


def _is_swapped(node: Any, name: str) -> bool:
    """Whether mypy asks the right side of a comparison: `2 < x` is `x.__gt__(2)`."""
    return (
        isinstance(node, ComparisonExpr)
        and len(node.operands) == 2
        and op_methods.get(node.operators[0]) != name
    )


def safely(asked: str, answer: Hook) -> Hook:
    """The same answer, or mypy's own and a note if it raises."""

    def ask(context: Any) -> Type:
        try:
            return answer(context)
        except Exception as error:  # mypy goes on after a defect of ours
            return _note_defect(asked, context, error)

    return ask


def _note_defect(asked: str, context: Any, error: Exception) -> Type:
    """Write one note about a defect of ours at the expression; the answer is mypy's own."""
    default: Type
    if isinstance(context, AttributeContext):
        default = context.default_attr_type
    else:
        default = context.default_return_type
    context.api.msg.note(defect_text(asked, error), context.context, code=codes.NAMED_TENSOR)
    return default


def defect_text(asked: str, error: Exception) -> str:
    """The note about an exception within the plugin, with the file and the line that raised it."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"NC999: namecheck failed on {asked} here ({type(error).__name__}: {error}; "
        f"{os.path.basename(where.filename)}:{where.lineno}); please report it"
    )
