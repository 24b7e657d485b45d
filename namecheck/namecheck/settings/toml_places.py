"""Where keys and values stand in a TOML text, which `tomllib` does not tell.

The text is known to be TOML: `tomllib` has read it. So what is read here is only enough of the
grammar to tell keys, values, tables and comments apart.
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
"""How one goes to a value from the top: keys, and places in arrays from 0."""


class Place(NamedTuple):
    """Where a key or a value begins, line and column from 1, and how many characters are its own.

    A value of several lines ends, for us, with its first one.
    """

    line: int
    column: int
    length: int


class _Strange(Exception):
    """The text is not as we think TOML is."""


def places(text: str) -> dict[tuple[Way, bool], Place]:
    """The place of each key, under `(way, True)`, and of each value, under `(way, False)`.

    Of a table that is opened in several places the first one counts. What follows something that is
    not understood is left out.
    """
    reader = _Reader(text)
    with suppress(_Strange):
        reader.read()
    return reader.found


class _Reader:
    """Reads a text from its start to its end; `found` fills meanwhile."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[tuple[Way, bool], Place] = {}
        self.lengths: dict[Way, int] = {}
        """How many tables each array of tables has so far, by its way."""

    def read(self) -> None:
        """Reads all of the text."""
        table: Way = ()
        self.skip(_FILLING)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self.header()
            else:
                self.pair(table)
            self.skip(_FILLING)

    def header(self) -> Way:
        """Reads `[a.b]` or `[[a.b]]`: the table that is open from here on."""
        several = self.text.startswith("[[", self.at)
        self.at += 1 + several
        way: Way = ()
        keys = self.dotted()
        for number, (key, place) in enumerate(keys, 1):
            way = (*way, key)
            self.tell(way, True, place)
            if several and number == len(keys):
                self.lengths[way] = self.lengths.get(way, 0) + 1
            if way in self.lengths:
                way = (*way, self.lengths[way] - 1)
                self.tell(way, True, place)
        self.expect("]" * (1 + several))
        return way

    def pair(self, table: Way) -> None:
        """Reads `a.b = value`."""
        way = table
        for key, place in self.dotted():
            way = (*way, key)
            self.tell(way, True, place)
        self.expect("=")
        self.skip(_SPACE)
        self.value(way)

    def dotted(self) -> list[tuple[str, Place]]:
        """Reads `a . "b"`: the keys, each with its place."""
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
        """Reads a value of any kind."""
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
        self.tell(way, False, self.place(start))

    def members(self, way: Way, close: str) -> None:
        """Reads an array or an inline table from its opening to its closing bracket."""
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

    def tell(self, way: Way, is_key: bool, place: Place) -> None:
        self.found.setdefault((way, is_key), place)

    def place(self, start: int) -> Place:
        """Where what was read from `start` to here stands."""
        line_start = self.text.rfind("\n", 0, start) + 1
        length = len(self.text[start : self.at].partition("\n")[0].rstrip("\r"))
        return Place(self.text.count("\n", 0, start) + 1, start - line_start + 1, length)

    def skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        assert found is not None  # these patterns match nothing, too
        self.at = found.end()

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise _Strange
        self.at = found.end()
        return found.group()

    def expect(self, mark: str) -> None:
        self.skip(_SPACE)
        if not self.text.startswith(mark, self.at):
            raise _Strange
        self.at += len(mark)


def _unescaped(written: str) -> str:
    """What a quoted key says, escapes read as TOML reads them."""
    import tomllib  # only who looks for a place needs it

    key: str = tomllib.loads(f"key = {written}")["key"]
    return key
