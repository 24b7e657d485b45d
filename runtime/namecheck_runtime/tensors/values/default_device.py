"""Where new tensors are if a call does not say.  Each thread has a default of its own.

`dtypes` has what sets it: `set_default_device`, and `with nt.device("meta"):`.  Functions that make
tensors of sizes or of Python's values follow it, as PyTorch's do; ops that they are part of do not.
"""

from __future__ import annotations

from threading import local
from typing import Any, Final


class _OfThread(local):
    def __init__(self) -> None:
        self.device: Any = None
        self.outer: list[Any] = []
        """Those that `with` blocks have replaced."""


class DefaultDevice:
    """The default device of each thread."""

    __slots__ = ("_here", "is_used")

    def __init__(self) -> None:
        self._here = _OfThread()
        self.is_used: bool = False
        """Whether any thread has set one.  That is asked first, as it costs less."""

    @property
    def device(self) -> Any:
        """A `dtypes.device`; None for the CPU, where the caller has set nothing."""
        return self._here.device if self.is_used else None

    def replace(self, device: Any) -> None:
        """Set it for this thread."""
        self._here.device = device
        self.is_used = True

    def enter(self, device: Any) -> None:
        """Set it until `leave`."""
        self._here.outer.append(self._here.device)
        self.replace(device)

    def leave(self) -> None:
        """Set the one before the latest `enter`."""
        self._here.device = self._here.outer.pop()


DEFAULT: Final = DefaultDevice()
