"""From what was named on the command line to the Python files to read.

A file that was named is always taken, whatever it is called, unless `force-exclude` is set. In
folders we look for `*.py` and `*.ipynb` and stay out of what settings exclude, what git ignores,
and of virtual environments.  Linked folders are not followed: a loop of links cannot hold us up.
What a file contains is not this module's business.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

from namecheck.files import gitignore
from namecheck.files.disk import read_file
from namecheck.files.left_out import ENVIRONMENT, EXCLUDED, IGNORED, LINKED, LeftOut
from namecheck.files.tracked import Tracked, tracked_in
from namecheck.printing.printed_paths import reading_order, shown
from namecheck.settings.config import Configuration, Resolved
from namecheck.settings.keys import Settings
from namecheck_runtime.light.records import NamedTuple

__all__ = ["Discovered", "discover", "is_excluded"]

SUFFIXES: Final = (".py", ".ipynb")

GENERATED: Final = frozenset(Settings().exclude)
"""Names that the settings exclude by default, of folders that nobody writes by hand."""

_MOST_LOOKED_AT: Final = 1_000
"""Entries of a linked folder among which Python files are looked for."""


class Discovered(NamedTuple):
    """Files to read, in the order in which they are reported, and what stood in the way.

    `missing` are named paths that do not exist; `closed` are folders that could not be listed,
    each with the reason. `left_out` is what would have been read but for some reason.
    """

    files: tuple[str, ...]
    missing: tuple[str, ...] = ()
    closed: tuple[tuple[str, str], ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def discover(
    paths: Iterable[str],
    configuration: Configuration | None = None,
    given: Collection[str] = (),
) -> Discovered:
    """All files meant by `paths`, sorted, each once: if it has several names, by its own.

    Those in `given` are files, whatever stands on the disk.
    Raises `Misconfigured` for settings that are not understood, anywhere below the paths.
    """
    configuration = configuration or Configuration(isolated=True)
    names: dict[str, list[str]] = {}
    missing: list[str] = []
    search = _Search(configuration)
    for path in paths:
        if path not in given and os.path.isdir(path):
            for file, own in Walk(path, search).files():
                names.setdefault(own, []).append(file)
        elif path not in given and not os.path.exists(path):
            missing.append(path)
        elif is_left_out(path, configuration):
            search.left_out[shown(path)] = LeftOut(shown(path), False, EXCLUDED)
        else:
            names.setdefault(os.path.realpath(path), []).append(shown(path))
    search.pass_links()
    files = [some[0] if len(some) == 1 else _best(own, some) for own, some in names.items()]
    left_out = [one for path, one in sorted(search.left_out.items()) if path not in files]
    return Discovered(
        tuple(sorted(files, key=reading_order)),
        tuple(missing),
        tuple(search.closed),
        tuple(left_out),
    )


def _best(own: str, names: Iterable[str]) -> str:
    """The name that a file goes by: its own one, or the first in the order of reading."""
    return min(names, key=lambda name: (os.path.abspath(name) != own, reading_order(name)))


def is_left_out(path: str, configuration: Configuration) -> bool:
    """Whether a named file is left out, which takes `force-exclude`."""
    return configuration.of(path).settings.force_exclude and is_excluded(path, configuration)


def is_excluded(path: str, configuration: Configuration) -> bool:
    """Whether the settings exclude a file or a folder that it lies in."""
    resolved = configuration.of(path)
    return any(patterns.covers(os.path.abspath(path)) for patterns in resolved.excluded)


class _Search:
    """What the walks of one search have in common: what they learn of folders and repositories."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.closed: list[tuple[str, str]] = []
        """Folders that refused to be listed, each with the reason."""
        self.left_out: dict[str, LeftOut] = {}
        """By their paths as reports print them."""
        self.entered: set[str] = set()
        """The folders that were looked through, by real path."""
        self.links: dict[str, str] = {}
        """Links to folders as reports print them, with their real paths."""
        self._tracked: dict[str, Tracked | None] = {}

    def pass_links(self) -> None:
        """Leave out the folders behind links, unless they were looked through by their own names.

        One with Python files in it is missed.
        """
        for name, own in self.links.items():
            if own not in self.entered:
                with suppress(OSError), os.scandir(own) as listing:
                    names = [entry.name for entry in islice(listing, _MOST_LOOKED_AT)]
                    missed = any(name.endswith(SUFFIXES) for name in names)
                    self.left_out.setdefault(name, LeftOut(name, True, LINKED, missed))

    def tracked(self, top: str | None) -> Tracked | None:
        """What git tracks in a repository; None if that cannot be told."""
        if top is None:
            return None
        if top not in self._tracked:
            self._tracked[top] = tracked_in(top, SUFFIXES)
        return self._tracked[top]


class _Inside(NamedTuple):
    """Where a walk is: the folder, what git ignores in it, and the top of the repository.

    `ignored` says that git ignores the folder itself: only what is tracked in it counts.
    """

    folder: str
    patterns: gitignore.Chain
    top: str | None
    ignored: bool = False

    def relative(self, path: str) -> str:
        """A path from the top of the repository, as git has it."""
        top = self.top or ""
        return path[len(top) :].lstrip(os.sep).replace(os.sep, "/")


class Walk:
    """A search through a folder and what lies below it."""

    def __init__(self, start: str, search: _Search) -> None:
        self.search = search
        self.start = os.path.abspath(start)
        self.shown = shown(start)
        self.own = os.path.realpath(start)

    def files(self) -> Iterator[tuple[str, str]]:
        """The files, each by the name that reports call it, and by its own real path."""
        top = gitignore.top_above(self.start)
        waiting = [_Inside(self.start, gitignore.above(self.start), top)]
        while waiting:  # and not by recursion: folders may be nested as deeply as a path is long
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
                    elif entry.is_symlink() and entry.is_dir():
                        path = entry.path
                        if not resolved.excludes(path, True):
                            if not self._is_ignored(path, False, where, resolved):
                                self.search.links[self._name(path) + "/"] = os.path.realpath(path)
                except OSError:  # a loop of links: not a file that anybody could read
                    continue

    def _entered(
        self, entry: os.DirEntry[str], where: _Inside, resolved: Resolved
    ) -> _Inside | None:
        """A folder that is looked into, or None."""
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
        """Whether git tracks what it is told to ignore, or something in it; else it is left out."""
        tracked = self.search.tracked(where.top)
        known = () if tracked is None else tracked.folders if is_folder else tracked.files
        if where.relative(path) in known:
            return True
        self._leave_out(path, is_folder, IGNORED, tracked is None)
        return False

    def _is_missed(self, name: str, inner: _Inside) -> bool:
        """Whether a person would expect an excluded folder to be checked."""
        if name.startswith("."):
            return False
        if name not in GENERATED:
            return True
        tracked = self.search.tracked(inner.top)
        return tracked is not None and inner.relative(inner.folder) in tracked.folders

    @staticmethod
    def _is_ignored(path: str, is_folder: bool, where: _Inside, resolved: Resolved) -> bool:
        """Whether git ignores an entry, unless it tracks it."""
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
        """The real path of a file: only links are looked up, as no folder on the way is one."""
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
        said = read_file(os.path.join(folder, "pyvenv.cfg"))
    except OSError:
        return False
    # An empty file makes no environment: it says where the Python is that it was made with.
    pairs = (line.partition(b"=") for line in said.splitlines())
    return any(key.strip().lower() == b"home" and value.strip() for key, _, value in pairs)
