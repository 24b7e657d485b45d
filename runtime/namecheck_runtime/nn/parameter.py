"""Parameters and buffers: the tensors that a module holds.

Both are tensors over the memory of the one that they are made of, with its names.  Those of lazy
layers have no size before the first call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Self

import numpy as np

from namecheck_runtime.tensors.calls.overrides import disabled_torch_function
from namecheck_runtime.tensors.making.factories import tensor
from namecheck_runtime.tensors.object import CLASSES, Rest, Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device as Device
from namecheck_runtime.tensors.values.dtypes import dtype as DType

_new: Final = object.__new__


def _over(cls: type[Any], data: Tensor) -> Any:
    """A tensor of a class over the memory of another one, outside all graphs."""
    result = _new(cls)
    result._array = data._array
    result._names = data._names
    result._storage = data._own()
    rest = data._rest
    plain = rest is None or rest.geometry is None
    result._rest = None if plain else Rest(rest.device, rest.layout, rest.dtype, rest.geometry)  # type: ignore[union-attr]
    return result


class Parameter(Tensor):
    """A tensor that a module learns.  Source: torch.nn.Parameter.

    Assigned to an attribute of a module, it becomes one of its parameters.  It shares the memory of
    `data`, keeps its names, and requires gradients unless told otherwise.
    """

    # Ops take it for a plain tensor.
    __torch_function__ = disabled_torch_function  # type: ignore[assignment]

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Self:
        parameter: Self = _over(cls, tensor([]) if data is None else data)
        if requires_grad:
            parameter.requires_grad_()
        return parameter

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True) -> None: ...

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.data, self.requires_grad, dict(self.__dict__))


def _rebuild(
    cls: type[Parameter], data: Tensor, requires_grad: bool, attributes: Mapping[str, Any]
) -> Parameter:
    """A parameter from a pickle."""
    parameter = cls(data, requires_grad)
    parameter.__dict__.update(attributes)
    return parameter


class Buffer(Tensor):
    """A tensor that belongs to a module and is not learned.  Source: torch.nn.Buffer.

    Assigned to an attribute of a module, it becomes one of its buffers.  One that is not
    `persistent` is not part of the state dict.
    """

    __torch_function__ = disabled_torch_function  # type: ignore[assignment]
    persistent: bool

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Self:
        buffer: Self = _over(cls, tensor([]) if data is None else data)
        buffer.persistent = persistent
        return buffer

    def __init__(self, data: Tensor | None = None, *, persistent: bool = True) -> None: ...

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy: Any = super().__deepcopy__(memo)
        copy.__dict__.update(self.__dict__)
        return copy  # type: ignore[no-any-return]

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return _rebuild_buffer, (type(self), self.data, self.persistent)


def _rebuild_buffer(cls: type[Buffer], data: Tensor, persistent: bool) -> Buffer:
    """A buffer from a pickle."""
    return cls(data, persistent=persistent)


class UninitializedTensor:
    """A tensor whose sizes the first call of its module decides."""

    __slots__ = ()

    becomes: ClassVar[type[Tensor]]
    """The class that it has after `materialize`."""

    def _get_names(self) -> Any:
        raise ValueError(
            "Attempted to use an uninitialized parameter. This error happens when you are using a "
            "`LazyModule` or explicitly manipulating `torch.nn.parameter.UninitializedParameter` "
            "objects. When using LazyModules Call `forward` with a dummy batch to initialize the "
            "parameters before calling torch functions"
        )

    # A slot of tensors, which every op reads.
    _names: Any = property(_get_names)

    @property
    def shape(self) -> Any:
        """Raises RuntimeError: it has no sizes yet."""
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually "
            "happens in `load_state_dict` when trying to load an uninitialized parameter into an "
            "initialized one. Call `forward` to initialize the parameters before accessing their "
            "attributes."
        )

    def materialize(
        self, shape: Any, device: Device | str | None = None, dtype: DType | None = None
    ) -> None:
        """Make it a tensor of these sizes, which has undefined elements."""
        held: Any = self
        device = held.device if device is None else device
        dtype = held.dtype if dtype is None else dtype
        from namecheck_runtime.tensors.dispatch import call_path

        options = {"device": device, "dtype": dtype}
        self._become(call_path("torch.empty", (tuple(shape),), options))

    def _become(self, data: Tensor) -> None:
        """Show the elements of another tensor from now on."""
        held: Any = self
        wants = isinstance(self, Parameter) and held.requires_grad
        made = _over(self.becomes, data)
        held.__class__ = type(made)
        for slot in ("_array", "_names", "_storage", "_rest"):
            setattr(held, slot, getattr(made, slot))
        if wants:
            held.requires_grad_()

    def like(self, data: Tensor) -> None:
        """Take the dtype and the device of an empty tensor."""
        held: Any = self
        history = None if held._rest is None else held._rest.history
        on_cpu = data.device is dtypes.CPU
        held._array = np.empty(0, data.dtype.numpy) if on_cpu else data._array
        held._storage = None
        held._rest = Rest(
            data.device, data.layout, data.dtype, None if on_cpu else data._geometry()
        )
        held._rest.history = history

    def empty(self) -> Tensor:
        """An empty tensor of its dtype and device."""
        from namecheck_runtime.tensors.dispatch import call_path

        held: Any = self
        options = {"dtype": held.dtype, "device": held.device}
        return call_path("torch.empty", ((0,),), options)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class UninitializedParameter(UninitializedTensor, Parameter):
    """A parameter of a lazy layer before its first call.

    Source: torch.nn.parameter.UninitializedParameter.
    """

    becomes = Parameter

    def __new__(
        cls,
        requires_grad: bool = True,
        device: Device | str | None = None,
        dtype: DType | None = None,
    ) -> Self:
        parameter: Self = _uninitialized(cls, device, dtype)
        parameter._history().requires_grad = requires_grad
        return parameter

    def __init__(
        self,
        requires_grad: bool = True,
        device: Device | str | None = None,
        dtype: DType | None = None,
    ) -> None: ...

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy = memo[id(self)] = type(self)(self.requires_grad, self.device, self.dtype)
        return copy

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return type(self), (self.requires_grad, self.device, self.dtype)


class UninitializedBuffer(UninitializedTensor, Tensor):
    """A buffer of a lazy layer before its first call.

    Source: torch.nn.parameter.UninitializedBuffer.
    """

    becomes = Tensor
    __slots__ = ()
    __torch_function__ = disabled_torch_function  # type: ignore[assignment]

    def __new__(cls, device: Device | str | None = None, dtype: DType | None = None) -> Self:
        return _uninitialized(cls, device, dtype)  # type: ignore[no-any-return]

    def __init__(self, device: Device | str | None = None, dtype: DType | None = None) -> None: ...

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy = memo[id(self)] = type(self)(self.device, self.dtype)
        return copy

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return type(self), (self.device, self.dtype)


def _uninitialized(cls: type[Any], device: Device | str | None, dtype: DType | None) -> Any:
    from namecheck_runtime.tensors.dispatch import call_path

    result = _new(cls)
    result._rest = None
    result.like(call_path("torch.empty", ((0,),), {"device": device, "dtype": dtype}))
    return result


CLASSES.update((Parameter, Buffer))


def is_lazy(parameter: object) -> bool:
    """Whether a tensor has no sizes yet."""
    return isinstance(parameter, UninitializedTensor)
