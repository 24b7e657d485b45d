"""Hover, inlay hints and code actions of the language server, to a real client."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from editing import Editor, edited

MODEL = """\
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = (q @ k.transpose(1, 2)).softmax(-1)
        return scores @ v
"""

VIEW = """\
import torch

x = torch.zeros(2, 3, 4)
y = x.transpose(1, 2).view(2, 12)
"""

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"


async def hover(editor: Editor, name: str, line: int, column: int) -> types.Hover | None:
    document = types.TextDocumentIdentifier(editor.uri(name))
    position = types.Position(line, column)
    return await editor.client.text_document_hover_async(types.HoverParams(document, position))


async def hovered(editor: Editor, name: str, line: int, column: int) -> str:
    answer = await hover(editor, name, line, column)
    assert answer is not None
    assert isinstance(answer.contents, types.MarkupContent)
    return answer.contents.value


@edited
async def test_hover_shows_dims_and_where_they_come_from(editor: Editor) -> None:
    editor.open("a.py", MODEL)
    text = await hovered(editor, "a.py", 12, 22)  # k, in k.transpose(1, 2)
    assert text.startswith("```python\nk: [B, T, dim]\n```")
    assert "- k is set ([line 12](" in text
    assert "'T' is dim 1 of x since `B, T, C = x.shape` ([line 11](" in text
    assert f"({editor.uri('a.py')}#L11)" in text
    call = await hover(editor, "a.py", 12, 26)  # transpose
    assert call is not None
    assert isinstance(call.contents, types.MarkupContent)
    assert call.contents.value.startswith("```python\nk.transpose(1, 2): [B, dim, T]\n")
    assert call.range == types.Range(types.Position(12, 22), types.Position(12, 39))


@edited
async def test_hover_shows_the_dims_of_targets_and_parameters(editor: Editor) -> None:
    editor.open("a.py", MODEL)
    assert await hovered(editor, "a.py", 12, 10) == "```python\nscores: [B, T, T]\n```"
    assert await hovered(editor, "a.py", 9, 22) == "```python\nx: [B, T, dim]\n```"
    assert await hovered(editor, "a.py", 11, 14) == "```python\nv: [B, T, dim]\n```"


@edited
async def test_hover_is_empty_where_nothing_is_known(editor: Editor) -> None:
    editor.open("a.py", MODEL + "\n# a comment\ntext = 'x'\n")
    for line, column in ((0, 3), (4, 8), (3, 0), (15, 4), (16, 2), (900, 4)):
        assert await hover(editor, "a.py", line, column) is None


@edited
async def test_hover_explains_the_code_of_a_finding(editor: Editor) -> None:
    editor.open("a.py", WRONG)
    text = await hovered(editor, "a.py", 2, 8)
    assert "**NC201 size-mismatch**: " in text
    assert "namecheck explain NC201" in text


async def hints(editor: Editor, name: str, first: int, last: int) -> dict[tuple[int, int], str]:
    document = types.TextDocumentIdentifier(editor.uri(name))
    stretch = types.Range(types.Position(first, 0), types.Position(last, 0))
    inlays = await editor.client.text_document_inlay_hint_async(
        types.InlayHintParams(document, stretch)
    )
    assert all(hint.kind == types.InlayHintKind.Type for hint in inlays or ())
    return {(h.position.line, h.position.character): str(h.label) for h in inlays or ()}


@edited
async def test_inlay_hints_are_behind_the_targets_of_assignments(editor: Editor) -> None:
    editor.open("a.py", MODEL)
    assert await hints(editor, "a.py", 0, 20) == {
        (9, 23): "[B, T, dim]",
        (11, 9): "[B, T, dim]",
        (11, 12): "[B, T, dim]",
        (11, 15): "[B, T, dim]",
        (12, 14): "[B, T, T]",
        (13, 25): "[B, T, dim]",
    }
    assert await hints(editor, "a.py", 12, 13) == {(12, 14): "[B, T, T]"}


@edited(start=False)
async def test_inlay_hints_can_be_switched_off(editor: Editor) -> None:
    await editor.start(initialization_options={"inlayHints": {"parameters": False}})
    editor.open("a.py", MODEL)
    assert set(await hints(editor, "a.py", 0, 20)) == {
        (11, 9), (11, 12), (11, 15), (12, 14), (13, 25)
    }  # fmt: skip
    editor.client.set_configuration({"namecheck": {"inlayHints": False, "hover": False}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    editor.open("b.py", WRONG)
    await editor.until_codes("b.py", "NC201")
    assert await hints(editor, "a.py", 0, 20) == {}
    assert await hover(editor, "a.py", 12, 10) is None


async def actions(
    editor: Editor, name: str, line: int, only: list[str] | None = None
) -> dict[str, types.CodeAction]:
    document = types.TextDocumentIdentifier(editor.uri(name))
    stretch = types.Range(types.Position(line, 0), types.Position(line, 0))
    context = types.CodeActionContext(list(await editor.diagnostics(name)), only=only)
    offered = await editor.client.text_document_code_action_async(
        types.CodeActionParams(document, stretch, context)
    )
    code_actions = [action for action in offered or () if isinstance(action, types.CodeAction)]
    assert len(code_actions) == len(offered or ())
    return {action.title: action for action in code_actions}


def carried_out(action: types.CodeAction, uri: str, text: str) -> str:
    """The text after a client has carried out an action."""
    assert action.edit is not None
    if action.edit.document_changes is not None:
        (change,) = action.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.uri == uri
        edits = list(change.edits)
    else:
        assert action.edit.changes is not None
        edits = list(action.edit.changes[uri])
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:n])) for n in range(len(lines) + 1)]

    def at(position: types.Position) -> int:
        return starts[position.line] + position.character

    for edit in sorted(edits, key=lambda edit: at(edit.range.start), reverse=True):
        assert isinstance(edit, types.TextEdit)
        text = text[: at(edit.range.start)] + edit.new_text + text[at(edit.range.end) :]
    return text


@edited
async def test_a_finding_can_be_fixed_silenced_and_explained(editor: Editor) -> None:
    editor.open("a.py", VIEW)
    assert await editor.codes("a.py") == ["NC501"]
    offered = await actions(editor, "a.py", 3)
    fix, silence, explain = (
        next(title for title in offered if title.startswith(word))
        for word in ("Call", "Ignore NC501", "Explain NC501")
    )
    (about,) = offered[fix].diagnostics or ()
    assert about == (await editor.diagnostics("a.py"))[0]
    assert offered[fix].kind == types.CodeActionKind.QuickFix
    fixed = carried_out(offered[fix], editor.uri("a.py"), VIEW)
    assert fixed == VIEW.replace(".view", ".contiguous().view")
    silenced = carried_out(offered[silence], editor.uri("a.py"), VIEW)
    assert silenced == VIEW.replace("12)", "12)  # namecheck: ignore[NC501]")
    for text in (fixed, silenced):
        editor.change("a.py", text)
        assert await editor.codes("a.py") == []
        assert await actions(editor, "a.py", 3) == {}
    command = offered[explain].command
    assert command is not None
    assert command.command == "namecheck.explain"
    assert list(command.arguments or ()) == ["NC501"]


@edited
async def test_actions_are_about_the_requested_lines(editor: Editor) -> None:
    editor.open("a.py", VIEW)
    assert await actions(editor, "a.py", 2) == {}
    assert await actions(editor, "a.py", 3, ["refactor"]) == {}
    assert await actions(editor, "a.py", 3, ["quickfix"]) != {}


UNSAFE = """\
import torch

x = torch.zeros(8, 5)
y = x - x.mean(1)
"""


@edited
async def test_all_safe_fixes_are_made_at_once(editor: Editor) -> None:
    text = VIEW + VIEW[13:] + UNSAFE[13:] + "z = 1  # namecheck: ignore[NC2O2]\n"
    editor.open("a.py", text)
    codes = await editor.codes("a.py")
    assert codes.count("NC501") == 2
    assert "NC902" in codes
    (action,) = (await actions(editor, "a.py", 0, ["source.fixAll"])).values()
    assert action.kind == "source.fixAll.namecheck"
    fixed = carried_out(action, editor.uri("a.py"), text)
    assert fixed.count(".contiguous().view") == 2
    assert "keepdim" not in fixed
    editor.change("a.py", fixed)
    left = await editor.codes("a.py")
    assert "NC501" not in left
    assert await actions(editor, "a.py", 0, ["source.fixAll.namecheck"]) == {}
    assert await actions(editor, "a.py", 0, ["source.fixAll.other"]) == {}


@edited
async def test_fixing_all_goes_on_until_nothing_is_left(editor: Editor) -> None:
    """Fixes that touch are made one after another; all other bytes stay."""
    text = VIEW + "z = 1  # namecheck: ignore[NC2O2, NC2O3, NC2O4]\nä = 2\n"
    editor.open("a.py", text)
    assert (await editor.codes("a.py")).count("NC902") == 3
    (action,) = (await actions(editor, "a.py", 0, ["source.fixAll"])).values()
    fixed = carried_out(action, editor.uri("a.py"), text)
    assert fixed == VIEW.replace(".view", ".contiguous().view") + "z = 1\nä = 2\n"
    editor.change("a.py", fixed)
    assert await editor.codes("a.py") == []


@edited
async def test_an_unsafe_fix_is_offered_and_not_preferred(editor: Editor) -> None:
    editor.open("a.py", UNSAFE)
    assert await editor.codes("a.py") == ["NC201"]
    offered = await actions(editor, "a.py", 3)
    (title,) = [title for title in offered if "keepdim" in title]
    assert "may change" in title
    assert not offered[title].is_preferred
    assert "keepdim=True" in carried_out(offered[title], editor.uri("a.py"), UNSAFE)


@edited
async def test_a_fix_for_display_only_is_offered_as_a_suggestion(editor: Editor) -> None:
    text = 'import torch\n\nx = torch.zeros(2, 3, names=("N", "C"))\ny = x.sum(x.names[0])\n'
    editor.open("a.py", text)
    assert set(await editor.codes("a.py")) == {"NC601"}
    offered = await actions(editor, "a.py", 2)
    (title,) = [title for title in offered if title.endswith("(suggestion)")]
    assert not offered[title].is_preferred
    changed = carried_out(offered[title], editor.uri("a.py"), text)
    assert changed == text.replace("import torch", "import namecheck_runtime as torch")
    assert await actions(editor, "a.py", 2, ["source.fixAll"]) == {}


@edited
async def test_fixing_all_keeps_a_suppression_that_may_be_needed_elsewhere(
    editor: Editor,
) -> None:
    editor.open("a.py", "import torch\n\nx = torch.zeros(3)  # namecheck: ignore[NC202]\n")
    (found,) = await editor.diagnostics("a.py")
    assert found.code == "NC901"
    assert list(found.tags or ()) == [types.DiagnosticTag.Unnecessary]
    assert await actions(editor, "a.py", 2, ["source.fixAll"]) == {}
    (fix,) = [a for a in (await actions(editor, "a.py", 2)).values() if a.edit and a.is_preferred]
    text = carried_out(fix, editor.uri("a.py"), editor.texts["a.py"])
    assert text == "import torch\n\nx = torch.zeros(3)\n"


@edited
async def test_the_page_of_a_code_is_shown(editor: Editor) -> None:
    capability = types.ShowDocumentClientCapabilities(support=True)
    assert editor.capabilities.window is not None
    assert editor.capabilities.window.show_document in (None, capability)
    asked = types.ExecuteCommandParams("namecheck.explain", ["NC202"])
    page = await editor.client.workspace_execute_command_async(asked)
    assert page.startswith("# NC202 misaligned-broadcast\n")
    if editor.client.shown_documents:
        (shown,) = editor.client.shown_documents
        path = Path(unquote(urlparse(shown.uri).path))
        assert path.name == "NC202-misaligned-broadcast.md"
        assert path.read_text().startswith("# NC202 misaligned-broadcast\n")
    else:
        assert editor.client.messages[0].message.startswith("# NC202")
    unknown = types.ExecuteCommandParams("namecheck.explain", ["NC000"])
    with pytest.raises(JsonRpcInvalidParams, match=re.escape("unknown code 'NC000'")):
        await editor.client.workspace_execute_command_async(unknown)
