"""The place of a finding, for people, and for services as paths and URIs.

In a notebook a finding's lines count within a cell, which services do not support. The formats for
people and our own JSON name the cell; `github`, `gitlab`, `sarif` and `rdjson` point at the whole
file and have the place in the message (`stated`).
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from namecheck.findings import WHOLE_FILE, Edit, Finding, Span
from namecheck.printing.escapes import visible
from namecheck.printing.screen import one_line, split_lines

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = [
    "as_one_edit",
    "bytes_column",
    "in_checkout",
    "lines_in",
    "span_in_file",
    "stated",
    "uri",
    "where",
]


def where(path: str, cell: int | None, span: Span) -> str:
    """`model.py:41:13`, and in a notebook `model.ipynb:cell 2:3:5`."""
    inside = "" if cell is None else f"cell {cell}:"
    return f"{visible(path)}:{inside}{span.line}:{span.column}"


def stated(finding: Finding) -> str:
    """The message in one line; in a notebook with its place, since formats cannot point there."""
    message = one_line(finding.message)
    if finding.cell is None:
        return message
    return f"cell {finding.cell}, line {finding.span.line}: {message}"


def span_in_file(finding: Finding) -> Span:
    """The span in lines of the file; in a notebook the beginning of the file."""
    return finding.span if finding.cell is None else WHOLE_FILE


def in_checkout(path: str, checkout: str | None) -> str:
    """A path relative to the root of the repository, as services expect, not to the working
    folder. A path outside the repository is not changed.
    """
    if checkout is None:
        return path
    from pathlib import PurePath

    absolute = PurePath(os.path.abspath(path))
    root = os.path.realpath(checkout)  # the working folder is a real path, too
    return absolute.relative_to(root).as_posix() if absolute.is_relative_to(root) else path


def uri(path: str) -> str:
    """A path as a URI reference (RFC 3986): relative if the path is, else a `file` URI."""
    from pathlib import Path
    from urllib.parse import quote

    return Path(path).as_uri() if os.path.isabs(path) else quote(os.fsencode(path))


def lines_in(report: Report) -> Callable[[str, int | None], list[str]]:
    """A function for the lines of a path and a notebook's cell, cached for findings in order."""

    @functools.lru_cache(maxsize=8)
    def lines(path: str, cell: int | None) -> list[str]:
        return split_lines(report.sources(path, cell) or "")

    return lines


def bytes_column(line: str, column: int) -> int:
    """A column of characters as one of UTF-8 bytes, both from 1."""
    return len(line[: column - 1].encode("utf-8", "replace")) + 1


def as_one_edit(edits: tuple[Edit, ...], lines: list[str]) -> Edit:
    """Several edits as a single one, for formats that can show only one."""
    ordered = sorted(edits)
    first, last = ordered[0].span, ordered[-1].span
    content = ordered[0].content
    for before, after in itertools.pairwise(ordered):
        content += _between(lines, before.span, after.span) + after.content
    return Edit(Span(first.line, first.column, last.end_line, last.end_column), content)


def _between(lines: list[str], before: Span, after: Span) -> str:
    if before.end_line == after.line:
        return lines[after.line - 1][before.end_column - 1 : after.column - 1]
    middle = lines[before.end_line : after.line - 1]
    head = lines[before.end_line - 1][before.end_column - 1 :]
    return "\n".join([head, *middle, lines[after.line - 1][: after.column - 1]])
