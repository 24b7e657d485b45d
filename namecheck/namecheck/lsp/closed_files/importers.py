"""Which files of the folders import a file: an index of the names in their import statements.

The statements are read off the text (`files.import_statements`). What one means is looked up
(`files.project`) only for files that mention the name of an open file.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Final, NamedTuple

from namecheck.files.disk import Stamp, stamp_of
from namecheck.files.documents import read_document
from namecheck.files.import_statements import Statement, meant, statements
from namecheck.files.project import Project
from namecheck.running.discovery import discover
from namecheck.settings.config import Configuration

__all__ = ["Importers"]

MOST_FILES: Final = 20_000
"""The most files of the folders whose imports are read."""

LARGEST: Final = 1_000_000
"""Bytes of the largest file that is read for its imports: programs write larger ones."""

MOST: Final = 40
"""The most files that are found to import an open one, directly or not; the nearest ones."""

LISTED: Final = 60.0
"""Seconds after which the folders are listed again, even if the editor reports no change."""


class _File(NamedTuple):
    """The stamp of a file when it was read, and its import statements."""

    stamp: Stamp | None
    statements: tuple[Statement, ...]


class Importers:
    """The files below some folders, by real path, and what they import.

    `check_wanted` is called now and then and may raise: the index is kept as far as it is.
    """

    def __init__(
        self,
        folders: Sequence[str],
        configuration: Configuration,
        check_wanted: Callable[[], None],
    ) -> None:
        self._folders = folders
        self._configuration = configuration
        self._check_wanted = check_wanted
        self._listed: float | None = None
        self._files: dict[str, _File | None] = {}

    def forget(self) -> None:
        """List the folders again: files have been added or removed."""
        self._listed = None

    def refresh(self) -> None:
        """Read what has changed on the disk. Raises `Misconfigured`."""
        if self._listed is None or monotonic() - self._listed > LISTED:
            files = discover(self._folders, self._configuration).files[:MOST_FILES]
            real = {os.path.realpath(path) for path in files}
            for gone in self._files.keys() - real:
                del self._files[gone]
            for new in real - self._files.keys():
                self._files[new] = None
            self._listed = monotonic()
        for path, known in self._files.items():
            self._check_wanted()
            stamp = stamp_of(path)
            if known is None or known.stamp != stamp:
                self._files[path] = _File(
                    stamp, () if stamp is None or stamp[1] > LARGEST else _read(path)
                )

    def of(self, targets: Iterable[str], unsaved: Mapping[str, str]) -> list[str]:
        """The files that import one of these, directly or over others, the nearest ones first.

        All paths are real paths. `unsaved` are texts that replace those on the disk.
        """
        known = {path: file.statements for path, file in self._files.items() if file is not None}
        known |= {path: statements(text) for path, text in unsaved.items()}
        mentioning: dict[str, list[str]] = {}
        for path, imports in known.items():
            for word in {word for statement in imports for word in _words(statement)}:
                mentioning.setdefault(word, []).append(path)
        project = Project(self._folders)
        project.unsaved = unsaved
        meant_by: dict[str, frozenset[str]] = {}
        waiting = deque(sorted(targets))
        importing = dict.fromkeys(waiting)
        most = MOST + len(importing)
        while waiting and len(importing) < most:
            target = waiting.popleft()
            mentions = (path for word in _names(target) for path in mentioning.get(word, ()))
            for path in sorted({*mentions}):
                self._check_wanted()
                if path in importing:
                    continue
                if path not in meant_by:
                    meant_by[path] = frozenset(meant(project, path, known[path]))
                if target in meant_by[path]:
                    importing[path] = None
                    waiting.append(path)
        begun = set(targets)
        return [path for path in importing if path not in begun][:MOST]


PACKAGE: Final = "__init__.py"


def _names(path: str) -> tuple[str, ...]:
    """The names by which statements import a file; "" is that of a package from inside itself."""
    folder, name = os.path.split(path)
    return (os.path.basename(folder), "") if name == PACKAGE else (name.removesuffix(".py"),)


def _words(statement: Statement) -> Iterator[str]:
    yield from statement.module.split(".")
    yield from statement.names


def _read(path: str) -> tuple[Statement, ...]:
    return statements(read_document(path).text)
