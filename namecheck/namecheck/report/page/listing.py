"""The source of a file as a listing: in colour, dims behind targets, findings underlined.

Each expression that is a tensor is an element inside that of the expression around it. A number
says which entry of the page's table of dims belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple
from xml.etree.ElementTree import Element

from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES

from namecheck.findings import WHOLE_FILE, Finding, ShapeAt
from namecheck.printing.escapes import visible
from namecheck.report.page.html_elements import append_text, element
from namecheck.report.page.page_file import PageFile, anchor
from namecheck.report.targets import Lines, span_of
from namecheck.text.layout import split_lines

__all__ = ["Table", "listing"]


class Table:
    """What the page says of expressions: their dims, and where these come from."""

    def __init__(self) -> None:
        self.entries: dict[tuple[object, ...], int] = {}

    def number_of(self, known: Finding, links: Mapping[str, int]) -> int:
        """The number of the entry for an expression. `links` are the files of the page."""
        notes = tuple(
            (
                visible(note.text),
                note.span and note.span.line,
                note.cell,
                links.get(note.path or known.path, note.path),
            )
            for note in known.notes
        )
        return self.entries.setdefault((visible(known.message), notes), len(self.entries))


class Stretch(NamedTuple):
    """Columns `start` to `end` of a line, in an element of this class with these attributes.

    `size` orders stretches with the same columns: the larger expression is outside.
    """

    start: int
    end: int
    size: tuple[int, int]
    kind: str
    attributes: tuple[tuple[str, str], ...] = ()


def listing(
    file: PageFile,
    number: int,
    cards: Mapping[Finding, int],
    table: Table,
    links: Mapping[str, int],
) -> list[Element]:
    """The listings of a file, the `number`th of the page: one, or one for each cell.

    `cards` are the numbers of the findings' cards.
    """
    made = []
    for cell, source in file.sources.items():
        if cell is not None:
            made.append(element("h3", "cell", f"cell {cell}"))
        lines = split_lines(source)
        beside = _dims_behind([shape for shape in file.shapes if shape.cell == cell], lines)
        stretches = _stretches(file, cell, len(lines), cards, table, links)
        colours = _colours(lines)
        label = visible(f"{file.path}, source")
        body = element("div", "source", role="region", tabindex="0", aria_label=label)
        for at, line in enumerate(lines, 1):
            text = line.rstrip("\r\n")
            code = element("code")
            _write(code, text, stretches.get(at, []), colours[at - 1], beside.get(at, {}))
            name = anchor(number, cell, at)
            margin = element("a", "number", str(at), href=f"#{name}", tabindex="-1")
            body.append(element("div", "line", id=name, children=[margin, code]))
        made.append(body)
    return made


def _dims_behind(
    shapes: Sequence[ShapeAt], lines: Sequence[str]
) -> dict[int, dict[int, list[str]]]:
    """By line and column, the dims to show behind what stands there."""
    layout = Lines(lines)
    beside: dict[int, dict[int, list[str]]] = {}
    for shape in dict.fromkeys(shapes):
        span = span_of(shape, layout)
        if span is not None:
            texts = beside.setdefault(span.end_line, {}).setdefault(span.end_column, [])
            if shape.dims_text not in texts:
                texts.append(shape.dims_text)
    return beside


def _stretches(
    file: PageFile,
    cell: int | None,
    count: int,
    cards: Mapping[Finding, int],
    table: Table,
    links: Mapping[str, int],
) -> dict[int, list[Stretch]]:
    """The stretches of each line of a source: expressions with dims, and findings."""
    stretches: dict[int, list[Stretch]] = {}

    def add(known: Finding, kind: str, *attributes: tuple[str, str]) -> None:
        line, column, end_line, end_column = known.span
        size = end_line - line, end_column - column
        for at in range(line, min(end_line, count) + 1):
            start = column if at == line else 1
            end = end_column if at == end_line else 10**9
            stretches.setdefault(at, []).append(Stretch(start, end, size, kind, attributes))

    for known in file.known:
        if known.cell == cell:
            add(known, "x", ("data-x", str(table.number_of(known, links))))
    for finding, number in cards.items():
        if finding.path == file.path and finding.cell == cell and finding.span != WHOLE_FILE:
            title = f"{finding.code}: {visible(finding.message)}"
            add(finding, f"found {finding.level}", ("data-card", str(number)), ("title", title))
    return stretches


def _colours(lines: Sequence[str]) -> list[list[tuple[int, str]]]:
    """For each line the columns at which a colour begins, and its class."""
    colours: list[list[tuple[int, str]]] = [[]]
    column = 1
    for kind, text in PythonLexer(stripnl=False, ensurenl=False).get_tokens("".join(lines)):
        name = STANDARD_TYPES.get(kind, "")
        for part in text.splitlines(keepends=True):
            colours[-1].append((column, name))
            column += len(part)
            if part.endswith("\n"):
                colours.append([])
                column = 1
    colours += [[] for _ in range(len(lines) - len(colours))]
    return colours


def _write(
    code: Element,
    text: str,
    stretches: Sequence[Stretch],
    colours: Sequence[tuple[int, str]],
    beside: Mapping[int, Sequence[str]],
) -> None:
    """Write a line into an element."""
    waiting = sorted(
        (one._replace(end=min(one.end, len(text) + 1)) for one in stretches),
        key=lambda one: (one.start, -one.end, tuple(-part for part in one.size)),
    )
    open_: list[tuple[int, Element]] = [(len(text) + 2, code)]
    cuts = {1, len(text) + 1, *beside, *(column for column, _ in colours)}
    cuts.update(column for one in waiting for column in (one.start, one.end))
    columns = sorted(column for column in cuts if column <= len(text) + 1)
    names = dict(colours)
    name = ""
    for column, until in pairwise((*columns, columns[-1])):
        while open_[-1][0] <= column and len(open_) > 1:
            open_.pop()
        for dims in beside.get(column, ()):
            open_[-1][1].append(element("b", "dims", visible(dims)))
        while waiting and waiting[0].start <= column:
            one = waiting.pop(0)
            if one.end <= column:
                continue
            inner = element("span", one.kind)
            for attribute, value in one.attributes:
                inner.set(attribute, value)
            open_[-1][1].append(inner)
            open_.append((min(one.end, open_[-1][0]), inner))
        name = names.get(column, name)
        piece = visible(text[column - 1 : until - 1])
        if piece and name:
            open_[-1][1].append(element("i", name, piece))
        elif piece:
            append_text(open_[-1][1], piece)
