"""The signatures of callables whose annotations write dims.

A decorator may change what a function returns, so a decorated function's annotations are used only
if every decorator is known not to.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    OverloadedFuncDef,
    RefExpr,
    TypeInfo,
    Var,
)
from mypy.types import CallableType

from namecheck_plugin.types import annotated
from namecheck_plugin.types.surface import Libraries
from namecheck_runtime.readers.decorators import TRANSPARENT

_PARTIAL: Final = "functools.partial"


class Signatures:
    """The signatures of functions, classes and instances."""

    def __init__(self, libraries: Libraries) -> None:
        self._home_of: Final = libraries.home_of

    def of(self, node: object) -> list[CallableType]:
        """The signatures of a function, or of the constructor of a class; none if no annotation
        writes dims.
        """
        if isinstance(node, TypeInfo):
            # The arguments for the fields of a named tuple go to `__new__`.
            node = node.get_method("__new__" if node.is_named_tuple else "__init__")
        items = node.items if isinstance(node, OverloadedFuncDef) else [node]
        signatures = [self._of_one(item) for item in items]
        if not any(signature is not None and _speaks(signature) for signature in signatures):
            return []
        return [signature for signature in signatures if signature is not None]

    def of_instance(self, info: TypeInfo) -> list[CallableType]:
        """The signatures of calling an instance."""
        return self.of(info.get_method("__call__"))

    def of_module(self, info: TypeInfo) -> list[CallableType]:
        """The signature of `forward`, which a torch module calls: `__call__` is an attribute."""
        called = info.get("__call__")
        if called is None or not isinstance(called.node, Var):
            return []
        return self.of(info.get_method("forward"))

    def _of_one(self, node: object) -> CallableType | None:
        if isinstance(node, Decorator):
            if not all(map(self._is_transparent, node.decorators)):
                return None
            node = node.func
        if isinstance(node, FuncDef) and isinstance(node.type, CallableType):
            return node.type
        return None

    def _is_transparent(self, decorator: Expression) -> bool:
        """Whether a decorator leaves the signature of a function as it is."""
        if isinstance(decorator, CallExpr):
            callee = decorator.callee
            partial = isinstance(callee, RefExpr) and callee.fullname == _PARTIAL
            return self._is_transparent(decorator.args[0] if partial and decorator.args else callee)
        if not isinstance(decorator, RefExpr):
            return False
        name = decorator.fullname
        package, last = name.partition(".")[0], name.rpartition(".")[2]
        return name in TRANSPARENT or any(
            self._home_of(path) == name
            for path in TRANSPARENT
            if path.startswith(package + ".") and path.endswith("." + last)
        )


def _speaks(signature: CallableType) -> bool:
    return any(map(annotated.mentions, [*signature.arg_types, signature.ret_type]))
