"""Every program of docs/examples is flagged at its marked line, and its correct twin is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from namecheck.analysis import analyze
from namecheck.findings import Level

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
MISTAKES = sorted((EXAMPLES / "mistakes").glob("*.py"))
CORRECT = sorted((EXAMPLES / "correct").glob("*.py"))


def found(path: Path) -> list[tuple[int, str]]:
    """The line and code of each finding that the user sees."""
    analysis = analyze(str(path), path.read_bytes())
    shown = [finding for finding in analysis.findings if finding.level is not Level.NOTE]
    return sorted((finding.span.line, finding.code) for finding in shown)


def marked(path: Path) -> list[tuple[int, str]]:
    """The line and code of each mistake that the program declares."""
    lines = enumerate(path.read_text().splitlines(), 1)
    return [
        (n + 1, match[1]) for n, line in lines if (match := re.search(r"# (NC\d+) here:", line))
    ]


def test_there_are_eight_programs_with_a_twin_each() -> None:
    assert len(MISTAKES) == 8
    assert [path.name for path in MISTAKES] == [path.name for path in CORRECT]


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_a_mistake_is_found_where_it_is(path: Path) -> None:
    expected = marked(path)
    assert expected, "the program does not declare its mistake"
    assert found(path) == expected


@pytest.mark.parametrize("path", CORRECT, ids=lambda path: path.stem)
def test_a_correct_program_is_silent(path: Path) -> None:
    assert not marked(path)
    assert found(path) == []
