"""The language server and the files around the open ones: encodings, imports, settings, folders."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from lsprotocol import types

from editing import Editor, edited, in_editor
from namecheck.findings import Span
from namecheck.lsp.ranges import UTF8, UTF16, UTF32, Places, characters, offset, units

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"

# Encodings count these letters differently: of two bytes, of three, and beyond the first plane.
ASTRAL = 'import torch\n\ns = "é€😀"; x = torch.zeros(3, 4) + torch.zeros(3, 5)  # é€😀\ny = 1\n'
COLUMNS = {UTF8: 21, UTF16: 16, UTF32: 15}
"""Where `torch.zeros(3, 4)` begins in the third line."""


@pytest.mark.parametrize("encoding", [UTF8, UTF16, UTF32])
def test_positions_in_every_encoding(encoding: str, tmp_path: Path) -> None:
    async def scenario(editor: Editor) -> None:
        assert editor.capabilities.general is not None
        editor.capabilities.general.position_encodings = [encoding]
        await editor.start()
        assert editor.server is not None
        assert editor.server.capabilities.position_encoding == encoding
        editor.open("a.py", ASTRAL)
        (diagnostic,) = await editor.diagnostics("a.py")
        column = COLUMNS[encoding]
        assert diagnostic.range == types.Range(
            types.Position(2, column), types.Position(2, column + 37)
        )
        # An edit behind these letters changes the right place: 5 -> 4.
        editor.type("a.py", (2, column + 35), (2, column + 36), "4")
        assert await editor.codes("a.py") == []
        editor.type("a.py", (2, column + 35), (2, column + 36), "7")
        (diagnostic,) = await editor.diagnostics("a.py")
        assert "7" in diagnostic.message
        # A place behind the end of a line is its end.
        editor.type("a.py", (2, 500), (2, 900), "  # namecheck: ignore[NC201]")
        assert await editor.codes("a.py") == []
        editor.type("a.py", (99, 0), (99, 0), "z = torch.zeros(2) + torch.zeros(3)\n")
        (diagnostic,) = await editor.diagnostics("a.py")
        assert diagnostic.range.start.line == 4

    asyncio.run(in_editor(scenario, tmp_path, "visual-studio-code", False))


def test_lines_end_where_python_ends_them() -> None:
    places = Places("a\fb\x0cc\r\nd\u2028e\rf\n", UTF16)
    assert places.lines == ["a\fb\x0cc\r\n", "d\u2028e\r", "f\n"]
    assert places.position(3, 1) == types.Position(2, 0)
    assert places.position(1, 99) == types.Position(0, 5)
    assert places.position(4, 1) == places.position(77, 5) == types.Position(3, 0)
    assert Places("ab", UTF16).position(9, 9) == types.Position(0, 2)
    assert Places("", UTF16).range(Span(1, 1, 1, 1)) == types.Range(
        types.Position(0, 0), types.Position(0, 0)
    )


@pytest.mark.parametrize("encoding", [UTF8, UTF16, UTF32])
def test_units_and_characters_are_inverse(encoding: str) -> None:
    line = "aé€😀\ud83d b\n"
    for number in range(len(line)):
        assert characters(line, units(line[:number], encoding), encoding) == number
    if encoding != UTF32:  # a place in the middle of a letter is the one before it
        assert characters(line, units(line[:3], encoding) + 1, encoding) == 3
    assert offset([line, line], types.Position(1, 999), encoding) == 2 * len(line) - 1


@edited
async def test_a_form_feed_does_not_end_a_line(editor: Editor) -> None:
    text = "import torch\n\f\nx = torch.zeros(3, 4)\x0c + torch.zeros(3, 5)\n"
    editor.open("a.py", text)
    (diagnostic,) = await editor.diagnostics("a.py")
    assert diagnostic.range.start == types.Position(2, 4)
    editor.type("a.py", (2, 40), (2, 41), "4")
    assert await editor.codes("a.py") == []


@edited
async def test_a_byte_order_mark_is_not_a_mistake(editor: Editor) -> None:
    editor.open("a.py", "\ufeff" + "import torch; x = torch.zeros(3) + torch.zeros(4)\n")
    (diagnostic,) = await editor.diagnostics("a.py")
    assert diagnostic.code == "NC201"
    assert diagnostic.range.start == types.Position(0, 19)


CALLEE = "import torch\n\nwidth = 3\n\n\ndef add(x):\n    return x + torch.zeros(width)\n"
CALLER = "import torch\nfrom callee import width\n\nx = torch.zeros(4) + torch.zeros(width)\n"


@edited
async def test_importers_see_an_unsaved_edit(editor: Editor) -> None:
    editor.write("callee.py", CALLEE)
    editor.write("caller.py", CALLER)
    editor.open("caller.py", CALLER)
    await editor.until_codes("caller.py", "NC201")
    editor.open("callee.py", CALLEE)
    editor.change("callee.py", CALLEE.replace("= 3", "= 4"))
    await editor.until_codes("caller.py")
    editor.close("callee.py")  # not saved
    await editor.until_codes("caller.py", "NC201")


@edited
async def test_files_that_other_programs_change_are_read_again(editor: Editor) -> None:
    editor.write("callee.py", CALLEE)
    editor.open("caller.py", CALLER)
    await editor.until_codes("caller.py", "NC201")
    editor.write("callee.py", CALLEE.replace("= 3", "= 4000 - 3996"))
    editor.notice("callee.py")
    await editor.until_codes("caller.py")
    (editor.folder / "callee.py").unlink()
    editor.notice("callee.py", types.FileChangeType.Deleted)
    editor.change("caller.py", CALLER + "y = torch.zeros(2) + torch.zeros(3)\n")
    (diagnostic,) = await editor.diagnostics("caller.py")
    assert diagnostic.range.start.line == 4
    editor.write("callee.py", CALLEE)
    editor.notice("callee.py", types.FileChangeType.Created)
    await editor.until_codes("caller.py", "NC201", "NC201")


@edited
async def test_a_new_file_that_an_imported_one_imports_is_seen(editor: Editor) -> None:
    """Neither the new file nor the one that imports it is open."""
    editor.write("between.py", "from callee import *\n")
    caller = CALLER.replace("from callee", "from between").replace(
        "import callee", "import between"
    )
    editor.open("caller.py", caller)
    assert await editor.codes("caller.py") == []
    editor.write("callee.py", CALLEE)
    editor.notice("callee.py", types.FileChangeType.Created)
    await editor.until_codes("caller.py", "NC201")


@edited
async def test_the_client_is_asked_to_watch_files(editor: Editor) -> None:
    editor.open("a.py", WRONG)
    await editor.until_codes("a.py", "NC201")
    (registered,) = editor.registered
    assert registered.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    assert [w["globPattern"] for w in registered.register_options["watchers"]] == [
        "**/*.{py,pyi,ipynb,md,markdown,rst}",
        "**/{pyproject,namecheck}.toml",
    ]


CALLED = "import torch\n\n\ndef add(x):\n    return x + torch.zeros(3)\n"


@edited
async def test_an_open_caller_shows_a_mistake_in_its_callee(editor: Editor) -> None:
    editor.write("called.py", CALLED)
    calls = "import torch\nfrom called import add\n\ny = add(torch.zeros(4))\n"
    editor.open("calls.py", calls)
    await editor.until_codes("called.py", "NC201")
    (diagnostic,) = editor.published[editor.uri("called.py")].diagnostics
    assert diagnostic.range.start.line == 4
    assert diagnostic.related_information is not None
    assert editor.uri("calls.py") in {note.location.uri for note in diagnostic.related_information}
    editor.close("calls.py")
    await editor.until_codes("called.py")


@edited
async def test_settings_of_the_nearest_file_count_and_are_read_again(editor: Editor) -> None:
    editor.write("pyproject.toml", '[tool.namecheck]\nignore = ["NC201"]\n')
    editor.write("inner/namecheck.toml", "")
    editor.open("a.py", WRONG)
    editor.open("inner/b.py", WRONG)
    assert await editor.codes("inner/b.py") == ["NC201"]
    assert await editor.codes("a.py") == []
    editor.write("pyproject.toml", "[tool.namecheck]\n")
    editor.notice("pyproject.toml")
    await editor.until_codes("a.py", "NC201")
    editor.write("pyproject.toml", '[tool.namecheck]\nignroe = ["NC201"]\n')
    editor.notice("pyproject.toml")
    await editor.until_codes("a.py")
    await editor.until_codes("inner/b.py", "NC201")
    await editor.until(lambda: editor.uri("pyproject.toml") in editor.published)
    (wrong,) = editor.published[editor.uri("pyproject.toml")].diagnostics
    assert "ignroe" in wrong.message
    assert wrong.range == types.Range(types.Position(1, 0), types.Position(1, 6))
    editor.write("pyproject.toml", "[tool.namecheck]\n# nothing\n")
    editor.notice("pyproject.toml")
    await editor.until_codes("a.py", "NC201")
    await editor.until(lambda: not editor.published[editor.uri("pyproject.toml")].diagnostics)
    (message,) = editor.client.messages
    assert "ignroe" in message.message


@edited
async def test_a_baseline_is_respected_and_excluded_files_are_left_alone(editor: Editor) -> None:
    editor.write("pyproject.toml", '[tool.namecheck]\nbaseline = "b.json"\nexclude = ["gen"]\n')
    editor.open("gen/a.py", WRONG)
    assert await editor.codes("gen/a.py") == []
    editor.open("a.py", WRONG)
    await editor.until_codes("a.py", "NC201")
    entry = {
        "path": "a.py",
        "code": "NC201",
        "function": "",
        "line": "",
        "count": 1,
    }
    from namecheck.running.baseline import digest

    entry["line"] = digest(WRONG.splitlines()[2])
    baseline = {"namecheck-baseline": 1, "findings": [entry]}
    editor.write("b.json", json.dumps(baseline))
    editor.save("a.py")
    await editor.until_codes("a.py")
    assert "there is no baseline" in editor.client.messages[0].message
    editor.change("a.py", WRONG + "y = torch.zeros(2) + torch.zeros(3)\n")
    assert await editor.codes("a.py") == ["NC201"]


@edited
async def test_texts_without_a_file(editor: Editor) -> None:
    editor.open("untitled:Untitled-1", WRONG)
    assert await editor.codes("untitled:Untitled-1") == ["NC201"]
    editor.change("untitled:Untitled-1", WRONG.replace("5", "4"))
    assert await editor.codes("untitled:Untitled-1") == []


@edited(start=False)
async def test_files_outside_of_any_folder(editor: Editor) -> None:
    await editor.start(folders=[])
    editor.write("callee.py", CALLEE)
    editor.open("caller.py", CALLER)
    assert await editor.codes("caller.py") == ["NC201"]


@edited(start=False)
async def test_several_folders_at_once(editor: Editor) -> None:
    one, other = editor.folder / "one", editor.folder / "other"
    for folder, width in ((one, 3), (other, 4)):
        editor.write(f"{folder.name}/callee.py", CALLEE.replace("= 3", f"= {width}"))
    await editor.start(folders=[one])
    editor.open("one/sub/caller.py", CALLER)
    assert await editor.codes("one/sub/caller.py") == ["NC201"]
    added = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(other.as_uri(), "other")], [])
    editor.client.workspace_did_change_workspace_folders(
        types.DidChangeWorkspaceFoldersParams(added)
    )
    editor.open("other/sub/caller.py", CALLER)
    assert await editor.codes("other/sub/caller.py") == []
    await editor.until_codes("one/sub/caller.py", "NC201")


@edited(start=False)
async def test_options_of_the_command_override_settings(editor: Editor) -> None:
    await editor.start("--stdio", "--ignore", "NC201")
    editor.open("a.py", WRONG)
    assert await editor.codes("a.py") == []
