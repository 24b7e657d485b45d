"""Where an environment has its installed packages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Final

__all__ = ["Environment", "active_environment", "environment_at"]

_LIBRARIES: Final = ("lib", "lib64")
_PACKAGES: Final = ("site-packages", "dist-packages")


class Environment:
    """The folders with installed packages, as real paths."""

    def __init__(self, folders: Iterable[str] = ()) -> None:
        self.folders = tuple(dict.fromkeys(os.path.realpath(folder) for folder in folders))

    def __reduce__(self) -> tuple[type[Environment], tuple[tuple[str, ...]]]:
        return Environment, (self.folders,)

    def has(self, path: str) -> bool:
        """Whether a path is that of an installed file."""
        return any(path.startswith(folder + os.sep) for folder in self.folders)

    def stamp(self) -> str:
        """What changes if a package is installed or removed; "" without an environment."""
        return " ".join(f"{folder}@{_changed(folder)}" for folder in self.folders)


def environment_at(python: str) -> Environment:
    """The environment of an interpreter, or the one whose top is a folder.

    It has no folders if there is no such environment.
    """
    top = python if os.path.isdir(python) else os.path.dirname(os.path.dirname(python))
    inside = [os.path.join(top, "Lib")]  # Windows
    for library in _LIBRARIES:
        folder = os.path.join(top, library)
        inside += [os.path.join(folder, n) for n in _names(folder) if n.startswith("python")]
    return Environment(
        os.path.join(folder, packages)
        for folder in inside
        for packages in _PACKAGES
        if os.path.isdir(os.path.join(folder, packages))
    )


def active_environment() -> Environment:
    """The activated environment, or else the one that namecheck runs in."""
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        top = os.environ.get(variable)
        if top:
            return environment_at(top)
    return environment_at(sys.prefix)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _changed(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0
