"""Programs in Markdown with marks for the expected findings, and the comparison with the analyzer.

A lesson is a Markdown file; each of its ```python blocks is one whole program. A mark at the end of
a line states the expectation:

    # error: [NC201]          an error of this code; several are separated by commas
    # warning: [NC202]        the same, at the level of a warning
    # note: [NC803]           the same, of a note that is shown without `--notes`
    # revealed: [B, T]        the dims that `namecheck show` prints beside the line: every target
                              has these, or one for each: `[B, T], [B]`; `*` is any dim

Lines without marks have no findings. Marks are removed before the analyzer reads the program, so
that they do not become a part of a shape comment. An HTML comment above a block declares a known
shortcoming of the analyzer: `<!-- not yet: reason -->` for a finding that is missing, `<!-- false
alarm: reason -->` for one that is wrong. `test_cases` runs the programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from namecheck.analysis import analyze
from namecheck.codes.coverage import COVERAGE
from namecheck.findings import Analysis

__all__ = [
    "FalseAlarm",
    "Found",
    "Marks",
    "NotFound",
    "Program",
    "compare",
    "programs",
    "read_marks",
]


class NotFound(AssertionError):
    """An expected finding is missing, and nothing else is wrong."""


class FalseAlarm(AssertionError):
    """There is an unexpected finding."""


class Found(NamedTuple):
    """A finding, with the properties that marks state."""

    line: int
    level: str
    code: str


class Marks(NamedTuple):
    """A program without its marks, and their expectations."""

    text: str
    found: frozenset[Found]
    revealed: dict[int, tuple[str, ...]]


class Program(NamedTuple):
    """A block of a lesson: its place, and the known shortcoming of the analyzer, if any."""

    lesson: str
    title: str
    line: int
    marks: Marks
    short: str
    reason: str


_MARK = re.compile(r"\s*#\s*(error|warning|note|revealed):\s*")
_CODES = re.compile(r"\[(NC\d{3}(?:\s*,\s*NC\d{3})*)\]")
_SHAPES = re.compile(r"\[[^\[\]]*\](?:,\s*\[[^\[\]]*\])*")


def read_marks(text: str) -> Marks:
    """Split a program from its marks. Raises `ValueError` for a mark without meaning."""
    lines: list[str] = []
    expected: set[Found] = set()
    revealed: dict[int, tuple[str, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        program, *marks = _MARK.split(line)
        for kind, expectation in zip(marks[::2], marks[1::2], strict=True):
            form = _SHAPES if kind == "revealed" else _CODES
            if form.fullmatch(expectation.strip()) is None:
                raise ValueError(f"line {number}: not a mark: {kind}: {expectation}")
            if kind == "revealed":
                revealed[number] = tuple(re.findall(r"\[[^\[\]]*\]", expectation))
            else:
                expected |= {
                    Found(number, kind, code) for code in re.findall(r"NC\d{3}", expectation)
                }
        lines.append(program)
    return Marks("\n".join(lines) + "\n", frozenset(expected), revealed)


def programs(path: Path) -> Iterator[Program]:
    """The programs of a lesson, titled by their heading and numbered below it."""
    heading, count, short, reason = path.stem, 0, "", ""
    block: list[str] | None = None
    start = 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if block is not None:
            if line == "```":
                try:
                    marks = read_marks("\n".join(block))
                except ValueError as fault:
                    raise ValueError(f"{path.name}, program at line {start}: {fault}") from None
                count += 1
                yield Program(path.stem, f"{heading} {count}", start, marks, short, reason)
                block, short, reason = None, "", ""
            else:
                block.append(line)
        elif line == "```python":
            block, start = [], number
        elif line.startswith("#"):
            heading, count = line.lstrip("# "), 0
        elif shortfall := re.fullmatch(r"<!-- (not yet|false alarm): (.+) -->", line):
            short, reason = shortfall.groups()


def compare(marks: Marks) -> None:
    """Compare the marks with the analyzer.

    Raises `NotFound` or `FalseAlarm`, with the program, if the analyzer disagrees, and
    `RuntimeError` if the program is not Python or the analyzer fails.
    """
    __tracebackhide__ = True
    analysis = analyze("program.py", marks.text.encode())
    reported = {
        Found(finding.span.line, str(finding.level), finding.code)
        for finding in analysis.findings
        if finding.code not in COVERAGE
    }
    if any(finding.code.startswith("NC9") for finding in reported):
        raise RuntimeError("\n" + _side_by_side(marks, reported, {}, analysis))
    shown: dict[int, tuple[str, ...]] = {}
    for shape in analysis.shapes:
        if shape.line in marks.revealed:
            shown[shape.line] = (*shown.get(shape.line, ()), shape.dims_text)
    if reported - marks.found:
        raise FalseAlarm("\n" + _side_by_side(marks, reported, shown, analysis))
    if reported != marks.found or not all(
        _is_revealed(expected, shown.get(line, ())) for line, expected in marks.revealed.items()
    ):
        raise NotFound("\n" + _side_by_side(marks, reported, shown, analysis))


def _is_revealed(expected: tuple[str, ...], shown: tuple[str, ...]) -> bool:
    if len(expected) == 1 and shown:
        expected *= len(shown)
    return len(shown) == len(expected) and all(map(_fits, expected, shown))


def _fits(expected: str, shown: str) -> bool:
    expected_dims, dims = expected[1:-1].split(", "), shown[1:-1].split(", ")
    return len(expected_dims) == len(dims) and all(
        expected_dim in ("*", dim) for expected_dim, dim in zip(expected_dims, dims, strict=True)
    )


def _side_by_side(
    marks: Marks, reported: set[Found], shown: dict[int, tuple[str, ...]], analysis: Analysis
) -> str:
    """The program, each line with its expectation and its findings, then their sentences."""
    rows = [("", "", "EXPECTED", "FOUND")]
    for number, line in enumerate(marks.text.splitlines(), 1):
        expected = _told(marks.found, number)
        actual = _told(reported, number)
        differs = expected != actual
        if revealed := marks.revealed.get(number):
            shown_here = shown.get(number, ())
            differs |= not _is_revealed(revealed, shown_here)
            expected += list(revealed)
            actual += list(dict.fromkeys(shown_here)) if len(revealed) == 1 else list(shown_here)
        rows.append((">" if differs else " ", line, " ".join(expected), " ".join(actual)))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    text = "\n".join(
        f"{row[0]:1} {row[1]:{widths[1]}}  | {row[2]:{widths[2]}}  | {row[3]}".rstrip()
        for row in rows
    )
    sentences = [f"line {f.span.line}: {f.level}[{f.code}] {f.message}" for f in analysis.findings]
    return "\n".join([text, *sentences])


def _told(findings: frozenset[Found] | set[Found], line: int) -> list[str]:
    return sorted(
        f"{finding.level}[{finding.code}]" for finding in findings if finding.line == line
    )
