"""Layers of libraries, rows of layers, and arrays, evaluated from the expressions that build them.

mypy's types say `Linear`; its sizes are arguments of its constructor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from mypy.nodes import (
    ArgKind,
    CallExpr,
    Expression,
    FloatExpr,
    ListExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    Var,
)

from namecheck_plugin.expressions.quantities import Quantities
from namecheck_plugin.expressions.tree import Bound
from namecheck_plugin.types import surface
from namecheck_plugin.types.callees import callee_of
from namecheck_plugin.types.readings import is_shape
from namecheck_runtime import sizes
from namecheck_runtime.declare import Unbindable
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Symbolic
from namecheck_runtime.layers import Instance
from namecheck_runtime.mistakes import Mistake

_CONSTANTS: Final = {"builtins.True": True, "builtins.False": False, "builtins.None": None}
_DEPTH: Final = 8


class Row:
    """Layers that are called one after the other."""

    __slots__ = ("layers",)

    def __init__(self, layers: tuple[Any, ...]) -> None:
        self.layers: Final = layers
        """UNKNOWN for each one that is not known."""


Built: TypeAlias = Instance | Row


class Construction:
    """Evaluates expressions that build something; `quantities` and `bound_at` evaluate the ints and
    names in them.
    """

    def __init__(
        self,
        quantities: Quantities,
        bound_at: Callable[[NameExpr, Var], Bound | None],
        libraries: surface.Libraries,
    ) -> None:
        self._quantities: Final = quantities
        self._bound_at: Final = bound_at
        self._libraries: Final = libraries

    def of(self, expression: Expression | None, depth: int = _DEPTH) -> Any:
        """The layer, row of layers, shape, size or literal that an expression is; else UNKNOWN."""
        if expression is None or depth == 0:
            return UNKNOWN
        if isinstance(expression, (StrExpr, FloatExpr)):
            return expression.value
        if isinstance(expression, NameExpr):
            if expression.fullname in _CONSTANTS:
                return _CONSTANTS[expression.fullname]
            bound = None
            if isinstance(expression.node, Var):
                bound = self._bound_at(expression, expression.node)
            if bound is not None and bound.value is not None and bound.part is None:
                return self.of(bound.value, depth - 1)
        if isinstance(expression, CallExpr) and isinstance(expression.callee, RefExpr):
            built = self._of_call(expression, expression.callee, depth - 1)
            if built is not UNKNOWN:
                return built
        return self._quantities.of(expression)

    def _of_call(self, call: CallExpr, callee: RefExpr, depth: int) -> Any:
        if any(kind not in (ArgKind.ARG_POS, ArgKind.ARG_NAMED) for kind in call.arg_kinds):
            return UNKNOWN
        class_ = callee.node if isinstance(callee.node, TypeInfo) else None
        layer = None if class_ is None else self._libraries.layer_of(class_.fullname)
        spelling = None if layer is not None else self._libraries.spelling_of(callee.fullname)
        row = class_ is not None and surface.is_row(class_)
        wrapper = class_ is not None and surface.owner_of(class_) is not None
        if layer is None and spelling is None and not row and not wrapper:
            return UNKNOWN
        if row:
            return self._row(call, depth)
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        called = None if spelling is None else callee_of(spelling)
        for place, (argument, name) in enumerate(zip(call.args, call.arg_names, strict=True)):
            value = self.of(argument, depth)
            if called is not None and isinstance(value, Symbolic):
                # A symbol may also stand for an array if the parameter takes one.
                plain = called.plain(place) if name is None else called.keyword(name)[1]
                value = value if plain.as_size else UNKNOWN
            if name is None:
                positional.append(value)
            else:
                keywords[name] = value
        if layer is not None:
            built = layer.build(positional, keywords)
            if built is None or built.is_placeholder():
                return UNKNOWN
            for parameter in layer.constructor.parameters:
                if "Size" in parameter.takes:
                    sizes.make_positive(built.fields.get(parameter.name))
            return built
        if spelling is None:  # `nn.Parameter(x)`
            return positional[0] if positional and is_shape(positional[0]) else UNKNOWN
        try:
            return infer(spelling, positional, keywords).result
        except (Mistake, Unbindable):
            return UNKNOWN

    def _row(self, call: CallExpr, depth: int) -> Row:
        """A row of layers, which are passed one by one or as a list."""
        layers: Sequence[Expression] = call.args
        if len(layers) == 1 and isinstance(layers[0], (ListExpr, TupleExpr)):
            layers = layers[0].items
        built = [self.of(layer, depth) for layer in layers]
        return Row(tuple(layer if isinstance(layer, Built) else UNKNOWN for layer in built))
