"""Workflow commands that GitHub Actions turns into annotations: one line per finding.

The text after the second `::` is also shown in the job's log, and so contains the place. GitHub
accepts columns only for a span within one line, and shows ten errors, ten warnings and ten notices
of a step.
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
    """The report in this format; empty without findings."""
    return "".join(f"{command(finding, report.checkout)}\n" for finding in report.findings)


def command(finding: Finding, checkout: str | None) -> str:
    options = ",".join(f"{key}={escaped(value)}" for key, value in properties(finding, checkout))
    place = where(finding.path, finding.cell, finding.span)
    message = f"{place}: {finding.code} {one_line(finding.message)}"
    if finding.hint is not None:
        message += f"\nhint: {one_line(finding.hint)}"
    return f"::{COMMAND[finding.level]} {options}::{escaped_data(message)}"


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
    """A text escaped for the runner, which has escapes for line breaks only. Other characters get
    our escapes, so that the annotation of a file with such a name is not attached to it.
    """
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def escaped(text: str) -> str:
    return escaped_data(text).replace(":", "%3A").replace(",", "%2C")
