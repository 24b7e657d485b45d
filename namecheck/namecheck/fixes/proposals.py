"""Fixes for the findings of an analysis, in the text that was analysed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.findings import Analysis, Finding

if TYPE_CHECKING:
    from namecheck.analysis import Mistakes, Program

__all__ = ["propose"]


LONGEST: Final = 20_000
"""Lines of the longest file that is analysed again to prove a fix; programs write longer ones."""


def propose(
    path: str, text: str, program: Program | None, analysis: Analysis, mistakes: Mistakes
) -> Analysis:
    """The analysis of a text, with a fix for each finding that has a proven one.

    `mistakes` are those behind the findings. The proofs cost no more than the analysis did, and
    nothing if no finding may have a fix.
    """
    from namecheck.fixes.proof import fixable, with_fixes

    if not fixable(analysis.findings, path) or text.count("\n") > LONGEST:
        return analysis
    from namecheck.analysis import analyze_text

    def analyse(changed: str, only: Collection[int] | None) -> Sequence[Finding]:
        return analyze_text(path, changed, program=program, shapes=False, only=only).findings

    findings = with_fixes(path, text, analysis.findings, mistakes, analyse)
    return analysis._replace(findings=findings)
