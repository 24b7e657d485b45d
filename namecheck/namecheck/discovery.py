"""From what was named on the command line to the Python files to read.

A file that was named is always taken, whatever it is called, unless `force-exclude` is set. In
folders we look for `*.py` and `*.ipynb` and stay out of what settings exclude, what git ignores,
and of virtual environments.  Linked folders are not followed: a loop of links cannot hold us up.
What a file contains is not this module's business.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator

from namecheck import gitignore
from namecheck.config import Configuration, Resolved
from namecheck_runtime.records import NamedTuple

__all__ = ["Discovered", "discover", "is_excluded", "shown"]

SUFFIXES = (".py", ".ipynb")


class Discovered(NamedTuple):
    """Files to read, in the order in which they are reported, and what stood in the way.

    `missing` are named paths that do not exist; `closed` are folders that could not be listed,
    each with the reason.
    """

    files: tuple[str, ...]
    missing: tuple[str, ...] = ()
    closed: tuple[tuple[str, str], ...] = ()


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
    closed: list[tuple[str, str]] = []
    for path in paths:
        if path not in given and os.path.isdir(path):
            for file, own in Walk(path, configuration, closed).files():
                names.setdefault(own, []).append(file)
        elif path not in given and not os.path.exists(path):
            missing.append(path)
        elif not is_left_out(path, configuration):
            names.setdefault(os.path.realpath(path), []).append(shown(path))
    files = [some[0] if len(some) == 1 else _best(own, some) for own, some in names.items()]
    return Discovered(tuple(sorted(files, key=reading_order)), tuple(missing), tuple(closed))


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


class Walk:
    """A search through a folder and what lies below it."""

    def __init__(
        self, start: str, configuration: Configuration, closed: list[tuple[str, str]]
    ) -> None:
        """Folders that refuse to be listed are added to `closed`."""
        self.configuration = configuration
        self.closed = closed
        self.start = os.path.abspath(start)
        self.shown = shown(start)
        self.own = os.path.realpath(start)

    def files(self) -> Iterator[tuple[str, str]]:
        """The files, each by the name that reports call it, and by its own real path."""
        return self._in(self.start, gitignore.above(self.start))

    def _in(self, folder: str, ignored: gitignore.Chain) -> Iterator[tuple[str, str]]:
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
        except OSError as refusal:
            self.closed.append((self._name(folder), refusal.strerror or str(refusal)))
            return
        resolved = self.configuration.of_folder(folder)
        inside = gitignore.entered(folder, ignored, frozenset(entry.name for entry in entries))
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    if not _passed_by(entry.path, True, resolved, inside):
                        if not is_environment(entry.path):
                            yield from self._in(entry.path, inside)
                elif entry.name.endswith(SUFFIXES) and entry.is_file():
                    if not _passed_by(entry.path, False, resolved, inside):
                        yield self._name(entry.path), self._own(entry)
            except OSError:  # a loop of links: not a file that anybody could read
                continue

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
        return os.path.join(self.own, entry.path[len(self.start) :].lstrip(os.sep))


def _passed_by(path: str, is_folder: bool, resolved: Resolved, ignored: gitignore.Chain) -> bool:
    """Whether a search passes something by."""
    if resolved.excludes(path, is_folder):
        return True
    return resolved.settings.respect_gitignore and gitignore.is_ignored(ignored, path, is_folder)


def is_environment(folder: str) -> bool:
    """Whether a folder is a virtual environment (PEP 405) or a conda environment."""
    return os.path.exists(os.path.join(folder, "pyvenv.cfg")) or os.path.isdir(
        os.path.join(folder, "conda-meta")
    )


def shown(path: str) -> str:
    """A path as reports print it: relative to the working folder if it is inside, with slashes."""
    absolute = os.path.abspath(path)
    here = os.getcwd()
    inside = absolute == here or absolute.startswith(here.rstrip(os.sep) + os.sep)
    return (os.path.relpath(absolute, here) if inside else absolute).replace(os.sep, "/")


def reading_order(path: str) -> tuple[str, ...]:
    """Folder by folder, as a listing is read: `a/b.py` before `a-c/b.py`."""
    return tuple(path.split("/"))
