"""Fixes for what an analysis has found, in the text that was analysed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.findings import Analysis, Finding

if TYPE_CHECKING:
    from namecheck.analysis import Mistakes, Program

__all__ = ["propose"]


LONGEST: Final = 20_000
"""Lines of a file that is analysed again to prove a fix; nobody wrote a longer one."""


def propose(
    path: str, text: str, program: Program | None, analysis: Analysis, mistakes: Mistakes
) -> Analysis:
    """The analysis of a text, its findings with a fix wherever there is one that is proven.

    `mistakes` are what the findings are made of. Costs no more than the analysis did, and that only
    where something was found that may have a fix.
    """
    from namecheck.fixes.proof import fixable, with_fixes

    if not fixable(analysis.findings, path) or text.count("\n") > LONGEST:
        return analysis
    from namecheck.analysis import analyze_text

    def analyse(changed: str, only: Collection[int] | None) -> Sequence[Finding]:
        return analyze_text(path, changed, program=program, shapes=False, only=only).findings

    found = with_fixes(path, text, analysis.findings, mistakes, analyse)
    return analysis._replace(findings=found)
