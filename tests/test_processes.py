"""Several processes find the same as one, and the failure of one does not affect the others."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from namecheck.main import main
from namecheck.running import crews, processes
from namecheck.running.cache import Task

ROOTS = [str(Path(__file__).parents[1] / root) for root in ("runtime", "namecheck", "plugin")]

LAYERS = "from torch import nn\n\n\ndef join(x, n):\n    return nn.Linear(n, 4)(x)\n"

MODEL = """\
import torch
from package.layers import join

y = join(torch.ones(2, 3), {n} + 2)
z = torch.ones(2, {n}) + torch.ones(3, {n})
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two dozen files that import one; each has a mistake of its own and one in a call."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(processes, "WORTHWHILE", 1)
    # Forks, even if the test process has threads: they inherit what tests replace.
    monkeypatch.setattr(processes, "_context", lambda: multiprocessing.get_context("fork"))
    for folder in ("package", "package/inner"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("")
        for number in range(12):
            text = MODEL.format(n=number) + "# filler\n" * (number % 5)
            (tmp_path / folder / f"model{number:02}.py").write_text(text)
    (tmp_path / "package/layers.py").write_text(LAYERS)
    (tmp_path / "broken.py").write_text("def f(:\n")
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", "--output-format=json", *arguments, "."])


def test_several_processes_find_the_same_as_one() -> None:
    alone = check("--jobs=1")
    assert alone.stdout.count("NC202") + alone.stdout.count("NC201") > 10
    assert check("--jobs=2").stdout == alone.stdout
    assert check("--jobs=5").stdout == alone.stdout


def test_processes_may_be_spawned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_context", lambda: multiprocessing.get_context("spawn"))
    assert check("--jobs=2").stdout == check("--jobs=1").stdout


def test_statistics_are_the_same() -> None:
    alone = CliRunner().invoke(main, ["check", "--jobs=1", "--statistics", "."])
    several = CliRunner().invoke(main, ["check", "--jobs=3", "--statistics", "."])
    assert several.stdout == alone.stdout


def test_findings_of_several_processes_are_remembered(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NAMECHECK_NO_CACHE")
    first = check("--jobs=3")
    (project / "package/layers.py").write_text(LAYERS.replace("4", "5"))
    edited = check("--jobs=3")
    assert edited.stdout == check("--jobs=1", "--no-cache").stdout
    (project / "package/layers.py").write_text(LAYERS)

    def refuse(*_: object) -> None:
        raise AssertionError("nothing is analysed")

    monkeypatch.setattr(processes, "analyse", refuse)
    assert check("--jobs=3").stdout == first.stdout


def test_files_of_a_folder_stay_together() -> None:
    sizes = {Task(f"{f}/{n}.py", f"{f}/{n}.py", False): n for f in "ab" for n in range(1, 9)}
    batches = processes.batches(sizes, 2)
    assert sorted(task for batch in batches for task in batch) == sorted(sizes)
    assert all(len({task.path[0] for task in batch}) == 1 for batch in batches[:4])
    # A file that is larger than a batch comes first, the others in the order of their folders.
    totals = [sum(sizes[task] for task in batch) for batch in batches]
    large = [total for total in totals if total > 4]
    assert totals[: len(large)] == sorted(large, reverse=True)
    folders = [task.path[0] for batch in batches for task in batch if sizes[task] < 5]
    assert folders == sorted(folders)


def dying(which: str) -> Callable[[processes.Worker, Task], processes.Result]:
    analyse = processes.Worker.analyse

    def die(worker: processes.Worker, task: Task) -> processes.Result:
        if task.path.endswith(which):
            os.kill(os.getpid(), signal.SIGKILL)
        return analyse(worker, task)

    return die


def test_a_killed_process_loses_only_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = check("--jobs=1").stdout
    monkeypatch.setattr(processes.Worker, "analyse", dying("inner/model03.py"))
    done = check("--jobs=2")
    assert done.exit_code == 2
    assert done.stdout.count("NC999") == 1
    assert "inner/model03.py" in done.stdout[done.stdout.index("NC999") :]
    assert done.stdout.count("model04.py") == expected.count("model04.py")


def test_after_a_killed_process_the_rest_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file was alone in a process then, and several take up the others again."""
    expected = check("--jobs=1").stdout
    monkeypatch.setattr(processes.Worker, "analyse", dying("package/model00.py"))
    largest_first = processes.batches

    def one_by_one(sizes: dict[Task, int], jobs: int) -> list[crews.Batch]:
        done = largest_first(sizes, jobs, 1)
        return sorted(done, key=lambda batch: not batch[0].path.endswith("package/model00.py"))

    monkeypatch.setattr(processes, "batches", one_by_one)
    done = check("--jobs=2")
    assert done.stdout.count("NC999") == 1
    ours = [line for line in done.stdout.splitlines() if '"filename"' in line]
    for number in range(1, 12):
        for name in (f"package/model{number:02}.py", f"package/inner/model{number:02}.py"):
            assert f'    "filename": "{name}",' in ours
            assert done.stdout.count(name) == expected.count(name)


def test_ctrl_c_ends_at_once_and_keeps_the_findings_so_far(project: Path) -> None:
    slow = f"""
import sys, time
sys.path[:0] = {ROOTS!r}
from namecheck.running import processes
processes.WORTHWHILE = 1
analyse = processes.Worker.analyse
def slowly(worker, task):
    if task.path.endswith("model11.py"):
        open("started", "w").close()
        time.sleep(60)
    return analyse(worker, task)
processes.Worker.analyse = slowly
from namecheck.main import main
main(["check", "--jobs=2", "."])
"""
    environment = {k: v for k, v in os.environ.items() if k != "NAMECHECK_NO_CACHE"}
    with subprocess.Popen(
        [sys.executable, "-c", slow],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + 60
        while not (project / "started").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # to all processes, as a terminal does
        _, errors = process.communicate(timeout=50)
    assert time.monotonic() - begun < 30
    assert process.returncode not in (0, 1)
    assert "Traceback" not in errors, errors
    assert len(errors.splitlines()) < 4


@pytest.mark.skipif(not hasattr(os, "register_at_fork"), reason="no forks here")
@pytest.mark.parametrize("place", ["before", "after_in_parent", "after_in_child"])
def test_ctrl_c_while_processes_are_made(project: Path, place: str) -> None:
    """An exception in the middle of a fork is lost: the run went on, or waited forever."""
    interrupted = f"""
import os, signal, sys
sys.path[:0] = {ROOTS!r}
from namecheck.running import processes
processes.WORTHWHILE = 1
os.register_at_fork({place}=lambda: os.kill(os.getpid(), signal.SIGINT))
from namecheck.main import main
main(["check", "--jobs=2", "--no-cache", "."])
"""
    done = subprocess.run(
        [sys.executable, "-c", interrupted], capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    # A process that is interrupted while it starts goes on: its parent is asked to end.
    assert done.returncode == 1 if place == "after_in_child" else done.returncode == 130


# The bar


def on_a_terminal(project: Path, *arguments: str, command: str = "check") -> str:
    """The output of an artificially slow run on a terminal of its own."""
    pty = pytest.importorskip("pty")
    slow = f"""
import sys
sys.path[:0] = {ROOTS!r}
from namecheck.printing import progress
progress.PATIENCE = 0
from namecheck.main import main
main([{command!r}, "--jobs=1", *{list(arguments)!r}, "."])
"""
    near, far = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(
        [sys.executable, "-c", slow], stdout=subprocess.DEVNULL, stderr=far, env=environment
    ) as process:
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
        process.wait()
    os.close(near)
    return output.decode()


def test_a_long_run_shows_its_progress(project: Path) -> None:
    output = on_a_terminal(project)
    assert "checking" in output
    assert "28/28" in output
    assert output.rstrip("\r\n").endswith(("\x1b[2K", "\x1b[?25h")), "the bar is removed at the end"


def test_annotating_shows_its_progress(project: Path) -> None:
    output = on_a_terminal(project, "--diff", command="annotate")
    assert "annotating" in output
    assert "28/28" in output


@pytest.mark.parametrize("option", ["--quiet", "--output-format=json", "--output-format=github"])
def test_options_turn_the_bar_off(project: Path, option: str) -> None:
    assert on_a_terminal(project, option) == ""


def test_no_bar_without_a_terminal(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("namecheck.printing.progress.PATIENCE", 0)
    assert CliRunner().invoke(main, ["check", "."]).stderr == ""
