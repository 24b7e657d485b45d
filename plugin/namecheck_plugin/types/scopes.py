"""What the names in annotations stand for: each function, and each call, has sizes of its own.

Inside a function the names in the parameters' annotations are any sizes, and two names are two
different sizes.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import FuncItem, Var
from mypy.types import CallableType, Instance, Type, get_proper_type

from namecheck_plugin.types import annotated
from namecheck_runtime.lattice import Shape
from namecheck_runtime.notation.matching import Names, declared_shape, groups_apart
from namecheck_runtime.sizes import Fact, Facts, Rank


class Scope:
    """The annotations of one function: the sizes of their names, and the dims of the parameters."""

    def __init__(self, function: FuncItem | None) -> None:
        self.names: Final[Names] = {}
        self.shapes: Final[dict[Var, Shape]] = {}
        self.returned: Type | None = None
        if function is None:
            return
        signature = get_proper_type(function.type)
        if isinstance(signature, CallableType):
            # The signature's types, because mypy lets those of the variables change.
            types = zip(function.arguments, signature.arg_types, strict=True)
            for argument, type_ in types:
                written = None if argument.kind.is_star() else annotated.written_in(type_)
                if written is not None:
                    self.shapes[argument.variable] = declared_shape(self.names, written)
        self.returned = returned_by(function)

    def differ(self, facts: Facts) -> None:
        """Presume that different names are different sizes."""
        for group in groups_apart(self.names.items()):
            facts.presume_distinct(group, Fact(Rank.DECLARED))


def returned_by(function: FuncItem) -> Type | None:
    """The type that a function's annotation says it returns; None for a generator."""
    signature = get_proper_type(function.type)
    if not isinstance(signature, CallableType) or function.is_generator:
        return None
    if not function.is_coroutine:
        return signature.ret_type
    coroutine = get_proper_type(signature.ret_type)  # `Coroutine[Any, Any, T]` to mypy
    if isinstance(coroutine, Instance) and len(coroutine.args) == 3:
        return coroutine.args[2]
    return None
