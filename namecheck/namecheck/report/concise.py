"""One line per finding, for editors, grep and logs: `path:line:column: CODE [level] message`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from namecheck.findings import Finding
from namecheck.report.screen import one_line

if TYPE_CHECKING:
    from namecheck.report import Report

__all__ = ["concise", "report_text"]


def report_text(report: Report) -> str:
    """The report in this format."""
    return concise(report.findings)


def concise(findings: Iterable[Finding]) -> str:
    """A line per finding, each ended by a newline; nothing for no findings."""
    return "".join(
        f"{f.path}:{f.span.line}:{f.span.column}: {f.code} [{f.level}] {one_line(f.message)}\n"
        for f in findings
    )
