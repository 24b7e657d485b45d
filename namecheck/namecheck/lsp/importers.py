"""Which files of the folders import a file: an index of what their import statements mention.

The statements are read off the text, without a parser: what stands in a string costs a look at a
file too many. What a statement means is asked (`files.project`) of those files alone that
mention the name of a file that is open.
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
"""Files of the folders whose imports are known."""

LARGEST: Final = 1_000_000
"""Bytes of a file that is read for its imports: larger ones are written by programs."""

MOST: Final = 40
"""Files that are found to import, over however many others, what is open; the nearest ones."""

LISTED: Final = 60.0
"""Seconds for which it is believed that no file has come or gone, unless somebody says so."""

_IMPORT = regex(
    r"^[ \t]*(?:"
    r"from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import\b[ \t]*(\([^)]*\)|(?:\\\r?\n|[^\r\n#;\\])*)"
    r"|import[ \t]+((?:\\\r?\n|[^\r\n#;\\])+))",
    re.MULTILINE,
)
_NAME = regex(r"[^\W\d]\w*")
_COMMENT = regex(r"#[^\n]*")

_ELSEWHERE: Final = sys.stdlib_module_names.union(frameworks.LIBRARIES)
"""What is imported from so often, and never one of the folders' own modules."""


class Statement(NamedTuple):
    """`from <level dots><module> import <names>`; of `import module` there are no names."""

    level: int
    module: str
    names: tuple[str, ...] = ()


class _File(NamedTuple):
    """What a file was known again by when it was read, and what it imports."""

    stamp: Stamp | None
    statements: tuple[Statement, ...]


def statements(text: str) -> tuple[Statement, ...]:
    """The import statements of a program, those alone that may mean a file of its own project."""
    found = []
    for match in _IMPORT.finditer(text):
        dots, module, names, plain = match.groups()
        if plain is not None:
            for one in plain.split(","):
                words = one.split()
                if words and words[0].partition(".")[0] not in _ELSEWHERE:
                    parts = words[0].split(".")  # `a.b` gives what is in `a`, too
                    found += [Statement(0, ".".join(parts[: n + 1])) for n in range(len(parts))]
        elif dots or module.partition(".")[0] not in _ELSEWHERE:
            listed = _COMMENT.sub("", names).strip("()").split(",")
            firsts = (_NAME.match(one.strip("\\ \t\r\n")) for one in listed)
            found.append(Statement(len(dots), module, tuple(one[0] for one in firsts if one)))
    return tuple(dict.fromkeys(found))


class Importers:
    """The files below some folders, by real path, and what they import.

    `check_wanted` is called now and then, and may raise what it likes: what is known is kept.
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
        """Files have come or gone."""
        self._listed = None

    def refresh(self) -> None:
        """Looks at what has changed on the disk.  Raises `Misconfigured`."""
        if self._listed is None or monotonic() - self._listed > LISTED:
            found = discover(self._folders, self._configuration).files[:MOST_FILES]
            real = {os.path.realpath(path) for path in found}
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
        """The files that import one of these, or a file that does, the nearest ones first.

        Files are told by their real paths. `unsaved` are texts that stand for those on the disk.
        """
        known = {path: file.statements for path, file in self._files.items() if file is not None}
        known |= {path: statements(text) for path, text in unsaved.items()}
        mentioning: dict[str, list[str]] = {}
        for path, some in known.items():
            for word in {word for one in some for word in _words(one)}:
                mentioning.setdefault(word, []).append(path)
        project = Project(self._folders)
        project.unsaved = unsaved
        meant: dict[str, frozenset[str]] = {}
        waiting = deque(sorted(targets))
        found = dict.fromkeys(waiting)
        most = MOST + len(found)
        while waiting and len(found) < most:
            target = waiting.popleft()
            mentions = (path for word in _names(target) for path in mentioning.get(word, ()))
            for path in sorted({*mentions}):
                self._check_wanted()
                if path in found:
                    continue
                if path not in meant:
                    meant[path] = frozenset(_meant(project, path, known[path]))
                if target in meant[path]:
                    found[path] = None
                    waiting.append(path)
        wanted = set(targets)
        return [path for path in found if path not in wanted][:MOST]


PACKAGE: Final = "__init__.py"


def _names(path: str) -> tuple[str, ...]:
    """The words of which one is in a statement that imports a file; from its own package, none."""
    folder, name = os.path.split(path)
    return (os.path.basename(folder), "") if name == PACKAGE else (name.removesuffix(".py"),)


def _words(statement: Statement) -> Iterator[str]:
    yield from statement.module.split(".")
    yield from statement.names


def _meant(project: Project, importer: str, some: Iterable[Statement]) -> Iterator[str]:
    """The files that the statements of a file import."""
    for level, module, names in some:
        found = project.find(importer, level, module)
        if found is None:
            continue
        yield from _paths(found)
        for name in names:
            inside = project.submodule(found, name)
            if inside is not None:
                yield from _paths(inside)


def _paths(found: Found) -> Iterator[str]:
    if found.path is not None:
        yield os.path.realpath(found.path)


def _read(path: str) -> tuple[Statement, ...]:
    return statements(read_document(path).text)
