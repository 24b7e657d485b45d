"""A finding as a card: what disagrees, with the operands drawn as axes, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from namecheck.documentation.addresses import url_of
from namecheck.findings import WHOLE_FILE, Finding, Span
from namecheck.printing.escapes import visible
from namecheck.report.axes import axes_of
from namecheck.report.locations import where as place_in_file
from namecheck.report.page.html_elements import append_text, element
from namecheck.report.targets import cut, quoted

__all__ = ["Address", "Where", "card", "code_of"]

Address = Callable[[str, int | None, int], str | None]
"""The address of a line of a path and cell on the page; None if the page does not have it."""

Where = Callable[[str, int | None, Span], str]
"""What a place of a path and cell is called."""

LONGEST: Final = 48
"""The most characters of an operand's code beside its axes."""


def card(
    finding: Finding,
    number: int,
    code_at: Callable[[Span], str],
    address: Address,
    where: Where = place_in_file,
) -> Element:
    """The card of a finding, the `number`th of the page. `code_at` gives the code of a span."""
    level = str(finding.level)
    made = element("article", f"card {level}", id=f"finding-{number}", tabindex="-1")
    title = element("h3", children=[element("span", "level", level), _code(finding)])
    append_text(title, f" {finding.name}")
    made.append(title)
    made.append(element("p", "message", visible(finding.message)))
    if finding.span != WHOLE_FILE:
        made.append(element("p", "place", children=[_place(finding, address, where)]))
    drawn = _drawing(finding, code_at)
    if drawn is not None:
        made.append(drawn)
    if finding.notes:
        made.append(element("ul", "notes", children=[*_notes(finding, address, where)]))
    if finding.hint:
        made.append(element("p", "hint", visible(finding.hint)))
    return made


def _code(finding: Finding) -> Element:
    url = url_of(finding.code)
    if url is None:
        return element("span", "code", finding.code)
    return element("a", "code", finding.code, href=url)


def _place(finding: Finding, address: Address, where: Where) -> Element:
    text = where(finding.path, finding.cell, finding.span)
    there = address(finding.path, finding.cell, finding.span.line)
    return element("span", "", text) if there is None else element("a", "", text, href=there)


def _notes(finding: Finding, address: Address, where: Where) -> list[Element]:
    made = []
    for note in finding.notes:
        item = element("li", "", visible(note.text))
        if note.span is not None:
            path = note.path or finding.path
            there = address(path, note.cell, note.span.line)
            text = where(path, note.cell, note.span)
            if path == finding.path and note.cell == finding.cell:
                text = f"line {note.span.line}"
            append_text(item, " (")
            item.append(element("a", "", text, href=there) if there else element("span", "", text))
            append_text(item, ")")
        made.append(item)
    return made


def _drawing(finding: Finding, code_at: Callable[[Span], str]) -> Element | None:
    """The operands' dims as a table: one row each, lined up from the right if the rule does so."""
    operands = [label for label in sorted(finding.labels) if label.text.startswith("[")]
    if not operands:
        return None
    rows = [axes_of(label.text) for label in operands]
    lines_up = len(rows) > 1 and finding.lines_up
    width = max(map(len, rows))
    marks = _marks(rows, width) if lines_up else [""] * width
    body = element("tbody")
    for label, axes in zip(operands, rows, strict=True):
        missing = width - len(axes)
        empty = [element("td", f"none {mark}".strip()) for mark in marks[:missing]]
        known = [
            element("td", f"axis {mark}".strip(), visible(axis))
            for axis, mark in zip(axes, marks[missing:] if lines_up else marks, strict=False)
        ]
        cells = [*empty, *known] if lines_up else [*known, *(element("td", "none") for _ in empty)]
        head = element("th", "", _short(code_at(label.span)), scope="row")
        body.append(element("tr", children=[head, *cells]))
    table = element("table", "axes", children=[body])
    if lines_up:
        table.insert(0, element("caption", "", "lined up from the right"))
    return element("div", "drawing", children=[table], role="group", tabindex="0")


def _marks(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """How the dims of each column fit: `clash`, `stretch` (a 1, or no dim, meets another one)."""
    marks = []
    for column in range(width):
        met = {row[column - width + len(row)] for row in rows if column >= width - len(row)}
        some_missing = any(column < width - len(row) for row in rows)
        others = met - {"1"}
        if "..." in met or "?" in met:
            marks.append("")
        elif len(others) > 1:
            marks.append("clash")
        else:
            marks.append("stretch" if others and ("1" in met or some_missing) else "")
    return marks


def _short(code: str) -> str:
    return cut(" ".join(visible(code).split()), LONGEST)


def code_of(lines: Sequence[str], span: Span) -> str:
    """The code of a span of a text that may have changed since it was checked."""
    return quoted(lines, span) if 0 < span.line <= len(lines) else ""
