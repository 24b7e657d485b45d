"""The files and folders that a run looks at, as a value: those on the disk, or copies of them.

Whatever evaluates imports asks a tree, and so works on another machine as well, where the paths of
this one mean nothing (`running/sent_files.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from namecheck.files.disk import read_file, stamp_of
from namecheck.files.installed import followed_packages
from namecheck.printing.printed_paths import shown

__all__ = ["Names", "Tree"]

Names: TypeAlias = tuple[frozenset[str], frozenset[str]]
"""The names of the folders and of the files in a folder."""


class Tree:
    """The files and folders on the disk of this machine."""

    def names(self, folder: str) -> Names:
        """The names in a folder; none if it cannot be listed, so that nothing is imported."""
        folders: set[str] = set()
        files: set[str] = set()
        try:
            for entry in os.scandir(folder):
                (folders if entry.is_dir() else files).add(entry.name)
        except OSError:
            pass
        return frozenset(folders), frozenset(files)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises `OSError`."""
        return read_file(path)

    def status(self, path: str) -> tuple[int, int] | None:
        """The time and the size of a file; None if it has no status."""
        return stamp_of(path)

    def is_file(self, path: str) -> bool:
        """Whether a path is that of a regular file, which can be read again."""
        return os.path.isfile(path)

    def real(self, path: str) -> str:
        """The real path of a path."""
        return os.path.realpath(path)

    def shown(self, path: str) -> str:
        """A real path as reports print it."""
        return shown(path)

    def packages(self, folders: Iterable[str]) -> Mapping[str, str]:
        """The folders with the installed packages that are followed, by their names."""
        return followed_packages(folders)
