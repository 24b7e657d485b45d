"""Findings with the source they are about: header, frame, underlines with dims, notes, one hint.

    error[NC101]: cannot add [N, T, C] and [N, C, T]: 'T' and 'C' meet at position -2
      --> model.py:41:13
       |
    41 |     h = x + x.transpose("T", "C")
       |             ^^^^^^^^^^^^^^^^^^^^^ [N, C, T]
       |
       = x is [N, T, C], from its annotation at 38:7
       = hint: transpose back, or add `x.align_as(...)`

A pure function of the findings and the text of their files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from namecheck.documentation.addresses import url_of
from namecheck.findings import WHOLE_FILE, Applicability, Finding, Note, Span
from namecheck.printing.counts import counted
from namecheck.printing.escapes import visible
from namecheck.printing.screen import (
    Piece,
    SourceLine,
    lay_out,
    one_line,
    plain,
    split_lines,
    width_of,
    wrap,
)
from namecheck.report.locations import where
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["fixable", "full_pieces", "report_text", "summary"]

WIDTH = 120
"""Longer lines of source are cut around their underlines if no width is given."""

CONTEXT = 2
"""How many lines are shown before the first line with an underline, and after the last one."""

LINES_OF_A_SPAN = 4
"""A span over more lines than this is shown by its first two and its last."""


APPLIED = {
    Applicability.SAFE: "--fix",
    Applicability.UNSAFE: "--fix --unsafe-fixes",
    Applicability.DISPLAY: "by hand",
}
"""How a fix is applied, by its applicability."""


class Mark(NamedTuple):
    """An underline within one line: cells `start` to `end`, and the text beside it."""

    start: int
    end: int
    character: str
    style: str
    text: str


def report_text(report: Report) -> str:
    """The report in this format, not limited in width."""
    return plain(full_pieces(report))


def full_pieces(report: Report, width: int | None = None) -> Iterator[Piece]:
    """The same in styled pieces; texts are wrapped and lines cut to `width` if one is given.

    Without the report's `total` the line with the summary is left out.
    """
    lines_of: dict[tuple[str, int | None], list[str]] = {}
    for finding in report.findings:
        where = finding.path, finding.cell
        if where not in lines_of:
            lines_of[where] = split_lines(report.sources(*where) or "")
        yield from pieces_of(finding, lines_of[where], width)
        yield Piece("\n")
    if report.total:
        yield Piece(summary(report) + "\n", "summary" if report.findings else "clean")
        if remedies := fixable(report.findings):
            yield Piece(remedies + "\n", "summary")


def summary(report: Report) -> str:
    """`Found 3 findings in 2 files (12 checked; 4 known in namecheck-baseline.json).`"""
    findings, checked = report.findings, report.checked
    beside = "".join(f"; {text}" for text in report.beside)
    if not findings:
        return f"No findings ({counted(checked, 'file')} checked{beside})."
    files = counted(len({finding.path for finding in findings}), "file")
    number = counted(len(findings), "finding")
    return f"Found {number} in {files} ({checked:,} checked{beside})."


def fixable(findings: Sequence[Finding]) -> str:
    """`2 can be fixed with --fix, 1 more with --unsafe-fixes.`; empty if there are none."""
    kinds = [finding.fix.applicability for finding in findings if finding.fix is not None]
    safe, unsafe = kinds.count(Applicability.SAFE), kinds.count(Applicability.UNSAFE)
    if not safe:
        return f"{unsafe:,} can be fixed with --fix --unsafe-fixes." if unsafe else ""
    more = f", {unsafe:,} more with --unsafe-fixes" if unsafe else ""
    return f"{safe:,} can be fixed with --fix{more}."


def pieces_of(finding: Finding, lines: list[str], width: int | None) -> Iterator[Piece]:
    """The pieces of one finding, without the blank line after it."""
    shown = {} if finding.span == WHOLE_FILE else frame_lines(finding, lines)
    numbers = with_context(shown, lines) if shown else [finding.span.line]
    margin = len(str(numbers[-1]))
    head = f"{finding.level}[{finding.code}]"
    first, *rest = wrap(f"{head}: {one_line(finding.message)}", width, indent=4)
    yield Piece(f"{finding.level}[", finding.level)
    yield Piece(finding.code, finding.level, url_of(finding.code))
    yield Piece("]", finding.level)
    yield Piece("".join(f"{line}\n" for line in [first[len(head) :], *rest]), "message")
    yield Piece(f"{' ' * margin}--> ", "gutter")
    yield Piece(f"{where(finding.path, finding.cell, finding.span)}\n", "place")
    if shown:
        yield from frame(numbers, shown, lines, margin, width or WIDTH)
    for note in finding.notes:
        yield from remark(one_line(note.text) + place(note, finding), "note", margin, width)
    if finding.hint is not None:
        yield from remark(f"hint: {one_line(finding.hint)}", "hint", margin, width)
    if finding.fix is not None:
        how = APPLIED[finding.fix.applicability]
        title = one_line(finding.fix.message)
        title = title[:1].lower() + title[1:]  # as hints and notes begin
        yield from remark(f"fix: {title} ({how})", "hint", margin, width)


def place(note: Note, finding: Finding) -> str:
    """` at 38:7`, ` at other.py:38:7`, or in another cell of the notebook ` at cell 1:38:7`."""
    if note.span is None:
        return f" at {visible(note.path)}" if note.path else ""
    cell = None if note.path is None and note.cell == finding.cell else note.cell
    return " at " + where(note.path or "", cell, note.span).removeprefix(":")


def remark(text: str, style: str, margin: int, width: int | None) -> Iterator[Piece]:
    indent = margin + 3
    first, *rest = wrap(" " * indent + text, width, indent)
    yield Piece(" " * margin + " = ", "gutter")
    yield Piece(first[indent:] + "\n" + "".join(f"{line}\n" for line in rest), style)


# The frame


def frame_lines(finding: Finding, lines: list[str]) -> dict[int, list[Mark]]:
    """The lines to show, by number, with their marks. Lines after the end are left out."""
    texts = [one_line(label.text) for label in finding.labels if label.span == finding.span]
    marks: dict[int, list[Mark]] = {}

    def underline(span: Span, character: str, style: str, text: str) -> None:
        parts = list(parts_of(span, lines))
        for number, start, end in parts:
            words = text if number == parts[-1][0] else ""
            marks.setdefault(number, []).append(Mark(start, end, character, style, words))

    underline(finding.span, "^", finding.level, ", ".join(texts))
    for label in finding.labels:
        if label.span != finding.span:
            underline(label.span, "-", "label", one_line(label.text))
    return dict(sorted(marks.items()))


def parts_of(span: Span, lines: list[str]) -> Iterator[tuple[int, int, int]]:
    """A span cut into lines: number, first cell, cell after the last. No part is empty."""
    numbers: Sequence[int] = range(
        max(span.line, 1), min(max(span.end_line, span.line), len(lines)) + 1
    )
    if len(numbers) > LINES_OF_A_SPAN:
        numbers = [*numbers[:2], numbers[-1]]
    for number in numbers:
        text = lines[number - 1]
        laid = lay_out(text)
        inside = len(text) - len(text.lstrip()) + 1
        start = laid.cell(span.column if number == span.line else inside)
        end = laid.cell(span.end_column if number == span.end_line else len(text.rstrip()) + 1)
        if number == span.line or end > start:
            yield number, start, max(end, start + 1)


def frame(
    numbers: Sequence[int],
    shown: dict[int, list[Mark]],
    lines: list[str],
    margin: int,
    width: int,
) -> Iterator[Piece]:
    """Source lines, by number, between two rules, each with its underlines below it."""
    empty = Piece(" " * margin + " |", "gutter")
    yield from (empty, Piece("\n"))
    previous = None
    for number in numbers:
        if previous is not None and number - previous > 1:
            yield Piece("." * max(3, margin) + "\n", "gutter")
        previous = number
        yield from source_line(number, lines, shown.get(number, []), margin, width)
    yield from (empty, Piece("\n"))


def with_context(shown: Collection[int], lines: list[str]) -> list[int]:
    """The numbers of the lines to show: those with underlines, and some around each of them.

    A gap of one line is filled; empty lines at the edges are left out.
    """
    numbers: set[int] = set()
    for number in shown:
        numbers.update(range(max(number - CONTEXT, 1), min(number + CONTEXT, len(lines)) + 1))
    numbers.update(n + 1 for n in tuple(numbers) if n + 2 in numbers)
    ordered = sorted(numbers)
    while ordered[0] not in shown and not lines[ordered[0] - 1].strip():
        del ordered[0]
    while ordered[-1] not in shown and not lines[ordered[-1] - 1].strip():
        del ordered[-1]
    return ordered


def source_line(
    number: int, lines: list[str], marks: list[Mark], margin: int, width: int
) -> Iterator[Piece]:
    line = lay_out(lines[number - 1])
    room = max(width - margin - 3, 20)
    start, end = window(line, marks, room)
    before, after = "..." if start else "", "..." if end < len(line.cells) else ""
    code = (before + line.cut(start + len(before), end - len(after)) + after).rstrip()
    yield Piece(f"{number:>{margin}} |", "gutter")
    yield Piece((f" {code}" if code else "") + "\n", "source")
    clipped = [
        mark._replace(start=max(mark.start, start) - start, end=min(mark.end, end + 1) - start)
        for mark in marks
        if mark.start <= end and mark.end > start
    ]
    for row in underlines(clipped, line.cells[start:end], room):
        yield Piece(" " * margin + " | ", "gutter")
        yield from row
        yield Piece("\n")


def window(line: SourceLine, marks: list[Mark], room: int) -> tuple[int, int]:
    """Which cells of a line to show: all if they fit, else those around the marks."""
    total = len(line.cells)
    if total <= room:
        return 0, total
    first = min((mark.start for mark in marks), default=0)
    last = max((mark.end for mark in marks), default=0)
    if last - first > room - 6:  # if not all fit, the finding itself comes before its operands
        first, last = max((m.character == "^", m.start, m.end) for m in marks)[1:]
    spare = max(room - (last - first), 0)
    start = 0 if last + 3 < room else max(first - max(spare // 2, 3), 0)
    start = min(start, total - room)
    return start, start + room


def underlines(marks: list[Mark], cells: list[str], room: int) -> Iterator[list[Piece]]:
    """The row of carets and dashes, and below it the texts that do not fit beside it.

    A mark inside another is drawn over it, so both operands of an underlined operation show.
    """
    if not marks:
        return
    owner: dict[int, Mark] = {}
    for mark in sorted(marks, key=lambda m: m.start - m.end):  # the longest first, below the others
        owner |= dict.fromkeys(range(mark.start, mark.end), mark)
    last = max(owner)
    row = [
        Piece(owner[k].character, owner[k].style) if k in owner else Piece(" ")
        for k in range(last + 1)
    ]
    beside = owner[last]
    if beside.text and last + 2 + width_of(beside.text) <= max(room, last + 12):
        yield [*row, Piece(" "), Piece(beside.text, beside.style)]
    else:
        yield row
        beside = Mark(0, 0, "", "", "")
    hanging = sorted(
        ((anchor(mark, owner, cells), mark) for mark in marks if mark.text and mark is not beside),
        key=lambda pair: (-pair[0], -pair[1].start),
    )
    if hanging:
        yield drawn([(at, Piece("|", mark.style)) for at, mark in hanging])
    while hanging:
        placed: list[tuple[int, Piece]] = []
        waiting = []
        limit = None
        for at, mark in hanging:
            if limit is None or at + width_of(mark.text) + 1 < limit:
                placed.append((at, Piece(mark.text, mark.style)))
            else:
                waiting.append((at, mark))
                if at < limit:
                    placed.append((at, Piece("|", mark.style)))
            limit = at
        yield drawn(placed)
        hanging = waiting


def anchor(mark: Mark, owner: dict[int, Mark], cells: list[str]) -> int:
    """The cell from which the text of a mark hangs: its first one without another mark over it."""
    drawn_cells = [k for k in range(mark.start, mark.end) if owner[k] is mark]
    seen = [k for k in drawn_cells if k < len(cells) and not cells[k].isspace()]
    return (seen or drawn_cells or [mark.start])[0]


def drawn(placed: list[tuple[int, Piece]]) -> list[Piece]:
    """A row with each piece at its cell."""
    row: list[Piece] = []
    filled = 0
    for at, piece in sorted(placed, key=lambda pair: pair[0]):
        if at < filled:
            continue  # two marks with one anchor share the stroke
        row += [Piece(" " * (at - filled)), piece]
        filled = at + width_of(piece.text)
    return row
