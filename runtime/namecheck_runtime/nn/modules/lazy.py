"""Lazy layers: the first call decides the size of their inputs.  Source: torch.nn.modules.lazy."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, ClassVar

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.nn.parameter import (
    UninitializedBuffer,
    UninitializedParameter,
    UninitializedTensor,
    is_lazy,
)
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class LazyLayer(DeclaredLayer):
    """The part of a lazy layer that waits for the first call.  Source: torch's LazyModuleMixin.

    After it the layer is one of the class `becomes`.
    """

    becomes: ClassVar[Any] = None
    inferred: ClassVar[str]
    """The attribute that the first call decides."""

    def _build(self, fields: dict[str, Any]) -> None:
        fields[self.inferred] = 0
        self.__dict__["_fields"][self.inferred] = 0
        for name, value in self._attributes(fields).items():
            setattr(self, name, value)
        self._make_tensors(fields)
        self._load_hook = self._register_load_state_dict_pre_hook(_Loaded(self))
        self._initialize_hook = self.register_forward_pre_hook(_infer, with_kwargs=True)

    def _make_tensor(self, name: str, shape: Any, options: dict[str, Any]) -> Any:
        if not shape:
            return super()._make_tensor(name, shape, options)
        buffer = name in self.buffers_declared
        return UninitializedBuffer(**options) if buffer else UninitializedParameter(**options)

    def infer_size(self, input: Tensor) -> int:
        """The size that an input decides."""
        raise NotImplementedError

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or buffer has no size yet."""
        return any(map(is_lazy, chain(self._parameters.values(), self._buffers.values())))

    def initialize_parameters(self, input: Tensor) -> None:
        """Give the tensors the sizes that an input decides, and draw the parameters."""
        fresh = self.has_uninitialized_params()
        size = self.infer_size(input) if fresh else self._size_of_weight(input)
        setattr(self, self.inferred, size)
        self.__dict__["_fields"][self.inferred] = size
        if fresh:
            with no_grad():
                self._materialize()
                self.reset_parameters()

    def _size_of_weight(self, input: Tensor) -> int:
        """The size after loading, which the input must have, too."""
        return self.infer_size(input)

    def _materialize(self) -> None:
        fields = self.__dict__["_fields"]
        for name, shape in self.becomes.declaration.parameters(fields).items():
            tensor = getattr(self, name)
            if isinstance(tensor, UninitializedTensor):
                tensor.materialize(tuple(dim.size for dim in shape))


class _Loaded:
    """A hook that gives the tensors of a lazy layer the sizes of those that it loads."""

    def __init__(self, layer: LazyLayer) -> None:
        self.layer = layer

    def __call__(self, state_dict: Mapping[str, Any], prefix: str, *_: Any) -> None:
        layer = self.layer
        for name, tensor in chain(layer._parameters.items(), layer._buffers.items()):
            value = state_dict.get(f"{prefix}{name}")
            if value is not None and not is_lazy(value) and isinstance(tensor, UninitializedTensor):
                tensor.materialize(tuple(value.shape))


def _infer(layer: Any, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> None:
    """Before the first call: decide the sizes, and become an ordinary layer."""
    layer.initialize_parameters(*arguments, **keywords)
    if layer.has_uninitialized_params():
        raise RuntimeError(f"module {layer._get_name()} has not been fully initialized")
    layer._initialize_hook.remove()
    layer._load_hook.remove()
    del layer._initialize_hook, layer._load_hook
    if layer.becomes is not None:
        layer.__class__ = layer.becomes
