"""The packages of an environment whose sources are followed: those that use a tensor library.

The sources are read and never imported. A package counts if its metadata names a library that the
rulebook knows, as a requirement or in an extra; NumPy does not count, on which most packages with
tables and plots build.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from glob import escape, glob
from typing import Final

from namecheck.frameworks import LIBRARIES

__all__ = ["Environment", "active_environment", "environment_at"]

_PLACES: Final = ("lib/python*/site-packages", "lib/python*/dist-packages", "Lib/site-packages")
"""Where an environment has its packages."""

_REQUIRED: Final = re.compile(
    rf"^Requires-Dist: *(?:{'|'.join(sorted(LIBRARIES.keys() - {'numpy'}))})\b", re.MULTILINE
)
_PACKAGE: Final = re.compile(r"^([A-Za-z_]\w*)(?:/__init__)?\.py,", re.MULTILINE)
"""A package, or a module by itself, in the list of a distribution's files."""

_LARGEST: Final = 2**24
"""The longest list of files that is read, in characters."""


class Environment:
    """The folders with installed packages, and what of it is followed."""

    def __init__(self, folders: Iterable[str] = ()) -> None:
        self.folders = tuple(os.path.realpath(folder) for folder in folders)

    def __reduce__(self) -> tuple[type[Environment], tuple[tuple[str, ...]]]:
        return Environment, (self.folders,)

    @cached_property
    def packages(self) -> Mapping[str, str]:
        """The folders with the packages and modules that are followed, by their names."""
        found: dict[str, str] = {}
        for folder in self.folders:
            for name in _followed(folder):
                found.setdefault(name, folder)
        return found

    def has(self, path: str) -> bool:
        """Whether a real path is that of an installed file."""
        return any(path.startswith(folder + os.sep) for folder in self.folders)

    def stamp(self) -> str:
        """What changes if a package is installed or removed; "" without an environment."""
        return " ".join(f"{folder}@{_changed(folder)}" for folder in self.folders)


def environment_at(python: str) -> Environment:
    """The environment of an interpreter, or with its top at a folder.

    It has no folders if there is no such environment.
    """
    top = python if os.path.isdir(python) else os.path.dirname(os.path.dirname(python))
    return Environment(_site_packages(top))


def active_environment() -> Environment:
    """The activated environment, or else the one that namecheck runs in."""
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        top = os.environ.get(variable)
        if top and os.path.isdir(top):
            return environment_at(top)
    paths = sysconfig.get_paths()
    return Environment(dict.fromkeys((paths["purelib"], paths["platlib"])))


def _site_packages(top: str) -> list[str]:
    if sys.platform == "win32" or os.path.isdir(os.path.join(top, "Lib", "site-packages")):
        places: tuple[str, ...] = _PLACES[-1:]
    else:
        places = _PLACES[:-1]
    return [
        folder
        for place in places
        for folder in sorted(glob(os.path.join(escape(top), *place.split("/"))))
        if os.path.isdir(folder)
    ]


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


def _changed(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0
