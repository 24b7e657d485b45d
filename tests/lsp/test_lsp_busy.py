"""A long analysis does not delay other files, and the server gives it up at an edit."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from namecheck.lsp.pool import GRACE, MOST, PATIENCE
from raw import Client, customized

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"
BUSY = WRONG + "# busy\n"

SPINNING = """
import os, time
import namecheck.lsp.desk as desk
examine = desk.examine
def spin(document, program, **options):
    while 'busy' in document.text:
        pass  # as compiled code: it asks nobody whether it is still wanted
    while 'patient' in document.text:
        program.check_wanted()
        time.sleep(0.01)
    if 'deadly' in document.text:
        os.kill(os.getpid(), 9)
    return examine(document, program, **options)
desk.examine = spin
"""
"""Analyses that never end, and one that ends its process."""


def place(client: Client, name: str) -> dict[str, Any]:
    return {
        "textDocument": {"uri": client.uri(name)},
        "position": {"line": 2, "character": 4},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}},
        "context": {"diagnostics": []},
    }


def check_answers(client: Client, name: str) -> None:
    """Check that the server answers every kind of request about a file."""
    assert "[3, 4]" in client.result("textDocument/hover", place(client, name))["contents"]["value"]
    assert client.result("textDocument/codeAction", place(client, name))
    assert client.result("textDocument/inlayHint", place(client, name)) == []


@pytest.mark.parametrize("text", [BUSY, WRONG + "# patient\n"], ids=["busy", "patient"])
def test_one_file_does_not_delay_another(text: str, tmp_path: Path) -> None:
    with Client(tmp_path, customized(tmp_path / "site", SPINNING)) as client:
        client.initialize()
        client.open("busy.py", text)
        hover = client.ask("textDocument/hover", place(client, "busy.py"))
        client.open("a.py", WRONG)
        client.codes("a.py", "NC201")
        check_answers(client, "a.py")
        client.change("a.py", "", 2)
        client.codes("a.py")
        client.change("a.py", WRONG, 3)
        client.codes("a.py", "NC201")
        # A request about it waits until the client cancels it or the analysis ends.
        client.notify("$/cancelRequest", id=hover)
        assert client.answer(hover)["error"]["code"] == -32800
        hover = client.ask("textDocument/hover", place(client, "busy.py"))
        client.change("busy.py", text + "y = 1\n", 2)
        client.change("busy.py", WRONG, 3)
        client.codes("busy.py", "NC201")
        assert client.answer(hover)["result"]
        check_answers(client, "busy.py")
        check_answers(client, "a.py")
        assert client.end() == 0


def test_an_edit_ends_the_analysis_of_the_only_file(tmp_path: Path) -> None:
    with Client(tmp_path, customized(tmp_path / "site", SPINNING)) as client:
        client.initialize()
        client.open("busy.py", BUSY)
        for version in range(2, 5):
            client.change("busy.py", BUSY * version, version)
        client.change("busy.py", WRONG, 9)
        client.codes("busy.py", "NC201")
        check_answers(client, "busy.py")
        client.change("busy.py", BUSY, 10)
        assert client.end() == 0  # while it is busy


@pytest.mark.slow
def test_more_busy_files_than_processes(tmp_path: Path) -> None:
    with Client(tmp_path, customized(tmp_path / "site", SPINNING)) as client:
        client.initialize()
        client.open("a.py", WRONG)
        for number in range(MOST + 2):
            client.open(f"busy{number}.py", BUSY)
        client.codes("a.py", "NC201")
        client.change("a.py", "", 2)
        client.codes("a.py")
        client.open("b.py", WRONG)
        client.codes("b.py", "NC201")
        check_answers(client, "b.py")
        if sys.platform == "linux":
            pid = client.process.pid
            processes = [int(name) for name in os.listdir("/proc") if name.isdigit()]
            ours = [
                process
                for process in processes
                if _group(process) == _group(pid) and _is_child(process, pid)
            ]
            assert len(ours) <= MOST + 1 + 3  # the server, what it copies, what tidies up
        for number in range(MOST + 2):
            client.close(f"busy{number}.py")
        client.change("b.py", "", 2)
        client.codes("b.py")
        assert client.end() == 0


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return -1


def _is_child(pid: int, parent: int) -> bool:
    """Whether a process is `parent` or one of its descendants."""
    while pid > 1:
        if pid == parent:
            return True
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        pid = int(stat.rpartition(")")[2].split()[1])
    return False


def test_a_killed_worker_is_a_diagnostic_and_the_server_lives_on(tmp_path: Path) -> None:
    with Client(tmp_path, customized(tmp_path / "site", SPINNING)) as client:
        client.initialize()
        client.open("a.py", WRONG)
        client.codes("a.py", "NC201")
        client.open("deadly.py", WRONG + "# deadly\n")
        client.codes("deadly.py", "NC999")
        assert client.error("textDocument/hover", place(client, "deadly.py")) == -32603
        check_answers(client, "a.py")
        client.change("deadly.py", WRONG, 2)
        client.codes("deadly.py", "NC201")
        assert client.end() == 0


def test_the_waits_are_short() -> None:
    """Short enough for the user of an editor, and long enough for a loaded machine."""
    assert 0 < GRACE <= PATIENCE <= 2


PLANTED = """
from pathlib import Path
Path(__file__).with_suffix(".ran").touch()
raise SystemExit(3)
"""


def test_worker_processes_import_no_module_from_the_open_folder(tmp_path: Path) -> None:
    names = ("libcst", "multiprocessing", "selectors", "socket", "numpy")
    for name in names:
        (tmp_path / f"{name}.py").write_text(PLANTED)
    with Client(tmp_path) as client:
        client.initialize()
        client.open("a.py", WRONG)
        client.codes("a.py", "NC201")
        assert client.end() == 0
    assert not list(tmp_path.glob("*.ran"))
