"""The switchboard: which of mypy's questions are ours, and who answers them.

Every answer is asked for through `_safely`: whatever goes wrong within becomes one note, and mypy's
own answer stands.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from mypy.checker import TypeChecker
from mypy.nodes import CallExpr, Expression, IndexExpr, MemberExpr, OpExpr, TypeInfo, UnaryExpr
from mypy.options import Options
from mypy.plugin import AttributeContext, FunctionContext, MethodContext, Plugin
from mypy.types import Type

from namecheck_plugin import codes, surface
from namecheck_plugin.arguments import Operand, read_index
from namecheck_plugin.calls import Asker, Call, written
from namecheck_plugin.knowledge import Knowledge
from namecheck_plugin.surface import Method
from namecheck_runtime.declare import Spelling

Context = TypeVar("Context", FunctionContext, MethodContext, AttributeContext)


class NamecheckPlugin(Plugin):
    """mypy's `Plugin` that knows the dims of tensors."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._knowledge = Knowledge()
        self._owners: dict[str, str | None] = {}

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        spelling = surface.function_of(fullname)
        return None if spelling is None else self._safely(partial(self._function, spelling))

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        library = self._library(owner)
        method = None if library is None else surface.method_of(library, name)
        return None if method is None else self._safely(partial(self._method, method))

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        library = self._library(owner)
        spelling = None if library is None else surface.attribute_of(library, name)
        return None if spelling is None else self._safely(partial(self._attribute, spelling))

    def _library(self, owner: str) -> str | None:
        """How the registry spells a class that mypy names; None of what is no class of tensors."""
        if owner not in self._owners:
            found = self.lookup_fully_qualified(owner)
            node = None if found is None else found.node
            self._owners[owner] = surface.owner_of(node) if isinstance(node, TypeInfo) else None
        return self._owners[owner]

    def _safely(self, answer: Callable[[Context], Type]) -> Callable[[Context], Type]:
        def ask(context: Context) -> Type:
            try:
                return answer(context)
            except Exception as error:  # a defect of ours is a note, and mypy goes on
                return _confess(context, error)

        return ask

    def _asker(self, context: Any) -> Asker:
        checker = context.api
        assert isinstance(checker, TypeChecker)
        return Asker(self._knowledge, checker)

    def _function(self, spelling: Spelling, context: FunctionContext) -> Type:
        default = context.default_return_type
        if not isinstance(context.context, CallExpr):
            return default
        asker = self._asker(context)
        arguments = written(context.context, asker.reader.type_of)
        if arguments is None:
            return default
        return asker.type_of(Call(spelling, *arguments, context.context, default))

    def _method(self, method: Method, context: MethodContext) -> Type:
        asker = self._asker(context)
        default, node = context.default_return_type, context.context
        spelling = method.spelling
        receiver = Operand(_receiver(node), context.type)
        if isinstance(node, CallExpr):
            arguments = written(node, asker.reader.type_of)
            if arguments is None:
                return default
            operands, keywords = arguments
            return asker.type_of(Call(spelling, (receiver, *operands), keywords, node, default))
        if isinstance(node, IndexExpr):
            return self._subscript(asker, spelling, receiver, node, context)
        given = [
            Operand(expression, type_)
            for expressions, types in zip(context.args, context.arg_types, strict=True)
            for expression, type_ in zip(expressions, types, strict=True)
        ]
        operands = [*given, receiver] if method.reflected else [receiver, *given]
        return asker.type_of(Call(spelling, operands, {}, node, default))

    def _subscript(
        self,
        asker: Asker,
        spelling: Spelling,
        receiver: Operand,
        node: IndexExpr,
        context: MethodContext,
    ) -> Type:
        index = read_index(node.index, context.arg_types[0][0], asker.reader)
        shape = asker.reader.shape_of(receiver)
        values = [shape, index]
        names = [parameter.name for parameter in spelling.op.rules[0].parameters]
        by_name = {names[0]: receiver, names[1]: Operand(node.index, context.arg_types[0][0])}
        if len(names) > 2:
            value = Operand(context.args[1][0], context.arg_types[1][0])
            found = asker.reader.shape_of(value)
            if found is None:
                return context.default_return_type
            values.append(found)
            by_name[names[2]] = value
        call = Call(spelling, (), {}, node, context.default_return_type)
        return asker.answer(call, values, {}, by_name)

    def _attribute(self, spelling: Spelling, context: AttributeContext) -> Type:
        node = context.context
        if context.is_lvalue or not isinstance(node, MemberExpr):
            return context.default_attr_type
        receiver = Operand(node.expr, context.type)
        asker = self._asker(context)
        return asker.type_of(Call(spelling, (receiver,), {}, node, context.default_attr_type))


def _receiver(node: Any) -> Expression | None:
    """The expression whose method is called."""
    if isinstance(node, CallExpr):
        return node.callee.expr if isinstance(node.callee, MemberExpr) else None
    if isinstance(node, IndexExpr):
        return node.base
    if isinstance(node, OpExpr):
        return node.left
    return node.expr if isinstance(node, UnaryExpr) else None


def _confess(context: Any, error: Exception) -> Type:
    """One note about a defect of ours, with the expression; the answer is mypy's own."""
    default: Type
    if isinstance(context, AttributeContext):
        default = context.default_attr_type
    else:
        default = context.default_return_type
    where = traceback.extract_tb(error.__traceback__)[-1]
    text = (
        f"NC999: namecheck failed here ({type(error).__name__}: {error}; "
        f"{os.path.basename(where.filename)}:{where.lineno}); please report it"
    )
    context.api.msg.note(text, context.context, code=codes.NAMED_TENSOR)
    return default
