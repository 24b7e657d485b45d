"""Whether ops are recorded: `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`.

Each is a context manager and a decorator.  The modes belong to a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import isgeneratorfunction
from typing import Any, Self

from namecheck_runtime.tensors.values.history import MODE


class _Setting:
    """A mode that holds for a block of statements or for each call of a function."""

    grad: bool
    inference: bool | None = None

    def __enter__(self) -> Self:
        if not hasattr(self, "_before"):
            self._before: list[tuple[bool, bool]] = []
        self._before.append((MODE.grad, MODE.inference))
        MODE.grad = self.grad
        if self.inference is not None:
            MODE.inference = self.inference
        return self

    def __exit__(self, *failure: object) -> None:
        MODE.grad, MODE.inference = self._before.pop()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, whose calls run in this mode; a generator's steps do."""
        if isgeneratorfunction(function):

            @wraps(function)
            def steps(*arguments: Any, **keywords: Any) -> Iterator[Any]:
                iterator = function(*arguments, **keywords)
                while True:
                    with self._again():
                        try:
                            value = next(iterator)
                        except StopIteration as end:
                            return end.value  # type: ignore[no-any-return]
                    yield value

            return steps

        @wraps(function)
        def run(*arguments: Any, **keywords: Any) -> Any:
            with self._again():
                return function(*arguments, **keywords)

        return run

    def _again(self) -> _Setting:
        setting = _Setting()
        setting.grad, setting.inference = self.grad, self.inference
        return setting


class _Decorating(_Setting):
    """A mode without arguments, which also decorates without brackets: `@no_grad`."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        setting = super().__new__(cls)
        return setting if function is None else setting(function)


class no_grad(_Decorating):
    """Do not record ops: results require no gradient, except those of factories that ask."""

    grad = False


class enable_grad(_Decorating):
    """Record ops, also within `no_grad`."""

    grad = True


class set_grad_enabled(_Setting):
    """Record ops or not, from now on; as a context manager until the end of the block."""

    def __init__(self, mode: bool) -> None:
        self._before = [(MODE.grad, MODE.inference)]
        self._used = False
        self.grad = MODE.grad = bool(mode)

    def __enter__(self) -> Self:
        if self._used:
            return super().__enter__()
        self._used = True
        return self

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        MODE.grad, MODE.inference = self._before.pop()
        return super().__call__(function)


class inference_mode(_Setting):
    """`no_grad`, whose results cannot be used in a graph later."""

    def __new__(cls, mode: bool | Callable[..., Any] = True) -> Any:
        setting = super().__new__(cls)
        if isinstance(mode, bool):
            return setting
        setting.grad, setting.inference = False, True
        return setting(mode)

    def __init__(self, mode: bool = True) -> None:
        self.grad = MODE.grad if not mode else False
        self.inference = bool(mode)


def is_grad_enabled() -> bool:
    """Whether ops are recorded."""
    return MODE.grad


def is_inference_mode_enabled() -> bool:
    """Whether inference mode is on."""
    return MODE.inference


@contextmanager
def grad_mode(mode: bool) -> Iterator[None]:
    """Record ops or not within a block."""
    before = MODE.grad
    MODE.grad = mode
    try:
        yield
    finally:
        MODE.grad = before
