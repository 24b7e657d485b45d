"""`check --watch`, end to end: a process that watches files until Ctrl-C."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from namecheck.main import main
from namecheck.running.watching import filter_of, roots

ROOT = Path(__file__).parent.parent
PATIENCE = 60
"""Seconds that a round may take on a busy machine."""

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"
RIGHT = WRONG.replace("5", "4")


class Watcher:
    """A running `check --watch`, whose rounds are read one by one."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        searched = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin"))
        command = [sys.executable, "-u", "-m", "namecheck", "check", "--watch", *arguments]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": searched},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def round(self) -> str:
        """The output of the next round."""
        printed = []
        while not printed or not printed[-1].startswith("Watching for changes"):
            printed.append(self.lines.get(timeout=PATIENCE))
        return "".join(printed)

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=PATIENCE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/model.py").write_text(WRONG)
    return tmp_path


@pytest.fixture
def watcher(folder: Path) -> Iterator[Watcher]:
    watcher = Watcher(folder, "src")
    yield watcher
    watcher.process.kill()
    watcher.process.wait()


def test_changed_files_are_checked_again_until_ctrl_c(folder: Path, watcher: Watcher) -> None:
    assert "Found 1 finding in 1 file (1 checked)." in watcher.round()
    model = folder / "src/model.py"

    model.write_text(RIGHT)
    output = watcher.round()
    assert "src/model.py\n" in output
    assert "No findings (1 file checked)." in output

    model.write_text("x = (\n")  # an incomplete edit
    assert "error[NC900]" in watcher.round()

    (folder / "src/new.py").write_text(WRONG)
    model.write_text(RIGHT)
    output = watcher.round()
    if "2 checked" not in output:  # the two changes came in separate rounds
        output = watcher.round()
    assert "Found 1 finding in 1 file (2 checked)." in output

    saved = folder / "src/.new.py.swp"  # as editors save: into another file, which then replaces it
    saved.write_text(RIGHT)
    saved.replace(folder / "src/new.py")
    assert "No findings (2 files checked)." in watcher.round()

    assert watcher.interrupt() == 130
    assert "Traceback" not in "".join(watcher.lines.queue)


def test_settings_that_are_invalid_for_a_while(folder: Path) -> None:
    (folder / "src/pyproject.toml").write_text("")
    watcher = Watcher(folder, "src")
    try:
        assert "NC201" in watcher.round()
        (folder / "src/pyproject.toml").write_text("[tool.namecheck]\nignor = ['NC201']\n")
        assert "ignor" in watcher.round()
        (folder / "src/pyproject.toml").write_text("[tool.namecheck]\nignore = ['NC201']\n")
        assert "No findings" in watcher.round()
        assert watcher.interrupt() == 130
    finally:
        watcher.process.kill()
        watcher.process.wait()


def test_one_file_is_watched_through_its_folder(folder: Path) -> None:
    watcher = Watcher(folder, "src/model.py", "--output-format", "concise")
    try:
        assert watcher.round().startswith("src/model.py:3:5: NC201")
        saved = folder / "src/saved"
        saved.write_text(RIGHT)
        saved.replace(folder / "src/model.py")
        assert "NC201" not in watcher.round()
        saved.write_text(WRONG)
        saved.replace(folder / "src/model.py")
        assert "NC201" in watcher.round()
    finally:
        watcher.process.kill()
        watcher.process.wait()


def test_writing_the_cache_is_not_a_change(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first run writes `.namecheck_cache` with a `.gitignore` into the watched folder."""
    monkeypatch.delenv("NAMECHECK_NO_CACHE")
    watcher = Watcher(folder)
    try:
        assert "NC201" in watcher.round()
        assert (folder / ".namecheck_cache/.gitignore").exists()
        (folder / "src/model.py").write_text(RIGHT)
        # the next round is the one after the edit, without another between
        output = watcher.round()
        assert "  src/model.py\n" in output
        assert "No findings" in output
    finally:
        watcher.process.kill()
        watcher.process.wait()


def test_a_path_that_does_not_exist_is_not_watched(folder: Path) -> None:
    watcher = Watcher(folder, "nope")
    assert watcher.process.wait(timeout=PATIENCE) == 2
    assert "no such file or folder: 'nope'" in watcher.lines.get(timeout=PATIENCE)


def test_standard_input_is_not_watched() -> None:
    result = CliRunner().invoke(main, ["check", "--watch", "-"])
    assert result.exit_code == 2
    assert "standard input is read once" in result.stderr


def test_without_watchfiles_the_error_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    result = CliRunner().invoke(main, ["check", "--watch", str(folder / "src")])
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: --watch needs the package watchfiles: pip install watchfiles\n"
    )


def test_which_changes_matter(folder: Path) -> None:
    folders, files = roots([str(folder / "src"), str(folder / "one.py"), str(folder / "nope")])
    assert (folders, files) == ([str(folder / "src")], [])
    (folder / "one.py").touch()
    matters = filter_of(*roots([str(folder / "src"), str(folder / "one.py")]))
    seen = {
        "src/model.py": True,
        "src/deep/book.ipynb": True,
        "src/stub.pyi": True,
        "pyproject.toml": True,
        "one.py": True,
        "two.py": False,  # a neighbour of a named file
        "src/results.json": False,
        "src/.namecheck_cache/entry.py": False,
        "src/__pycache__/model.py": False,
        "srcs/model.py": False,
    }
    assert {path: matters(str(folder / path)) for path in seen} == seen


def test_ctrl_c_does_not_look_like_a_finding(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By default click exits with 1, which a script would take for a finding."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("namecheck.running.checking.check_files", interrupted)
    result = CliRunner().invoke(main, ["check", str(folder)])
    assert (result.exit_code, result.output) == (130, "")
