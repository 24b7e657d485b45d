"""What mypy with the plugin says of the programs in `pass`, `fail` and `reveal`, and that they are
what they say they are when they run.
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
        for file, said in reports.items()
        for report in said
        if file.startswith(f"{folder}/") and report.severity == "error"
    ]


@pytest.mark.parametrize("folder", ["pass", "redefined", "reveal"])
def test_nothing_is_wrong_with_what_is_right(reports: dict[str, list[Report]], folder: str) -> None:
    assert errors(reports, folder) == []


def test_what_is_wrong_is_ignored_and_nothing_else_is(reports: dict[str, list[Report]]) -> None:
    """Also no ignore that nothing needs: `strict` warns of it."""
    assert errors(reports, "fail") == []


def test_what_is_wrong_is_told_at_its_argument(reports: dict[str, list[Report]]) -> None:
    for path in checked.programs("fail"):
        found: dict[int, tuple[tuple[str, ...], tuple[int, ...]]] = {}
        for line in {r.line for r in reports[f"bare/{path.name}"] if r.severity == "error"}:
            here = [r for r in reports[f"bare/{path.name}"] if r.line == line]
            codes = tuple(sorted({r.code for r in here if r.severity == "error"}))
            columns = sorted({r.column for r in here if r.severity == "error"})
            found[line] = codes, tuple(columns)
        marks = checked.wrong_marks(path.read_text())
        assert marks, path.name
        differing = {
            line: (marks.get(line), found.get(line))
            for line in marks.keys() | found.keys()
            if marks.get(line) != found.get(line)
        }
        assert not differing, path.name


def test_types_are_revealed(reports: dict[str, list[Report]]) -> None:
    for path in checked.programs("reveal"):
        marks = checked.revealed_marks(path.read_text())
        found = {
            report.line: checked.shortened(report.message)
            for report in reports[f"reveal/{path.name}"]
            if report.severity == "note"
        }
        assert len(marks) > 20
        differing = {
            line: (marks.get(line), found.get(line))
            for line in marks.keys() | found.keys()
            if marks.get(line) != found.get(line)
        }
        assert not differing, path.name


def run(path: Path, monkeypatch: pytest.MonkeyPatch, reveal: Any) -> None:
    monkeypatch.setattr(builtins, "reveal_type", reveal, raising=False)
    name = f"plugin_program_{path.stem}"
    monkeypatch.setitem(sys.modules, name, ast)  # dataclasses look their module up
    runpy.run_path(str(path), run_name=name)


@pytest.mark.parametrize("path", checked.programs("pass"), ids=lambda path: path.stem)
def test_what_passes_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(path, monkeypatch, lambda value: value)


@pytest.mark.parametrize("path", checked.programs("reveal"), ids=lambda path: path.stem)
def test_values_have_the_types_that_are_revealed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = path.read_text()
    marks = {at: checked.of_any(m, text) for at, m in checked.revealed_marks(text).items()}
    seen: list[int] = []
    wrong: list[tuple[int, str, str]] = []

    def reveal(value: Any) -> Any:
        line = sys._getframe(1).f_lineno
        seen.append(line)
        if checked.contradicts(marks[line], value):
            wrong.append((line, marks[line], repr(value)))
        return value

    run(path, monkeypatch, reveal)
    assert len(set(seen)) > 0.9 * len(marks)
    assert not wrong


@pytest.mark.parametrize("path", checked.programs("fail"), ids=lambda path: path.stem)
def test_the_runtime_refuses_what_is_wrong(path: Path) -> None:
    """Statement by statement, where a rule is broken: a mistake in the types alone is not the
    runtime's, nor is what is only suspicious.
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
def test_a_mark_is_held_against_a_value(mark: str, wrong: bool) -> None:
    import namecheck_runtime as nt

    assert checked.contradicts(mark, nt.zeros(2, 3, names=("N", "C"))) is wrong
