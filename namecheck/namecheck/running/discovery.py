"""The Python files that the paths of the command line mean.

A named file is always taken, whatever it is called, unless `force-exclude` is set. In folders we
look for `*.py` and `*.ipynb`, except where settings exclude them or git ignores them, and in
virtual environments. Linked folders are not followed, so that a loop of links does no harm. No file
is opened here.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

from namecheck.files import gitignore
from namecheck.files.disk import read_file
from namecheck.files.documents import PROSE, is_prose
from namecheck.files.left_out import ENVIRONMENT, EXCLUDED, IGNORED, LINKED, LeftOut
from namecheck.files.tracked import Tracked, tracked_in
from namecheck.printing.printed_paths import reading_order, shown
from namecheck.settings.config import Configuration, Resolved
from namecheck.settings.keys import Settings
from namecheck_runtime.light.records import NamedTuple

__all__ = ["Discovered", "discover", "is_excluded"]

SUFFIXES: Final = (".py", ".ipynb")

GENERATED: Final = frozenset(Settings().exclude)
"""The names that the settings exclude by default: folders of generated files."""

_MOST_LOOKED_AT: Final = 1_000
"""The most entries of a linked folder that are searched for Python files."""


class Discovered(NamedTuple):
    """The files to read, in the order in which they are reported, and what was not found or read.

    `missing` are named paths that do not exist; `closed` are folders that could not be listed, each
    with the reason. `left_out` are files and folders that are not read, with the reasons. `drivers`
    are READMEs and pages with examples in the folders; `outside` are programs elsewhere that drive
    these files, and are not checked themselves.
    """

    files: tuple[str, ...]
    missing: tuple[str, ...] = ()
    closed: tuple[tuple[str, str], ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    drivers: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


def discover(
    paths: Iterable[str],
    configuration: Configuration | None = None,
    given: Collection[str] = (),
) -> Discovered:
    """All files that `paths` mean, sorted, each once: a file with several names by its real one.

    Paths in `given` are files, whatever is on the disk. Raises `Misconfigured` if settings anywhere
    below the paths cannot be read.
    """
    configuration = configuration or Configuration(isolated=True)
    names: dict[str, list[str]] = {}
    missing: list[str] = []
    search = _Search(configuration)
    for path in paths:
        if path not in given and os.path.isdir(path):
            for file, real in Walk(path, search).files():
                names.setdefault(real, []).append(file)
        elif path not in given and not os.path.exists(path):
            missing.append(path)
        elif is_left_out(path, configuration):
            search.left_out[shown(path)] = LeftOut(shown(path), False, EXCLUDED)
        else:
            names.setdefault(os.path.realpath(path), []).append(shown(path))
    search.pass_links()
    files = [n[0] if len(n) == 1 else _best(real, n) for real, n in names.items()]
    left_out = [entry for path, entry in sorted(search.left_out.items()) if path not in files]
    return Discovered(
        tuple(sorted(files, key=reading_order)),
        tuple(missing),
        tuple(search.closed),
        tuple(left_out),
        tuple(sorted(set(search.prose.values()) - set(files), key=reading_order)),
    )


def _best(real: str, names: Iterable[str]) -> str:
    """The name of a file in reports: its real path, or the first name in the order of reading."""
    return min(names, key=lambda name: (os.path.abspath(name) != real, reading_order(name)))


def is_left_out(path: str, configuration: Configuration) -> bool:
    """Whether a named file is left out; it is not without `force-exclude`."""
    return configuration.of(path).settings.force_exclude and is_excluded(path, configuration)


def is_excluded(path: str, configuration: Configuration) -> bool:
    """Whether the settings exclude a file or a folder that it is in."""
    resolved = configuration.of(path)
    return any(patterns.covers(os.path.abspath(path)) for patterns in resolved.excluded)


class _Search:
    """The state that the walks of one search share."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.closed: list[tuple[str, str]] = []
        """Folders that could not be listed, each with the reason."""
        self.left_out: dict[str, LeftOut] = {}
        """Files and folders that are left out, by their paths in reports."""
        self.entered: set[str] = set()
        """The real paths of the folders that were searched."""
        self.links: dict[str, str] = {}
        """The real paths of linked folders, by the links as reports print them."""
        self.prose: dict[str, str] = {}
        """The READMEs and pages in the folders, as reports print them, by their real paths."""
        self._tracked: dict[str, Tracked | None] = {}

    def pass_links(self) -> None:
        """Leave out linked folders, unless they were searched under their real paths.

        A user would expect one with Python files to be checked.
        """
        for name, real in self.links.items():
            if real not in self.entered:
                with suppress(OSError), os.scandir(real) as listing:
                    names = [entry.name for entry in islice(listing, _MOST_LOOKED_AT)]
                    expected = any(name.endswith(SUFFIXES) for name in names)
                    self.left_out.setdefault(name, LeftOut(name, True, LINKED, expected))

    def tracked(self, top: str | None) -> Tracked | None:
        """The files that git tracks in a repository; None if they are not known."""
        if top is None:
            return None
        if top not in self._tracked:
            self._tracked[top] = tracked_in(top, SUFFIXES)
        return self._tracked[top]


class _Inside(NamedTuple):
    """Where a walk is: the folder, git's patterns for it, and the top of the repository.

    `ignored`: git ignores the folder itself, so that only tracked files in it count.
    """

    folder: str
    patterns: gitignore.Chain
    top: str | None
    ignored: bool = False

    def relative(self, path: str) -> str:
        """A path from the top of the repository, as git writes it."""
        top = self.top or ""
        return path[len(top) :].lstrip(os.sep).replace(os.sep, "/")


class Walk:
    """A search through a folder and all folders below it."""

    def __init__(self, start: str, search: _Search) -> None:
        self.search = search
        self.start = os.path.abspath(start)
        self.shown = shown(start)
        self.own = os.path.realpath(start)

    def files(self) -> Iterator[tuple[str, str]]:
        """The files, each with its path in reports and its real path."""
        top = gitignore.top_above(self.start)
        waiting = [_Inside(self.start, gitignore.above(self.start), top)]
        while waiting:  # not by recursion: folders may be nested as deeply as a path is long
            where = waiting.pop()
            try:
                with os.scandir(where.folder) as listing:
                    entries = list(listing)
            except OSError as refusal:
                reason = refusal.strerror or str(refusal)
                self.search.closed.append((self._name(where.folder), reason))
                continue
            self.search.entered.add(self._own_path(where.folder))
            names = frozenset(entry.name for entry in entries)
            where = where._replace(
                patterns=gitignore.entered(where.folder, where.patterns, names),
                top=where.folder if ".git" in names else where.top,
            )
            resolved = self.search.configuration.of_folder(where.folder)
            for entry in entries:
                try:
                    if entry.is_dir(follow_symlinks=False):
                        inner = self._entered(entry, where, resolved)
                        if inner is not None:
                            waiting.append(inner)
                    elif entry.name.endswith(SUFFIXES) and entry.is_file():
                        if self._is_taken(entry, where, resolved):
                            yield self._name(entry.path), self._own(entry)
                    elif entry.name.endswith(PROSE) and entry.is_file():
                        self._drive(entry, where, resolved)
                    elif entry.is_symlink() and entry.is_dir():
                        path = entry.path
                        if not resolved.excludes(path, True):
                            if not self._is_ignored(path, False, where, resolved):
                                self.search.links[self._name(path) + "/"] = os.path.realpath(path)
                except OSError:  # a loop of links
                    continue

    def _drive(self, entry: os.DirEntry[str], where: _Inside, resolved: Resolved) -> None:
        """Take a README or a page among the programs that drive the files."""
        path = entry.path
        if not resolved.settings.drive or resolved.excludes(path, False):
            return
        parts = os.path.relpath(path, os.path.dirname(self.start)).split(os.sep)
        if is_prose(parts) and not self._is_ignored(path, False, where, resolved):
            self.search.prose[self._own(entry)] = self._name(path)

    def _entered(
        self, entry: os.DirEntry[str], where: _Inside, resolved: Resolved
    ) -> _Inside | None:
        """The state of the walk in a folder; None if the folder is left out."""
        path = entry.path
        inner = where._replace(folder=path)
        if resolved.excludes(path, True):
            if self._is_missed(entry.name, inner):
                self._leave_out(path, True, EXCLUDED)
            return None
        if self._is_ignored(path, True, where, resolved):
            if not self._is_tracked(path, True, where):
                return None
            inner = inner._replace(ignored=True)
        if is_environment(path):
            self._leave_out(path, True, ENVIRONMENT)
            return None
        return inner

    def _is_taken(self, entry: os.DirEntry[str], where: _Inside, resolved: Resolved) -> bool:
        path = entry.path
        if resolved.excludes(path, False):
            if not entry.name.startswith("."):
                self._leave_out(path, False, EXCLUDED)
            return False
        return not self._is_ignored(path, False, where, resolved) or self._is_tracked(
            path, False, where
        )

    def _is_tracked(self, path: str, is_folder: bool, where: _Inside) -> bool:
        """Whether git tracks an ignored entry, or a file in it; if not, it is left out."""
        tracked = self.search.tracked(where.top)
        known = () if tracked is None else tracked.folders if is_folder else tracked.files
        if where.relative(path) in known:
            return True
        self._leave_out(path, is_folder, IGNORED, tracked is None)
        return False

    def _is_missed(self, name: str, inner: _Inside) -> bool:
        """Whether a user would expect an excluded folder to be checked."""
        if name.startswith("."):
            return False
        if name not in GENERATED:
            return True
        tracked = self.search.tracked(inner.top)
        return tracked is not None and inner.relative(inner.folder) in tracked.folders

    @staticmethod
    def _is_ignored(path: str, is_folder: bool, where: _Inside, resolved: Resolved) -> bool:
        """Whether git ignores an entry, tracked or not."""
        if not resolved.settings.respect_gitignore:
            return False
        return where.ignored or gitignore.is_ignored(where.patterns, path, is_folder)

    def _leave_out(self, path: str, is_folder: bool, reason: str, expected: bool = True) -> None:
        name = self._name(path) + "/" * is_folder
        self.search.left_out.setdefault(name, LeftOut(name, is_folder, reason, expected))

    def _name(self, path: str) -> str:
        """A path below the start, as reports print it."""
        inner = path[len(self.start) :].lstrip(os.sep).replace(os.sep, "/")
        if self.shown == "." or not inner:
            return inner or self.shown
        return f"{self.shown.removesuffix('/')}/{inner}"

    def _own(self, entry: os.DirEntry[str]) -> str:
        """The real path of a file. Only links are looked up: no folder on the way is one."""
        if entry.is_symlink():
            return os.path.realpath(entry.path)
        return self._own_path(entry.path)

    def _own_path(self, path: str) -> str:
        return os.path.join(self.own, path[len(self.start) :].lstrip(os.sep)).rstrip(os.sep)


def is_environment(folder: str) -> bool:
    """Whether a folder is a virtual environment (PEP 405) or a conda environment."""
    if os.path.isfile(os.path.join(folder, "conda-meta", "history")):
        return True
    try:
        config = read_file(os.path.join(folder, "pyvenv.cfg"))
    except OSError:
        return False
    # An empty file does not count: the file names the Python of the environment.
    pairs = (line.partition(b"=") for line in config.splitlines())
    return any(key.strip().lower() == b"home" and value.strip() for key, _, value in pairs)
