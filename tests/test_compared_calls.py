"""Edits of a function's body: what rests on its calls holds if they give and do the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from tests.random_edits import edit_project

from namecheck.analysis.comparing.forms import Forms, Made, NotComparable
from namecheck.analysis.python.interpreter import Interpreter
from namecheck.analysis.reading import ir
from namecheck.analysis.state.program_pieces import Source, SourceFile
from namecheck.analysis.state.remembered_calls import coarse
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Constant,
    Dict,
    Library,
    List,
    Number,
    OtherArray,
    Tensor,
    Tuple,
    Value,
)
from namecheck.main import main
from namecheck.running import processes
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim

HELPERS = '''\
import numbers


def checked(value, name="value"):
    """The value, if it is a number."""
    if not isinstance(value, numbers.Number):
        raise TypeError(name)
    if value < 0:
        raise ValueError(name)
    return 4


def length(rows):
    return len(rows)


def described(rows):
    n = length(rows)
    return n, "rows"
'''
PROGRAM = """\
import torch

from helpers import checked, described


def product(x):
    return torch.ones(2, 3) @ torch.ones(checked(x), 2)


def rows(x):
    return described(x)[1]
"""


def report(*arguments: str) -> Any:
    """The findings, as plain values."""
    options = ["--jobs=1", "--output-format=json", "--exit-zero", "--isolated"]
    done = CliRunner().invoke(main, ["check", *options, *arguments])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were analysed, and not recalled."""
    names: list[str] = []
    analyse = processes.Worker.analyse

    def spy(self: processes.Worker, task: processes.Task) -> processes.Result:
        names.append(task.path)
        return analyse(self, task)

    monkeypatch.setattr(processes.Worker, "analyse", spy)
    return names


@pytest.fixture
def project(cached: Path) -> Path:
    """A project of a program and what it calls, with its cache turned on."""
    (cached / "helpers.py").write_text(HELPERS)
    (cached / "program.py").write_text(PROGRAM)
    return cached


SAME = {
    "a message": ("raise TypeError(name)", 'raise TypeError("no number")'),
    "a statement that gives nothing": ("    if value < 0", "    _edited = 1\n    if value < 0"),
    "another test": ("value < 0", "value <= 0"),
    "a function inside": ("    return len(rows)", "    count = len(rows)\n    return count"),
    "the function around": ('    return n, "rows"', '    both = n, "rows"\n    return both'),
}
OTHER = {
    "another result": ("return 4", "return 3"),
    "another result of one branch": ("raise ValueError(name)", "return 3"),
    "another default": ('name="value"', 'name="number"'),
    "a decorator": ("def checked", "@print\ndef checked"),
    "another result of a function inside": ("return len(rows)", "return 3"),
    "another text": ('n, "rows"', 'n, "lines"'),
    "it is used by more": ("return 4", "length(4)\n    return 4"),
}


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=list(SAME))
def test_files_are_not_analysed_again_if_a_function_gives_the_same(
    project: Path, analysed: list[str], old: str, new: str
) -> None:
    first = report(".")
    assert sorted(analysed) == ["helpers.py", "program.py"]
    analysed.clear()
    (project / "helpers.py").write_text(HELPERS.replace(old, new))
    assert report(".") == first == report("--no-cache", ".")
    assert analysed[0] == "helpers.py"
    assert analysed[1:] == ["helpers.py", "program.py"], "only the run without a cache"
    analysed.clear()
    assert report(".") == first
    assert analysed == []


@pytest.mark.parametrize(("old", "new"), OTHER.values(), ids=list(OTHER))
def test_files_are_analysed_again_if_a_function_gives_something_else(
    project: Path, analysed: list[str], old: str, new: str
) -> None:
    report(".")
    (project / "helpers.py").write_text(HELPERS.replace(old, new))
    analysed.clear()
    after = report(".")
    assert "program.py" in analysed
    assert after == report("--no-cache", ".")


LAWS = [pytest.param(0, id="0")]
LAWS += [pytest.param(seed, id=str(seed), marks=pytest.mark.slow) for seed in range(1, 6)]


@pytest.mark.parametrize("seed", LAWS)
def test_the_answer_after_random_edits_is_that_of_a_clean_run(project: Path, seed: int) -> None:
    random, gone = Random(seed), dict[Path, str]()
    for turn in range(30):
        if turn % 6 == 5:  # so that it does not fall to pieces
            (project / "helpers.py").write_text(HELPERS)
            (project / "program.py").write_text(PROGRAM)
        edit = edit_project(random, project, gone)
        assert report(".") == report("--no-cache", "."), edit


def evaluator() -> Interpreter:
    return Interpreter(Source(SourceFile("program.py"), "", 1, ir.Chunk((), (), 0)))


def values(ev: Interpreter) -> Iterator[Value]:
    unknown = Anything("x")
    yield from (NONE, Constant("text"), Constant(1.5), Constant(...), Number(3), Library("a.b"))
    yield unknown
    yield Tuple((unknown, unknown, Number(UNKNOWN, "float")))
    yield Tensor((Dim("B", sizes.symbol("B")), Dim(UNKNOWN, 3)), "float", "Tensor")
    row, table = List(), Dict()
    ev.cells[row] = (unknown, Constant(True))
    ev.cells[table] = {"key": row}
    yield Tuple((row, table, row))


def test_a_value_that_is_made_of_a_form_has_the_form() -> None:
    ev = evaluator()
    for value in values(ev):
        form = Forms(ev, whole=True).of(value)
        other = evaluator()
        assert Forms(other, whole=True).of(Made(other).value(form)) == form


def test_a_value_of_which_more_is_known_has_no_form() -> None:
    ev = evaluator()
    value, size = Anything("x"), sizes.symbol("n")
    ev.ranks.doubted.add(value)
    ev.counted |= size.symbols()
    for one in (value, Number(size), OtherArray()):
        with pytest.raises(NotComparable):
            Forms(ev, whole=True).of(one)


def test_the_cost_of_a_call_is_rounded() -> None:
    costs = [coarse(steps) for steps in range(400)]
    assert costs == sorted(costs)
    assert len(set(costs)) < 20
    assert all(abs(cost - steps) <= 32 for steps, cost in enumerate(costs))
