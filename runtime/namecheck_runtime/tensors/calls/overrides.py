"""`__torch_function__`: classes that answer calls of the package's functions in their own way.

A call with an argument of such a class goes to the method of that class, with the public function
that was called.  Source: PyTorch's notes on extending torch, "Extending torch Python API".

Plain tensors never come here: an argument of another class has no key among the calls that are
alike (`plans.key_of`), and only then is it asked whether its class takes part.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from importlib import import_module
from threading import local
from typing import Any, Final, NoReturn, TypeVar

from namecheck_runtime.tensors.object import CLASSES, Size, Tensor, view_of
from namecheck_runtime.tensors.values.dtypes import device, dtype, layout, memory_format

F = TypeVar("F", bound=Callable[..., Any])


class Overriding(local):
    """Whether classes are asked, in one thread."""

    def __init__(self) -> None:
        self.enabled = True
        self.running: set[tuple[int, ...]] = set()
        """The functions that run on tensors of subclasses, with the identities of the arguments."""


OVERRIDING: Final = Overriding()


class DisableTorchFunctionSubclass:
    """A block in which no `__torch_function__` is asked: tensors of a subclass are plain there.

    Source: torch._C.DisableTorchFunctionSubclass.
    """

    def __enter__(self) -> None:
        self._before = OVERRIDING.enabled
        OVERRIDING.enabled = False

    def __exit__(self, *failure: object) -> None:
        OVERRIDING.enabled = self._before


def disabled_torch_function(
    func: Callable[..., Any],
    types: Iterable[type],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """The `__torch_function__` of a class of tensors that takes no part: its results are plain.

    Source: torch._C._disabled_torch_function_impl.
    """
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


# -- who takes part --------------------------------------------------------------------------------

_BASIC: Final = frozenset(
    {
        *(bool, int, float, complex, str, bytes, slice, type(None), type(Ellipsis), dict, type),
        *(dtype, device, layout, memory_format),
    }
)
"""Classes that take no part, told at a glance."""
_SEQUENCES: Final = frozenset({list, tuple, Size})


def takes_part(kind: type) -> bool:
    """Whether the `__torch_function__` of a class is asked."""
    if kind in CLASSES or kind in _BASIC:
        return False
    method = getattr(kind, "__torch_function__", None)
    return method is not None and method is not disabled_torch_function and not _is_pytorchs(kind)


def _is_pytorchs(kind: type) -> bool:
    """Whether a class is or extends PyTorch's own tensor.

    Its method would call the function again, and for ever.
    """
    return not issubclass(kind, Tensor) and any(
        base.__name__ == "Tensor" and base.__module__.partition(".")[0] == "torch"
        for base in kind.__mro__
    )


def takers_in(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
    """The arguments whose classes are asked, in the order in which they are: one for each class.

    From left to right, but a subclass comes before its bases.  Arguments in lists and tuples count.
    """
    takers: list[Any] = []
    for value in arguments:
        _collect(value, takers)
    for value in keywords.values():
        _collect(value, takers)
    return takers


def _collect(value: Any, takers: list[Any]) -> None:
    kind = value.__class__
    if kind in _SEQUENCES:
        for entry in value:
            _collect(entry, takers)
        return
    if not takes_part(kind) or any(type(taker) is kind for taker in takers):
        return
    place = next((k for k, t in enumerate(takers) if issubclass(kind, type(t))), len(takers))
    takers.insert(place, value)


# -- asking them -----------------------------------------------------------------------------------


def answer_of(
    function: Any, takers: Sequence[Any], arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """What the first class answers that does not return NotImplemented; else NotImplemented."""
    types = tuple(map(type, takers))
    for taker in takers:
        method = taker.__torch_function__
        if getattr(method, "__self__", None) is taker:
            warnings.warn(
                "Defining your `__torch_function__` as a plain method is deprecated and will be an "
                "error in future, please define it as a classmethod.",
                DeprecationWarning,
                stacklevel=4,
            )
        answer = method(function, types, tuple(arguments), dict(keywords))
        if answer is not NotImplemented:
            return answer
    return NotImplemented


def overridden(
    path: str, takers: Sequence[Any], arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """The answer of the classes of some arguments to a call of a spelling of the rulebook.

    Raises TypeError if all return NotImplemented.
    """
    answer = answer_of(function_of(path), takers, arguments, keywords)
    if answer is NotImplemented:
        refuse(shown_path(path), takers)
    return answer


def refuse(name: str, takers: Sequence[Any]) -> NoReturn:
    """Raise TypeError for a function that none of the classes answers, in PyTorch's words."""
    kinds = [type(taker) for taker in takers]
    if name.startswith("torch.nn.functional."):
        raise TypeError(
            f"no implementation found for '{name}' on types that implement __torch_function__: "
            f"{kinds}"
        )
    listed = "".join(f"\n  - tensor subclass {kind!r}" for kind in kinds)
    raise TypeError(
        f"Multiple dispatch failed for '{name}'; all __torch_function__ handlers returned "
        f"NotImplemented:\n{listed}"
    )


def overridable(module: str) -> Callable[[F], F]:
    """Let classes answer a function that is written in Python, by the module that has it."""

    def decorate(function: F) -> F:
        path = f"{module}.{function.__name__}"

        @wraps(function)
        def asking(*arguments: Any, **keywords: Any) -> Any:
            if OVERRIDING.enabled:
                takers = takers_in(arguments, keywords)
                if takers:
                    return overridden(path, takers, arguments, keywords)
            return function(*arguments, **keywords)

        return asking  # type: ignore[return-value]

    return decorate


class Plain:
    """Plain tensors over the memory of tensors of subclasses, which are in no graph.

    Calls on them are like each other, so that an op on a subclass asks its rule but once.
    """

    __slots__ = ("originals",)

    def __init__(self) -> None:
        self.originals: dict[int, tuple[Tensor, Tensor]] = {}
        """By the identity of a plain tensor that one, and the tensor that it stands for."""

    def of(self, value: Any) -> Any:
        """An argument with plain tensors."""
        kind = value.__class__
        if kind in _SEQUENCES:
            return kind([self.of(entry) for entry in value])
        if kind in CLASSES or not isinstance(value, Tensor):
            return value
        rest = value._rest
        if rest is not None and (rest.history is not None or rest.geometry is not None):
            return value
        plain = view_of(value, value._array, value._names)
        self.originals[id(plain)] = plain, value
        return plain

    def back(self, result: Any) -> Any:
        """A result with the tensors that it has been given, where an op returns its operand."""
        if isinstance(result, tuple) and any(id(part) in self.originals for part in result):
            return type(result)([self.back(part) for part in result])
        _, original = self.originals.get(id(result), (None, result))
        return original


# -- the public function of a spelling -------------------------------------------------------------

OPERATORS: Final = {
    **{name: name for name in ("add", "sub", "mul", "matmul", "neg", "abs")},
    **{name: name for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    **{f"i{name}": f"{name}_" for name in ("add", "sub", "mul")},
    "truediv": "div",
    "itruediv": "div_",
    "mod": "remainder",
    "imod": "remainder_",
    "pos": "positive",
    "ifloordiv": "floor_divide_",
}
"""The methods that PyTorch names for Python's operators, where it names no operator's method."""

REFLECTED: Final = {
    **{name: name for name in ("add", "mul")},
    **{name: f"bitwise_{name}" for name in ("and", "or", "xor")},
}
"""The same for operators whose right operand answers; the others are `__rsub__`, ..."""


@cache
def function_of(path: str) -> Any:
    """The public function of a spelling: `nt.add`, `nt.Tensor.add`, `nt.Tensor.shape.__get__`.

    Raises LookupError for a spelling of a library that has no part in the package.
    """
    root, _, inside = path.partition(".")
    if root == "operator":
        name = inside.rstrip("_")
        return getattr(Tensor, OPERATORS.get(name, f"__{name}__"))
    if root == "reflected":
        return getattr(Tensor, REFLECTED.get(inside, f"__r{inside}__"))
    if root == "Tensor":
        method = getattr(Tensor, inside.rstrip("="))
        if isinstance(method, property):
            return method.__set__ if inside.endswith("=") else method.__get__
        return method
    if root not in ("torch", "namecheck_runtime", "numpy"):
        raise LookupError(path)
    value: Any = import_module("numpy" if root == "numpy" else "namecheck_runtime")
    for name in inside.split("."):
        value = getattr(value, name)
    return value


def shown_path(path: str) -> str:
    """The name of a spelling in messages: `torch.Tensor.add`, `torch.cat`."""
    root, _, inside = path.partition(".")
    if root in ("operator", "reflected", "Tensor"):
        function = function_of(path)
        name = getattr(function, "__name__", "")
        if name in ("__get__", "__set__"):
            return f"torch.Tensor.{inside.rstrip('=')}.{name}"
        return f"torch.Tensor.{name}"
    return path
