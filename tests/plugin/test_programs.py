"""mypy with the plugin reports the marks in `pass`, `fail` and `reveal`, and the programs agree
with their marks when they run.
"""

from __future__ import annotations

import ast
import builtins
import re
import runpy
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

import checked
from checked import Report
from namecheck_runtime.errors import TensorError
from namecheck_runtime.mistakes import CODES


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Report]]:
    return checked.run(tmp_path_factory.mktemp("programs"))


def errors(reports: dict[str, list[Report]], folder: str) -> list[str]:
    return [
        str(report)
        for file, file_reports in reports.items()
        for report in file_reports
        if file.startswith(f"{folder}/") and report.severity == "error"
    ]


@pytest.mark.parametrize("folder", ["pass", "redefined", "reveal"])
def test_right_programs_have_no_errors(reports: dict[str, list[Report]], folder: str) -> None:
    assert errors(reports, folder) == []


def test_the_ignores_cover_the_errors_exactly(reports: dict[str, list[Report]]) -> None:
    """No ignore is superfluous either: `strict` warns of it."""
    assert errors(reports, "fail") == []


def test_a_mistake_is_reported_at_its_argument(reports: dict[str, list[Report]]) -> None:
    for path in checked.programs("fail"):
        reported: dict[int, tuple[tuple[str, ...], tuple[int, ...]]] = {}
        for line in {r.line for r in reports[f"bare/{path.name}"] if r.severity == "error"}:
            here = [r for r in reports[f"bare/{path.name}"] if r.line == line]
            codes = tuple(sorted({r.code for r in here if r.severity == "error"}))
            columns = sorted({r.column for r in here if r.severity == "error"})
            reported[line] = codes, tuple(columns)
        marks = checked.wrong_marks(path.read_text())
        assert marks, path.name
        differing = {
            line: (marks.get(line), reported.get(line))
            for line in marks.keys() | reported.keys()
            if marks.get(line) != reported.get(line)
        }
        assert not differing, path.name


def test_types_are_revealed(reports: dict[str, list[Report]]) -> None:
    for path in checked.programs("reveal"):
        marks = checked.revealed_marks(path.read_text())
        revealed = {
            report.line: checked.shortened(report.message)
            for report in reports[f"reveal/{path.name}"]
            if report.severity == "note"
        }
        assert len(marks) > 20
        differing = {
            line: (marks.get(line), revealed.get(line))
            for line in marks.keys() | revealed.keys()
            if marks.get(line) != revealed.get(line)
        }
        assert not differing, path.name


def run(path: Path, monkeypatch: pytest.MonkeyPatch, reveal: Any) -> None:
    monkeypatch.setattr(builtins, "reveal_type", reveal, raising=False)
    name = f"plugin_program_{path.stem}"
    monkeypatch.setitem(sys.modules, name, ast)  # dataclasses look up their module
    runpy.run_path(str(path), run_name=name)


@pytest.mark.parametrize("path", checked.programs("pass"), ids=lambda path: path.stem)
def test_programs_that_pass_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(path, monkeypatch, lambda value: value)


@pytest.mark.parametrize("path", checked.programs("reveal"), ids=lambda path: path.stem)
def test_values_have_the_revealed_types(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text()
    marks = {number: checked.of_any(m, text) for number, m in checked.revealed_marks(text).items()}
    lines: list[int] = []
    wrong: list[tuple[int, str, str]] = []

    def reveal(value: Any) -> Any:
        line = sys._getframe(1).f_lineno
        lines.append(line)
        if checked.contradicts(marks[line], value):
            wrong.append((line, marks[line], repr(value)))
        return value

    run(path, monkeypatch, reveal)
    assert len(set(lines)) > 0.9 * len(marks)
    assert not wrong


@pytest.mark.parametrize("path", checked.programs("fail"), ids=lambda path: path.stem)
def test_the_runtime_refuses_the_mistakes(path: Path) -> None:
    """Statement by statement, if a rule is broken: the runtime does not refuse a mistake in the
    types alone, nor a suspicion.
    """
    text = path.read_text()
    marks = checked.wrong_marks(text)
    namespace: dict[str, Any] = {"__name__": path.stem}
    refused = 0
    for statement in ast.parse(text).body:
        codes = {
            code.removeprefix("named-tensor-")
            for line in range(statement.lineno, (statement.end_lineno or 0) + 1)
            for code in marks.get(line, ((), ()))[0]
        }
        program = compile(ast.Module([statement], []), str(path), "exec")
        rules = {code for code in codes if re.match("NC", code)}
        if isinstance(statement, ast.FunctionDef | ast.ClassDef) or all(
            CODES[code].is_suspicion for code in rules
        ):
            with suppress(TensorError) if codes - rules else nullcontext():
                exec(program, namespace)
            continue
        with pytest.raises(TensorError) as raised:
            exec(program, namespace)
        assert raised.value.mistake.code in codes, ast.unparse(statement)
        refused += 1
    assert refused > 5 or path.stem in ("declared", "suspicious")


@pytest.mark.parametrize(
    ("mark", "wrong"),
    [
        ("Tensor[N, C]", False),
        ("Tensor[N, Any]", False),
        ("Tensor[..., C]", False),
        ("Tensor[...]", False),
        ("Tensor[N]", True),
        ("Tensor[C, N]", True),
        ("Tensor[N, int]", True),
        ("Tensor[N, 3]", True),
        ("Tensor[..., N]", True),
        ("Tensor[()]", True),
        ("Tensor[N] | Tensor[N, C]", False),
        ("tuple[Tensor[N, C], Tensor[N]]", True),
        ("Any", False),
    ],
)
def test_a_mark_is_compared_with_a_value(mark: str, wrong: bool) -> None:
    import namecheck_runtime as nt

    assert checked.contradicts(mark, nt.zeros(2, 3, names=("N", "C"))) is wrong
