"""Findings as one page of HTML, with the source of their files and its dims (`page`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.report.page.page_file import PageFile

if TYPE_CHECKING:
    from namecheck.findings import Finding
    from namecheck.report.contents import Report

__all__ = ["report_text"]


def report_text(report: Report) -> str:
    """The page of the files that have findings, and of the report's own."""
    from namecheck.report.page.document import page_text

    by_path: dict[str, list[Finding]] = {path: [] for path in report.files}
    for finding in report.findings:
        by_path.setdefault(finding.path, []).append(finding)
    ordered = sorted(by_path.items(), key=lambda file: not file[1])
    files = [_file(report, path, findings) for path, findings in ordered]
    return page_text(files, "namecheck", report.checked)


def _file(report: Report, path: str, findings: Sequence[Finding]) -> PageFile:
    if report.page_of is not None:
        return report.page_of(path)._replace(findings=findings)
    cells = dict.fromkeys(finding.cell for finding in findings)
    return PageFile(path, {cell: report.sources(path, cell) for cell in cells}, findings)
