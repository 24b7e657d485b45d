"""Correct programs of other people's kind, about which the checker must say nothing.

Each is the smallest program for a cause of false findings that was seen in real projects.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from namecheck.analysis import analyze

PROGRAMS: Final = sorted((Path(__file__).parent / "silence").glob("*.py"))

NOT_YET: Final[dict[str, str]] = {
}
"""Programs that are still flagged, with what is misread in them."""


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_nothing_is_reported_on_a_correct_program(program: Path) -> None:
    findings = analyze(program.name, program.read_bytes()).findings
    reported = [f"{finding.span.line}: {finding.code} {finding.message}" for finding in findings]
    if program.stem in NOT_YET:
        assert reported, "silent now: remove it from NOT_YET"
    else:
        assert reported == []


def test_every_program_that_is_still_flagged_exists() -> None:
    assert NOT_YET.keys() <= {program.stem for program in PROGRAMS}
