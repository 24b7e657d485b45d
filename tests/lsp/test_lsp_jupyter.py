"""JupyterLab: it sends the cells of a notebook as one Python text, below a hidden folder; and the
open files that have no findings.

The messages were recorded from JupyterLab 4.6.6 with jupyterlab-lsp 5.3.0 and jupyter-lsp 2.3.1.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsprotocol import types

from editing import Editor, edited
from namecheck.lsp.closed_files.exclusion import is_kept_out
from namecheck.lsp.texts import meant_path
from namecheck.settings.config import Configuration
from test_lsp_questions import actions, carried_out, hovered

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"

CELLS = """\
get_ipython().run_line_magic("matplotlib", " inline")
import torch
files = get_ipython().getoutput("ls")
from net import add


x = torch.zeros(3, 4)
y = x + torch.zeros(3, 5)


# START_CELL_MAGIC("time", "")
z = x.t().view(12)
# END_CELL_MAGIC


get_ipython().run_cell_magic("bash", "", \"\"\"echo hi $x\"\"\")


add(torch.zeros(4))
"""

NET = "import torch\n\n\ndef add(x):\n    return x + torch.zeros(3)\n"


async def jupyter(editor: Editor) -> None:
    """Introduces itself as jupyter-lsp does: the folder of its virtual documents is the root."""
    root = (editor.folder / ".virtual_documents").as_uri()
    await editor.start(folders=[], root_uri=root)


@edited(start=False)
async def test_a_notebook_in_jupyterlab(editor: Editor) -> None:
    editor.write("sub/net.py", NET)
    await jupyter(editor)
    name = ".virtual_documents/sub/n.ipynb"
    editor.open(name, CELLS)
    assert await editor.codes(name) == ["NC201", "NC501"]
    # Its imports are resolved from the folder of the notebook itself.
    await editor.until_codes("sub/net.py", "NC201")
    assert "x: [3, 4]" in await hovered(editor, name, 6, 0)
    (action,) = (await actions(editor, name, 0, ["source.fixAll"])).values()
    fixed = carried_out(action, editor.uri(name), CELLS)
    assert fixed == CELLS.replace(".t().view", ".t().contiguous().view")


@edited(start=False, capabilities="emacs")
async def test_places_in_other_cells_are_named_by_their_code(editor: Editor) -> None:
    """The numbers of lines in the text of all cells are shown nowhere."""
    await jupyter(editor)
    name = ".virtual_documents/n.ipynb"
    editor.open(name, "import torch\n\n\nx = torch.zeros(3, 4)\n\n\nx @ torch.zeros(3, 4)\n")
    (diagnostic,) = await editor.diagnostics(name)
    assert "\nx is [3, 4] (`x = torch.zeros(3, 4)`)" in diagnostic.message


@edited(start=False)
async def test_the_settings_of_the_notebook_itself_apply(editor: Editor) -> None:
    editor.write("pyproject.toml", '[tool.namecheck.per-file-ignores]\n"sub/*.ipynb" = ["NC201"]\n')
    await jupyter(editor)
    for name, codes in (("a.ipynb", ["NC201"]), ("sub/a.ipynb", [])):
        name = f".virtual_documents/{name}"
        editor.open(name, WRONG)
        assert await editor.codes(name) == codes


@edited
async def test_an_unfinished_cell_hides_no_other_cell(editor: Editor) -> None:
    editor.write("net.py", NET)
    name = "n.ipynb"
    broken = CELLS.replace("add(torch.zeros(4))", "w = torch.zeros(2,\n\n\nclass A:\n\n\n    n = 1")
    editor.open(name, broken)
    assert await editor.codes(name) == ["NC201", "NC501", "NC900"]
    (*_, fault) = await editor.diagnostics(name)
    assert broken.splitlines()[fault.range.start.line] == "w = torch.zeros(2,"
    editor.change(name, broken.replace("zeros(2,", "zeros(2)"))
    assert await editor.codes(name) == ["NC201", "NC501"]


@edited
async def test_ipython_syntax_is_not_a_mistake(editor: Editor) -> None:
    """Some clients send the magics, too."""
    editor.open("n.ipynb", "%matplotlib inline\nimport torch\n!ls\n" + WRONG.partition("\n")[2])
    assert await editor.codes("n.ipynb") == ["NC201"]


@edited
async def test_json_is_a_notebook_whatever_its_language_id(editor: Editor) -> None:
    cell = {"cell_type": "code", "source": WRONG, "metadata": {}, "outputs": []}
    editor.open("n.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}))
    assert await editor.codes("n.ipynb") == ["NC201"]
    editor.open("empty.ipynb", "")
    assert await editor.codes("empty.ipynb") == []


@edited
async def test_an_open_file_in_a_hidden_folder_is_checked(editor: Editor) -> None:
    for name in (".github/scripts/a.py", ".b.py"):
        editor.open(name, WRONG)
        assert await editor.codes(name) == ["NC201"]
    editor.write(".venv/pyvenv.cfg", "home = /usr/bin\n")
    for name in (".venv/lib/site-packages/a.py", "build/a.py", "node_modules/.b/a.py"):
        editor.open(name, WRONG)
        assert await editor.codes(name) == []
    editor.write("pyproject.toml", '[tool.namecheck]\nexclude = [".*"]\n')
    editor.notice("pyproject.toml", types.FileChangeType.Created)
    await editor.until_codes(".b.py")
    await editor.until_codes("build/a.py", "NC201")


def test_files_that_are_kept_out(tmp_path: Path) -> None:
    def is_out(name: str, folder: Path = tmp_path) -> bool:
        return is_kept_out(str(tmp_path / name), str(folder), Configuration())

    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    assert is_out("env/lib/a.py")
    assert not is_out("env/lib/a.py", tmp_path / "env")  # the user has opened this folder itself
    assert not is_out("a.py")
    assert not is_out(".a/b.py")
    (tmp_path / "pyproject.toml").write_text('[tool.namecheck]\nextend-exclude = [".a"]\n')
    assert is_out(".a/b.py")
    assert not is_out(".c/b.py")
    (tmp_path / "pyproject.toml").write_text("[tool.namecheck]\nforce-exclude = true\n")
    assert is_out(".c/b.py")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/w/.virtual_documents/a/n.ipynb", "/w/a/n.ipynb"),
        ("/w/.virtual_documents", "/w"),
        ("/.virtual_documents", "/"),
        ("/w/virtual_documents/n.ipynb", "/w/virtual_documents/n.ipynb"),
    ],
)
def test_a_virtual_document_stands_for_its_notebook(path: str, expected: str) -> None:
    assert meant_path(path) == expected
