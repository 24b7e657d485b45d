"""After an edit, a check of the edited part gives the findings of a check of the whole file."""

from __future__ import annotations

import random
import re

import pytest

import namecheck.lsp.desk as desk_module
import namecheck.lsp.revising as revising
from namecheck.lsp.desk import Desk
from namecheck.lsp.revising import revision
from namecheck.lsp.texts import Sheet
from namecheck.settings.config import Configuration
from namecheck.text.chunks import split

BLOCK = """
class Layer{n}(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear({width} * dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        y = self.down(self.up(x))
        return (x + y).view(B, T, C)


def use{n}(x):
    y = torch.zeros(3, {n}) + torch.zeros(3, {other})
    return Layer{n}(8)(torch.zeros(2, 3, 8)), y
"""
TEXT = "import torch\nfrom torch import nn\n" + "".join(
    BLOCK.format(n=n, width=3 + n % 2, other=n + (n % 3 == 0)) for n in range(2, 14)
)
PATH = "/nowhere/a.py"


def sheet(text: str) -> Sheet:
    uri = f"file://{PATH}"
    return Sheet(PATH, True, {None: text}, {None: uri}, {None: 1}, uri)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(desk_module, "takes_little", lambda *_: False)
    return Desk((), Configuration(isolated=True))


def edits(text: str, count: int) -> list[str]:
    """Texts, each an edit of the one before: a change in a line, or a line inserted or deleted."""
    chance = random.Random(7)
    texts = []
    for _ in range(count):
        lines = text.split("\n")
        index = chance.randrange(3, len(lines))
        sums = [number for number, line in enumerate(lines) if ") + torch" in line]
        match chance.randrange(5):
            case 0:
                lines.insert(index, "")
            case 1:
                lines[index] += "  # a comment"
            case 2:
                index = chance.choice(sums)
                lines[index] = re.sub(r"\d+\)$", f"{chance.randrange(2, 14)})", lines[index])
            case 3:
                lines[index] = lines[index].replace("4", "3").replace("dim", "dim", 1)
            case 4 if lines[index].startswith("    y = "):
                del lines[index]
        text = "\n".join(lines)
        texts.append(text)
    return texts


def test_the_first_findings_are_the_final_ones(desk: Desk) -> None:
    short = 0
    counts = set()
    desk.take({PATH: sheet(TEXT)})
    desk.up_to_date(PATH)
    for text in edits(TEXT, 60):
        desk.take({PATH: sheet(text)})
        desk.look(PATH)
        short += not desk.results[PATH].whole
        first = desk.reported().findings[PATH]
        desk.up_to_date(PATH)
        assert first == desk.reported().findings[PATH]
        counts.add(len(first))
    assert short > 10
    assert len(counts) > 1


def test_a_revision_covers_what_has_changed() -> None:
    before = split(TEXT)
    changed = TEXT.replace("torch.zeros(3, 5) + ", "torch.zeros(3, 5)\\\n + ")
    now = split(changed)
    revised = revision(before, now)
    assert revised is not None
    assert (revised.shift, len(revised.lines)) == (1, 1)
    (line,) = revised.lines
    assert changed.split("\n")[line - 1 :][:3].count("def use5(x):") == 1
    assert revised.last - revised.first < 10
    # A new import may change everything below it.
    assert revision(before, split(TEXT.replace("import torch\n", "import torch as t\n"))) is None
    everything = TEXT.replace("class Layer", "class Other")
    assert revision(before, split(everything)) is None
    alike = revision(before, before)
    assert alike is not None
    assert alike.lines == frozenset()


def test_a_finding_that_only_a_caller_shows_stays(desk: Desk) -> None:
    """A finding in the edited function that only a call from another function causes."""
    text = TEXT + "\n\ndef add(x):\n    return x + torch.zeros(3)\n\n\n"
    text += "def call():\n    return add(torch.zeros(4))\n"
    desk.take({PATH: sheet(text)})
    desk.up_to_date(PATH)
    codes = [finding.code for finding in desk.reported().findings[PATH]]
    for old, new in (("def add(x):", "def add(x):\n    pass"), ("call():", "call():\n    pass")):
        text = text.replace(old, new)
        desk.take({PATH: sheet(text)})
        desk.look(PATH)
        assert not desk.results[PATH].whole
        assert [finding.code for finding in desk.reported().findings[PATH]] == codes
        desk.up_to_date(PATH)
        assert [finding.code for finding in desk.reported().findings[PATH]] == codes


def test_a_file_that_is_checked_fast_is_checked_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(revising, "LITTLE", 60.0)
    desk = Desk((), Configuration(isolated=True))
    for text in (
        "import torch\ndef f(x):\n    return x\n",
        "import torch\ndef f(x):\n    return 1\n",
    ):
        desk.take({PATH: sheet(text)})
        desk.look(PATH)
        assert desk.results[PATH].whole
