"""Patterns for paths, written as in `.gitignore` and with git's meaning.

A search goes down folder by folder and asks about one entry at a time, as git does: with whole
paths, negated patterns (`!keep/`) would be applied wrongly. So a pattern is split at its slashes,
and each part becomes a regular expression for one name.

A stranger may have written the patterns, so matching may cost no more than the length of a pattern
times that of the path. A `*` takes as little as the next piece allows and never backtracks (an
atomic group, as in `fnmatch`): every piece between two stars has a fixed length, so the first place
where it fits is as good as any later one. The same holds for `**` among the parts of a path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from namecheck_runtime.light.records import NamedTuple

__all__ = ["Patterns"]

_ANY: Final = "**"

_LONGEST: Final = 4096
"""Characters of the longest name that is matched; no file system has longer ones."""

_PLAIN: Final = frozenset("*?[\\")
"""The characters that make a part more than a plain name."""

_NOTHING: Final = r"(?!)"

_CLASSES: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
"""The classes of characters that git knows (`[[:alpha:]]`), in ASCII, as sets of `re`."""


class _Part:
    """The part of a pattern between two slashes: `**`, or a pattern for one name."""

    def __init__(self, written: str) -> None:
        self.written = written
        self.is_any = written == _ANY
        self.is_name = _PLAIN.isdisjoint(written)

    @cached_property
    def expression(self) -> str:
        """The part as a regular expression for a whole name."""
        return translated(self.written)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.expression)

    def fits(self, name: str) -> bool:
        """Whether the part matches the name of an entry."""
        if self.is_name:
            return name == self.written
        return len(name) <= _LONGEST and self._compiled.match(name) is not None


class _Pattern(NamedTuple):
    """One line: what it matches, and whether it excludes that."""

    excludes: bool
    only_folders: bool
    parts: tuple[_Part, ...]
    by_name: bool
    """Whether it matches the name of an entry, whatever the folders above it."""


class Patterns:
    """The patterns of one source, relative to the folder `root`."""

    def __init__(self, lines: Iterable[str], root: str) -> None:
        """`root` is an absolute path."""
        self.root = root
        self.lines = tuple(lines)

    def __reduce__(self) -> tuple[type[Patterns], tuple[tuple[str, ...], str]]:
        # for other processes, which compile the patterns when they need them
        return Patterns, (self.lines, self.root)

    @cached_property
    def _patterns(self) -> Sequence[_Pattern]:
        """The patterns in reverse order: the last one that matches decides."""
        patterns = (_read(line) for line in reversed(self.lines))
        return [pattern for pattern in patterns if pattern is not None]

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """The numbers of the patterns with a plain name as their last part, by that name."""
        numbers: dict[str, list[int]] = {}
        for number, pattern in enumerate(self._patterns):
            if pattern.parts[-1].is_name:
                numbers.setdefault(pattern.parts[-1].written, []).append(number)
        return numbers

    @cached_property
    def _others(self) -> list[int]:
        """The numbers of the other patterns."""
        return [n for n, pattern in enumerate(self._patterns) if not pattern.parts[-1].is_name]

    @cached_property
    def _may_match(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """Expressions for the names of files and of folders that the other patterns may match."""
        others = [self._patterns[number] for number in self._others]
        return (
            _any_of(p.parts[-1] for p in others if not p.only_folders),
            _any_of(p.parts[-1] for p in others),
        )

    def _candidates(self, name: str, is_folder: bool) -> Iterator[_Pattern]:
        """The patterns with a last part that matches a name, in order."""
        numbers = self._by_word.get(name, [])
        if self._others and self._may_match[is_folder].match(name) is not None:
            numbers = sorted([*numbers, *self._others])
        return map(self._patterns.__getitem__, numbers)

    def check(self, path: str, is_folder: bool) -> bool | None:
        """Whether a path is excluded, or expressly not (False); None if no pattern matches.

        The folders above it are known not to be excluded.
        """
        name = path[path.rfind(os.sep) + 1 :]
        inner: list[str] | None = None
        for pattern in self._candidates(name, is_folder):
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
        """Whether a file is excluded, by itself or with a folder above it."""
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
        """The parts of an absolute path below the root; none if it is not below it."""
        root = self.root if self.root.endswith(os.sep) else self.root + os.sep
        return path[len(root) :].split(os.sep) if path.startswith(root) else []


def _fit(parts: Sequence[_Part], names: Sequence[str]) -> bool:
    """Whether the parts of a pattern match all names on the way to an entry.

    A `**` matches any number of names; at the end, one or more.
    """
    part = name = 0
    after = -1  # the part after the last `**`, and the first name that it was not tried on
    tried = 0
    while name < len(names):
        if part < len(parts) and parts[part].is_any:
            part += 1
            if part == len(parts):
                return True
            after, tried = part, name
        elif part < len(parts) and parts[part].fits(names[name]):
            part += 1
            name += 1
        elif after >= 0:
            tried += 1
            part, name = after, tried
        else:
            return False
    return part == len(parts)


def _any_of(parts: Iterable[_Part]) -> re.Pattern[str]:
    """An expression for the names that one of the parts matches."""
    return re.compile("|".join(sorted({part.expression for part in parts})) or _NOTHING)


def _read(line: str) -> _Pattern | None:
    """The pattern in a line; None if it has none."""
    written = line.rstrip(" ")
    if written != line and _escapes(written):
        written += " "
    if not written or written.startswith("#"):
        return None
    excludes = not written.startswith("!")
    written = written.removeprefix("!")
    only_folders = written.endswith("/")
    written = written.removesuffix("/")
    # With a slash at the start or in between, the pattern is relative to the root.
    by_name = "/" not in written
    words = _words(written.removeprefix("/"))
    if "" in words:
        return None  # no name between two slashes
    parts = [
        _Part(word)
        for number, word in enumerate(words)
        if word != _ANY or number == 0 or words[number - 1] != _ANY  # twice means the same as once
    ]
    return _Pattern(excludes, only_folders, tuple(parts), by_name)


def _words(written: str) -> list[str]:
    """The words of a pattern between slashes, except slashes in brackets."""
    if _PLAIN.isdisjoint(written):
        return written.split("/")
    words = []
    start = place = 0
    while place < len(written):
        letter = written[place]
        place += 1
        if letter == "/":
            words.append(written[start : place - 1])
            start = place
        elif letter == "\\" and written[place : place + 1] == "/":
            words.append(written[start : place - 1])  # an escaped slash is a slash
            place += 1
            start = place
        elif letter == "\\":
            place += 1
        elif letter == "[":
            _, place = _bracket(written, place) or ("", len(written))
    return [*words, written[start:]]


def _escapes(text: str) -> bool:
    """Whether a text ends in a backslash that escapes the next character."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def translated(word: str) -> str:
    """A word between slashes as a regular expression for a whole name, which never backtracks.

    Source: git's `wildmatch.c`; a malformed word matches nothing.
    """
    pieces: list[list[str]] = [[]]
    place = 0
    while place < len(word):
        letter = word[place]
        place += 1
        if letter == "*":
            if pieces[-1] or len(pieces) == 1:
                pieces.append([])
            continue
        if letter == "?":
            pieces[-1].append(".")
        elif letter == "[":
            bracket = _bracket(word, place)
            if bracket is None:
                return _NOTHING
            expression, place = bracket
            pieces[-1].append(expression)
        else:
            if letter == "\\":
                if place == len(word):
                    return _NOTHING
                letter = word[place]
                place += 1
            pieces[-1].append(re.escape(letter))
    if sum(map(len, pieces)) > _LONGEST:
        return _NOTHING
    first, *others = map("".join, pieces)
    if not others:
        return rf"(?s:{first})\Z"
    *between, last = others
    lazily = "".join([f"(?>.*?{piece})" for piece in between])
    return rf"(?s:{first}{lazily}.*{last})\Z"


def _bracket(word: str, start: int) -> tuple[str, int] | None:
    """A set of characters as a regular expression, and where it ends; None if it is malformed.

    `start` is the place after its opening bracket.
    """
    place = start
    negated = word[place : place + 1] in ("!", "^")
    place += negated
    items: set[str] = set()
    before = ""  # what a range may begin with
    first = True
    while True:
        letter = word[place : place + 1]
        if letter == "]" and not first:
            break
        first = False
        is_range = letter == "-" and before and word[place + 1 : place + 2] not in ("", "]")
        if word.startswith("[:", place) and not is_range:
            end = word.find("]", place + 2)
            if end < 0:
                return None
            if end > place + 2 and word[end - 1] == ":":
                name = word[place + 2 : end - 1]
                if name not in _CLASSES:
                    return None
                items.add(_CLASSES[name])
                before, place = "", end + 1
                continue
        if is_range:
            place += 1
            letter = word[place]
        if letter == "\\":
            place += 1
            letter = word[place : place + 1]
        if not letter:
            return None
        place += 1
        if not is_range:
            items.add(re.escape(letter))
            before = letter
        else:
            if before <= letter:
                items.add(f"{re.escape(before)}-{re.escape(letter)}")
            before = ""
    if not items:  # ranges that run backwards
        return ("." if negated else _NOTHING), place + 1
    return f"[{'^' * negated}{''.join(sorted(items))}]", place + 1
