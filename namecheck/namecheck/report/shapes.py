"""A file's source with the inferred dims beside each line: the text of `namecheck show`.

A row names the part of a line that it shows, so that `colour` can paint it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from namecheck.findings import ShapeAt
from namecheck.printing.escapes import visible
from namecheck.printing.screen import Piece, SourceLine, lay_out, split_lines, width_of

__all__ = ["Row", "beside", "rows"]

GAP = 2
"""The least number of cells between code and dims."""

READABLE = 100
"""Lines that are longer do not move the column of dims further to the right."""


class Row(NamedTuple):
    """A row on the screen: cells `start` to `end` of a line, and the dims to their right.

    `first` is False if the row continues a long line; `pad` is the number of cells between code and
    dims.
    """

    line: int
    start: int
    end: int
    code: str
    first: bool = True
    pad: int = 0
    dims: str = ""


def beside(source: str, shapes: Iterable[ShapeAt], width: int | None = None) -> Iterator[Piece]:
    """The source in styled pieces; no row is wider than `width` cells if one is given."""
    margin = margin_of(source)
    for row in rows(source, shapes, width):
        yield Piece(gutter(row, margin), "gutter")
        yield Piece(row.code, "source")
        yield Piece(" " * row.pad + row.dims, "dims")
        yield Piece("\n")


def margin_of(source: str) -> int:
    return len(str(len(code_lines(source))))


def gutter(row: Row, margin: int) -> str:
    number = f"{row.line:>{margin}}" if row.first else " " * margin
    return f"{number} |" + (" " if row.code or row.dims else "")


def code_lines(source: str) -> list[str]:
    lines = [line.rstrip() for line in split_lines(source)]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def rows(source: str, shapes: Iterable[ShapeAt], width: int | None = None) -> list[Row]:
    """The rows of a file. Dims are in one column, or after or below code that reaches into it."""
    laid = [lay_out(line) for line in code_lines(source)]
    margin = len(str(len(laid)))
    dims = dims_by_line(shapes)
    lengths = [len(laid[n - 1].cells) for n in dims if n <= len(laid)]
    longest = max((width_of(text) for text in dims.values()), default=0)
    column = max((n for n in lengths if n <= READABLE), default=0) + GAP
    room = None
    if width is not None:
        room = max(width - margin - 3, 20)
        column = min(column, max(room - longest, room // 2))
    made: list[Row] = []
    for number, line in enumerate(laid, 1):
        total = len(line.cells)
        parts = [
            Row(number, start, end, line.cut(start, end), first=start == 0)
            for start, end in lengths_of(line, room or total)
        ]
        text = dims.get(number)
        if text is not None:
            last = parts[-1]
            used = last.end - last.start
            here = max(column, used + GAP)
            if room is None or here + width_of(text) <= room:
                parts[-1] = last._replace(pad=here - used, dims=text)
            else:
                below = max(min(column, room - width_of(text)), 0)
                parts.append(Row(number, total, total, "", first=False, pad=below, dims=text))
        made += parts
    return made


def lengths_of(line: SourceLine, room: int) -> Iterator[tuple[int, int]]:
    """A line cut into pieces of at most `room` cells, never inside a wide character."""
    total = len(line.cells)
    start = 0
    while total - start > room:
        end = start + room
        while line.cells[end] == "":
            end -= 1
        yield start, end
        start = end
    yield start, total


def dims_by_line(shapes: Iterable[ShapeAt]) -> dict[int, str]:
    """The text beside each line. The only target of a line needs no name."""
    by_line: dict[int, list[ShapeAt]] = {}
    for shape in shapes:
        if shape not in by_line.setdefault(shape.line, []):
            by_line[shape.line].append(shape)
    return {line: words(group) for line, group in sorted(by_line.items())}


def words(group: list[ShapeAt]) -> str:
    if len(group) == 1:
        (only,) = group
        if only.kind == "assign":
            return visible(only.dims_text)
    targets: dict[str, list[str]] = {}
    for shape in group:
        if shape.kind != "return":
            targets.setdefault(shape.dims_text, []).append(shape.target)
    texts = [f"{', '.join(dict.fromkeys(names))}: {dims}" for dims, names in targets.items()]
    returned = [shape.dims_text for shape in group if shape.kind == "return"]
    if returned:
        texts.append(f"return: {', '.join(returned)}")
    return visible("  ".join(texts))
