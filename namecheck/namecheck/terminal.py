"""What is known of where the output goes: colours or not, and how wide."""

from __future__ import annotations

import os
import sys

__all__ = ["columns", "in_colour"]


def in_colour() -> bool:
    """On a terminal, unless NO_COLOR says no; elsewhere only if FORCE_COLOR says yes."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (
        sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    )


def columns() -> int | None:
    """The width of the terminal; None when nobody is looking at one."""
    if not sys.stdout.isatty() and not in_colour():
        return None
    import shutil

    return shutil.get_terminal_size().columns
