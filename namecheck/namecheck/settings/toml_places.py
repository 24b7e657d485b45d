"""The places of keys and values in a TOML text, which `tomllib` does not give.

The text is known to be TOML: `tomllib` has read it. So this reader knows only enough of the grammar
to tell keys, values, tables and comments apart.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final, NamedTuple

from namecheck_runtime.light.regexes import regex

__all__ = ["Place", "Way", "places"]

_SPACE: Final = regex(r"[ \t]*")
_FILLING: Final = regex(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY: Final = regex(r"""'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|[A-Za-z0-9_-]+""")
_STRING: Final = regex(
    r"'''.*?'''(?:''?)?"
    r'|"""(?:[^\\]|\\.)*?"""(?:""?)?'
    r"|'[^'\n]*'"
    r'|"(?:[^"\\\n]|\\.)*"',
    re.DOTALL,
)
_SCALAR: Final = regex(r"[^,\]}#\r\n]*[^,\]}#\s]")

Way = tuple[str | int, ...]
"""The way to a value from the top: keys, and indices of arrays from 0."""


class Place(NamedTuple):
    """The line and column, from 1, at which a key or a value begins, and its length in characters.

    A value of several lines has the length of its first one.
    """

    line: int
    column: int
    length: int


class _Strange(Exception):
    """The text has a form that this reader does not know."""


def places(text: str) -> dict[tuple[Way, bool], Place]:
    """The place of each key, under `(way, True)`, and of each value, under `(way, False)`.

    If a table is opened in several places, the first one counts. Places after a form that the
    reader does not know are left out.
    """
    reader = _Reader(text)
    with suppress(_Strange):
        reader.read()
    return reader.found


class _Reader:
    """Reads a text from its start to its end, and fills `found`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[tuple[Way, bool], Place] = {}
        self.lengths: dict[Way, int] = {}
        """The number of tables in each array of tables so far, by its way."""

    def read(self) -> None:
        """Read the whole text."""
        table: Way = ()
        self.skip(_FILLING)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self.header()
            else:
                self.pair(table)
            self.skip(_FILLING)

    def header(self) -> Way:
        """Read `[a.b]` or `[[a.b]]`. Returns the way to the table that it opens."""
        several = self.text.startswith("[[", self.at)
        self.at += 1 + several
        way: Way = ()
        keys = self.dotted()
        for number, (key, place) in enumerate(keys, 1):
            way = (*way, key)
            self.note(way, True, place)
            if several and number == len(keys):
                self.lengths[way] = self.lengths.get(way, 0) + 1
            if way in self.lengths:
                way = (*way, self.lengths[way] - 1)
                self.note(way, True, place)
        self.expect("]" * (1 + several))
        return way

    def pair(self, table: Way) -> None:
        """Read `a.b = value`."""
        way = table
        for key, place in self.dotted():
            way = (*way, key)
            self.note(way, True, place)
        self.expect("=")
        self.skip(_SPACE)
        self.value(way)

    def dotted(self) -> list[tuple[str, Place]]:
        """Read `a . "b"`. Returns the keys, each with its place."""
        keys = []
        while True:
            self.skip(_SPACE)
            start = self.at
            written = self.take(_KEY)
            plain = written.strip("'") if written[0] != '"' else _unescaped(written)
            keys.append((plain, self.place(start)))
            self.skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def value(self, way: Way) -> None:
        """Read a value of any kind."""
        start = self.at
        match self.text[start : start + 1]:
            case "[":
                self.members(way, "]")
            case "{":
                self.members(way, "}")
            case '"' | "'":
                self.take(_STRING)
            case _:
                self.take(_SCALAR)
        self.note(way, False, self.place(start))

    def members(self, way: Way, close: str) -> None:
        """Read an array or an inline table from its opening to its closing bracket."""
        self.at += 1
        number = 0
        self.skip(_FILLING)
        while not self.text.startswith(close, self.at):
            if close == "]":
                self.value((*way, number))
            else:
                self.pair(way)
            number += 1
            self.skip(_FILLING)
            if self.text.startswith(",", self.at):
                self.at += 1
            elif not self.text.startswith(close, self.at):
                raise _Strange
            self.skip(_FILLING)
        self.at += 1

    def note(self, way: Way, is_key: bool, place: Place) -> None:
        self.found.setdefault((way, is_key), place)

    def place(self, start: int) -> Place:
        """The place of the text from `start` to here."""
        line_start = self.text.rfind("\n", 0, start) + 1
        length = len(self.text[start : self.at].partition("\n")[0].rstrip("\r"))
        return Place(self.text.count("\n", 0, start) + 1, start - line_start + 1, length)

    def skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        assert match is not None  # these patterns also match an empty text
        self.at = match.end()

    def take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise _Strange
        self.at = match.end()
        return match.group()

    def expect(self, mark: str) -> None:
        self.skip(_SPACE)
        if not self.text.startswith(mark, self.at):
            raise _Strange
        self.at += len(mark)


def _unescaped(written: str) -> str:
    """The text of a quoted key, with its escapes read as in TOML."""
    import tomllib  # late: most runs look for no place

    key: str = tomllib.loads(f"key = {written}")["key"]
    return key
