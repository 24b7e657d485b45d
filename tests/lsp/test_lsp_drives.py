"""What drives show of an open file: after the plain findings, and as `check FILE` reports it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

import namecheck.lsp.driving as driving_module
from editing import Editor, edited
from lessons import programs
from namecheck.analysis import Unwanted
from namecheck.findings import Finding
from namecheck.lsp.desk import Desk
from namecheck.lsp.driving import drive_next
from namecheck.lsp.texts import Sheet
from namecheck.running.checking import check_files
from namecheck.running.discovery import discover
from namecheck.running.drivers import drivers_of
from namecheck.settings.config import Configuration
from raw import Client, customized

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*/*.py"))
PROGRAMS = list(programs(ROOT / "tests" / "cases" / "drives.md"))


def absolute(finding: Finding) -> Finding:
    notes = tuple(
        note._replace(path=os.path.abspath(note.path)) if note.path else note
        for note in finding.notes
    )
    return finding._replace(path=os.path.abspath(finding.path), notes=notes, fix=None)


def sheet(path: Path, text: str) -> Sheet:
    uri = path.as_uri()
    return Sheet(str(path), True, {None: text}, {None: uri}, {None: 1}, uri)


def take(path: Path, text: str, *desks: Desk) -> None:
    for desk in desks:
        desk.take({str(path): sheet(path, text)})
    desks[0].up_to_date(str(path))


def drive(driving: Desk, reporting: Desk) -> None:
    """Drive all programs at one desk, and report it at another."""
    driving.drives.begin()
    left = 1
    while left:
        driven, left = drive_next(driving, ())
    reporting.driven.take(driven, reporting.sheets)


def served(*paths: Path) -> list[Finding]:
    """What the server shows of these files, once all drives are done."""
    folders = [str(paths[0].parent)]
    reporting, driving = (Desk(folders, Configuration(isolated=True)) for _ in range(2))
    sheets = {str(path): sheet(path, path.read_text(encoding="utf-8")) for path in paths}
    for desk in (reporting, driving):
        desk.take(sheets)
    for path in paths:
        reporting.up_to_date(str(path))
    drive(driving, reporting)
    return [absolute(f) for findings in reporting.reported().findings.values() for f in findings]


def checked(path: Path) -> list[Finding]:
    """What `check FILE` reports."""
    configuration = Configuration(isolated=True)
    discovered = discover((str(path),), configuration)
    discovered = discovered._replace(outside=drivers_of((str(path),), configuration))
    return [absolute(f) for f in check_files((str(path),), discovered, configuration).reported]


def assert_same(path: Path) -> None:
    assert sorted(served(path)) == sorted(checked(path))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_server_shows_of_an_example_what_check_reports(path: Path) -> None:
    assert_same(path)


def lesson(number: int) -> object:
    marks = [pytest.mark.slow] if number % 6 else []
    return pytest.param(number, id=PROGRAMS[number].title, marks=marks)


@pytest.mark.parametrize("number", [lesson(n) for n in range(len(PROGRAMS))])
def test_the_server_shows_of_a_lesson_what_check_reports(number: int, tmp_path: Path) -> None:
    path = tmp_path.resolve() / "program.py"
    path.write_text(PROGRAMS[number].marks.text, encoding="utf-8")
    assert_same(path)


NET = """\
from torch import nn


class Net(nn.Module):
    def __init__(self, width, classes=10):
        super().__init__()
        self.encode = nn.Linear(width, 2 * width)
        self.decide = nn.Linear(32, classes)

    def forward(self, x):
        return self.decide(self.encode(x).relu())
"""

TEST = """\
import pytest
import torch

from net import Net


@pytest.mark.parametrize("width", [8, 16])
def test_scores(width):
    assert Net(width)(torch.randn(3, width)).shape == (3, 10)
"""

README = """\
```python
import torch
from net import Net

scores = Net(16)(torch.randn(2, 17))
```

```python
Net(16)(torch.randn(2, 18))  # namecheck: ignore[NC208]
```
"""

DRIVING = "driven by `assert Net(width)(torch.randn(3, width)).shape == (3, 10)`"


def written(folder: Path, files: Mapping[str, str]) -> Path:
    folder = folder.resolve()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


PROJECT = {"net.py": NET, "test_net.py": TEST, "README.md": README, "pyproject.toml": ""}


@pytest.mark.parametrize("name", ["net.py", "test_net.py"])
def test_the_server_shows_of_a_project_what_check_reports(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, PROJECT) / name
    findings = served(path)
    assert {(Path(f.path).name, f.code) for f in findings} >= {("net.py", "NC208")}
    assert sorted(findings) == sorted(checked(path))


def test_an_open_test_drives_an_open_module(tmp_path: Path) -> None:
    folder = written(tmp_path, PROJECT)
    assert set(served(folder / "net.py", folder / "test_net.py")) == set(checked(folder / "net.py"))


def test_a_silenced_finding_of_a_drive_needs_its_comment(tmp_path: Path) -> None:
    silenced = NET.replace(".relu())\n", ".relu())  # namecheck: ignore[NC208]\n")
    folder = written(tmp_path, {**PROJECT, "net.py": silenced, "README.md": ""})
    path = folder / "net.py"
    assert served(path) == []
    reporting, driving = (Desk([str(folder)], Configuration(isolated=True)) for _ in range(2))
    take(path, silenced, reporting, driving)
    drive(driving, reporting)
    # While the drive has to run again, nothing is known of the comment.
    take(path, silenced.replace("from torch", "import os\nfrom torch"), reporting)
    assert reporting.reported().findings[str(path)] == []
    take(path, silenced.replace("Linear(32", "Linear(2 * width"), reporting, driving)
    drive(driving, reporting)
    assert [f.code for f in reporting.reported().findings[str(path)]] == ["NC901"]


def test_settings_turn_drives_off(tmp_path: Path) -> None:
    folder = written(tmp_path, {**PROJECT, "namecheck.toml": "drive = false\n"})
    desk = Desk([str(folder)], Configuration())
    path = folder / "net.py"
    desk.take({str(path): sheet(path, NET)})
    assert drive_next(desk, ()) == ((), 0)


@edited
async def test_findings_of_drives_follow_the_plain_ones(editor: Editor) -> None:
    for name, text in PROJECT.items():
        editor.write(name, text)
    wrong = NET + "\n\nnn.Linear(3, 4)(nn.Parameter(nn.Linear(2, 5).weight))\n"
    editor.open("net.py", wrong)
    assert await editor.codes("net.py") == ["NC208"]  # at once, what the file shows by itself
    await editor.until_codes("net.py", "NC208", "NC208")
    driven = editor.published[editor.uri("net.py")].diagnostics[0]
    related = {r.message: r.location for r in driven.related_information or ()}
    line = related[f"{DRIVING}, called with x [3, 8]"]
    assert (line.uri, line.range.start.line) == (editor.uri("test_net.py"), 8)
    # Elsewhere in the file an edit leaves it, with its line; in its own function it ends it.
    editor.change("net.py", "import os\n" + wrong)
    before, plain = await editor.diagnostics("net.py")
    assert (before.range.start.line, plain.range.start.line) == (11, 14)
    right = wrong.replace("Linear(32,", "Linear(2 * width,")
    editor.change("net.py", right)
    assert await editor.codes("net.py") == ["NC208"]
    readme = editor.uri("README.md")
    await editor.until(lambda: bool(editor.published[readme].diagnostics))
    assert [d.range.start.line for d in editor.published[readme].diagnostics] == [4]
    editor.client.set_configuration({"namecheck": {"drives": False}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    await editor.until(lambda: not editor.published[readme].diagnostics)


PATIENT = """
import time
import namecheck.lsp.client.long_work as long_work
import namecheck.lsp.driving as driving
long_work.SLOW = 0.01
examine = driving.examine
def wait(document, program, **options):
    while 'patient' in document.text:
        program.check_wanted()
        time.sleep(0.01)
    return examine(document, program, **options)
driving.examine = wait
"""
"""Drives that never end, and work that is shown at once."""


def test_a_drive_delays_nothing_is_shown_and_ends_at_an_edit(tmp_path: Path) -> None:
    folder = written(tmp_path, {**PROJECT, "README.md": ""})
    wrong = NET + "\n\nnn.Linear(3, 4)(nn.Parameter(nn.Linear(2, 5).weight))\n"
    with Client(folder, customized(tmp_path / "site", PATIENT)) as client:
        client.initialize(window={"workDoneProgress": True})
        client.open("net.py", wrong + "# patient\n")
        client.codes("net.py", "NC208")

        def created() -> dict[str, Any] | None:
            wanted = "window/workDoneProgress/create"
            return next((m for m in client.messages if m.get("method") == wanted), None)

        def shown(token: str) -> list[dict[str, Any]]:
            messages = [m["params"] for m in client.messages if m.get("method") == "$/progress"]
            return [params["value"] for params in messages if params["token"] == token]

        message = client.until(created)
        token = message["params"]["token"]
        client.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
        (begin,) = client.until(lambda: shown(token))
        assert (begin["kind"], begin["title"]) == ("begin", "Following entry points")
        place = {"textDocument": {"uri": client.uri("net.py")}}
        position = {"line": 13, "character": 45}
        assert client.result("textDocument/hover", {**place, "position": position})
        assert len(shown(token)) == 1  # the drive still runs
        client.change("net.py", wrong)
        client.codes("net.py", "NC208", "NC208")
        assert shown(token)[-1]["kind"] == "end"
        assert client.end() == 0


def test_work_is_not_shown_to_a_client_that_cannot_show_it(tmp_path: Path) -> None:
    folder = written(tmp_path, PROJECT)
    with Client(folder, customized(tmp_path / "site", PATIENT)) as client:
        client.initialize()
        client.open("net.py", NET)
        client.codes("net.py", "NC208")
        methods = {message.get("method") for message in client.messages}
        assert methods.isdisjoint({"window/workDoneProgress/create", "$/progress"})
        assert client.end() == 0


def test_a_drive_that_takes_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(tmp_path, PROJECT)
    monkeypatch.setattr(driving_module, "EACH", -1.0)
    assert served(folder / "net.py") == []
    monkeypatch.undo()
    monkeypatch.setattr(driving_module, "SECONDS", 0.0)
    assert served(folder / "net.py") == []


def test_an_unwanted_drive_ends(tmp_path: Path) -> None:
    path = written(tmp_path, PROJECT) / "net.py"
    desk = Desk([str(path.parent)], Configuration(isolated=True))
    desk.take({str(path): sheet(path, NET)})
    desk.unwanted = lambda: True
    with pytest.raises(Unwanted):
        drive_next(desk, ())
    desk.unwanted = None
    while drive_next(desk, ()).left:
        pass
    assert not desk.program.drives  # what is asked next is asked of the file by itself
