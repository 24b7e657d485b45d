"""Patterns for paths, written as in `.gitignore` and meant as git means them.

One regular expression tells of nearly every name that no pattern can mean it. `pathspec` matches a
whole path, and what lies in a folder with the folder; a search that goes down folder by folder has
to ask about one entry at a time, or what was taken back (`!keep/`) comes out otherwise than git has
it. So patterns are split here, and pathspec is asked, and loaded, for the parts that need it.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final

from namecheck_runtime.records import NamedTuple
from namecheck_runtime.regexes import regex

__all__ = ["Patterns"]

_PLAIN: Final = regex(r"(?:[^\\\[\]]|\[!?[A-Za-z0-9._]+\])*")
"""A part without what `fnmatch` and git read differently: escapes, ranges, odd brackets."""

_ANY: Final = "**"


class _Part(NamedTuple):
    """What stands between two slashes: `**`, or what fits one name."""

    written: str
    fits: Callable[[str], object]


class _Pattern(NamedTuple):
    """One line: what it says of what it matches, and what that is."""

    excludes: bool
    only_folders: bool
    parts: tuple[_Part, ...]
    by_name: bool
    """Whether it looks at the name of an entry, and not at the folders it lies in."""


class Patterns:
    """The patterns of one source, which count from the folder `root`."""

    def __init__(self, lines: Iterable[str], root: str) -> None:
        """`root` is an absolute path."""
        self.root = root
        self.lines = tuple(lines)

    def __reduce__(self) -> tuple[type[Patterns], tuple[tuple[str, ...], str]]:
        # to other processes, where it is compiled when it is needed
        return Patterns, (self.lines, self.root)

    @cached_property
    def _patterns(self) -> Sequence[_Pattern]:
        """The patterns, the last one, which decides, first."""
        found = (_read(line) for line in reversed(self.lines))
        return [pattern for pattern in found if pattern is not None]

    @cached_property
    def _may_match(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """What the names of files, and those of folders, look like that any pattern may match."""
        return (
            _any_of(p.parts[-1] for p in self._patterns if not p.only_folders),
            _any_of(p.parts[-1] for p in self._patterns),
        )

    def check(self, path: str, is_folder: bool) -> bool | None:
        """Whether a path is excluded, or taken back (False); None: nothing is said of it.

        The folders that it lies in are known not to be excluded.
        """
        name = path[path.rfind(os.sep) + 1 :]
        if self._may_match[is_folder].match(name) is None:
            return None
        inner: list[str] | None = None
        for pattern in self._patterns:
            if pattern.only_folders and not is_folder:
                continue
            if pattern.by_name:
                if pattern.parts[0].fits(name):
                    return pattern.excludes
                continue
            if inner is None:
                inner = self.inside(path)
            if inner and _fit(pattern.parts, inner):
                return pattern.excludes
        return None

    def covers(self, path: str) -> bool:
        """Whether a file is excluded, by itself or with a folder that it lies in."""
        inner = self.inside(path)
        if not inner:
            return self.check(path, is_folder=False) is True
        start = self.root
        for number, part in enumerate(inner, 1):
            start = os.path.join(start, part)
            if self.check(start, number < len(inner)):
                return True
        return False

    def inside(self, path: str) -> list[str]:
        """The parts of an absolute path, counted from the root; none if it is not in it."""
        root = self.root if self.root.endswith(os.sep) else self.root + os.sep
        return path[len(root) :].split(os.sep) if path.startswith(root) else []


def _fit(parts: Sequence[_Part], names: Sequence[str]) -> bool:
    """Whether the parts of a pattern fit the names on the way to an entry, all of them."""
    if not parts:
        return not names
    first, rest = parts[0], parts[1:]
    if first.written == _ANY:
        if not rest:  # everything within
            return bool(names)
        return any(_fit(rest, names[start:]) for start in range(len(names)))
    return bool(names) and bool(first.fits(names[0])) and _fit(rest, names[1:])


def _any_of(parts: Iterable[_Part]) -> re.Pattern[str]:
    """What fits a name that one of the parts may fit."""
    plain = {part.written if _PLAIN.fullmatch(part.written) else "*" for part in parts}
    return re.compile("|".join(map(fnmatch.translate, sorted(plain))) or r"(?!)")


def _read(line: str) -> _Pattern | None:
    """One line of a file of patterns; None if it holds none."""
    written = line.rstrip(" ")
    if written != line and written.endswith("\\"):
        written += " "  # an escaped one
    if not written or written.startswith("#"):
        return None
    excludes = not written.startswith("!")
    written = written.removeprefix("!")
    only_folders = written.endswith("/")
    written = written.removesuffix("/")
    # A slash at the start or in between: the pattern counts from the root.
    by_name = "/" not in written
    words = written.removeprefix("/").split("/")
    if "" in words:
        return None  # between two slashes stands no name
    parts = [_Part(word, _fitting(word)) for word in words]
    return _Pattern(excludes, only_folders, tuple(parts), by_name)


def _fitting(word: str) -> Callable[[str], object]:
    """What tells whether a word between slashes fits a name."""
    if _PLAIN.fullmatch(word):
        return re.compile(fnmatch.translate(word)).match
    from pathspec import GitIgnoreSpec  # seldom needed: loading it takes as long as a small run

    try:
        return GitIgnoreSpec.from_lines([f"/{word}"]).match_file
    except (ValueError, re.error):  # git reads it as a pattern that fits nothing
        return _fits_nothing


def _fits_nothing(name: str) -> bool:
    return False
