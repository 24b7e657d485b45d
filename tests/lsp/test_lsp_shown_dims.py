"""After an edit, hints and hovers are those of an evaluation of what the edit concerns."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from lsprotocol import types

import namecheck.lsp.desk as desk_module
from editing import PATIENCE, Editor, edited
from namecheck.findings import Analysis, ShapeAt
from namecheck.lsp.desk import Desk
from namecheck.lsp.session import QUIET
from namecheck.settings.config import Configuration
from raw import Client, customized
from test_lsp_revising import PATH, TEXT, edits, sheet

CHAIN = """import torch


def inner(x):
    return torch.zeros(2, 3)


def middle(x):
    y = inner(x)
    return y


def outer(x):
    z = middle(x)
    return z


def other(x):
    w = torch.zeros(5)
    # One
    # definition
    # that
    # is
    # long
    return w
"""


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[Collection[int] | None]:
    """The chunks of each evaluation for dims, by their first lines."""
    examine = desk_module.examine
    seen: list[Collection[int] | None] = []

    def counted(*args: Any, only: Collection[int] | None = None, **options: Any) -> Analysis:
        if options.get("thorough"):
            seen.append(only)
        return examine(*args, only=only, **options)

    monkeypatch.setattr(desk_module, "examine", counted)
    return seen


def opened(text: str) -> Desk:
    desk = Desk((), Configuration(isolated=True))
    desk.take({PATH: sheet(text)})
    desk.up_to_date(PATH)
    return desk


def dims(desk: Desk) -> tuple[set[ShapeAt], list[tuple[object, ...]]]:
    """The dims beside lines, and those of expressions with where they come from."""
    known = [(one.span, one.message, one.notes) for one in desk.known(PATH)]
    return set(desk.shapes(PATH)), sorted(known, key=repr)


def test_edits_show_the_dims_of_a_whole_evaluation(
    evaluated: list[Collection[int] | None],
) -> None:
    desk = opened(TEXT)
    dims(desk)
    evaluated.clear()
    for text in edits(TEXT, 30):
        desk.take({PATH: sheet(text)})
        shown = dims(desk)
        known = desk.known(PATH)
        lengths = [one.span.end_line - one.span.line for one in known]
        assert lengths == sorted(lengths)
        assert shown == dims(opened(text))
    assert sum(part is not None for part in evaluated) > 3


def test_what_is_two_calls_away_is_evaluated_later(
    evaluated: list[Collection[int] | None],
) -> None:
    desk = opened(CHAIN)
    assert "[2, 3]" in shape_of(desk, "z")
    desk.known(PATH)
    evaluated.clear()
    now = CHAIN.replace("zeros(2, 3)", "zeros(2, 7)")
    desk.take({PATH: sheet(now)})
    assert (shape_of(desk, "y"), shape_of(desk, "z")) == ("[2, 7]", "[2, 3]")
    assert shape_of(desk, "w") == "[5]"
    assert evaluated == [frozenset({2, 6})]
    assert desk.settle(PATH)
    assert shape_of(desk, "z") == "[2, 7]"
    assert evaluated == [frozenset({2, 6}), None]
    assert not desk.settle(PATH)
    assert dims(desk) == dims(opened(now))


def shape_of(desk: Desk, target: str) -> str:
    (shape,) = (one for one in desk.shapes(PATH) if one.target == target)
    return shape.dims_text


def test_nothing_is_evaluated_that_nobody_has_asked_for(
    evaluated: list[Collection[int] | None],
) -> None:
    desk = opened(CHAIN)
    assert not desk.settle(PATH)
    assert evaluated == []
    desk.shapes(PATH)
    desk.take({PATH: sheet(CHAIN + "\n")})
    assert not desk.settle(PATH)
    assert evaluated == [None]
    desk.take({})
    desk.take({PATH: sheet(CHAIN)})
    desk.shapes(PATH)
    assert evaluated == [None, None]


def test_dims_of_a_text_that_python_cannot_read(evaluated: list[Collection[int] | None]) -> None:
    desk = opened(CHAIN)
    before = dims(desk)
    desk.take({PATH: sheet(CHAIN.replace("zeros(5)", "zeros(5"))})
    dims(desk)
    desk.take({PATH: sheet(CHAIN)})
    assert dims(desk) == before


SETTLING = """
import time
import namecheck.lsp.desk as desk
examine = desk.examine
def spin(document, program, only=None, thorough=False, **options):
    while thorough and only is None and 'edited' in document.text:
        program.check_wanted()
        time.sleep(0.01)
    return examine(document, program, only=only, thorough=thorough, **options)
desk.examine = spin
"""
"""Evaluations of an edited file as a whole never end."""


def test_hovers_do_not_wait_for_the_rest_of_the_file(tmp_path: Path) -> None:
    with Client(tmp_path, customized(tmp_path / "site", SETTLING)) as client:
        client.initialize()
        client.open("a.py", CHAIN)
        place = {
            "textDocument": {"uri": client.uri("a.py")},
            "position": {"line": 8, "character": 4},
        }

        def hovered() -> str:
            return str(client.result("textDocument/hover", place)["contents"]["value"])

        assert hovered() == "```python\ny: [2, 3]\n```"
        client.change("a.py", CHAIN.replace("zeros(2, 3)", "zeros(2, 7)  # edited"), 2)
        for _ in range(2):
            assert hovered() == "```python\ny: [2, 7]\n```"
            sleep(3 * QUIET)  # the evaluation of the whole file has begun
        assert client.end() == 0


@edited(start=False)
async def test_the_client_is_asked_to_refresh_its_hints(editor: Editor) -> None:
    assert editor.capabilities.workspace is not None
    refreshes = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    editor.capabilities.workspace.inlay_hint = refreshes
    await editor.start()
    refreshed = asyncio.Event()

    @editor.client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
    def refresh(_: None) -> None:
        refreshed.set()

    editor.open("a.py", CHAIN)
    assert (13, 5, "[2, 3]") in await hints(editor)
    editor.change("a.py", CHAIN.replace("zeros(2, 3)", "zeros(2, 7)"))
    assert {(8, 5, "[2, 7]"), (13, 5, "[2, 3]")} <= await hints(editor)
    await asyncio.wait_for(refreshed.wait(), PATIENCE)
    assert (13, 5, "[2, 7]") in await hints(editor)


async def hints(editor: Editor) -> set[tuple[int, int, str]]:
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    document = types.TextDocumentIdentifier(editor.uri("a.py"))
    answer = await editor.client.text_document_inlay_hint_async(
        types.InlayHintParams(document, everything)
    )
    return {(h.position.line, h.position.character, str(h.label)) for h in answer or ()}
