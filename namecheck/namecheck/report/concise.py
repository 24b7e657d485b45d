"""One line per finding, for editors, grep and logs: `path:line:column: CODE [level] message`.

In a notebook the cell is between path and line: `model.ipynb:cell 2:3:5: ...`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from namecheck.documentation.addresses import url_of
from namecheck.findings import Finding
from namecheck.printing.screen import Piece, one_line, plain
from namecheck.report.locations import where

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["concise", "concise_pieces", "report_text"]


def report_text(report: Report) -> str:
    """The report in this format."""
    return concise(report.findings)


def concise(findings: Iterable[Finding]) -> str:
    """A line per finding, each with a newline at the end; empty without findings."""
    return plain(concise_pieces(findings))


def concise_pieces(findings: Iterable[Finding]) -> Iterator[Piece]:
    """The same in styled pieces."""
    for finding in findings:
        yield Piece(where(finding.path, finding.cell, finding.span), "place")
        yield Piece(": ")
        yield Piece(finding.code, link=url_of(finding.code))
        yield Piece(" [")
        yield Piece(finding.level, finding.level)
        yield Piece(f"] {one_line(finding.message)}\n")
