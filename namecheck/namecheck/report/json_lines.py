"""The objects of `json`, one a line, for reading them one by one (`jq`, log collectors)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.printing.escapes import json_text
from namecheck.report.json import record

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["report_text"]


def report_text(report: Report) -> str:
    """The report in this format; empty without findings."""
    return "".join(json_text(record(f)) + "\n" for f in report.findings)
