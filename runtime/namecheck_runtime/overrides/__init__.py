"""`namecheck_runtime.overrides`: what classes with a `__torch_function__` need.

Source: torch.overrides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from types import ModuleType
from typing import Any

from namecheck_runtime.surface import HOMES, spelled
from namecheck_runtime.tensors.calls.overrides import (
    OVERRIDING,
    answer_of,
    disabled_torch_function,
    function_of,
    takers_in,
    takes_part,
)
from namecheck_runtime.tensors.calls.overrides import (
    DisableTorchFunctionSubclass as DisableTorchFunctionSubclass,
)
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.subclasses import never_wrapped

_disabled_torch_function_impl = disabled_torch_function


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether one of the arguments is of a class whose `__torch_function__` is asked."""
    return OVERRIDING.enabled and any(takes_part(type(argument)) for argument in relevant_args)


def has_torch_function_unary(argument: Any) -> bool:
    """The same for one argument."""
    return has_torch_function((argument,))


def has_torch_function_variadic(*arguments: Any) -> bool:
    """The same for arguments one by one."""
    return has_torch_function(arguments)


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Sequence[Any], *args: Any, **kwargs: Any
) -> Any:
    """What the classes of `relevant_args` answer to a call of `public_api(*args, **kwargs)`.

    Raises TypeError if all return NotImplemented.
    """
    takers = takers_in(tuple(relevant_args), {})
    answer = answer_of(public_api, takers, args, kwargs)
    if answer is NotImplemented:
        name = f"{public_api.__module__}.{public_api.__name__}"
        raise TypeError(
            f"no implementation found for '{name.replace('namecheck_runtime', 'torch', 1)}' on "
            f"types that implement __torch_function__: {[type(taker) for taker in takers]}"
        )
    return answer


def wrap_torch_function(dispatcher: Callable[..., Iterable[Any]]) -> Callable[..., Any]:
    """Let classes answer a function of one's own.

    `dispatcher` takes the same arguments and returns those whose classes are asked.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def asking(*args: Any, **kwargs: Any) -> Any:
            relevant = tuple(dispatcher(*args, **kwargs))
            if has_torch_function(relevant):
                return handle_torch_function(asking, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return asking

    return decorate


def is_tensor_like(inp: Any) -> bool:
    """Whether something is a tensor, or of a class with a `__torch_function__`."""
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Whether a function is a method of tensors, or gets or sets an attribute of theirs."""
    return func in _of_tensors()


def _of_tensors() -> set[Any]:
    functions: set[Any] = set()
    for name in dir(Tensor):
        attribute = getattr(Tensor, name, None)
        if isinstance(attribute, property):
            functions |= {attribute.__get__, attribute.__set__}
        elif callable(attribute) and not isinstance(attribute, type):
            functions.add(attribute)
    return functions


def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """The functions whose result no subclass wraps: they give a tensor that was there before."""
    return set(never_wrapped())


def get_overridable_functions() -> dict[Any, list[Callable[..., Any]]]:
    """The functions that classes can answer, by the module or the class that has them."""
    functions: dict[Any, list[Callable[..., Any]]] = {}
    for path in spelled():
        home, _, name = path.rpartition(".")
        try:
            owner = _module(home)
        except AttributeError:
            continue  # `torch.ops.aten`, which the linter knows and the package does not have
        function = getattr(owner, name, None)
        asks = path not in HOMES or hasattr(function, "__wrapped__")
        if callable(function) and asks and signature(function).parameters:
            functions.setdefault(owner, []).append(function)
    functions[Tensor] = sorted(_of_tensors(), key=repr)
    return functions


def _module(path: str) -> ModuleType:
    import namecheck_runtime

    module: Any = namecheck_runtime
    for name in filter(None, path.split(".")):
        module = getattr(module, name)
    return module  # type: ignore[no-any-return]


def resolve_name(f: Callable[..., Any]) -> str | None:
    """The name of a function of the package, or of an attribute: `torch.Tensor.shape.__get__`.

    None for any other function.
    """
    for name in dir(Tensor):
        attribute = getattr(Tensor, name, None)
        if attribute is f:
            return f"torch.Tensor.{name}"
        if isinstance(attribute, property) and f in (attribute.__get__, attribute.__set__):
            return f"torch.Tensor.{name}.{f.__name__}"
    for path in spelled():
        try:
            if function_of(f"torch.{path}") is f:
                return f"torch.{path}"
        except AttributeError:
            continue
    return None
