"""An edit that says nothing to the checker leaves its answers as they are, on the lines of now."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.random_edits import edited_in_silence

import namecheck.lsp.desk as desk_module
from namecheck.lsp.desk import Desk
from namecheck.settings.config import Configuration
from test_lsp_revising import PATH, sheet

TEXT = '''import torch
from einops import rearrange
from torch import nn


class Layer(nn.Module):
    """A layer."""

    def __init__(self, dim):
        super().__init__()
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear(3 * dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        y = self.down(self.up(x))

        return (x + y).view(B, T, C)

    def claimed(self, x):
        # (batch, time, dim)
        y = x.sum(-1)

        return y.view(2, 3)

    def turned(self, x):
        """Turn it."""
        y = rearrange(x, "b n d -> b d n")
        return y


def wrong(x):
    """Add two."""
    y = torch.zeros(3, 5)
    z = y + torch.zeros(3, 7)
    return z
'''


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are evaluated."""
    examine = desk_module.examine
    texts: list[str] = []

    def counted(document: Any, *rest: Any, **options: Any) -> Any:
        texts.append(document.text)
        return examine(document, *rest, **options)

    monkeypatch.setattr(desk_module, "examine", counted)
    return texts


def opened(text: str) -> Desk:
    desk = Desk((), Configuration(isolated=True))
    desk.take({PATH: sheet(text)})
    return desk


def answers(desk: Desk) -> tuple[object, ...]:
    """Findings, hints, and hovers."""
    desk.up_to_date(PATH)
    findings = desk.reported().findings[PATH]
    known = sorted(desk.known(PATH), key=repr)
    return findings, sorted(desk.shapes(PATH)), known, desk.results[PATH].whole


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("    y = torch.zeros(3, 5)\n", "    # what comes first\n\n    y = torch.zeros(3, 5)\n"),
        ("Add two.", "Add\n    two of\n    them."),
        ("        y = self.down", "        # a word\n        y = self.down"),
        ("(self.up(x))\n\n", "(self.up(x))  # both layers\n"),
        ('    """Turn it."""\n', '    """Turn it around."""\n\n'),
        ("        y = rearrange", "        # every d of the first one\n        y = rearrange"),
        ("from torch import nn\n", "from torch import nn\n# a word\n"),
        ("\n    def forward", "\n    # what it does to one\n    # -----------\n    def forward"),
        ("import torch\n", "# what this is\nimport torch  # the library\n"),
    ],
)
def test_nothing_is_evaluated(before: str, now: str, evaluations: list[str]) -> None:
    desk = opened(TEXT)
    first = answers(desk)
    assert first[0]
    evaluations.clear()
    edited = TEXT.replace(before, now, 1)
    assert edited != TEXT
    desk.take({PATH: sheet(edited)})
    kept = answers(desk)
    assert evaluations == []
    assert kept == answers(opened(edited))


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("    y = torch.zeros(3, 5)\n", "    y = torch.zeros(3, 5)  # (a, b)\n"),
        ("torch.zeros(3, 7)", "torch.zeros(3, 5)"),
        ("        y = x.sum(-1)\n", "        # what comes next\n        y = x.sum(-1)\n"),
        ("        y = rearrange", "        # w h of an image\n        y = rearrange"),
        ("from torch import nn\n", "from torch import nn\n\nimport math\n"),
        ("import torch\n", "import torch  # (batch, time)\n"),
        ("\n    def claimed", "\n    # what it says of one\n    def claimed"),
    ],
)
def test_what_may_say_something_is_evaluated(before: str, now: str, evaluations: list[str]) -> None:
    desk = opened(TEXT)
    answers(desk)
    evaluations.clear()
    edited = TEXT.replace(before, now, 1)
    desk.take({PATH: sheet(edited)})
    after = answers(desk)
    assert evaluations
    assert after == answers(opened(edited))


def test_random_edits_leave_the_answer_of_a_clean_desk(evaluations: list[str]) -> None:
    chance = Random(11)
    desk, text, kept = opened(TEXT), TEXT, 0
    answers(desk)
    for _ in range(40):
        text = edited_in_silence(chance, text)
        desk.take({PATH: sheet(text)})
        evaluations.clear()
        desk.look(PATH)
        if not evaluations:
            kept += 1
            assert answers(desk) == answers(opened(text))
        desk.up_to_date(PATH)
    assert kept > 10
