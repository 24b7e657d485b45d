"""The programs of `tests/cases/*.md`, read by the plugin.

It reads named tensors, and arrays whose dims are written down with jaxtyping; so those programs are
read that import one or the other.  What it says of them is something that their marks say, at the
same line: anything else would be a false alarm.
"""

from __future__ import annotations

import re
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

CONFIG = """\
[mypy]
plugins = namecheck_plugin
mypy_path = {path}
check_untyped_defs = true
allow_redefinition = true
namespace_packages = true
explicit_package_bases = true
"""


class Reading(NamedTuple):
    """A program, and what the plugin says of it: lines and codes."""

    program: Program
    said: dict[tuple[int, str], Report]


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
    (folder / "mypy.ini").write_text(CONFIG.format(path=path))
    (folder / "cases").mkdir()
    found = applicable()
    for number, program in enumerate(found):
        (folder / "cases" / f"program{number}.py").write_text(program.marks.text)
    reports = checked.read_reports(checked.mypy(folder, "--output", "json", "cases"))
    return [
        Reading(
            program,
            {
                (report.line, report.code.removeprefix(PREFIX)): report
                for report in reports
                if report.file == f"cases/program{number}.py" and report.code.startswith(PREFIX)
            },
        )
        for number, program in enumerate(found)
    ]


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
