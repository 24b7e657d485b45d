"""`workspace/diagnostic`: the findings of all files, as `check FOLDER` reports them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

import namecheck.lsp.closed_files.workspace_findings as findings_module
from editing import environment
from namecheck.analysis import Unwanted
from namecheck.lsp.answers import Reader, WorkspaceFound
from namecheck.lsp.closed_files.workspace_findings import workspace_findings
from namecheck.lsp.desk import Desk
from namecheck.lsp.questions import Workspace
from namecheck.settings.config import Configuration
from raw import Client

PULLS = {
    "textDocument": {"diagnostic": {}, "publishDiagnostics": {"relatedInformation": True}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
    "window": {"workDoneProgress": True},
}
WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"
RIGHT = WRONG.replace("5", "4")
NET = "import torch\n\n\ndef add(x):\n    return x + torch.zeros(3)\n"
CALLS = "import torch\nfrom net import add\n\ny = add(torch.zeros(4))\n"
CELLS = [{"cell_type": "code", "source": WRONG, "metadata": {}, "outputs": []}]

FILES = {
    "pyproject.toml": (
        "[tool.namecheck]\nextend-exclude = ['old']\nper-file-ignores = {'quiet.py' = ['NC201']}\n"
    ),
    "a.py": WRONG,
    "sub/net.py": NET,
    "sub/calls.py": CALLS,
    "old/b.py": WRONG,
    "venv/pyvenv.cfg": "",
    "venv/c.py": WRONG,
    "quiet.py": WRONG,
    "silenced.py": WRONG.replace("5)\n", "5)  # namecheck: ignore[NC201]\n"),
    "baselined.py": WRONG,
    "notebook.ipynb": json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4}),
    "README.md": "```python\nimport torch\nfrom sub.net import add\n\nadd(torch.zeros(5))\n```\n",
}


def command(folder: Path, *options: str) -> str:
    """What a command prints in the folder."""
    words = [sys.executable, "-m", "namecheck", *options]
    return subprocess.run(
        words, cwd=folder, env=environment(), capture_output=True, text=True, check=False
    ).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workspace").resolve()
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    command(folder, "baseline", "write", "baselined.py")
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    with Client(folder, options=()) as client:
        server = client.initialize(**PULLS)
        assert server["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"]
        yield client
        assert client.end() == 0


def pulled(client: Client, previous: Mapping[str, str], **more: object) -> dict[str, Any]:
    """The reports of an answer by URI."""
    ids = [{"uri": uri, "value": value} for uri, value in previous.items()]
    result = client.result("workspace/diagnostic", {"previousResultIds": ids, **more})
    return {report["uri"]: report for report in result["items"]}


def ids(reports: Mapping[str, Any]) -> dict[str, str]:
    return {uri: report["resultId"] for uri, report in reports.items()}


def places(reports: Mapping[str, Any]) -> set[tuple[str, str, int, int]]:
    """The file, code, line and column of each finding, counted from 1."""
    return {
        (uri, item["code"], start["line"] + 1, start["character"] + 1)
        for uri, report in reports.items()
        for item in report.get("items", ())
        for start in (item["range"]["start"],)
    }


def test_all_files_are_reported_as_check_reports_them(client: Client, folder: Path) -> None:
    reports = pulled(client, {})
    checked = json.loads(command(folder, "check", "--output-format", "json", "--exit-zero"))
    expected = {
        (
            (folder / finding["filename"]).as_uri(),
            finding["code"],
            finding["location"]["row"],
            finding["location"]["column"],
        )
        for finding in checked
    }
    assert places(reports) == expected
    names = {Path(uri).relative_to(folder.as_uri()).as_posix() for uri in reports}
    assert names == {"a.py", "sub/net.py", "notebook.ipynb", "README.md"}
    assert all(report["version"] is None for report in reports.values())
    assert len(list((folder / ".namecheck_cache").glob("*.index"))) == 1  # one cache for both


def test_an_answer_says_only_what_is_new(client: Client, folder: Path) -> None:
    known = ids(pulled(client, {}))
    client.open("a.py", RIGHT)  # the text of the editor counts
    reports = pulled(client, known)
    a = client.uri("a.py")
    assert reports[a]["kind"] == "full"
    assert (reports[a]["items"], reports[a]["version"]) == ([], None)
    others = [report for uri, report in reports.items() if uri != a]
    assert {report["kind"] for report in others} == {"unchanged"}
    assert ids(reports).keys() == known.keys()
    client.change("a.py", WRONG, version=7)
    token = "parts"
    assert pulled(client, ids(reports), partialResultToken=token) == {}
    parts = [
        report
        for message in client.messages
        if message.get("method") == "$/progress" and message["params"]["token"] == token
        for report in message["params"]["value"]["items"]
    ]
    (full,) = (part for part in parts if part["kind"] == "full")
    assert (full["uri"], full["version"]) == (a, 7)
    assert {part["uri"] for part in parts} == known.keys()
    client.close("a.py")


def test_a_request_without_news_waits_until_it_is_cancelled(client: Client) -> None:
    known = ids(pulled(client, {}))
    items = [{"uri": uri, "value": value} for uri, value in known.items()]
    waiting = client.ask("workspace/diagnostic", {"previousResultIds": items})
    client.open("b.py", WRONG)
    pull = {"textDocument": {"uri": client.uri("b.py")}}
    assert client.result("textDocument/diagnostic", pull)["items"]  # nothing else waits for it
    client.notify("$/cancelRequest", id=waiting)
    assert client.answer(waiting)["error"]["code"] == -32800
    client.close("b.py")


def test_the_user_can_turn_it_off_and_on(client: Client) -> None:
    known = ids(pulled(client, {}))
    assert known
    client.notify("workspace/didChangeConfiguration", settings={"workspace": False})
    cleared = pulled(client, known)
    assert cleared.keys() == known.keys()
    assert places(cleared) == set()
    client.notify("workspace/didChangeConfiguration", settings={"workspace": True})
    assert ids(pulled(client, ids(cleared))) == known


def test_a_client_that_cannot_be_asked_to_pull_again_is_not_offered_it(tmp_path: Path) -> None:
    with Client(tmp_path.resolve()) as client:
        server = client.initialize(textDocument={"diagnostic": {}})
        assert "diagnosticProvider" not in server["capabilities"]
        assert client.error("workspace/diagnostic", {"previousResultIds": []}) == -32601


@pytest.fixture
def desk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NAMECHECK_NO_CACHE", "1")
    return Desk([str(folder), str(folder / "sub")], Configuration())


READER = Reader("utf-16", related=True, versioned=True)


def test_parts_of_an_answer_grow_to_all_of_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings_module, "EVERY", -1.0)
    parts: list[WorkspaceFound] = []
    found = workspace_findings(desk, READER, parts.append)
    assert [part.done for part in parts] == list(range(1, found.files + 1))
    assert (found.done, len(found.diagnostics)) == (found.files, 4)
    before: dict[str, list[types.Diagnostic]] = {}
    for part in parts:
        assert all(one in part.diagnostics[uri] for uri in before for one in before[uri])
        before = dict(part.diagnostics)
    assert before == found.diagnostics


def test_a_check_that_is_not_wanted_ends_after_the_file(desk: Desk) -> None:
    parts: list[WorkspaceFound] = []
    desk.unwanted = lambda: True
    with pytest.raises(Unwanted):
        workspace_findings(desk, READER, parts.append)


def test_a_folder_with_very_many_files_is_left_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings_module, "MOST_FILES", 3)
    found = workspace_findings(desk, READER, [].append)
    assert (found.diagnostics, found.files) == ({}, 0)


def test_settings_that_cannot_be_read_leave_the_last_answer(tmp_path: Path) -> None:
    (tmp_path / "namecheck.toml").write_text("select = 5")
    desk = Desk([str(tmp_path)], Configuration())
    here = Path.cwd()
    try:
        assert Workspace().answer(desk, READER) is None
    finally:
        os.chdir(here)
