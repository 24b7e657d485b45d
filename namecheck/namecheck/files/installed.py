"""The installed packages whose sources are followed: those that use a tensor library.

The sources are read and never imported. A package counts if its metadata names a library that the
rulebook knows, as a requirement or in an extra; NumPy does not count, on which most packages with
tables and plots build.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from namecheck.frameworks import FOLLOWED_IF_REQUIRED
from namecheck_runtime.light.regexes import regex

__all__ = ["followed_packages"]

_REQUIRED: Final = regex(rf"(?m)^Requires-Dist: *(?:{'|'.join(FOLLOWED_IF_REQUIRED)})\b")
_PACKAGE: Final = regex(r"(?m)^([A-Za-z_]\w*)(?:/__init__)?\.py,")
"""A package, or a module by itself, in the list of a distribution's files."""

_LARGEST: Final = 2**24
"""The most characters of a file that are read."""


def followed_packages(folders: Iterable[str]) -> Mapping[str, str]:
    """The folders with the packages and modules that are followed, by their names."""
    found: dict[str, str] = {}
    for folder in folders:
        for name in _followed(folder):
            found.setdefault(name, folder)
    return found


def _followed(folder: str) -> Iterator[str]:
    """The names of the packages and modules in a folder that use a tensor library."""
    try:
        entries = sorted(os.listdir(folder))
    except OSError:
        return
    for entry in entries:
        if not entry.endswith(".dist-info"):
            continue
        head = _read(os.path.join(folder, entry, "METADATA")).partition("\n\n")[0]
        if _REQUIRED.search(head):
            yield from _PACKAGE.findall(_read(os.path.join(folder, entry, "RECORD")))


def _read(path: str) -> str:
    """The text of a file; "" if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST)
    except OSError:
        return ""
