"""A finding's identity from one run to the next: services tell by it what is new and what is fixed.

It is made of the path, the code, the message and the line of source, and not of the line's number:
what is inserted above changes nothing.  Findings that agree in all of these are numbered in order.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from namecheck.report.locations import in_checkout, lines_in

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["fingerprints"]


def fingerprints(report: Report) -> list[str]:
    """One for each finding of the report, in its order, no two alike: 32 hexadecimal digits."""
    seen: Counter[tuple[str, ...]] = Counter()
    lines_of = lines_in(report)
    made = []
    for finding in report.findings:
        path = in_checkout(finding.path, report.checkout)
        lines = lines_of(finding.path, finding.cell)
        line = lines[finding.span.line - 1].strip() if finding.span.line <= len(lines) else ""
        key = path, finding.code, finding.message, line
        digest = hashlib.sha256("\0".join([*key, str(seen[key])]).encode("utf-8", "replace"))
        seen[key] += 1
        made.append(digest.hexdigest()[:32])
    return made
