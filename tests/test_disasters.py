"""Runs that are killed, run beside others, or have no room or permission to write.

Afterwards no file is lost or half written, and the next run has all its findings.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

ROOTS = [str(Path(__file__).parents[1] / root) for root in ("runtime", "namecheck", "plugin")]

BEGIN = f"""
import os, sys, time
sys.path[:0] = {ROOTS!r}
from namecheck.main import main
"""

PROGRAM = """\
import torch
from sizes import WIDTH

a = torch.zeros(2, WIDTH)  # namecheck: ignore[NC201] once needed
b = a.transpose(0, 1).view(-1)
c = a @ torch.zeros(WIDTH, WIDTH + NUMBER)
d = a @ a
"""


def program(number: int) -> str:
    return PROGRAM.replace("NUMBER", str(number))


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project in the current folder."""
    monkeypatch.delenv("NAMECHECK_NO_CACHE", raising=False)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(ROOTS))
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    return tmp_path


def write(folder: Path) -> None:
    (folder / "namecheck.toml").write_text("")
    (folder / "sizes.py").write_text("WIDTH = 3\n")
    for number in range(12):
        (folder / f"m{number:02}.py").write_text(program(number))


def sources(folder: Path) -> Mapping[str, bytes]:
    """The contents of all files, without the cache."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".namecheck_cache" not in path.parts
    }


def run(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + "main()", *arguments],
        **{"capture_output": True, "text": True, **more},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def findings(*arguments: str) -> Any:
    done = run("check", ".", "--output-format", "json", "--exit-zero", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def background(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A run with its child processes, which can be killed together."""
    return subprocess.Popen(
        [sys.executable, "-c", BEGIN + code, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def killed(process: subprocess.Popen[bytes], after: float) -> None:
    """Kill a run and its child processes with -9, unless it ends within `after` seconds."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(after)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


# Kill -9

SLOW_WRITES = """
from namecheck.running import cache
from namecheck.applying import writing
from namecheck.report import file as reports
class Slowly:
    def __init__(self, file): self.file = file
    def __enter__(self): return self
    def __exit__(self, *_): self.file.close()
    def __getattr__(self, name): return getattr(self.file, name)
    def write(self, data):
        for at in range(0, len(data), max(len(data) // 8, 1)):
            self.file.write(data[at:at + max(len(data) // 8, 1)])
            self.file.flush()
            time.sleep(0.004)
def slow_open(path, mode="r", *rest, **more):
    file = open(path, mode, *rest, **more)
    return Slowly(file) if mode in ("wb", "xb", "w") else file
for module in (cache, writing, reports):
    module.open = slow_open
open("ready", "w").close()
main()
"""


def many_kills(
    times: int, arguments: tuple[str, ...], between: Callable[[Path], None], folder: Path
) -> None:
    """Kill a run at random moments, spread over its whole duration."""
    chance = random.Random(1)
    begun = time.monotonic()
    background(SLOW_WRITES, *arguments).wait()
    longest = time.monotonic() - begun
    assert (folder / "ready").exists(), "the run does not report that it is ready"
    for _ in range(times):
        (folder / "ready").unlink(missing_ok=True)
        process = background(SLOW_WRITES, *arguments)
        while process.poll() is None and not (folder / "ready").exists():
            time.sleep(0.005)
        killed(process, chance.uniform(0, longest))
        (folder / "ready").unlink(missing_ok=True)
        between(folder)


def nothing_is_lost(
    times: int, project: Path, arguments: tuple[str, ...] = ("check", ".", "--jobs", "2")
) -> None:
    plain = findings("-n")
    before = sources(project)

    def look(folder: Path) -> None:
        assert sources(folder) == before
        assert findings() == plain
        if random.random() < 0.5:
            shutil.rmtree(folder / ".namecheck_cache")
        else:  # so that the next run has something to write
            for path in folder.glob(".namecheck_cache/*.index"):
                path.unlink()

    many_kills(times, arguments, look, project)
    assert run("clean").returncode == 0


def test_a_killed_run_loses_nothing(project: Path) -> None:
    nothing_is_lost(2, project)


@pytest.mark.deep
def test_many_killed_runs_lose_nothing(project: Path) -> None:
    nothing_is_lost(40, project)


def fixes_are_whole_or_not_made(times: int, project: Path) -> None:
    before = sources(project)
    run("check", ".", "--fix")
    after = sources(project)
    assert before != after
    write(project)

    def look(folder: Path) -> None:
        for path, content in sources(folder).items():
            if path in before:
                assert content in (before[path], after[path]), path
            else:
                assert path.startswith(".namecheck-"), path
                (folder / path).unlink()
        run("check", ".", "--fix")
        assert sources(folder) == after
        write(folder)

    many_kills(times, ("check", ".", "--fix"), look, project)


def test_a_killed_fix_is_whole_or_not_made(project: Path) -> None:
    fixes_are_whole_or_not_made(2, project)


@pytest.mark.deep
def test_many_killed_fixes_are_whole_or_not_made(project: Path) -> None:
    fixes_are_whole_or_not_made(30, project)


@pytest.mark.parametrize("name", ["report.json", "namecheck-baseline.json"])
def test_a_killed_report_leaves_the_old_one(project: Path, name: str) -> None:
    arguments = {
        "report.json": ("check", ".", "--output-format", "json", "--output-file", name),
        "namecheck-baseline.json": ("baseline", "write", "."),
    }[name]
    assert run(*arguments).returncode in (0, 1)
    report = (project / name).read_bytes()
    (project / name).write_bytes(b"old")

    def look(folder: Path) -> None:
        assert (folder / name).read_bytes() in (b"old", report)
        (folder / name).write_bytes(b"old")

    if name == "report.json":
        many_kills(2, arguments, look, project)
    (project / name).write_bytes(report)
    assert run(*arguments).returncode in (0, 1)
    assert (project / name).read_bytes() == report


# Several at once


def together(seconds: float, project: Path) -> None:
    """Start runs beside each other, while files are edited and the cache is removed."""
    ends = time.monotonic() + seconds
    troubles: list[str] = []

    def checks() -> None:
        while time.monotonic() < ends and not troubles:
            done = run("check", ".", "--output-format", "json")
            if done.returncode != 1 or "NC999" in done.stdout:
                troubles.append(done.stderr + done.stdout)
                return
            for finding in json.loads(done.stdout):  # no finding is of a state that never existed
                if finding["code"] == "NC203" and finding["location"]["row"] not in (7, 8):
                    troubles.append(str(finding))

    def edits() -> None:
        number = 0
        while time.monotonic() < ends and not troubles:
            number += 1
            path = project / f"m{number % 12:02}.py"
            beside = project / "beside.tmp"
            beside.write_text("\n" * (number % 2) + program(number))
            os.replace(beside, path)  # as editors save a file
            time.sleep(0.02)

    def cleans() -> None:
        while time.monotonic() < ends and not troubles:
            done = run("clean")
            if done.returncode:
                troubles.append(done.stderr)
            time.sleep(0.1)

    threads = [threading.Thread(target=work) for work in (checks, checks, edits, cleans)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not troubles, troubles[0]
    write(project)
    plain = findings("-n")
    for _ in range(2):
        assert findings() == plain


def test_runs_beside_each_other(project: Path) -> None:
    together(2, project)


@pytest.mark.deep
def test_runs_beside_each_other_for_long(project: Path) -> None:
    together(40, project)


def test_two_fixes_at_once(project: Path) -> None:
    run("check", ".", "--fix")
    after = sources(project)
    write(project)
    both = [background("main()", "check", ".", "--fix") for _ in range(2)]
    for process in both:
        assert process.wait() in (1, 2)  # 2: the other run was faster with a file
    run("check", ".", "--fix")
    assert sources(project) == after


@pytest.mark.parametrize("command", [["check", ".", "--fix"], ["check", ".", "--add-ignore"]])
def test_a_file_saved_during_the_analysis_is_not_edited(project: Path, command: list[str]) -> None:
    code = """
from namecheck.running import checking
conclude = checking.conclude
def late(*arguments):
    checked = conclude(*arguments)
    with open("m03.py", "r+b") as file:
        text = file.read()
        file.seek(0)
        file.write(b"import os\\n" + text)
    checking.conclude = conclude
    return checked
checking.conclude = late
main()
"""
    saved = b"import os\n" + program(3).encode()
    first = subprocess.run(
        [sys.executable, "-c", BEGIN + code, *command], capture_output=True, text=True
    )
    assert first.returncode == 2
    assert "cannot write m03.py: it was changed while it was being checked" in first.stderr
    assert sources(project)["m03.py"] == saved
    assert sources(project)["m04.py"] != program(4).encode()


def test_a_file_saved_during_the_analysis_is_not_annotated(project: Path) -> None:
    (project / "m03.py").write_text(
        "import torch\n\n\ndef f(x):\n    B, C = x.shape\n    y = x.t()\n    return y\n"
    )
    code = """
from namecheck.annotations import files
annotate = files.annotate
def late(*arguments):
    def edit(*given):
        edited = list(arguments[1](*given))
        with open("m03.py", "a") as file:
            file.write("y = 1\\n")
        return edited
    return annotate(arguments[0], edit, *arguments[2:])
files.annotate = late
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + code, "annotate", "m03.py"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "m03.py: it was changed while it was being checked" in done.stderr
    assert sources(project)["m03.py"].endswith(b"    return y\ny = 1\ny = 1\n")


# Files that vanish


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_files_that_vanish_during_the_run(project: Path, jobs: str) -> None:
    code = """
from namecheck.running import discovery, processes
import shutil
processes.WORTHWHILE = 1
found = discovery.discover
def discover(*arguments):
    here = found(*arguments)
    os.unlink("m03.py")
    os.rename("m04.py", "gone.txt")
    shutil.rmtree("inner")
    return here
discovery.discover = discover
main()
"""
    (project / "inner").mkdir()
    (project / "inner" / "m.py").write_text(program(1))
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + code, "check", ".", "--output-format=json", "--jobs", jobs],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    findings = json.loads(done.stdout)
    unread = [finding["filename"] for finding in findings if finding["code"] == "NC900"]
    assert unread == ["inner/m.py", "m03.py", "m04.py"]
    assert len({finding["filename"] for finding in findings}) == 13


def test_a_file_that_vanishes_before_it_is_shown_or_fixed(project: Path) -> None:
    code = """
from namecheck.commands import check
conclude = check.print_report
def print_report(*arguments):
    os.unlink("m03.py")
    conclude(*arguments)
check.print_report = print_report
main()
"""
    for form in ("full", "json", "sarif", "gitlab"):
        (project / "m03.py").write_text(program(3))
        done = subprocess.run(
            [sys.executable, "-c", BEGIN + code, "check", ".", "--output-format", form],
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (1, "")
        assert "m03.py" in done.stdout
    code = """
from namecheck.applying import delivery
write_bytes = delivery.write_bytes
def write(path, *rest):
    if path == "m03.py":
        os.unlink(path)
    if path == "m04.py":
        open(path, "a").write("# typed meanwhile\\n")
    write_bytes(path, *rest)
delivery.write_bytes = write
main()
"""
    (project / "m03.py").write_text(program(3))
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + code, "check", ".", "--fix"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "Error: cannot write m03.py: No such file or directory" in done.stderr
    assert "Error: cannot write m04.py: it was changed while it was being checked" in done.stderr
    assert not (project / "m03.py").exists()
    assert (project / "m04.py").read_text() == program(4) + "# typed meanwhile\n"
    assert ".contiguous()" in (project / "m05.py").read_text()


# No room, and no permission


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Iterator[Callable[[str], None]]:
    """Mount a small file system at a folder; yields a function that remounts it with options."""
    folder.mkdir(exist_ok=True)

    def mount(*arguments: str) -> bool:
        command = ["mount", "-t", "tmpfs", *arguments, "tmpfs", str(folder)]
        try:
            return not subprocess.run(command, capture_output=True).returncode
        except OSError:
            return False

    if not mount("-o", options):
        pytest.skip("nothing can be mounted here")
    try:
        yield lambda other: mount("-o", f"remount,{other}") or pytest.skip("no remounting here")
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def read_only(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The project on a read-only file system, which not even root can write to."""
    folder = project / "mounted"
    with mounted(folder, "size=4m") as again:
        write(folder)
        (folder / "namecheck-baseline.json").write_text('{"namecheck-baseline": 1, "findings": []}')
        again("ro")
        monkeypatch.chdir(folder)
        yield folder
        monkeypatch.chdir(project)


def test_a_file_system_that_cannot_be_written_to(read_only: Path, tmp_path: Path) -> None:
    before = sources(read_only)
    plain = findings("-n")
    done = run("check", ".", "--output-format", "json")
    assert json.loads(done.stdout) == plain
    assert done.stderr.count("\n") == 1
    assert "Warning: cannot write the cache in " in done.stderr
    assert "Read-only file system" in done.stderr
    done = run("check", ".", "--fix")
    assert done.returncode == 2
    assert done.stderr.count("Error: cannot write m") == 12
    assert "NC501" in done.stdout
    for arguments in (("baseline", "write"), ("check", ".", "--output-file", "out.txt")):
        done = run(*arguments)
        assert done.returncode == 2
        assert "cannot write the " in done.stderr
        assert "Read-only file system" in done.stderr
    elsewhere = tmp_path / "cache"
    for _ in range(2):
        assert findings("--cache-dir", str(elsewhere)) == plain
    assert list(elsewhere.glob("*.index"))
    assert sources(read_only) == before


def test_a_folder_of_another_user(project: Path) -> None:
    """Without permission to write the folder, a run may not replace a file in it."""
    before = sources(project)
    plain = findings("-n")
    as_nobody: dict[str, Any] = {}
    if os.geteuid() == 0:
        as_nobody = {"user": 65534, "group": 65534, "extra_groups": []}
    for path in (project, *project.parents):
        if path.name.startswith(("pytest-", "popen-")):  # the second with xdist
            path.chmod(0o755)
    project.chmod(0o555)
    try:
        done = run("check", ".", "--output-format", "json", **as_nobody)
        if done.returncode not in (0, 1) or "json" in done.stderr:
            pytest.skip(f"nobody cannot run it: {done.stderr[-200:]}")
        assert json.loads(done.stdout) == plain
        assert "Permission denied" in done.stderr
        done = run("check", ".", "--fix", **as_nobody)
        assert done.returncode == 2
        assert "Error: cannot write m00.py: Permission denied" in done.stderr
    except OSError as refusal:
        pytest.skip(f"nobody cannot run it: {refusal}")
    finally:
        project.chmod(0o755)
    assert sources(project) == before


def limited(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_no_file_may_grow(project: Path) -> None:
    """With RLIMIT_FSIZE every write beyond some bytes fails."""
    (project / "out.txt").write_text("old")
    (project / "namecheck-baseline.json").write_text('{"namecheck-baseline": 1, "findings": []}')
    before = sources(project)
    plain = findings("-n")
    done = run("check", ".", "--output-format", "json", "--jobs", "1", preexec_fn=limited(150))
    assert json.loads(done.stdout) == plain
    assert "Warning: cannot write the cache in " in done.stderr
    assert "File too large" in done.stderr
    assert findings() == plain
    done = run("check", ".", "--fix", preexec_fn=limited(150))
    assert done.returncode == 2
    assert "Error: cannot write m00.py: File too large" in done.stderr
    for arguments in (("baseline", "write"), ("check", ".", "--output-file", "out.txt")):
        done = run(*arguments, preexec_fn=limited(150))
        assert done.returncode == 2
        assert "cannot write the " in done.stderr
        assert "File too large" in done.stderr
    assert sources(project) == before
    assert not list(project.glob(".namecheck_cache/*.tmp"))


def is_full(output: str) -> bool:
    """Whether a run ended because the disk is full. A cache without room is only a warning."""
    lines = output.splitlines()
    return any(line.startswith("Error: ") and "No space left on device" in line for line in lines)


@pytest.mark.parametrize(
    "room",
    [0, *(pytest.param(room, marks=pytest.mark.slow) for room in (8192, 40960))],
)
def test_a_full_disk(project: Path, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project / "mounted"
    with mounted(folder, "size=256k") as again:
        write(folder)
        (folder / "out.txt").write_text("old")
        (folder / "namecheck-baseline.json").write_text('{"namecheck-baseline": 1, "findings": []}')
        monkeypatch.chdir(folder)
        plain = findings("-n")
        before = sources(folder)
        with open(folder / "filler", "wb", buffering=0) as filler:
            with contextlib.suppress(OSError):
                while True:
                    filler.write(b"x" * 512)
            filler.truncate(filler.seek(0, os.SEEK_END) - room)
        for arguments in ((".",), (".", "--jobs", "1")):
            done = run("check", *arguments, "--output-format", "json")
            assert json.loads(done.stdout) == plain
            assert done.stderr.count("\n") <= 1
        done = run("check", ".", "--fix")
        assert done.returncode in (1, 2)
        assert (done.returncode == 2) == is_full(done.stderr)
        for path, content in sources(folder).items():
            if path in before and path.startswith("m"):
                assert content == before[path] or b".contiguous()" in content, path
                assert content.endswith(b"d = a @ a\n"), path
        for arguments in (("baseline", "write"), ("check", ".", "--output-file", "out.txt")):
            done = run(*arguments)
            assert done.returncode in (0, 1, 2)
            assert (done.returncode == 2) == is_full(done.stderr)
        assert (folder / "out.txt").read_bytes().endswith((b"old", b").\n", b"--fix.\n"))
        json.loads((folder / "namecheck-baseline.json").read_text())
        (folder / "namecheck-baseline.json").unlink()  # findings in the baseline are not reported
        (folder / "filler").unlink()
        again("size=1m")
        write(folder)
        for _ in range(2):
            assert findings() == plain
        monkeypatch.chdir(project)
