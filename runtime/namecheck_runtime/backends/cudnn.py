"""Switches of a library for GPUs, which programs set; nothing reads them.

Source: torch.backends.cudnn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

enabled = True
benchmark = False
benchmark_limit = 10
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """False: the library is not here."""
    return False


def version() -> None:
    """None: the library is not here."""


@contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
) -> Iterator[None]:
    """Switches for the time of a block."""
    yield
