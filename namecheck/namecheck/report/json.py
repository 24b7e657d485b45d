"""Findings as a JSON array, with ruff's keys where ruff has one (`filename`, `location`, ...).

Rows and columns are 1-based and count characters; `end_location` is exclusive. In a notebook they
count within the cell with the number `cell`, from 1; elsewhere it is null.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from namecheck.documentation.addresses import url_of
from namecheck.findings import Finding, Fix, Span
from namecheck.printing.escapes import json_text

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["array", "note_records", "places", "record", "report_text"]


def report_text(report: Report) -> str:
    """The report in this format."""
    return array(report.findings)


def array(findings: Iterable[Finding]) -> str:
    """The array, indented, with a newline at the end."""
    return json_text([record(f) for f in findings], indent=2) + "\n"


def record(finding: Finding) -> dict[str, Any]:
    """One finding as a JSON object."""
    return {
        "code": finding.code,
        "name": finding.name,
        "level": str(finding.level),
        "message": finding.message,
        "filename": finding.path,
        "cell": finding.cell,
        **places(finding.span),
        "hint": finding.hint,
        "notes": note_records(finding),
        "labels": [{"message": label.text, **places(label.span)} for label in finding.labels],
        "fix": None if finding.fix is None else remedy(finding.fix),
        "url": url_of(finding.code),
    }


def note_records(finding: Finding) -> list[dict[str, Any]]:
    """The notes of a finding, each with its place."""
    return [
        {
            "message": note.text,
            "filename": note.path or finding.path,
            "cell": note.cell,
            **places(note.span),
        }
        for note in finding.notes
    ]


def remedy(fix: Fix) -> dict[str, Any]:
    return {
        "applicability": str(fix.applicability),
        "message": fix.message,
        "edits": [{"content": edit.content, **places(edit.span)} for edit in fix.edits],
    }


def places(span: Span | None) -> dict[str, dict[str, int] | None]:
    if span is None:
        return {"location": None, "end_location": None}
    return {
        "location": {"row": span.line, "column": span.column},
        "end_location": {"row": span.end_line, "column": span.end_column},
    }
