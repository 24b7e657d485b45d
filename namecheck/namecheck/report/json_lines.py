"""The objects of `json`, one a line, for who reads them as they come (`jq`, log collectors)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.printing.escapes import json_text
from namecheck.report.json import record

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["report_text"]


def report_text(report: Report) -> str:
    """The report in this format: nothing for no findings."""
    return "".join(json_text(record(f)) + "\n" for f in report.findings)
