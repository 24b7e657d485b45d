"""The signatures by which something is called, where their annotations speak of dims.

A decorator may make another function of one, so that only under those that are known not to its own
annotations say what a call gives.
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
    """Of functions, classes and their instances."""

    def __init__(self, libraries: Libraries) -> None:
        self._home_of: Final = libraries.home_of

    def of(self, node: object) -> list[CallableType]:
        """Those of a function, or of the constructor of a class; none if no annotation says
        anything.
        """
        if isinstance(node, TypeInfo):
            # What is given for a field goes to `__new__` of a named tuple.
            node = node.get_method("__new__" if node.is_named_tuple else "__init__")
        items = node.items if isinstance(node, OverloadedFuncDef) else [node]
        found = [self._of_one(item) for item in items]
        if not any(signature is not None and _speaks(signature) for signature in found):
            return []
        return [signature for signature in found if signature is not None]

    def of_instance(self, info: TypeInfo) -> list[CallableType]:
        """Those of calling an instance."""
        return self.of(info.get_method("__call__"))

    def of_module(self, info: TypeInfo) -> list[CallableType]:
        """That of `forward`, which a module of torch's calls: its `__call__` is an attribute."""
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
        """Whether a function under a decorator is what it is without."""
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
