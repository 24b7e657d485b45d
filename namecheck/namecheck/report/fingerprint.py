"""A finding's identity from one run to the next, by which services recognize new and fixed
findings.

It is made of the path, the code, the message and the line of source, but not of the line's number,
so that insertions above do not change it. Findings that agree in all of these are numbered in
order.
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
    """The fingerprints of the report's findings, in order, all different: 32 hexadecimal digits."""
    seen: Counter[tuple[str, ...]] = Counter()
    lines_of = lines_in(report)
    digests = []
    for finding in report.findings:
        path = in_checkout(finding.path, report.checkout)
        lines = lines_of(finding.path, finding.cell)
        line = lines[finding.span.line - 1].strip() if finding.span.line <= len(lines) else ""
        key = path, finding.code, finding.message, line
        digest = hashlib.sha256("\0".join([*key, str(seen[key])]).encode("utf-8", "replace"))
        seen[key] += 1
        digests.append(digest.hexdigest()[:32])
    return digests
