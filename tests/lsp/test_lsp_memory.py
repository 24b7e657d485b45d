"""A request about an unchanged text needs no analysis; the tests count, and do not time."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

import namecheck.lsp.desk as desk_module
from namecheck.analysis import open_program
from namecheck.analysis.runs.watched import Watch
from namecheck.files.documents import document_of
from namecheck.lsp.answers import Reader
from namecheck.lsp.client.preferences import InlayHints
from namecheck.lsp.desk import Desk
from namecheck.lsp.questions import Hints, Hover
from namecheck.lsp.ranges import UTF16
from namecheck.lsp.texts import Sheet
from namecheck.running.examination import examine
from namecheck.settings.config import Configuration

PATH, URI = "/nowhere/a.py", "file:///nowhere/a.py"

TEXT = """\
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


def unnamed(t):
    t = t.transpose(1, 2) if t.ndim == 3 else t.view(2, 3, 4)
    u = t + t.flip(0) * t.mean(-1, keepdim=True)
    return u.transpose(0, 1).flatten(1)
"""


@pytest.fixture
def analyses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the documents that were analysed, as it happens."""
    paths: list[str] = []

    def counted(document: Any, *args: Any, **options: Any) -> Any:
        paths.append(document.path)
        return examine(document, *args, **options)

    monkeypatch.setattr(desk_module, "examine", counted)
    return paths


def opened(desk: Desk, text: str) -> None:
    desk.take({PATH: Sheet(PATH, True, {None: text}, {None: URI}, {None: 1}, URI)})


READER = Reader(UTF16, True, True)


def hovered(desk: Desk, line: int, column: int) -> str | None:
    hover = Hover(PATH, URI, types.Position(line, column)).answer(desk, READER)
    if hover is None:
        return None
    assert isinstance(hover.contents, types.MarkupContent)
    return hover.contents.value


def hints(desk: Desk) -> list[types.InlayHint]:
    stretch = types.Range(types.Position(0, 0), types.Position(99, 0))
    return Hints(PATH, URI, stretch, InlayHints()).answer(desk, READER)


def test_a_second_hover_costs_no_analysis(analyses: list[str]) -> None:
    desk = Desk((), Configuration(isolated=True))
    opened(desk, TEXT)
    desk.look(PATH)
    del analyses[:]
    first = hovered(desk, 12, 22)
    assert first is not None
    assert "k: [B, T, dim]" in first
    assert len(analyses) == 1
    assert hovered(desk, 12, 22) == first
    # Hovers at other places and inlay hints do not cost one either.
    assert "scores: [B, T, T]" in (hovered(desk, 13, 16) or "")
    assert hovered(desk, 2, 0) is None
    assert "q: [B, T, dim]" in (hovered(desk, 12, 18) or "")
    assert {hint.label for hint in hints(desk)} >= {"[B, T, dim]", "[B, T, T]"}
    assert len(analyses) == 1
    opened(desk, TEXT.replace("3 * dim", "6 * dim"))
    assert "k: [B, T, 2*dim]" in (hovered(desk, 12, 22) or "")
    assert len(analyses) == 3  # one for the findings, and one for the hovers
    assert "scores: [B, T, T]" in (hovered(desk, 13, 16) or "")
    assert len(analyses) == 3


def test_hints_do_not_depend_on_earlier_requests() -> None:
    document = document_of(PATH, TEXT)
    alone = examine(document, open_program(), thorough=True).shapes
    watch = Watch()
    beside = examine(document, open_program(), thorough=True, watch=watch).shapes
    assert alone == beside
    assert len(watch.found) > 10
    assert any("?" in shape.dims_text for shape in alone)  # an unnamed dim stays unnamed
