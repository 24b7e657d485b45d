"""What a walk notes of the modules that a program calls, for `namecheck summary`.

Nothing is noted unless something asks for it: `Units.trace` is None in every other walk.
"""

from __future__ import annotations

from typing import NamedTuple

from namecheck.analysis.state.values.callables import Function, Layer
from namecheck.analysis.state.values.tensors import Tensor
from namecheck.analysis.state.values.value import Value
from namecheck_runtime import layers
from namecheck_runtime.lattice import Shape, Size


class Passed(NamedTuple):
    """A tensor that goes into a module or comes out of it.

    `kind` and `dtype` are those of `Tensor`. A value that may be a tensor or not has neither.
    """

    shape: Shape
    kind: str = ""
    dtype: str = ""


class ModuleCall:
    """A call of a module, and those that its code makes."""

    __slots__ = ("given", "module", "parts", "products", "result")

    def __init__(self, module: Value | None, given: tuple[Passed, ...] = ()) -> None:
        self.module = module
        self.given = given
        self.result: tuple[Passed, ...] | None = None
        """What came out of it; None until then."""
        self.parts: list[ModuleCall] = []
        self.products: Size = 0
        """The multiply-adds of its own code, without those of its parts."""


class CallTrace:
    """The calls of modules in a walk, and what it knows of the modules' tensors."""

    __slots__ = ("_inside", "_tensors", "current", "frozen", "refusing", "top")

    def __init__(self) -> None:
        self.top = ModuleCall(None)
        self.current = self.top
        self.frozen: dict[Value, bool | None] = {}
        """The tensors that may not require a gradient: True if they do not, None if unknown."""
        self.refusing: Function | None = None
        """The function that the program itself has called with arguments that do not fit."""
        self._tensors: dict[tuple[Layer, str], Value] = {}
        self._inside: dict[Layer, dict[str, Layer]] = {}

    def tensor_of(self, layer: Layer, name: str, made: Value) -> Value:
        """The tensor of a layer under a name: the one it was given, else `made`, from now on."""
        return self._tensors.setdefault((layer, name), made)

    def replace(self, layer: Layer, name: str, tensor: Value) -> None:
        """Let a layer have another tensor under a name."""
        self._tensors[layer, name] = tensor

    def inside(self, layer: Layer) -> dict[str, Layer]:
        """The layers that a layer is made of, by name: the same ones at each call."""
        parts = self._inside.get(layer)
        if parts is None:
            made_of = layer.instance.layer.parts(layer.instance.fields)
            parts = self._inside[layer] = {name: _as_value(one) for name, one in made_of.items()}
        return parts


def _as_value(built: layers.Instance) -> Layer:
    return Layer(built.layer.name, built)


def passed(tensor: Tensor, shape: Shape) -> Passed:
    """A tensor with the shape that it has on the current path."""
    return Passed(shape, tensor.kind, tensor.dtype)


__all__ = ["CallTrace", "ModuleCall", "Passed", "passed"]
