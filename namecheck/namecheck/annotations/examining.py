"""The analysis that annotations are made from and tried with: the dims of a text that are certain.

Its findings are looked for only if something asks for them: that costs as much again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING

from namecheck.annotations.annotation_proof import Examine, State
from namecheck.findings import Finding
from namecheck.fixes.code import Code

if TYPE_CHECKING:
    from namecheck.analysis import Key, Known, Program

__all__ = ["examining"]


def examining(path: str, program: Program, looked_into: set[str]) -> Examine:
    """How the texts of a path are analysed. The real paths of what they depend on are added to
    `looked_into`.
    """
    from namecheck.analysis import analyze_text

    def examine(code: Code, only: Collection[int] | None = None) -> State:
        known: dict[Key, Known] = {}
        analysis = analyze_text(path, code.text, program=program, certain=known, only=only)
        looked_into.update(analysis.depends)

        @cache
        def found() -> Sequence[Finding]:
            return analyze_text(path, code.text, program=program, shapes=False, only=only).findings

        return State(code, known, found)

    return examine
