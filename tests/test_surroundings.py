"""Runs of the command without a terminal, a home, free space or an open output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOTS = [str(Path(__file__).parents[1] / root) for root in ("runtime", "namecheck", "plugin")]
PROGRAM = "import torch\n\na = torch.zeros(2, 3)\nb = a @ torch.zeros(2, 3)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "wrong.py").write_text(PROGRAM)
    return tmp_path


def environment(**more: str) -> Mapping[str, str]:
    inherited = {k: v for k, v in os.environ.items() if k in ("PATH", "SYSTEMROOT")}
    return inherited | {"PYTHONPATH": os.pathsep.join(ROOTS)} | more


def shell(line: str, here: Path, **more: str) -> tuple[int, str, str]:
    """The exit code and the output of a line of bash, in which `namecheck` is the command."""
    command = f'namecheck() {{ "{sys.executable}" -m namecheck "$@"; }}; set -o pipefail; {line}'
    done = subprocess.run(
        ["bash", "-c", command], cwd=here, env=environment(**more), capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert "Exception ignored" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("colour", ["always", "never"])
def test_a_reader_that_goes_away(project: Path, colour: str) -> None:
    (project / "wrong.py").write_text(PROGRAM + PROGRAM.split("\n", 1)[1] * 800)
    code, _, errors = shell(f"namecheck check -n . --color {colour} | head -c 10", project)
    assert (code, errors) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize(
    "arguments",
    [
        *("check -n .", "check -n . --output-format json", "check -n . --color always"),
        *("show wrong.py", "explain NC202", "check -n . --diff --add-ignore", "--help"),
    ],
)
def test_no_room_for_the_output(project: Path, arguments: str) -> None:
    code, _, errors = shell(f"namecheck {arguments} > /dev/full", project)
    assert code == 2
    assert errors == "Error: cannot write the output: No space left on device\n"
    assert shell(f"namecheck {arguments} > /dev/full 2> /dev/full", project)[0] == 2


def test_no_room_for_a_report(project: Path) -> None:
    code, _, errors = shell("namecheck check -n . --output-file /dev/full", project)
    assert code == 2
    assert "cannot write the findings to '/dev/full': No space left on device" in errors


def test_closed_standard_streams(project: Path) -> None:
    for line in ("check -n . >&-", "check -n . >&- 2>&-", "check -n . 2>&-", "check -n . <&-"):
        assert shell(f"namecheck {line}", project)[0] == 1
    assert shell("namecheck check -n . --fix --statistics >&- 2>&-", project)[0] == 1
    assert shell("namecheck check -n - --fix <&-", project)[0] == 0


def test_nothing_in_the_environment(project: Path) -> None:
    expected = shell("namecheck check . --output-format concise", project)
    assert expected[:2] == (1, expected[1])
    assert expected[1].startswith("wrong.py:4:5: NC203 ")
    for more in (
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"HOME": "/nonexistent", "TERM": "", "COLUMNS": "no", "LINES": "-1", "TMPDIR": "/none"},
        {"HOME": "", "TERM": "unknown", "COLUMNS": "0", "PYTHONSAFEPATH": "1"},
        {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONOPTIMIZE": "2", "PYTHONWARNINGS": "error"},
        {"PYTHONIOENCODING": "ascii", "TERM": "dumb", "FORCE_COLOR": "1", "NO_COLOR": "1"},
        {"PYTHONHASHSEED": "7", "PYTHONDEVMODE": "1", "PYTHONUNBUFFERED": "1"},
    ):
        assert shell("namecheck check . --output-format concise", project, **more) == expected, more
        for colour in ("always", "auto"):
            assert shell(f"namecheck check . --color {colour}", project, **more)[0] == 1


def test_letters_that_the_terminal_lacks(project: Path) -> None:
    (project / "wrong.py").write_text(PROGRAM.replace("a", "ä").replace("import törch", ""))
    (project / "日本.py").write_text(PROGRAM)
    ascii_only = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    code, shown, _ = shell("namecheck check .", project, **ascii_only)
    assert code == 1
    assert "Found 2 findings in 2 files" in shown


def test_isolated_from_the_environment(project: Path) -> None:
    """`python -I` in a folder with modules that have the names of those we import."""
    for name in ("json", "click", "torch", "namecheck", "signal", "msgspec", "libcst", "random"):
        (project / f"{name}.py").write_text("raise SystemExit('it was imported')\n")
    begin = f"import sys; sys.path[:0] = {ROOTS!r}; from namecheck.main import main; main()"
    for flags in (["-I", "-c", begin], ["-P", "-m", "namecheck"], ["-m", "namecheck"]):
        if "-m" in flags[:1]:  # Python decides which of two packages it imports
            (project / "namecheck.py").unlink()
        done = subprocess.run(
            [sys.executable, *flags, "check", "wrong.py", "--output-format", "concise"],
            cwd=project,
            env=environment(),
            capture_output=True,
            text=True,
        )
        assert done.stdout.startswith("wrong.py:4:5: NC203 "), done.stderr


def test_the_current_folder_is_deleted(project: Path) -> None:
    gone = project / "gone"
    gone.mkdir()
    for arguments in ("check .", "check ../wrong.py", "clean", "baseline check", "show x.py"):
        code, _, errors = shell(f"rmdir {gone}; namecheck {arguments}", gone)
        gone.mkdir()
        assert code == 2
        assert len(errors.splitlines()) <= 4
    assert shell(f"rmdir {gone}; namecheck explain NC202", gone)[0] == 0


def test_ctrl_c_on_a_terminal(project: Path) -> None:
    """The exit code is 130, and the terminal is restored: no bar, and a visible cursor."""
    pty = pytest.importorskip("pty")
    for number in range(6):
        (project / f"m{number}.py").write_text(PROGRAM)
    slow = f"""
import sys, time
sys.path[:0] = {ROOTS!r}
from namecheck.printing import progress
from namecheck.running import processes
progress.PATIENCE = 0
analyse = processes.Worker.analyse
def slowly(worker, task):
    if task.path == "m3.py":
        open("started", "w").close()
        time.sleep(60)
    return analyse(worker, task)
processes.Worker.analyse = slowly
from namecheck.main import main
main(["check", "--jobs=1", "."])
"""
    near, far = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", slow],
        stdin=far,
        stdout=far,
        stderr=far,
        cwd=project,
        env=environment(TERM="xterm", COLUMNS="80"),
        start_new_session=True,
    )
    os.close(far)
    deadline = time.monotonic() + 60
    while not (project / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    output = b""
    while True:
        try:
            piece = os.read(near, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    assert process.wait(timeout=30) == 130
    os.close(near)
    assert b"Traceback" not in output
    assert output.count(b"\x1b[?25l") == output.count(b"\x1b[?25h") == 1, "the cursor is hidden"
    assert (project / ".namecheck_cache").exists()


@pytest.mark.parametrize(
    "module",
    [
        "click",
        "click.core",
        "namecheck.exit_codes",
        "namecheck.commands.check",
        "namecheck.running.checking",
    ],
)
def test_ctrl_c_while_it_starts(module: str, project: Path) -> None:
    interrupted = f"""
import sys
class Interrupt:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from namecheck.main import main
main(["check", "."])
"""
    done = subprocess.run(
        [sys.executable, "-c", interrupted], cwd=project, env=environment(), capture_output=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize("name", ["make_context", "parse_args"])
def test_ctrl_c_while_arguments_are_read(name: str, project: Path) -> None:
    interrupted = f"""
import click
def interrupt(*_, **__):
    raise KeyboardInterrupt
click.Group.{name} = interrupt
from namecheck.main import main
main(["check", "."])
"""
    done = subprocess.run(
        [sys.executable, "-c", interrupted], cwd=project, env=environment(), capture_output=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
