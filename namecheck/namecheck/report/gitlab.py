"""GitLab's Code Quality report: a JSON array with a fingerprint for each finding.

GitLab shows only the first of several findings with one fingerprint, so all are different. It uses
lines, and no columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from namecheck.findings import Finding, Level
from namecheck.printing.escapes import json_text
from namecheck.report.fingerprint import fingerprints
from namecheck.report.locations import in_checkout, span_in_file, stated

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["report_text"]

SEVERITY: Final = {Level.ERROR: "major", Level.WARNING: "minor", Level.NOTE: "info"}


def report_text(report: Report) -> str:
    """The report in this format."""
    entries = [
        entry(finding, print_, report.checkout)
        for finding, print_ in zip(report.findings, fingerprints(report), strict=True)
    ]
    return json_text(entries, indent=2) + "\n"


def entry(finding: Finding, fingerprint: str, checkout: str | None) -> dict[str, Any]:
    span = span_in_file(finding)
    return {
        "check_name": finding.code,
        "description": f"{finding.code} {finding.name}: {stated(finding)}",
        "severity": SEVERITY[finding.level],
        "fingerprint": fingerprint,
        "location": {
            "path": in_checkout(finding.path, checkout),
            "lines": {"begin": span.line, "end": span.end_line},
        },
    }
