"""Findings as a JSON array, with ruff's keys where ruff has one (`filename`, `location`, ...).

Rows and columns are 1-based and count characters; `end_location` is exclusive.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from namecheck.findings import Finding, Span

if TYPE_CHECKING:
    from namecheck.report import Report

__all__ = ["array", "report_text"]


def report_text(report: Report) -> str:
    """The report in this format."""
    return array(report.findings)


def array(findings: Iterable[Finding]) -> str:
    """The array, indented, ended by a newline."""
    return json.dumps([record(f) for f in findings], indent=2, ensure_ascii=False) + "\n"


def record(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "level": str(finding.level),
        "message": finding.message,
        "filename": finding.path,
        **places(finding.span),
        "hint": finding.hint,
        "notes": [
            {"message": note.text, "filename": note.path or finding.path, **places(note.span)}
            for note in finding.notes
        ],
        "labels": [{"message": label.text, **places(label.span)} for label in finding.labels],
        "url": None,
    }


def places(span: Span | None) -> dict[str, dict[str, int] | None]:
    if span is None:
        return {"location": None, "end_location": None}
    return {
        "location": {"row": span.line, "column": span.column},
        "end_location": {"row": span.end_line, "column": span.end_column},
    }
