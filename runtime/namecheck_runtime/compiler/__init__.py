"""`namecheck_runtime.compiler`: what PyTorch would compile, and runs as it is here.

Source: torch.compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

config: Final = SimpleNamespace()
"""Switches of a compiler, which may be set and change nothing."""


def compile(  # the public name is PyTorch's
    model: Any = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable[..., Any] = "inductor",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    disable: bool = False,
    **more: Any,
) -> Any:
    """The module or function itself; without one, a decorator.  Source: torch.compile."""
    if mode is not None and options is not None:
        raise RuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same time."
        )
    return (lambda function: function) if model is None else model


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """The function itself; without one, a decorator."""
    return (lambda function: function) if fn is None else fn


def allow_in_graph(fn: Any) -> Any:
    """The function itself."""
    return fn


def assume_constant_result(fn: Any) -> Any:
    """The function itself."""
    return fn


def is_compiling() -> bool:
    """False."""
    return False


def is_dynamo_compiling() -> bool:
    """False."""
    return False


def is_exporting() -> bool:
    """False."""
    return False


def reset() -> None:
    """Nothing."""


def cudagraph_mark_step_begin() -> None:
    """Nothing."""


def mark_static_address(t: Any, guard: bool = False) -> None:
    """Nothing: no address is compiled into a program."""


def mark_static(t: Any, index: Any = None) -> None:
    """Nothing: no size is compiled into a program."""


def mark_dynamic(t: Any, index: Any, **options: Any) -> None:
    """Nothing: no size is compiled into a program."""


maybe_mark_dynamic = mark_dynamic
