"""`reveal_names` and `assert_names` in mypy: the notes, and the names that are known afterwards."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import checked
from checked import Report

PROGRAM = """\
from typing import Any, Literal as L

import namecheck_runtime as nt
from namecheck_runtime import assert_names, reveal_names as told


def f(t: nt.Tensor, u: nt.Tensor[L["N"], Any], a: Any) -> None:
    x = nt.zeros(2, 3, names=("N", "C"))
    nt.reveal_names(x)  # names: [N=2, C=3]
    y = told(x.sum("N")) + 1  # names: [C=3]
    reveal_type(y)  # Tensor[C]
    told(u)  # names: [N, ?]
    told(tensor=t)  # names: nothing is known about this tensor
    told(a)  # names: nothing is known about this tensor
    reveal_type(nt.assert_names(u, "N", "C"))  # Tensor[N, C]
    reveal_type(assert_names(t, "N", None))  # Tensor[N, int]
    told(assert_names(t, "N", None).sum("N"))  # names: [?]
    assert_names(x, "N", "T")  # NC107
    assert_names(x, "N")  # NC107
    assert_names(t, "N", "T").sum("C")  # NC103
"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory, warm_cache: Path) -> list[Report]:
    folder = tmp_path_factory.mktemp("questions")
    shutil.copytree(warm_cache, folder / ".mypy_cache")
    (folder / "program.py").write_text(PROGRAM)
    return checked.read_reports(checked.mypy(folder, "--output", "json", "program.py"))


def test_names_are_revealed_and_asserted_names_are_known(reports: list[Report]) -> None:
    reported: dict[int, str] = {}
    for report in reports:
        if report.severity == "error":
            reported[report.line] = report.code.removeprefix("named-tensor-")
        else:
            text = checked.shortened(report.message) or report.message
            reported.setdefault(report.line, text)
    marks = dict(enumerate((line.partition("  # ")[2] for line in PROGRAM.splitlines()), 1))
    assert reported == {line: mark for line, mark in marks.items() if mark}


def test_revealed_names_are_a_note_with_the_code_of_its_page(reports: list[Report]) -> None:
    notes = [report for report in reports if report.message.startswith("names: ")]
    assert len(notes) == 6
    assert {(r.severity, r.code) for r in notes} == {("note", "named-tensor-NC803")}


def test_notes_alone_are_not_a_failure(warm: Path) -> None:
    lines = PROGRAM.splitlines()
    (warm / "program.py").write_text("\n".join([*lines[:9], ""]))
    assert "[N=2, C=3]" in checked.mypy(warm, "program.py", status=(0,))
