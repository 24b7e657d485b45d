"""Places as the protocol counts them, and as findings count them.

The protocol counts lines and columns from 0, columns in code units of an encoding that client and
server agree on (UTF-16 unless the client prefers another one). Findings count from 1, and columns
in characters. Lines end where both Python and the protocol end them. `str.splitlines` differs: it
also ends them at form feeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lsprotocol.types import Position, PositionEncodingKind, Range

from namecheck.findings import Span
from namecheck.text.layout import split_lines

__all__ = ["UTF16", "UTF32", "UTF8", "Places", "characters", "encoding_of", "offset", "units"]

UTF8: Final = PositionEncodingKind.Utf8.value
UTF16: Final = PositionEncodingKind.Utf16.value
UTF32: Final = PositionEncodingKind.Utf32.value


def encoding_of(kind: PositionEncodingKind | str | None) -> str:
    """The name of an encoding; UTF-16 if none was chosen."""
    return kind.value if isinstance(kind, PositionEncodingKind) else kind or UTF16


def units(text: str, encoding: str) -> int:
    """How many code units a text has in an encoding."""
    if text.isascii() or encoding == UTF32:
        return len(text)
    if encoding == UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


def characters(line: str, count: int, encoding: str) -> int:
    """The number of characters in the first `count` code units of a line.

    A count that ends inside a character stops before it; one that is too large stops at the end of
    the line, before its line break.
    """
    line = line.rstrip("\r\n")
    if line.isascii() or encoding == UTF32:
        return min(count, len(line))
    passed = 0
    for number, character in enumerate(line):
        passed += units(character, encoding)
        if passed > count:
            return number
    return len(line)


def offset(lines: Sequence[str], position: Position, encoding: str) -> int:
    """The number of characters of a text before a position; after the last line, all."""
    before = sum(map(len, lines[: position.line]))
    if position.line >= len(lines):
        return before
    return before + characters(lines[position.line], position.character, encoding)


class Places:
    """The places of one text, in both ways of counting."""

    def __init__(self, text: str, encoding: str) -> None:
        self.lines = split_lines(text)
        self.encoding = encoding

    def position(self, line: int, column: int) -> Position:
        """The position of a finding's line and column; the end of the text if it is after it."""
        if line > len(self.lines):
            if not self.lines or self.lines[-1].endswith(("\r", "\n")):
                return Position(len(self.lines), 0)
            line, column = len(self.lines), len(self.lines[-1]) + 1
        bare = self.lines[line - 1].rstrip("\r\n")
        return Position(line - 1, units(bare[: column - 1], self.encoding))

    def code(self, line: int) -> str:
        """What stands in a line, without the space around it; nothing after the end of the text."""
        return self.lines[line - 1].strip() if line <= len(self.lines) else ""

    def range(self, span: Span) -> Range:
        """The range of a span."""
        start = self.position(span.line, span.column)
        return Range(start, max(start, self.position(span.end_line, span.end_column), key=_order))

    def place(self, position: Position) -> tuple[int, int]:
        """The line and column of a position, both counted from 1."""
        if position.line >= len(self.lines):
            return len(self.lines) + 1, 1
        line = self.lines[position.line]
        return position.line + 1, characters(line, position.character, self.encoding) + 1


def _order(position: Position) -> tuple[int, int]:
    return position.line, position.character
