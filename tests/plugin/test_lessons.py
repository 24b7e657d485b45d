"""The programs of `tests/cases/*.md`, read by the plugin.

It reads named tensors, and arrays whose dims are written down with jaxtyping; so those programs are
read that import one or the other.  What it says of them is something that their marks say, at the
same line: anything else would be a false alarm.  What a mark reveals (`# revealed: [B, T]`) it is
asked by `reveal_names`, in a copy of the program.
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
"""What comments say, which mypy does not keep, and names in torch, where they are no types."""


class Reading(NamedTuple):
    """A program, and what the plugin says of it: lines and codes, and the dims it tells by line."""

    program: Program
    said: dict[tuple[int, str], Report]
    told: dict[int, list[str]]


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
    found = applicable()
    for number, program in enumerate(found):
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
        for number, program in enumerate(found)
    ]


def asking(program: Program) -> str:
    """A program in which lines with a mark ask for the dims that they reveal, below a line more."""
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
    """The lines with marks that are one statement, and the expressions whose dims they reveal."""
    try:
        module = ast.parse(program.marks.text)
    except SyntaxError:  # of a newer Python than ours
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
    return {(found.line, found.code) for found in program.marks.found}


def test_there_are_programs_to_read(readings: list[Reading]) -> None:
    assert len(readings) > 70


def test_nothing_is_said_that_is_not_marked(readings: list[Reading]) -> None:
    wrong = [
        f"{reading.program.lesson}: {reading.program.title}: {report}"
        for reading in readings
        for key, report in reading.said.items()
        if key not in marked(reading.program)
    ]
    assert not wrong, "\n".join(wrong)


def test_most_of_what_is_marked_is_said(readings: list[Reading]) -> None:
    wanted = [
        (number, *key)
        for number, reading in enumerate(readings)
        for key in marked(reading.program)
        if key[1] not in NOT_IN_TYPES
    ]
    said = {(number, *key) for number, reading in enumerate(readings) for key in reading.said}
    share = len(said.intersection(wanted)) / len(wanted)
    print(f"the plugin says {share:.0%} of {len(wanted)} marks")
    assert len(wanted) > 70
    assert share > 0.5


def contradicts(mark: str, told: str) -> bool:
    """Whether both cannot be: of what is not known, nothing is told."""
    wanted, dims = (one[1:-1].split(", ") for one in (mark, told))
    if dims[0] == "...":
        dims = dims[1:]
        wanted = wanted[len(wanted) - len(dims) :] if dims else []
    return len(wanted) != len(dims) or not all(map(_may_be, wanted, dims))


def _may_be(mark: str, told: str) -> bool:
    name, _, size = mark.rpartition("=")
    if mark == "*" or told in (mark, "?"):
        return True
    # Of a dim the name may be known and not the size, or what an annotation calls the size.
    return told == name if name else size.isdigit() and told.isidentifier()


@pytest.mark.parametrize(
    ("mark", "told", "wrong"),
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
def test_dims_that_are_told_are_held_against_marks(mark: str, told: str, wrong: bool) -> None:
    assert contradicts(mark, told) is wrong


def test_what_marks_reveal_is_known(readings: list[Reading]) -> None:
    asked, known, wrong = 0, 0, []
    for reading in readings:
        for line, _ in revealing(reading.program):
            for mark in reading.program.marks.revealed[line]:
                asked += 1
                for told in reading.told[line]:
                    known += told == mark
                    if told.startswith("[") and contradicts(mark, told):
                        wrong.append(f"{reading.program.title}, line {line}: {mark} and {told}")
    assert not wrong, "\n".join(wrong)
    print(f"the plugin tells {known} of {asked} dims that marks reveal")
    assert asked > 60
    assert known > 0.7 * asked
