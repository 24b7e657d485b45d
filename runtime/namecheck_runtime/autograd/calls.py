"""Calling ops from derivatives: `call("torch.where", mask, grad, 0)`.

`tensors.dispatch`, which is above, says how an op is called.  Nothing here imports tensors, so that
a reader of the derivatives, such as the linter, needs none.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final


class Caller:
    """How an op is called by its path."""

    __slots__ = ("function",)

    def __init__(self) -> None:
        self.function: Callable[..., Any] | None = None


CALLER: Final = Caller()


def call(path: str, /, *arguments: Any, **keywords: Any) -> Any:
    """Call an op by one of its spellings; it is recorded if grad mode is on."""
    assert CALLER.function is not None
    return CALLER.function(path, *arguments, **keywords)
