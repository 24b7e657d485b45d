"""Paths as reports print them, and the order in which reports go through them."""

from __future__ import annotations

import os

__all__ = ["reading_order", "shown"]


def shown(path: str, here: str | None = None) -> str:
    """A path as reports print it: relative to the working folder if it is inside, with slashes.

    `here` is the working folder of another machine; the path is absolute then.
    """
    absolute = os.path.abspath(path)
    here = os.getcwd() if here is None else here
    inside = absolute == here or absolute.startswith(here.rstrip(os.sep) + os.sep)
    return (os.path.relpath(absolute, here) if inside else absolute).replace(os.sep, "/")


def reading_order(path: str) -> tuple[str, ...]:
    """Folder by folder, as a listing is read: `a/b.py` before `a-c/b.py`."""
    return tuple(path.split("/"))
