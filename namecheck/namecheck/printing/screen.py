"""Text as a terminal lays it out: styled pieces, and lines of source as cells.

A *cell* is one column of the screen. A tab takes the cells up to the next stop, a wide character
two, a combining mark none. Invisible and control characters are escaped (`escapes`) and take the
cells of their escapes. `report.colour` has the colours of the styles.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable

from namecheck.printing.escapes import substitutes, visible
from namecheck_runtime.light.records import NamedTuple

__all__ = [
    "Piece",
    "SourceLine",
    "lay_out",
    "one_line",
    "plain",
    "split_lines",
    "width_of",
    "wrap",
]

TAB = 4


class Piece(NamedTuple):
    """A piece of text in one style; the style "" is plain. `link` is the address of a hyperlink."""

    text: str
    style: str = ""
    link: str | None = None


def plain(pieces: Iterable[Piece]) -> str:
    """The text without its styles."""
    return "".join(piece.text for piece in pieces)


def one_line(text: str) -> str:
    """The text with each run of white space replaced by one blank, and the rest `visible`."""
    return visible(" ".join(text.split()))


def split_lines(source: str) -> list[str]:
    """The lines as Python counts them: `str.splitlines` would also split at form feeds."""
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def width_of(text: str) -> int:
    """How many cells a text takes."""
    return len(text) if text.isascii() else sum(cells_of(character) for character in text)


def cells_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class SourceLine(NamedTuple):
    """A line on the screen: the text of each cell, and the cell at which each character starts.

    The second cell of a wide character is ""; a combining mark is in its character's cell.
    `starts` has one more entry than the line has characters: the cell after the last.
    """

    cells: list[str]
    starts: list[int]

    def cell(self, column: int) -> int:
        """The cell of a 1-based column, clamped to the line."""
        return self.starts[min(max(column - 1, 0), len(self.starts) - 1)]

    def cut(self, start: int, end: int) -> str:
        """The text in cells `start` to `end`; half of a wide character becomes a blank."""
        cells = self.cells[start:end]
        if cells and cells[0] == "":
            cells[0] = " "
        if cells and end < len(self.cells) and self.cells[end] == "":
            cells[-1] = " "
        return "".join(cells)


def lay_out(line: str) -> SourceLine:
    """A line of source in cells."""
    cells: list[str] = []
    starts: list[int] = []
    escaped = dict(substitutes(line))
    for index, character in enumerate(line):
        starts.append(len(cells))
        if character == "\t":
            cells += [" "] * (TAB - len(cells) % TAB)
        elif index in escaped:
            cells += escaped[index]
        else:
            match cells_of(character):
                case 0 if cells:
                    cells[-1 if cells[-1] else -2] += character
                case 0:
                    cells.append(f" {character}")  # a mark without a character before it
                case 1:
                    cells.append(character)
                case _:
                    cells += [character, ""]
    starts.append(len(cells))
    return SourceLine(cells, starts)


def wrap(text: str, width: int | None, indent: int) -> list[str]:
    """Lines of at most `width` cells, continued `indent` cells in; one line if there is no width.

    Text in brackets or backticks is not split: dims and code count as one word.
    """
    if width is None or width - indent < 20:
        return [text]
    held = re.sub(r"\[[^][]*\]|\([^()]*\)|`[^`]*`", lambda m: m[0].replace(" ", "\xa0"), text)
    lines = textwrap.wrap(
        held,
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\xa0", " ") for line in lines]
