"""Classes derived from Tensor: what ops return for them, and how their attributes are asked for.

Ops ask the `__torch_function__` of a class where they meet a tensor that is not plain
(`calls.overrides`).  What tensors answer without an op, as their sizes, they answer at once: so a
class that takes part gets attributes of its own for these, which ask first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, cast

from namecheck_runtime.tensors.calls.overrides import (
    OVERRIDING,
    DisableTorchFunctionSubclass,
    answer_of,
    disabled_torch_function,
    refuse,
)
from namecheck_runtime.tensors.object import Rest, Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.history import MODE

_new: Final = object.__new__


def keep_subclass(
    cls: type[Any],
    func: Callable[..., Any],
    types: Any,
    args: Any = (),
    kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """Call a function as on plain tensors; tensors in its result become those of the class.

    NotImplemented if one of the `types` is no base of the class, and for a function that asks the
    class again: PyTorch's own do, which know no tensors of ours.  Source:
    torch.Tensor.__torch_function__.
    """
    call = (id(func), *map(id, args))
    running = OVERRIDING.running
    if call in running or not all(issubclass(cls, kind) for kind in types):
        return NotImplemented
    running.add(call)
    try:
        with DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))
            return result if func in never_wrapped() else _converted(result, cls)
    finally:
        running.discard(call)


@cache
def never_wrapped() -> frozenset[Any]:
    """The functions whose result stays as it is: they give a tensor that was there before."""
    attributes: Any = Tensor
    return frozenset({attributes.grad.__get__, attributes._base.__get__})


def _converted(result: Any, cls: type[Any]) -> Any:
    if cls is Tensor:
        return result
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else as_subclass(result, cls)
    if isinstance(result, (tuple, list)) and any(isinstance(part, Tensor) for part in result):
        return type(result)([_converted(part, cls) for part in result])
    return result


def as_subclass(self: Tensor, cls: type[Any]) -> Any:
    """The same memory and the same place in its graph, as a tensor of a class derived from Tensor.

    Raises TypeError for a class that is not.  Source: torch.Tensor.as_subclass.
    """
    if not issubclass(cls, Tensor):
        raise TypeError(f"as_subclass(): argument 'cls' must be a class of tensors, not {cls!r}")
    from namecheck_runtime.autograd.graph import attach, edge_of

    result = _alias(self, cls)
    rest = self._rest
    history = None if rest is None else rest.history
    if history is not None:
        edge = edge_of(self) if MODE.grad else None
        copied = result._history()
        copied.view, copied.inference = history.view, history.inference
        if edge is not None:
            attach(result, edge)
    return result


def _alias(tensor: Tensor, cls: type[Any]) -> Any:
    """The memory of a tensor as one of a class, in no graph."""
    result = _new(cls)
    result._storage = tensor._own()
    result._array, result._names = tensor._array, tensor._names
    rest = tensor._rest
    plain = rest is None or rest.geometry is None
    result._rest = None if plain else Rest(rest.device, rest.layout, rest.dtype, rest.geometry)  # type: ignore[union-attr]
    return result


def make_subclass(cls: type[Any], data: Tensor, require_grad: bool = False) -> Any:
    """A leaf of a class over the memory of `data`.  Source: torch.Tensor._make_subclass."""
    result = _alias(data, cls)
    with DisableTorchFunctionSubclass():
        return result.requires_grad_(True) if require_grad else result


def rebuild(cls: type[Any], tensor: Tensor, attributes: Mapping[str, Any]) -> Any:
    """A tensor of a class from its pickle."""
    result = make_subclass(cls, tensor.detach(), tensor.requires_grad)
    if attributes:
        result.__dict__.update(attributes)
    return result


# -- the attributes of a class that takes part -----------------------------------------------------

_METHODS: Final = (
    *("stride", "storage_offset", "untyped_storage", "storage", "data_ptr", "is_contiguous"),
    *("element_size", "numpy", "item", "tolist", "__len__", "__contains__", "__format__"),
    *("__bool__", "__float__", "__int__", "__complex__", "__index__", "__repr__", "__array__"),
    *("__dlpack__", "__dlpack_device__", "__deepcopy__", "as_subclass", "requires_grad_"),
    *("backward", "retain_grad", "register_hook", "register_post_accumulate_grad_hook"),
    "detach_",
)
"""The methods that call no op."""
_ATTRIBUTES: Final = (
    *("shape", "ndim", "dtype", "device", "layout", "names", "data", "itemsize", "nbytes"),
    *("_version", "requires_grad", "is_leaf", "grad_fn", "grad", "retains_grad", "output_nr"),
)
"""The attributes that call no op."""


class _Method:
    """A method of a class of tensors: its `__torch_function__` is asked first."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Any, owner: type) -> Any:
        method = getattr(Tensor, self.name)
        if tensor is None:
            return method
        if not OVERRIDING.enabled:
            return method.__get__(tensor, owner)

        def asking(*arguments: Any, **keywords: Any) -> Any:
            if not OVERRIDING.enabled:
                return method(tensor, *arguments, **keywords)
            return _asked(method, self.name, (tensor, *arguments), keywords)

        return asking


class _Attribute:
    """An attribute of a class of tensors: its `__torch_function__` is asked first."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Any, owner: type) -> Any:
        whole = getattr(Tensor, self.name)
        if tensor is None:
            return whole
        if not OVERRIDING.enabled:
            return whole.__get__(tensor)
        return _asked(whole.__get__, f"{self.name}.__get__", (tensor,), {})

    def __set__(self, tensor: Any, value: Any) -> None:
        whole = getattr(Tensor, self.name)
        if OVERRIDING.enabled:
            _asked(whole.__set__, f"{self.name}.__set__", (tensor, value), {})
        else:
            whole.__set__(tensor, value)


def _asked(
    function: Any, name: str, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> Any:
    takers = arguments[:1]
    answer = answer_of(function, takers, arguments, keywords)
    if answer is NotImplemented:
        refuse(f"torch.Tensor.{name}", takers)
    return answer


class _NeverPlain:
    """The `_rest` of a class that takes part: there always is one.

    So no fast way is taken, all of which begin with a look at it.
    """

    __slots__ = ()

    def __get__(self, tensor: Any, owner: type) -> Any:
        if tensor is None:
            return _REST
        rest = _REST.__get__(tensor, owner)
        if rest is None:
            of = dtypes.dtype._BY_NUMPY[tensor._array.dtype]
            rest = Rest(dtypes.CPU, dtypes.strided, of, None)
            _REST.__set__(tensor, rest)
        return rest

    def __set__(self, tensor: Any, rest: Rest | None) -> None:
        _REST.__set__(tensor, rest)


_REST: Final = cast("Any", Tensor.__dict__["_rest"])
_OWN: Final[Mapping[str, Any]] = {
    "_rest": _NeverPlain(),
    **{name: _Method(name) for name in _METHODS},
    **{name: _Attribute(name) for name in _ATTRIBUTES},
}


def begin_subclass(cls: type[Any], /, **options: Any) -> None:
    """Give a new class derived from Tensor the attributes that ask its `__torch_function__`."""
    super(Tensor, cls).__init_subclass__(**options)
    if getattr(cls, "__torch_function__", None) is disabled_torch_function:
        return
    for name, attribute in _OWN.items():
        if next(base for base in cls.__mro__ if name in base.__dict__) is Tensor:
            setattr(cls, name, attribute)
