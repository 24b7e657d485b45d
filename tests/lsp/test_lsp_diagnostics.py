"""Diagnostics of the language server, to a real client, over the command's streams."""

from __future__ import annotations

import subprocess
import sys

from lsprotocol import types

from editing import Editor, edited, environment

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"
RIGHT = WRONG.replace("5", "4")


@edited
async def test_opening_a_file_publishes_its_findings(editor: Editor) -> None:
    editor.open("a.py", WRONG)
    (diagnostic,) = await editor.diagnostics("a.py")
    assert diagnostic.code == "NC201"
    assert diagnostic.source == "namecheck"
    assert diagnostic.severity == types.DiagnosticSeverity.Error
    assert diagnostic.range == types.Range(types.Position(2, 4), types.Position(2, 41))
    assert "4" in diagnostic.message
    assert "5" in diagnostic.message
    assert diagnostic.related_information is not None
    places = {related.message: related.location for related in diagnostic.related_information}
    assert places["[3, 4]"].uri == editor.uri("a.py")
    assert places["[3, 4]"].range.start == types.Position(2, 4)
    assert places["[3, 5]"].range.start == types.Position(2, 24)


@edited
async def test_an_edit_is_checked_and_a_closed_file_is_cleared(editor: Editor) -> None:
    editor.open("a.py", WRONG)
    assert await editor.codes("a.py") == ["NC201"]
    editor.type("a.py", (2, 39), (2, 40), "4")  # 5 -> 4
    assert await editor.codes("a.py") == []
    editor.change("a.py", WRONG)
    assert await editor.codes("a.py") == ["NC201"]
    editor.close("a.py")
    await editor.until_codes("a.py")


VIEW = "import torch\n\nx = torch.zeros(2, 3, 4).transpose(1, 2)\ny = x.view(2, 12)\n"


@edited(capabilities="emacs")
async def test_a_client_without_related_places_gets_them_in_the_message(editor: Editor) -> None:
    editor.open("a.py", VIEW)
    (diagnostic,) = await editor.diagnostics("a.py")
    assert not diagnostic.related_information
    assert diagnostic.message.startswith("cannot view [2, 4, 3] as [2, 12]: ")
    assert "not contiguous since this transpose (line 3)" in diagnostic.message


@edited(capabilities="emacs")
async def test_without_related_places_a_place_in_another_file_names_it(editor: Editor) -> None:
    editor.write("net.py", "import torch\n\n\nsize = 5\nx = torch.zeros(3, size)\n")
    editor.open("a.py", "import torch\nfrom net import x\n\ny = x + torch.zeros(3, 4)\n")
    (diagnostic,) = await editor.diagnostics("a.py")
    assert "\nx is [3, 5] (net.py, line 5)" in diagnostic.message


def test_without_pygls_the_command_says_what_it_needs() -> None:
    start = "import sys; sys.modules['pygls'] = None; from namecheck.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", start, "server"], env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr == (
        "Error: the server needs the package pygls: pip install 'namecheck-tensors[lsp]'\n"
    )
    assert done.stdout == ""
