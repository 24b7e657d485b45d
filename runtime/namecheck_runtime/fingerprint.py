"""A digest of our own sources: what a cache has to know of us, besides the version.

A version stands for what was released under it; of a clone, or of what was installed from one, only
the bytes tell what they do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Final

import namecheck_runtime

__all__ = ["digest", "sources", "sources_of_rules"]

_FOLDERS: Final = ("rules", "mistakes", "notation", "nn")
"""Where in the runtime the rules and the stubs are.  Kernels compute, and answer nothing."""


def sources(folder: str) -> Iterator[str]:
    """The Python files and stubs in a folder and below."""
    for entry in os.scandir(folder):
        if entry.name.endswith((".py", ".pyi")):
            yield entry.path
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from sources(entry.path)


def sources_of_rules() -> Iterator[str]:
    """The files that say what an op does to dims."""
    for entry in os.scandir(namecheck_runtime.__path__[0]):
        if entry.name in _FOLDERS and entry.is_dir():
            yield from sources(entry.path)
        elif entry.name.endswith((".py", ".pyi")):
            yield entry.path


def digest(paths: Iterable[str]) -> str:
    """A digest of the names and the bytes of files, whatever order they come in."""
    total = blake2b(digest_size=12)
    for path in sorted(paths):
        total.update(os.path.basename(path).encode())
        with open(path, "rb") as source:
            total.update(source.read())
    return total.hexdigest()
