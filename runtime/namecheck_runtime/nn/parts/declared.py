"""Layers built from their declarations in the rulebook.

The declaration has the constructor's signature, the shapes of the tensors, and the rule for a call.
A class here adds what the rulebook does not have: how parameters are drawn, and `forward`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import Any, ClassVar, Final

import namecheck_runtime.rules  # (fills the registry)  # noqa: F401
from namecheck_runtime.binding import REQUIRED, bind_rule
from namecheck_runtime.declare import Unbindable
from namecheck_runtime.errors import TensorError, error_of
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Symbolic
from namecheck_runtime.layers import LAYERS, Instance, Layer
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.nn.modules.module import Module
from namecheck_runtime.nn.parameter import Parameter
from namecheck_runtime.tensors.calls.operands import for_rules
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.default_device import DEFAULT

_HERE: Final = "namecheck_runtime.nn.modules."

_KINDS: Final = {
    "positional": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "keyword": inspect.Parameter.KEYWORD_ONLY,
    "variadic": inspect.Parameter.VAR_POSITIONAL,
    "keywords": inspect.Parameter.VAR_KEYWORD,
}


@cache
def constructor_of(layer: Layer) -> inspect.Signature:
    """The signature of a layer's constructor, as its declaration has it."""
    parameters = []
    for parameter in layer.constructor.parameters:
        kind = _KINDS[parameter.kind]
        without = parameter.default is REQUIRED or parameter.kind in ("variadic", "keywords")
        default = inspect.Parameter.empty if without else parameter.default
        parameters.append(inspect.Parameter(parameter.name, kind, default=default))
    return inspect.Signature(parameters)


def _of_rules(value: Any) -> Any:
    """An argument as rules take it; UNKNOWN for one that no rule knows."""
    return (
        UNKNOWN if isinstance(value, Module) or hasattr(value, "batch_sizes") else for_rules(value)
    )


def _constructor_with(signature: inspect.Signature) -> Callable[..., None]:
    """The `__init__` of a class, which tells its signature to `help` and `inspect`."""

    def __init__(self: DeclaredLayer, *arguments: Any, **keywords: Any) -> None:
        DeclaredLayer.__init__(self, *arguments, **keywords)

    owner = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [owner, *signature.parameters.values()]
    __init__.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return __init__


class DeclaredLayer(Module):
    """A layer of the rulebook: `__init__` binds its arguments as the declaration says."""

    declaration: ClassVar[Layer]
    checks: ClassVar[bool] = True
    """Whether a call asks the rule; False for bases that programs derive layers of their own from,
    which have the declaration of one of the layers that are derived from them here.
    """
    buffers_declared: ClassVar[frozenset[str]] = frozenset()
    """The tensors of the declaration that are buffers."""
    shown: ClassVar[tuple[str, ...]] = ()
    """The attributes that its text has, as `name=value`."""

    def __init_subclass__(cls, as_declared: str = "", **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if not cls.__module__.startswith(_HERE):
            return  # a layer that a program derives from one of ours
        layer = LAYERS.get(f"torch.nn.{as_declared or cls.__name__}")
        if layer is not None:
            cls.declaration, cls.checks = layer, not as_declared
            cls.__init__ = _constructor_with(constructor_of(layer))  # type: ignore[method-assign]
        if "forward" in cls.__dict__:
            cls.forward = _checked(cls.__dict__["forward"])  # type: ignore[method-assign]

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__()
        fields = self._bind(arguments, keywords)
        # Without what else would be copied and saved with the layer.
        self.__dict__["_fields"] = {
            name: None if isinstance(value, (Tensor, Module)) else value
            for name, value in fields.items()
        }
        self._build(fields)

    def _bind(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of the constructor by name.  Raises TypeError for wrong ones."""
        layer, name = self.declaration, type(self).__name__
        try:
            bound = constructor_of(layer).bind(*arguments, **keywords)
        except TypeError as error:
            raise TypeError(f"{name}.__init__() {error}") from None
        bound.apply_defaults()
        fields = dict(bound.arguments)
        for parameter in layer.constructor.parameters:
            value = fields[parameter.name]
            if "Size" in parameter.takes and hasattr(value, "__index__"):
                if not isinstance(value, bool):
                    fields[parameter.name] = value.__index__()
        asked = [_of_rules(value) for value in arguments]
        words = {word: _of_rules(value) for word, value in keywords.items()}
        if bind_rule(layer.constructor, asked, words) is None:
            given = ", ".join(
                (*map(repr, arguments), *(f"{word}={value!r}" for word, value in keywords.items()))
            )
            raise TypeError(f"{name}{constructor_of(layer)} does not take ({given})")
        return fields

    def _build(self, fields: dict[str, Any]) -> None:
        """Set the attributes, make the tensors, and draw the parameters."""
        for name, value in self._attributes(fields).items():
            setattr(self, name, value)
        self._make_tensors(fields)
        self.reset_parameters()

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The attributes of the layer: the arguments of its constructor, as PyTorch keeps them.

        A tensor of the declaration has the name of its flag (`bias`).
        """
        tensors = self.declaration.parameters(fields)
        return {
            name: value
            for name, value in fields.items()
            if name not in tensors and name not in ("device", "dtype")
        }

    def _make_tensors(self, fields: Mapping[str, Any]) -> None:
        options = self._tensor_options(fields)
        for name, shape in self.declaration.parameters(fields).items():
            tensor = None if shape is None else self._make_tensor(name, shape, options)
            if name in self.buffers_declared:
                self.register_buffer(name, tensor)
            else:
                self.register_parameter(name, tensor)

    @staticmethod
    def _tensor_options(fields: Mapping[str, Any]) -> dict[str, Any]:
        """The device and the dtype of parameters and buffers."""
        device = fields.get("device")
        device = DEFAULT.device if device is None else device
        return {"device": device, "dtype": fields.get("dtype")}

    def _make_tensor(self, name: str, shape: Any, options: dict[str, Any]) -> Any:
        """A parameter or buffer of a declared shape, with undefined elements."""
        tensor = call_path("torch.empty", (tuple(dim.size for dim in shape),), options)
        return tensor if name in self.buffers_declared else Parameter(tensor)

    def reset_parameters(self) -> None:
        """Draw the parameters anew, as PyTorch initialises them."""

    def extra_repr(self) -> str:
        """What its text has beside its name."""
        return ", ".join(f"{name}={getattr(self, name)}" for name in self.shown)

    # -- checks ------------------------------------------------------------------------------------

    def _misfit(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Mistake | None:
        """What the declaration has against a call; None if nothing."""
        if not self.checks:
            return None
        try:
            key = (
                tuple([_key(value) for value in arguments]),
                tuple([(word, _key(value)) for word, value in keywords.items()]),
                self.training,
            )
            seen = self.__dict__.setdefault("_checked", set())
            if key in seen:
                return None
        except TypeError:  # an argument that no rule knows
            return None
        fields = self._current_fields()
        if self._is_as_declared(fields):
            asked = [_of_rules(value) for value in arguments]
            words = {word: _of_rules(value) for word, value in keywords.items()}
            try:
                infer(Instance(self.declaration, fields), asked, words)
            except Mistake as mistake:
                return mistake
            except Unbindable:
                pass
        if len(seen) > _MOST_SEEN:
            seen.clear()
        seen.add(key)
        return None

    def _current_fields(self) -> dict[str, Any]:
        """The arguments of the constructor, with what the program has stored since."""
        state = {**self.__dict__, **self._buffers}
        fields = self.__dict__["_fields"]
        return {name: _of_rules(state.get(name, value)) for name, value in fields.items()}

    def instance(self) -> Instance:
        """The layer as rules take it."""
        return Instance(self.declaration, self._current_fields())

    def _is_as_declared(self, fields: Mapping[str, Any]) -> bool:
        """Whether the program has put no tensor of another shape in the place of a parameter."""
        for name, shape in self.declaration.parameters(fields).items():
            if hasattr(type(self), name):
                continue  # a parametrization computes it, which may be seen
            tensor = getattr(self, name, None)
            if isinstance(tensor, Tensor) != isinstance(shape, tuple):
                return False
            if isinstance(tensor, Tensor) and isinstance(shape, tuple):
                known = [dim.size for dim in shape]
                if not any(isinstance(size, Symbolic) or size is UNKNOWN for size in known):
                    if list(tensor.shape) != known:
                        return False
        return True


_MOST_SEEN: Final = 256


def _key(value: Any) -> Any:
    """What a rule sees of an argument."""
    if isinstance(value, Tensor):
        return value._names, tuple(value.shape)
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return tuple([_key(entry) for entry in value])
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError


def _checked(forward: Callable[..., Any]) -> Callable[..., Any]:
    """A `forward` that asks the declaration first."""

    @wraps(forward)
    def check_and_run(self: DeclaredLayer, *arguments: Any, **keywords: Any) -> Any:
        mistake = self._misfit(arguments, keywords)
        if mistake is None:
            return forward(self, *arguments, **keywords)
        error = error_of(mistake)
        try:
            forward(self, *arguments, **keywords)
        except TensorError as refusal:
            if not getattr(mistake, "text", ""):
                error.args = refusal.args  # PyTorch's sentence, which the function has
        raise error

    return check_and_run
