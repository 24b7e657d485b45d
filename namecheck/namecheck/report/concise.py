"""One line per finding, for editors, grep and logs: `path:line:column: CODE [level] message`."""

from __future__ import annotations

from collections.abc import Iterable

from namecheck.findings import Finding
from namecheck.report.screen import one_line

__all__ = ["concise"]


def concise(findings: Iterable[Finding]) -> str:
    """A line per finding, each ended by a newline; nothing for no findings."""
    return "".join(
        f"{f.path}:{f.span.line}:{f.span.column}: {f.code} [{f.level}] {one_line(f.message)}\n"
        for f in findings
    )
