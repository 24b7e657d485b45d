"""`check --profile`: where the time went, beside a report of any format."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from namecheck.main import main
from namecheck.report.profile import ROWS, Profile, table
from namecheck.running import processes
from namecheck.running.cache import Task
from namecheck.times import BY_ITSELF, DRIVES, IMPORTS, KINDS, PARSING, Part, Times

MODEL = """\
import torch
from torch import nn
from layers import join


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 5)

    def forward(self, x):
        return join(self.layer(x), 3)


def test_model():
    Model()(torch.ones(2, 3))
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test_model.py").write_text(MODEL)
    (tmp_path / "other.py").write_text("import torch\nx = torch.ones(2) + torch.ones(3)\n")
    (tmp_path / "layers.py").write_text("def join(x, n):\n    return x.reshape(n, -1)\n")
    return tmp_path


def check(*options: str) -> Result:
    return CliRunner().invoke(main, ["check", *options, "."])


def rows(text: str, head: str) -> list[str]:
    """What the rows of a table are about."""
    _, _, below = text.partition(f"  {head}\n")
    return [
        re.sub(r"^( +\d+(\.\d\d)?)+  (?=\S)", "", line)
        for line in below.split("\n\n")[0].splitlines()
    ]


def test_the_report_is_the_same_beside_a_profile() -> None:
    plain = check("--output-format=json")
    done = check("--output-format=json", "--profile")
    assert done.stdout == plain.stdout
    assert len(json.loads(done.stdout)) == 2
    assert plain.stderr == ""
    assert re.search(
        r"^Time: \d+\.\d\d s of CPU for 3 files, \d+\.\d\d s by the clock\.$", *args(done)
    )
    for kind, meaning in KINDS.items():
        assert re.search(rf"^ +\d+\.\d\d s +\d+ %  {kind} +{meaning}$", *args(done))


def args(done: Result) -> tuple[str, re.RegexFlag]:
    return done.stderr, re.MULTILINE


def test_every_file_and_function_has_its_row() -> None:
    done = check("--profile")
    assert sorted(rows(done.stderr, "file")) == ["layers.py", "other.py", "test_model.py"]
    functions = set(rows(done.stderr, "function"))
    assert {
        "layers.py:1 join",
        "other.py the module",
        "test_model.py:6 Model",
        "test_model.py:11 Model.forward",
        "test_model.py:15 test_model",
    } <= functions


@pytest.mark.parametrize("jobs", [1, 3])
def test_kinds_of_work_are_told_apart(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(processes, "WORTHWHILE", 1)
    tasks = [
        Task(name, os.path.realpath(name), False, True, True)
        for name in ("test_model.py", "other.py")
    ]
    results = processes.analyse(tasks, ["."], {}, {}, jobs)
    times = {result.task.path: result.times for result in results}
    kinds = {path: {part.kind for part in of or ()} for path, of in times.items()}
    assert kinds["test_model.py"] == set(KINDS)
    assert IMPORTS not in kinds["other.py"]
    test = Part(DRIVES, "test_model.py", "test_model", 15)
    assert (times["test_model.py"] or {})[test] > 0


def test_without_it_nothing_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the clock is read")

    monkeypatch.setattr("namecheck.times.cpu_time", refuse)
    assert "internal-error" not in check().stdout
    (result,) = processes.analyse(
        [Task("other.py", os.path.realpath("other.py"), False)], ["."], {}, {}, 1
    )
    assert result.times is None


def test_it_says_what_the_cache_had(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    monkeypatch.delenv("NAMECHECK_NO_CACHE")
    assert "cache" not in check("--profile").stderr
    (project / "other.py").write_text("x = 1\n")
    done = check("--profile")
    assert re.search(r"^The cache had the results of 2 files \(\d\.\d\d s\)", *args(done))
    assert rows(done.stderr, "file") == ["other.py"]
    done = check("--profile")
    assert re.search(r"^The cache had the results of 3 files", *args(done))
    assert "function" not in done.stderr


def test_a_run_that_prints_nothing_prints_no_profile() -> None:
    assert "Time:" in check("--profile", "-q").stderr
    assert check("--profile", "-qq").output == ""


def test_times_of_parts_are_without_those_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0, 3.0, 4.5, 10.0, 12.0, 13.0, 16.0])
    monkeypatch.setattr("namecheck.times.cpu_time", lambda: next(clock))
    times = Times()
    outer = Part(BY_ITSELF, "a.py", "f", 3)

    def drive() -> None:
        times.inside(IMPORTS, lambda: None)

    times.of(outer, lambda: times.inside(DRIVES, drive))
    times.of(outer, lambda: None)
    assert times.spent == {
        outer: 12.0 - 9.0 + 3.0,
        outer._replace(kind=DRIVES): 9.0 - 1.5,
        outer._replace(kind=IMPORTS): 1.5,
    }


@pytest.mark.parametrize("columns", [80, 160, None])
def test_the_table_fits_the_terminal(columns: int | None) -> None:
    profile = Profile()
    for number in range(ROWS + 4):
        path = f"a_project/with/folders/that/are/{'rather/' * 12}deep/model{number:02}.py"
        profile.add(
            path,
            {
                Part(PARSING, path, "", 0): 1234.5,
                Part(BY_ITSELF, path, "Model.forward", 100): 2.0 + number,
                Part(DRIVES, path, "Model.forward", 100): 0.5,
            },
        )
    text = table(profile, columns)
    widest = max(map(len, text.splitlines()))
    assert widest > 150 if columns is None else widest <= columns
    assert rows(text, "file")[0].endswith("deep/model18.py")
    assert rows(text, "function")[0].endswith("deep/model18.py:100 Model.forward")
    assert rows(text, "file")[ROWS:] == ["4 other files"]
    assert rows(text, "function")[ROWS:] == ["4 other functions"]


def test_the_command_cuts_paths_on_a_terminal(project: Path) -> None:
    pty = pytest.importorskip("pty")
    termios = pytest.importorskip("termios")
    folder = project / ("a_rather_long_folder_name_" * 3)
    folder.mkdir()
    (folder / "model.py").write_text(MODEL)
    near, far = pty.openpty()
    termios.tcsetwinsize(far, (40, 80))
    command = [sys.executable, "-m", "namecheck", "check", "--profile", "--output-format=json", "."]
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    roots = [str(Path(__file__).parents[1] / root) for root in ("runtime", "namecheck", "plugin")]
    environment["PYTHONPATH"] = os.pathsep.join(roots)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=far, env=environment) as run:
        os.close(far)
        output = b""
        while True:
            try:
                piece = os.read(near, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            output += piece
    os.close(near)
    assert run.returncode == 1
    lines = output.decode().replace("\r\n", "\n").splitlines()
    assert any("…" in line for line in lines)
    assert max(map(len, lines)) <= 80
