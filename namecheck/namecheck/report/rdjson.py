"""Reviewdog's diagnostic format: the message `DiagnosticResult` of its reviewdog.proto as JSON.

Columns count the bytes of UTF-8 there. A suggestion is one range that a reviewer may accept, so the
edits of a fix are joined into one; display-only fixes, and those of notebooks, are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from namecheck.documentation.addresses import url_of
from namecheck.findings import WHOLE_FILE, Applicability, Finding, Level, Span
from namecheck.printing.escapes import json_text
from namecheck.printing.screen import one_line
from namecheck.report.locations import as_one_edit, bytes_column, lines_in, stated

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["report_text"]

SEVERITY: Final = {Level.ERROR: "ERROR", Level.WARNING: "WARNING", Level.NOTE: "INFO"}


def report_text(report: Report) -> str:
    """The report in this format."""
    lines_of = lines_in(report)
    result = {
        "source": {"name": "namecheck"},
        "diagnostics": [diagnostic(f, lines_of(f.path, f.cell)) for f in report.findings],
    }
    return json_text(result, indent=2) + "\n"


def diagnostic(finding: Finding, lines: list[str]) -> dict[str, Any]:
    location: dict[str, Any] = {"path": finding.path}
    if finding.cell is None and finding.span != WHOLE_FILE:
        location["range"] = in_bytes(finding.span, lines)
    message = stated(finding)
    if finding.hint is not None:
        message += f"\nhint: {one_line(finding.hint)}"
    url = url_of(finding.code)
    record: dict[str, Any] = {
        "message": message,
        "location": location,
        "severity": SEVERITY[finding.level],
        "code": {"value": finding.code} | ({} if url is None else {"url": url}),
    }
    fix = finding.fix
    if fix and fix.edits and fix.applicability is not Applicability.DISPLAY and not finding.cell:
        edit = as_one_edit(fix.edits, lines)
        range_ = in_bytes(edit.span, lines)
        record["suggestions"] = [{"range": range_, "text": edit.content}]
    return record


def in_bytes(span: Span, lines: list[str]) -> dict[str, dict[str, int]]:
    return {
        "start": position(span.line, span.column, lines),
        "end": position(span.end_line, span.end_column, lines),
    }


def position(line: int, column: int, lines: list[str]) -> dict[str, int]:
    text = lines[line - 1] if line <= len(lines) else ""
    # Without the text (the file may be gone), a column in characters is the best there is.
    return {"line": line, "column": bytes_column(text, column) if text else column}
