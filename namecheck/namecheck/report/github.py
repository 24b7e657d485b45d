"""Workflow commands that GitHub Actions turns into annotations: one line per finding.

What follows the second `::` is shown in the job's log too, and so says the place.  GitHub takes
columns only where a span ends on the line it begins on, and shows ten errors, ten warnings and ten
notices of a step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from namecheck.findings import Finding, Level
from namecheck.printing.escapes import visible
from namecheck.printing.screen import one_line
from namecheck.report.locations import in_checkout, span_in_file, where

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["report_text"]

COMMAND: Final = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def report_text(report: Report) -> str:
    """The report in this format: nothing for no findings."""
    return "".join(f"{command(finding, report.checkout)}\n" for finding in report.findings)


def command(finding: Finding, checkout: str | None) -> str:
    given = ",".join(f"{key}={escaped(value)}" for key, value in properties(finding, checkout))
    place = where(finding.path, finding.cell, finding.span)
    said = f"{place}: {finding.code} {one_line(finding.message)}"
    if finding.hint is not None:
        said += f"\nhint: {one_line(finding.hint)}"
    return f"::{COMMAND[finding.level]} {given}::{escaped_data(said)}"


def properties(finding: Finding, checkout: str | None) -> Iterator[tuple[str, str]]:
    span = span_in_file(finding)
    yield "title", f"namecheck {finding.code} {finding.name}"
    yield "file", in_checkout(finding.path, checkout)
    yield "line", str(span.line)
    if span.line == span.end_line:
        yield "col", str(span.column)
    yield "endLine", str(span.end_line)
    if span.line == span.end_line:
        yield "endColumn", str(span.end_column)


def escaped_data(text: str) -> str:
    """The runner knows escapes for the ends of lines; what else is not seen has no other form than
    ours, so that of a file with such a name the annotation finds no file.
    """
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def escaped(text: str) -> str:
    return escaped_data(text).replace(":", "%3A").replace(",", "%2C")
