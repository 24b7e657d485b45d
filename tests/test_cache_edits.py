"""The cache after edits: only what asked for what changed is analysed again; it cites new lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from tests.random_edits import edit_project

from namecheck.analysis import file_parts
from namecheck.main import main
from namecheck.running import processes
from namecheck.running.cache import Task
from namecheck.text.file_parts import WHOLE

LAYERS = '''\
"""Layers."""

import torch
from sizes import WIDTH

TABLE = [1, 2]


def shifted(x):
    """Add one to it."""
    y = x + 1
    return y


class Norm(torch.nn.Module):
    """One of our own."""

    def forward(self, x):
        # divides it

        B, T, C = x.shape
        return x.view(B, T, WIDTH)


def empty():
    """Nothing."""


def norm(x):
    """Divide it.

    What it is for is another question.

    Parameters
    ----------
    x : array of shape (batch, time, width)
        What comes in.

    And an example:

    >>> 1 + 1
    2
    """
    empty()
    B, T, C = x.shape
    return x.view(  # in one step
        B,
        T,
        WIDTH,
    )
'''

MODEL = """\
import torch
from layers import norm

y = norm(torch.ones(2, 3, 7))
"""


@pytest.fixture(autouse=True)
def project(cached: Path) -> Path:
    """A small project in the current folder, with its cache turned on and filled."""
    (cached / "model.py").write_text(MODEL)
    (cached / "layers.py").write_text(LAYERS)
    (cached / "sizes.py").write_text("WIDTH = 8\n")
    found = report(".")
    assert [finding["filename"] for finding in found] == ["layers.py"]
    return cached


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are analysed from now on."""
    paths: list[str] = []
    analyse = processes.Worker.analyse

    def watched(worker: processes.Worker, task: Task) -> processes.Result:
        paths.append(task.path)
        return analyse(worker, task)

    monkeypatch.setattr(processes.Worker, "analyse", watched)
    return paths


def report(*arguments: str) -> Any:
    """The findings, as plain values."""
    options = ["--jobs=1", "--output-format=json", "--exit-zero", "--notes"]
    done = CliRunner().invoke(main, ["check", *options, *arguments])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


Edit = Callable[[str], str]


def replaced(old: str, new: str) -> Edit:
    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return edit


NOTHING: dict[str, Edit] = {
    "a comment above": lambda text: text.replace('"""Layers."""', '"""Layers."""\n\n# of ours'),
    "a comment in a function": replaced("\n    B, T", "\n    # words alone\n    B, T"),
    "a comment that goes": replaced("        # divides it\n", ""),
    "another comment at the end of a line": replaced("# in one step", "# at once"),
    "a comment inside of a call": replaced("        T,\n", "        # then\n        T,\n"),
    "a comment with a bracket and an article": replaced(
        "\n    B, T", "\n    # a step (or two)\n    B, T"
    ),
    "a docstring": replaced("Add one to it.", "Add one.\n\n    To each of them.\n    "),
    "a new docstring": replaced("forward(self, x):\n", 'forward(self, x):\n        """Go on."""\n'),
    "the docstring of the module": replaced("Layers.", "Some layers.\n\nAnd more.\n"),
    "a long docstring": replaced(
        "Add one to it.",
        "Add one to it (at once), of any shape.\n\n    Parameters\n    ----------\n    y : float\n",
    ),
    "words around a claim": replaced("What it is for", "What it is made for,\n    and by whom"),
    "words above an example": replaced("And an example", "And then another\n    example"),
    "blank lines": lambda text: text.replace("\n\n", "\n\n\n"),
}
"""Edits that say nothing to the checker."""

ELSEWHERE: dict[str, Edit] = {
    "another function": replaced("y = x + 1", "y = x + 2\n    y = y - 1"),
    "another class": replaced("# divides it", "x = x + 1"),
    "a shape comment in another function": replaced("x + 1", "x + 1  # (B, T, C)"),
}
"""Edits of definitions that the model does not need."""

NEEDED: dict[str, Edit] = {
    "the function": replaced("    return x.view(  ", "    x = x + 1\n    return x.view(  "),
    "a shape comment in the function": replaced("# in one step", "# (B, T, C)"),
    "a shape over two lines": replaced(
        "    return x.view(  ", "    # B (T\n    # C)\n    return x.view("
    ),
    "letters alone": replaced("    return x.view(  ", "    # B\n    # T C\n    return x.view("),
    "a statement of the top level": replaced("TABLE =", "LIMIT = 3\nTABLE ="),
    "a new function": lambda text: text + "\n\ndef other(x):\n    return x\n",
    "a claim of a docstring": replaced("(batch, time, width)", "(batch, time, depth)"),
    "a claim that moves to another parameter": replaced("x : array of", "y : array of"),
    "an example": replaced(">>> 1 + 1", ">>> 1 + 2"),
    "a body of nothing but a docstring": replaced('    """Nothing."""\n', ""),
    "a name that is looked for": replaced("# divides it", "# x.backward() is for others"),
    "a function that is renamed": replaced("def shifted", "def moved"),
    "a function that goes": lambda text: text[: text.index("def norm")],
    "the order": lambda text: text.replace("def shifted", "def _x").replace(
        "def norm", "def shifted"
    ),
    "a table that another function changes": replaced("y = x + 1", "TABLE.append(x)"),
    "a name that another function assigns": replaced("y = x + 1", "global TABLE\n    TABLE = x"),
    "a word about gradients": replaced("y = x + 1", "y = x.requires_grad_()"),
}
"""Edits on which the result for the model depends."""


@pytest.mark.parametrize("edit", NOTHING.values(), ids=NOTHING.keys())
def test_what_says_nothing_leaves_all_results(
    project: Path, analysed: list[str], edit: Edit
) -> None:
    (project / "layers.py").write_text(edit(LAYERS))
    found = report(".")
    assert analysed == []
    assert found == report("--no-cache", ".")
    analysed.clear()
    assert report(".") == found
    assert analysed == [], "the moved results are kept"


@pytest.mark.parametrize("edit", ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_an_edit_of_another_definition_leaves_the_importer(
    project: Path, analysed: list[str], edit: Edit
) -> None:
    # What a file does wrong by itself counts for who calls it wrongly: without a mistake, nothing.
    (project / "model.py").write_text(MODEL.replace("7", "8"))
    report(".")
    analysed.clear()
    (project / "layers.py").write_text(edit(LAYERS))
    found = report(".")
    assert analysed == ["layers.py"]
    assert found == report("--no-cache", ".")
    analysed.clear()
    assert report(".") == found
    assert analysed == []


@pytest.mark.parametrize("edit", NEEDED.values(), ids=NEEDED.keys())
def test_an_edit_of_what_was_needed_analyses_the_importer(
    project: Path, analysed: list[str], edit: Edit
) -> None:
    (project / "layers.py").write_text(edit(LAYERS))
    found = report(".")
    assert analysed == ["layers.py", "model.py"]
    assert found == report("--no-cache", ".")


def test_a_return_to_the_older_text_finds_the_older_result(
    project: Path, analysed: list[str]
) -> None:
    before = report(".")
    (project / "layers.py").write_text("# first\n" + LAYERS)
    assert report(".") != before
    (project / "layers.py").write_text(LAYERS)
    assert report(".") == before
    assert analysed == []


def test_comments_for_the_checker_are_read_again(project: Path, analysed: list[str]) -> None:
    silenced = LAYERS.replace("# in one step", "# namecheck: file-ignore[NC2]")
    (project / "layers.py").write_text(silenced)
    assert report(".") == report("--no-cache", ".")
    # A line above moves the comment, which has no effect on the result of the analysis.
    (project / "layers.py").write_text(silenced.replace("TABLE =", "# words\nTABLE ="))
    assert report(".") == report("--no-cache", ".")


def test_a_two_files_edit_moves_places_in_both(project: Path, analysed: list[str]) -> None:
    (project / "layers.py").write_text(LAYERS.replace("import torch", "# words\nimport torch"))
    (project / "sizes.py").write_text("# words\nWIDTH = 8\n")
    found = report(".")
    assert analysed == []
    assert found == report("--no-cache", ".")


def test_what_python_says_of_a_syntax_error_cites_new_lines(project: Path) -> None:
    (project / "odd.py").write_text("x = 1\n\n\ndef f():\nreturn 3\n")
    (finding,) = [one for one in report(".") if one["filename"] == "odd.py"]
    (project / "odd.py").write_text("x = 1\n\n# words\n\ndef f():\nreturn 3\n")
    after = report(".")
    assert finding not in after
    assert after == report("--no-cache", ".")


def test_lines_of_a_part_that_is_the_same() -> None:
    before = file_parts(LAYERS)
    text = LAYERS.replace("def shifted(x):", "# one\n\n\ndef shifted(x):  # two")
    text = text.replace("\n    B, T, C", "\n    # three\n    B, T, C")
    now = file_parts(text)
    assert before.has_same(now, [WHOLE])
    lines, lines_now = LAYERS.split("\n"), text.split("\n")
    for number in set(range(1, len(lines))).difference(before.silent):
        code = lines[number - 1].partition("#")[0].rstrip()
        assert lines_now[before.moved(number, now) - 1].partition("#")[0].rstrip() == code


@pytest.mark.parametrize("text", ["", "\n", "# words\n", '"""Words."""', "x = (\n", "def f():\n"])
def test_parts_of_odd_files(text: str) -> None:
    assert file_parts(text).has_same(file_parts(text), [WHOLE])


# Files that need each other in many ways, and a mistake that each of them may show.
FILES = {
    "sizes.py": '"""Sizes."""\n\nWIDTH = 8\nHEADS = 2\nNAMES = ["a", "b"]\n',
    "basic.py": '''\
"""Functions."""

import torch

import sizes
from sizes import *

TABLE = {"one": 1}


def half(x):
    """Half of it, by columns."""
    n = x.shape[-1] // 2
    return x[..., :n]


def split_heads(x):
    # The heads come first.
    B, T, C = x.shape
    y = x.view(B, T, HEADS, C // HEADS)
    return y.transpose(1, 2)


def entered(n):
    TABLE["n"] = n
    return TABLE


def late(x):
    from modules import Block

    return Block(sizes.WIDTH)(x)
''',
    "modules.py": '''\
"""Modules."""

import torch
from torch import nn

from basic import half, split_heads
from sizes import WIDTH as SIZE

__all__ = ["Block", "Stack"]

norm = nn.LayerNorm(SIZE)


class Base(nn.Module):
    """What both have."""

    def merged(self, x):
        """x: (batch, heads, time, width)"""
        return x.transpose(1, 2).flatten(2)


class Block(Base):
    def __init__(self, size):
        super().__init__()
        self.lin = nn.Linear(size, SIZE)

    def forward(self, x):
        return self.merged(split_heads(norm(self.lin(x))))


class Stack(nn.Module):
    def __init__(self, count=2):
        super().__init__()
        self.blocks = nn.ModuleList([Block(SIZE) for _ in range(count)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return half(x)
''',
    "train.py": """\
import torch

import basic
import modules
from modules import *

KINDS = {"stack": Stack, "block": modules.Block}


def run(kind, size):
    model = KINDS[kind](size)
    x = torch.randn(4, 5, 8)  # (B, T, C)
    return basic.late(model(x))


def main():
    y = run("block", 8)
    w = torch.ones(8, 3)
    return y @ w + torch.zeros(4, 5, 3)


if __name__ == "__main__":
    main()
    print(basic.entered(3)["n"], basic.split_heads(torch.ones(2, 3, 4)).view(2, 2, 6))
""",
}

LAWS = [
    pytest.param(0, id="0"),
    *(pytest.param(seed, id=str(seed), marks=pytest.mark.deep) for seed in range(1, 8)),
]


@pytest.mark.parametrize("seed", LAWS)
def test_the_answer_after_random_edits_is_that_of_a_clean_run(project: Path, seed: int) -> None:
    random, gone = Random(seed), dict[Path, str]()
    for name, text in FILES.items():
        (project / name).write_text(text)
    everything = "--select=ALL", "--statistics", "."
    for turn in range(40):
        if turn % 10 == 9:  # so that it does not fall to pieces
            for name, text in FILES.items():
                (project / name).write_text(text)
        edits = [edit_project(random, project, gone) for _ in range(random.choice([1, 1, 2, 3]))]
        assert report(*everything) == report("--no-cache", *everything), edits
