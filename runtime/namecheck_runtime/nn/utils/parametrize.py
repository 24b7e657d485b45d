"""Parameters that modules compute from other parameters.  Source: torch.nn.utils.parametrize.

`register_parametrization(layer, "weight", module)` gives the layer a class of its own, in which
`weight` is a property: `module` of `layer.parametrizations.weight.original`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.nn.modules.container import ModuleDict, ModuleList
from namecheck_runtime.nn.modules.module import Module
from namecheck_runtime.nn.parameter import Parameter
from namecheck_runtime.tensors.object import Tensor

_kept: dict[tuple[int, str], Any] = {}
_keeping = 0


@contextmanager
def cached() -> Iterator[None]:
    """Compute each parametrized tensor once in the block, and keep it there."""
    global _keeping
    _keeping += 1
    try:
        yield
    finally:
        _keeping -= 1
        if not _keeping:
            _kept.clear()


def _registered(module: Module, name: str, value: Tensor, original: Tensor) -> None:
    """Register a tensor as a parameter if the original is one, or as a buffer."""
    if isinstance(original, Parameter):
        module.register_parameter(name, Parameter(value, requires_grad=original.requires_grad))
    else:
        module.register_buffer(name, value)


class ParametrizationList(ModuleList):
    """The modules that compute a tensor, one after another, and the parameters of the first.

    Its parameter is `original`; if the first module's `right_inverse` gives several, they are
    `original0`, `original1`, ...
    """

    def __init__(
        self, modules: Sequence[Module], original: Tensor | Parameter, unsafe: bool = False
    ) -> None:
        super().__init__(modules)
        self.unsafe = unsafe
        value: Any = original
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    value = module.right_inverse(value)
        self.is_tensor = isinstance(value, Tensor)
        if not self.is_tensor and not isinstance(value, Sequence):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(value).__name__}"
            )
        values = [value] if self.is_tensor else list(value)
        self.ntensors = len(values)
        for place, part in enumerate(values):
            name = "original" if self.is_tensor else f"original{place}"
            if part is original or isinstance(part, Parameter) is isinstance(original, Parameter):
                is_parameter = isinstance(part, Parameter)
                register = self.register_parameter if is_parameter else self.register_buffer
                register(name, part)
            else:
                _registered(self, name, part.detach(), original)
        if not unsafe and self().shape != original.shape:
            raise ValueError(
                "Registering a parametrization may not change the shape of the tensor, unless "
                f"`unsafe` flag is enabled.\nunparametrized shape: {tuple(original.shape)}\n"
                f"parametrized shape: {tuple(self().shape)}"
            )

    def originals(self) -> list[Tensor]:
        """The tensors that the first module gets."""
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{place}") for place in range(self.ntensors)]

    def right_inverse(self, value: Tensor) -> None:
        """Let the originals be those of which the modules make `value`.

        Raises RuntimeError if a module has no `right_inverse`.
        """
        found: Any = value
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrization {type(module).__name__} does not implement right_inverse."
                    )
                found = module.right_inverse(found)
            parts = [found] if self.is_tensor else list(found)
            for original, part in zip(self.originals(), parts, strict=True):
                original.data = part.detach()

    def forward(self) -> Any:
        """The tensor that the modules make of the originals."""
        first, *rest = self
        value = first(*self.originals())
        for module in rest:
            value = module(value)
        return value


def _give_own_class(module: Module) -> None:
    """Let a module have a class of its own, which may have properties."""
    cls = type(module)

    def deep_copied(self: Any, memo: dict[int, Any]) -> Any:
        if id(self) in memo:
            return memo[id(self)]
        replica = self.__new__(type(self))
        memo[id(self)] = replica
        replica.__dict__ = copy.deepcopy(self.__dict__, memo)
        return replica

    def refuse_pickle(self: Any) -> Any:
        raise RuntimeError(
            "Serialization of parametrized modules is only supported through state_dict()."
        )

    body = {
        "__getstate__": refuse_pickle,
        "__deepcopy__": deep_copied,
        "__module__": cls.__module__,
    }
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), body)


def _give_property(module: Module, name: str) -> None:
    """Let an attribute of a module's class be what its parametrizations compute."""

    def computed(self: Any) -> Any:
        compute = self.parametrizations[name]
        if not _keeping:
            return compute()
        key = (id(self), name)
        if key not in _kept:
            _kept[key] = compute()
        return _kept[key]

    def assign(self: Any, value: Tensor) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(computed, assign))


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Let a parameter or a buffer be computed by a module; returns the module that it belongs to.

    Raises ValueError if there is no such tensor, or if the result has another shape.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        modules: Any = module.parametrizations[tensor_name]
        before = getattr(module, tensor_name)
        modules.append(parametrization)
        if not unsafe and getattr(module, tensor_name).shape != before.shape:
            del modules[-1]
            raise ValueError(
                "A parametrization may not change the shape of the parametrized tensor"
            )
        return module
    if tensor_name not in module._parameters and tensor_name not in module._buffers:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element "
            f"with name '{tensor_name}'"
        )
    original = getattr(module, tensor_name)
    modules = ParametrizationList([parametrization], original, unsafe=unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        _give_own_class(module)
        module.parametrizations = ModuleDict()
    _give_property(module, tensor_name)
    module.parametrizations[tensor_name] = modules
    return module


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module computes any tensor, or the one of a name."""
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def type_before_parametrizations(module: Module) -> type:
    """The class that a module had before."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Make a computed tensor a parameter or buffer, as it is, or as it was before.

    Raises ValueError if it is not computed, or if the tensor before cannot be told.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    modules: Any = module.parametrizations[tensor_name]
    original = modules.originals()[0]
    if leave_parametrized:
        with no_grad():
            value = getattr(module, tensor_name).detach()
    elif modules.is_tensor:
        value = original
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is "
            "parametrized in terms of a sequence of tensors."
        )
    del module.parametrizations[tensor_name]
    delattr(type(module), tensor_name)
    if modules.is_tensor:
        original.data = value.detach()
        register: Any = (
            module.register_parameter if isinstance(original, Parameter) else module.register_buffer
        )
        register(tensor_name, original)
    else:
        _registered(module, tensor_name, value, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module
