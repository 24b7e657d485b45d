"""The programs of `tests/cases/*.md`, read by the plugin.

The plugin reads named tensors, and arrays whose dims are annotated with jaxtyping, so the programs
are those that import one or the other.  Each of its reports is one of the marks at that line: any
other would be a false alarm.  For a mark that reveals dims (`# revealed: [B, T]`), a copy of the
program calls `reveal_names`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import checked
import stubs
from checked import Report
from lessons import Program, programs

LESSONS = Path(checked.ROOT / "tests/cases")
IMPORTED = re.compile(r"^\s*(?:import|from) (?:namecheck_runtime|jaxtyping)\b", re.MULTILINE)
PREFIX = "named-tensor-"
NOT_IN_TYPES = frozenset({"NC402", "NC601"})
"""Claims of comments, which mypy does not keep, and names in torch, where they are not types."""


class Reading(NamedTuple):
    """A program and the reports of the plugin: by line and code, and the revealed dims by line."""

    program: Program
    reports: dict[tuple[int, str], Report]
    revealed: dict[int, list[str]]


def applicable() -> list[Program]:
    return [
        program
        for path in sorted(LESSONS.glob("*.md"))
        for program in programs(path)
        if IMPORTED.search(program.marks.text)
    ]


@pytest.fixture(scope="module")
def readings(tmp_path_factory: pytest.TempPathFactory) -> list[Reading]:
    folder = tmp_path_factory.mktemp("lessons")
    stubs.write_torch(folder / "stubs")
    path = f"{checked.ROOT / 'runtime'}:{folder / 'stubs'}"
    (folder / "mypy.ini").write_text(checked.UNTYPED.format(path=path))
    (folder / "cases").mkdir()
    (folder / "asked").mkdir()
    programs_ = applicable()
    for number, program in enumerate(programs_):
        (folder / "cases" / f"program{number}.py").write_text(program.marks.text)
        (folder / "asked" / f"asked{number}.py").write_text(asking(program))
    reports = checked.read_reports(checked.mypy(folder, "--output", "json", "cases", "asked"))
    return [
        Reading(
            program,
            {
                (report.line, report.code.removeprefix(PREFIX)): report
                for report in reports
                if report.file == f"cases/program{number}.py" and report.code.startswith(PREFIX)
            },
            {
                line: [
                    report.message.removeprefix("names: ")
                    for report in reports
                    if report.file == f"asked/asked{number}.py"
                    and (report.line, report.code) == (line + 1, f"{PREFIX}NC803")
                ]
                for line in program.marks.revealed
            },
        )
        for number, program in enumerate(programs_)
    ]


def asking(program: Program) -> str:
    """A program whose marked lines call `reveal_names`; an import is added as the first line."""
    lines = program.marks.text.splitlines()
    for line, expression in revealing(program):
        text = lines[line - 1]
        if text.lstrip().startswith("return "):
            indent = text[: len(text) - len(text.lstrip())]
            lines[line - 1] = f"{indent}_told({expression}); {text.lstrip()}"
        else:
            lines[line - 1] = f"{text}; _told({expression})"
    return "\n".join(["from namecheck_runtime import reveal_names as _told", *lines, ""])


def revealing(program: Program) -> Iterator[tuple[int, str]]:
    """The marked lines that are one statement, and the expressions whose dims they reveal."""
    try:
        module = ast.parse(program.marks.text)
    except SyntaxError:  # the syntax is newer than our Python
        return
    for node in ast.walk(module):
        if not isinstance(node, ast.stmt) or node.lineno != node.end_lineno:
            continue
        if node.lineno not in program.marks.revealed or "reveal_names" in ast.unparse(node):
            continue
        match node:
            case ast.Return(value=ast.expr() as value):
                yield node.lineno, ast.unparse(value)
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                yield node.lineno, name


def marked(program: Program) -> set[tuple[int, str]]:
    return {(mark.line, mark.code) for mark in program.marks.found}


def test_there_are_enough_programs(readings: list[Reading]) -> None:
    assert len(readings) > 70


def test_every_report_is_marked(readings: list[Reading]) -> None:
    wrong = [
        f"{reading.program.lesson}: {reading.program.title}: {report}"
        for reading in readings
        for key, report in reading.reports.items()
        if key not in marked(reading.program)
    ]
    assert not wrong, "\n".join(wrong)


def test_most_marks_are_reported(readings: list[Reading]) -> None:
    marks = [
        (number, *key)
        for number, reading in enumerate(readings)
        for key in marked(reading.program)
        if key[1] not in NOT_IN_TYPES
    ]
    reported = {
        (number, *key) for number, reading in enumerate(readings) for key in reading.reports
    }
    share = len(reported.intersection(marks)) / len(marks)
    print(f"the plugin says {share:.0%} of {len(marks)} marks")
    assert len(marks) > 70
    assert share > 0.5


def contradicts(mark: str, revealed: str) -> bool:
    """Whether the two contradict; unknown dims contradict nothing."""
    expected, dims = (text[1:-1].split(", ") for text in (mark, revealed))
    if dims[0] == "...":
        dims = dims[1:]
        expected = expected[len(expected) - len(dims) :] if dims else []
    return len(expected) != len(dims) or not all(map(_may_be, expected, dims))


def _may_be(mark: str, revealed: str) -> bool:
    name, _, size = mark.rpartition("=")
    if mark == "*" or revealed in (mark, "?"):
        return True
    # The plugin may know the name of a dim and not its size, or the annotated name of the size.
    return revealed == name if name else size.isdigit() and revealed.isidentifier()


@pytest.mark.parametrize(
    ("mark", "revealed", "wrong"),
    [
        ("[N=2, C=3]", "[N=2, C=3]", False),
        ("[N=2, C=3]", "[N, C=3]", False),
        ("[N=2, C=3]", "[?, C=3]", False),
        ("[N=2, C=3]", "[..., C=3]", False),
        ("[*, C=3]", "[N, C=3]", False),
        ("[]", "[]", False),
        ("[N=2, C=3]", "[C=3, N=2]", True),
        ("[N=2, C=3]", "[N=3, C=3]", True),
        ("[N=2, C=3]", "[C=3]", True),
        ("[N=2, C=3]", "[..., N=2]", True),
        ("[b, t]", "[b, 3]", True),
        ("[b, t]", "[t, b]", True),
        ("[8, t]", "[b, t]", False),
    ],
)
def test_revealed_dims_are_compared_with_marks(mark: str, revealed: str, wrong: bool) -> None:
    assert contradicts(mark, revealed) is wrong


def test_revealed_dims_agree_with_marks(readings: list[Reading]) -> None:
    asked, count, wrong = 0, 0, []
    for reading in readings:
        for line, _ in revealing(reading.program):
            for mark in reading.program.marks.revealed[line]:
                asked += 1
                for revealed in reading.revealed[line]:
                    count += revealed == mark
                    if revealed.startswith("[") and contradicts(mark, revealed):
                        wrong.append(f"{reading.program.title}, line {line}: {mark} and {revealed}")
    assert not wrong, "\n".join(wrong)
    print(f"the plugin tells {count} of {asked} dims that marks reveal")
    assert asked > 60
    assert count > 0.7 * asked
