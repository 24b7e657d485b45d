"""Mistakes in an open file that show only when closed files call it, as `check .` finds them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsprotocol import types

import namecheck.lsp.closed_files.callers as callers_module
import namecheck.lsp.closed_files.importers as importers_module
from editing import Editor, edited
from namecheck.files.import_statements import Statement, statements
from namecheck.lsp.closed_files.importers import Importers
from namecheck.lsp.desk import Desk
from namecheck.lsp.texts import Sheet
from namecheck.settings.config import Configuration
from raw import Client, customized
from test_lsp_busy import SPINNING

NET = "import torch\n\n\ndef add(x):\n    return x + torch.zeros(3)\n"
CALLS = "import torch\nfrom net import add\n\ny = add(torch.zeros(4))\n"

DEADLY = SPINNING + "import namecheck.lsp.closed_files.callers as callers\ncallers.examine = spin\n"


@edited
async def test_an_open_file_is_checked_with_its_callers(editor: Editor) -> None:
    editor.write("calls.py", CALLS)
    editor.write("net.py", NET)
    editor.open("net.py", NET)
    await editor.until_codes("net.py", "NC201")
    (diagnostic,) = editor.published[editor.uri("net.py")].diagnostics
    assert diagnostic.range.start.line == 4
    assert diagnostic.related_information is not None
    assert editor.uri("calls.py") in {note.location.uri for note in diagnostic.related_information}
    assert editor.uri("calls.py") not in editor.published
    # The finding moves with the text at once, since the edit does not touch it.
    editor.change("net.py", "import os\n" + NET)
    (diagnostic,) = await editor.diagnostics("net.py")
    assert diagnostic.range.start.line == 5
    editor.change("net.py", NET.replace("zeros(3)", "zeros(4)"))
    await editor.until_codes("net.py")
    editor.change("net.py", NET)
    await editor.until_codes("net.py", "NC201")
    editor.write("calls.py", CALLS.replace("4", "3"))
    editor.notice("calls.py")
    await editor.until_codes("net.py")


@edited
async def test_callers_can_be_created_opened_closed_and_deleted(editor: Editor) -> None:
    editor.write("net.py", NET)
    editor.open("net.py", NET)
    assert await editor.codes("net.py") == []
    editor.write("sub/deep.py", CALLS)
    editor.notice("sub/deep.py", types.FileChangeType.Created)
    await editor.until_codes("net.py", "NC201")
    # An open caller has the text of the editor.
    editor.open("sub/deep.py", CALLS.replace("4", "3"))
    await editor.until_codes("net.py")
    editor.close("sub/deep.py")
    await editor.until_codes("net.py", "NC201")
    (editor.folder / "sub" / "deep.py").unlink()
    editor.notice("sub/deep.py", types.FileChangeType.Deleted)
    await editor.until_codes("net.py")


@edited
async def test_callers_of_callers_through_a_package(editor: Editor) -> None:
    editor.write("pkg/__init__.py", "from .inner import Net\n")
    editor.write(
        "pkg/inner.py",
        "from . import net\n\n\nclass Net:\n    def go(self, x):\n        return net.add(x)\n",
    )
    editor.write("pkg/net.py", NET)
    editor.write("main.py", "import torch\nimport pkg as p\n\np.Net().go(torch.zeros(4))\n")
    editor.open("pkg/net.py", NET)
    await editor.until_codes("pkg/net.py", "NC201")


@edited
async def test_a_suppression_that_a_caller_needs_is_not_unused(editor: Editor) -> None:
    editor.write("calls.py", CALLS)
    text = NET.replace("zeros(3)", "zeros(3)  # namecheck: ignore[NC201]")
    editor.write("net.py", text)
    editor.open("net.py", text)
    await editor.until_codes("net.py", "NC901")
    await editor.until_codes("net.py")


@edited
async def test_excluded_callers_do_not_count(editor: Editor) -> None:
    editor.write("pyproject.toml", '[tool.namecheck]\nexclude = ["old"]\n')
    editor.write("old/calls.py", CALLS)
    editor.write("net.py", NET)
    editor.open("net.py", NET)
    editor.write("calls.py", CALLS.replace("4", "5"))
    await editor.until_codes("net.py", "NC201")
    assert "[5]" in editor.published[editor.uri("net.py")].diagnostics[0].message


@edited(start=False)
async def test_callers_can_be_switched_off(editor: Editor) -> None:
    await editor.start(initialization_options={"callers": False})
    editor.write("calls.py", CALLS)
    editor.write("net.py", NET)
    editor.open("net.py", NET)
    assert await editor.codes("net.py") == []
    editor.client.set_configuration({"namecheck": {"callers": True}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    await editor.until_codes("net.py", "NC201")


def test_a_caller_that_kills_the_process_is_left_out(tmp_path: Path) -> None:
    with Client(tmp_path, customized(tmp_path / "site", DEADLY)) as client:
        (tmp_path / "a_deadly.py").write_text(CALLS + "# deadly\n")
        (tmp_path / "calls.py").write_text(CALLS)
        client.initialize()
        client.open("net.py", NET)
        client.codes("net.py", "NC201")
        assert client.end() == 0


def opened(tmp_path: Path, text: str = NET) -> Desk:
    path = str(tmp_path / "net.py")
    uri = Path(path).as_uri()
    desk = Desk([str(tmp_path)], Configuration(isolated=True))
    desk.take({path: Sheet(path, True, {None: text}, {None: uri}, {None: 1}, uri)}, frozenset())
    return desk


def test_the_search_for_callers_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        (tmp_path / f"calls{number}.py").write_text(CALLS)
    monkeypatch.setattr(importers_module, "MOST", 4)
    desk = opened(tmp_path)
    desk.callers.begin()
    questions = 0
    while not (result := callers_module.look_at_next(desk, ()))[1]:
        questions += 1
    assert questions < 5
    assert len(result[0]) == 4
    # The results are remembered: no caller is examined again.
    monkeypatch.setattr(callers_module, "examine", None)
    desk.callers.begin()
    assert callers_module.look_at_next(desk, ()) == result
    monkeypatch.undo()
    monkeypatch.setattr(callers_module, "SECONDS", 0.0)
    desk = opened(tmp_path)
    desk.callers.begin()
    assert callers_module.look_at_next(desk, ()) == ((), True)


def test_a_caller_that_takes_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "calls.py").write_text(CALLS)
    monkeypatch.setattr(callers_module, "EACH", -1.0)
    desk = opened(tmp_path)
    desk.callers.begin()
    assert callers_module.look_at_next(desk, ()) == ((), True)
    monkeypatch.undo()
    desk.callers.begin()
    assert callers_module.look_at_next(desk, ()) == ((), True)  # as long as the file is unchanged
    (tmp_path / "calls.py").write_text(CALLS + "\n")
    desk.callers.begin()
    (called,), is_last = callers_module.look_at_next(desk, ())
    assert is_last
    assert [finding.code for finding in called.findings] == ["NC201"]


def test_notebooks_call_too(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": CALLS, "metadata": {}, "outputs": []}
    (tmp_path / "calls.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}}))
    desk = opened(tmp_path)
    desk.callers.begin()
    (called,), _ = callers_module.look_at_next(desk, ())
    assert [finding.code for finding in called.findings] == ["NC201"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch\nimport os, sys\nfrom numpy import a\n", ()),
        ("import a.b as c, d  # e\n", ((0, "a"), (0, "a.b"), (0, "d"))),
        ("from a import b as c, d\n", ((0, "a", ("b", "d")),)),
        ("from a import (\n  b,  # c\n  d,\n)\n", ((0, "a", ("b", "d")),)),
        ("from a import b, \\\n  d; x = 1\n", ((0, "a", ("b", "d")),)),
        ("  from ..a import *\n", ((2, "a"),)),
        ("from . import b\r\nfrom .c import d\r\n", ((1, "", ("b",)), (1, "c", ("d",)))),
        ("important = 1\nx = 'import y'\nfromage = 2\n", ()),
    ],
)
def test_import_statements_are_found(text: str, expected: tuple[tuple[object, ...], ...]) -> None:
    assert statements(text) == tuple(Statement(*fields) for fields in expected)  # type: ignore[arg-type]


def test_the_importers_of_a_file(tmp_path: Path) -> None:
    def write(name: str, text: str = "") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    init = write("pkg/__init__.py", "from .net import Net\n")
    net = write("pkg/net.py")
    inner = write("pkg/inner.py", "from . import anything\n")
    main = write("main.py", "import pkg.other\n")
    write("other.py", "import network, net\nfrom a.pkg import net\n")  # no such modules
    test = write("tests/test_main.py", "from main import *\n")
    importers = Importers([str(tmp_path)], Configuration(isolated=True), lambda: None)
    importers.refresh()
    assert importers.of([net], {}) == [init, main, inner, test]
    assert importers.of([net], {init: ""}) == []
    assert importers.of([main], {}) == [test]
    write("other.py", "from pkg.net import Net\n")
    importers.refresh()
    assert str(tmp_path / "other.py") in importers.of([net], {})
    new = write("new.py", "import main\n")
    importers.refresh()
    assert new not in importers.of([main], {})
    importers.forget()
    importers.refresh()
    assert new in importers.of([main], {})
