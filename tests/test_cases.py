"""Every program of `tests/cases/*.md` has exactly the findings that its marks state."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lessons import FalseAlarm, NotFound, Program, compare, programs, read_marks

LESSONS = sorted((Path(__file__).parent / "cases").glob("*.md"))
PROGRAMS = [program for path in LESSONS for program in programs(path)]
SHORT = {"not yet": NotFound, "false alarm": FalseAlarm}


def case(program: Program) -> object:
    marks = (
        [pytest.mark.xfail(reason=program.reason, raises=SHORT[program.short], strict=True)]
        if program.short
        else []
    )
    return pytest.param(program, id=f"{program.lesson}: {program.title}", marks=marks)


@pytest.mark.parametrize("program", [case(program) for program in PROGRAMS])
def test_a_program_has_the_findings_that_its_marks_state(program: Program) -> None:
    __tracebackhide__ = True
    compare(program.marks)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_has_a_correct_program(path: Path) -> None:
    silent = Counter(not program.marks.found for program in PROGRAMS if program.lesson == path.stem)
    assert silent[True], "a lesson needs correct programs, too"


def test_there_are_lessons() -> None:
    assert len(LESSONS) > 15
    assert len(PROGRAMS) > 200


WRONG = """\
import torch
x = torch.zeros(3, 4)  # (B, C)
y = x.sum(dim=2)
"""


@pytest.mark.parametrize(
    ("line", "mark", "complaint"),
    [
        (3, "", FalseAlarm),
        (3, "# error: [NC302]", FalseAlarm),
        (3, "# warning: [NC301]", FalseAlarm),
        (2, "# error: [NC301]", FalseAlarm),
        (3, "# error: [NC301, NC302]", NotFound),
        (3, "# error: [NC301]", None),
        (3, "# error: [NC301]  # error: [NC202]", NotFound),
    ],
)
def test_the_runner_notices_missing_and_extra_findings(
    line: int, mark: str, complaint: type[AssertionError] | None
) -> None:
    lines = WRONG.splitlines()
    lines[line - 1] += "  " + mark
    marks = read_marks("\n".join(lines))
    assert marks.text.split() == WRONG.split()
    if complaint is None:
        compare(marks)
    else:
        with pytest.raises(complaint, match="EXPECTED"):
            compare(marks)


@pytest.mark.parametrize(
    ("program", "right"),
    [
        ("x = torch.zeros(3, 4)  # revealed: [3, 4]", True),
        ("x = torch.zeros(3, 4)  # revealed: [3, 5]", False),
        ("x = y = torch.zeros(3, 4)  # revealed: [3, 4]", True),
        ("x, y = torch.zeros(3), torch.zeros(4)  # revealed: [3], [4]", True),
        ("x, y = torch.zeros(3), torch.zeros(4)  # revealed: [4], [3]", False),
        ("x, y = torch.zeros(3), torch.zeros(4)  # revealed: [3]", False),
        ("x = unknown()  # revealed: [3]", False),
        ("x = torch.zeros(3, 4)  # revealed: [*, 4]", True),
        ("x = torch.zeros(3, 4)  # revealed: [*, 3]", False),
        ("x = torch.zeros(3, 4)  # revealed: [*]", False),
    ],
)
def test_the_runner_compares_dims(program: str, right: bool) -> None:
    marks = read_marks(f"import torch\n{program}")
    if right:
        compare(marks)
    else:
        with pytest.raises(NotFound, match="EXPECTED"):
            compare(marks)


def test_a_program_that_is_not_python_is_refused() -> None:
    with pytest.raises(RuntimeError, match="NC900"):
        compare(read_marks("def f(:  # error: [NC900]"))


@pytest.mark.parametrize("mark", ["# error: NC202", "# error: []", "# revealed: B, T"])
def test_a_mark_without_meaning_is_refused(mark: str) -> None:
    with pytest.raises(ValueError, match="not a mark"):
        read_marks(f"x = 1  {mark}")
