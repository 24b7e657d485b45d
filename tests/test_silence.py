"""Correct programs of other people's kind, about which the checker must say nothing.

Each is the smallest program for a cause of false findings that was seen in real projects.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from namecheck.analysis import analyze

PROGRAMS: Final = sorted((Path(__file__).parent / "silence").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_nothing_is_reported_on_a_correct_program(program: Path) -> None:
    findings = analyze(program.name, program.read_bytes()).findings
    reported = [f"{finding.span.line}: {finding.code} {finding.message}" for finding in findings]
    assert reported == []
