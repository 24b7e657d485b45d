"""The short way from an edit to findings: what it tells is what looking at the whole file tells."""

from __future__ import annotations

import random
import re

import pytest

import namecheck.lsp.desk as desk_module
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
    monkeypatch.setattr(desk_module, "WORTHWHILE", 0.0)
    return Desk((), Configuration(isolated=True))


def edits(text: str, count: int) -> list[str]:
    """Texts of which each is an edit of the one before: in a line, of a line, and taken back."""
    chance = random.Random(7)
    texts = []
    for _ in range(count):
        lines = text.split("\n")
        at = chance.randrange(3, len(lines))
        sums = [number for number, line in enumerate(lines) if ") + torch" in line]
        match chance.randrange(5):
            case 0:
                lines.insert(at, "")
            case 1:
                lines[at] += "  # a comment"
            case 2:
                at = chance.choice(sums)
                lines[at] = re.sub(r"\d+\)$", f"{chance.randrange(2, 14)})", lines[at])
            case 3:
                lines[at] = lines[at].replace("4", "3").replace("dim", "dim", 1)
            case 4 if lines[at].startswith("    y = "):
                del lines[at]
        text = "\n".join(lines)
        texts.append(text)
    return texts


def test_what_is_told_first_is_what_is_told_in_the_end(desk: Desk) -> None:
    short = 0
    found = set()
    desk.take({PATH: sheet(TEXT)})
    desk.up_to_date(PATH)
    for text in edits(TEXT, 60):
        desk.take({PATH: sheet(text)})
        desk.look(PATH)
        short += not desk.results[PATH].whole
        first = desk.reported().findings[PATH]
        desk.up_to_date(PATH)
        assert first == desk.reported().findings[PATH]
        found.add(len(first))
    assert short > 25
    assert len(found) > 1


def test_a_revision_is_of_what_has_changed() -> None:
    before = split(TEXT)
    changed = TEXT.replace("torch.zeros(3, 5) + ", "torch.zeros(3, 5)\\\n + ")
    now = split(changed)
    made = revision(before, now, ())
    assert made is not None
    assert (made.shift, len(made.lines)) == (1, 1)
    (line,) = made.lines
    assert changed.split("\n")[line - 1 :][:3].count("def use5(x):") == 1
    assert made.last - made.first < 10
    # Nobody knows what a new import means for the rest.
    assert (
        revision(before, split(TEXT.replace("import torch\n", "import torch as t\n")), ()) is None
    )
    everything = TEXT.replace("class Layer", "class Other")
    assert revision(before, split(everything), ()) is None
    alike = revision(before, before, ())
    assert alike is not None
    assert alike.lines == frozenset()


def test_what_only_a_caller_shows_stays(desk: Desk) -> None:
    """A finding in the function that is edited, which only another one's call brings about."""
    text = TEXT + "\n\ndef add(x):\n    return x + torch.zeros(3)\n\n\n"
    text += "def call():\n    return add(torch.zeros(4))\n"
    desk.take({PATH: sheet(text)})
    desk.up_to_date(PATH)
    codes = [finding.code for finding in desk.reported().findings[PATH]]
    for old, new in (("def add(x):", "def add(x):\n    # here"), ("call():", "call():\n")):
        text = text.replace(old, new)
        desk.take({PATH: sheet(text)})
        desk.look(PATH)
        assert not desk.results[PATH].whole
        assert [finding.code for finding in desk.reported().findings[PATH]] == codes
        desk.up_to_date(PATH)
        assert [finding.code for finding in desk.reported().findings[PATH]] == codes


def test_a_file_that_takes_no_time_is_looked_at_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desk_module, "WORTHWHILE", 60.0)
    desk = Desk((), Configuration(isolated=True))
    for text in (
        "import torch\ndef f(x):\n    return x\n",
        "import torch\ndef f(x):\n    return 1\n",
    ):
        desk.take({PATH: sheet(text)})
        desk.look(PATH)
        assert desk.results[PATH].whole
