"""Which files of the folders import a file: an index of the names in their import statements.

The statements are read off the text, without a parser; one inside a string costs no more than a
needless look at a file. What a statement means is looked up (`files.project`) only for files that
mention the name of an open file.
"""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Final, NamedTuple

from namecheck import frameworks
from namecheck.analysis import Found
from namecheck.files.disk import Stamp, stamp_of
from namecheck.files.documents import read_document
from namecheck.files.project import Project
from namecheck.running.discovery import discover
from namecheck.settings.config import Configuration
from namecheck_runtime.light.regexes import regex

__all__ = ["Importers", "statements"]

MOST_FILES: Final = 20_000
"""The most files of the folders whose imports are read."""

LARGEST: Final = 1_000_000
"""Bytes of the largest file that is read for its imports: programs write larger ones."""

MOST: Final = 40
"""The most files that are found to import an open one, directly or not; the nearest ones."""

LISTED: Final = 60.0
"""Seconds after which the folders are listed again, even if the editor reports no change."""

_IMPORT = regex(
    r"^[ \t]*(?:"
    r"from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import\b[ \t]*(\([^)]*\)|(?:\\\r?\n|[^\r\n#;\\])*)"
    r"|import[ \t]+((?:\\\r?\n|[^\r\n#;\\])+))",
    re.MULTILINE,
)
_NAME = regex(r"[^\W\d]\w*")
_COMMENT = regex(r"#[^\n]*")

_ELSEWHERE: Final = sys.stdlib_module_names.union(frameworks.LIBRARIES)
"""Packages that are never a module of the folders."""


class Statement(NamedTuple):
    """`from <level dots><module> import <names>`; `import module` has no names."""

    level: int
    module: str
    names: tuple[str, ...] = ()


class _File(NamedTuple):
    """The stamp of a file when it was read, and its import statements."""

    stamp: Stamp | None
    statements: tuple[Statement, ...]


def statements(text: str) -> tuple[Statement, ...]:
    """The import statements of a program that may mean a file of its own project."""
    imports = []
    for match in _IMPORT.finditer(text):
        dots, module, names, plain = match.groups()
        if plain is not None:
            for clause in plain.split(","):
                words = clause.split()
                if words and words[0].partition(".")[0] not in _ELSEWHERE:
                    parts = words[0].split(".")  # `a.b` gives what is in `a`, too
                    imports += [Statement(0, ".".join(parts[: n + 1])) for n in range(len(parts))]
        elif dots or module.partition(".")[0] not in _ELSEWHERE:
            listed = _COMMENT.sub("", names).strip("()").split(",")
            firsts = (_NAME.match(clause.strip("\\ \t\r\n")) for clause in listed)
            imported = tuple(name[0] for name in firsts if name)
            imports.append(Statement(len(dots), module, imported))
    return tuple(dict.fromkeys(imports))


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
        meant: dict[str, frozenset[str]] = {}
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
                if path not in meant:
                    meant[path] = frozenset(_meant(project, path, known[path]))
                if target in meant[path]:
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


def _meant(project: Project, importer: str, imports: Iterable[Statement]) -> Iterator[str]:
    """The files that the statements of a file import."""
    for level, module, names in imports:
        module_found = project.find(importer, level, module)
        if module_found is None:
            continue
        yield from _paths(module_found)
        for name in names:
            inside = project.submodule(module_found, name)
            if inside is not None:
                yield from _paths(inside)


def _paths(found: Found) -> Iterator[str]:
    if found.path is not None:
        yield os.path.realpath(found.path)


def _read(path: str) -> tuple[Statement, ...]:
    return statements(read_document(path).text)
