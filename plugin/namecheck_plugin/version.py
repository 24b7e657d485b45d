"""What mypy's cache has to know of us: a digest of the plugin and the rules that it reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from typing import Final

import namecheck_runtime

_FOLDERS: Final = ("rules", "mistakes", "notation", "nn")
"""Where in the runtime the rules and the stubs are.  Kernels compute, and answer nothing."""


def _sources(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.name.endswith((".py", ".pyi")):
            yield entry.path
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from _sources(entry.path)


@cache
def digest() -> str:
    """A digest of the bytes of all of them.

    mypy itself looks at the plugin's own file only: its cache would keep answers of rules that have
    changed since.
    """
    runtime = namecheck_runtime.__path__[0]
    paths = list(_sources(os.path.dirname(__file__)))
    for entry in os.scandir(runtime):
        if entry.name in _FOLDERS and entry.is_dir():
            paths.extend(_sources(entry.path))
        elif entry.name.endswith((".py", ".pyi")):
            paths.append(entry.path)
    total = blake2b(digest_size=12)
    for path in sorted(paths):
        total.update(os.path.basename(path).encode())
        with open(path, "rb") as source:
            total.update(source.read())
    return total.hexdigest()
