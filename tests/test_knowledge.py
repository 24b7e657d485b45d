"""The tool that compares what drives know with the sizes that torch computed."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from loading import load_file

PRECISION = Path(__file__).parent / "benchmarks" / "precision"
sys.path.append(str(PRECISION))
knowledge = load_file(PRECISION / "knowledge.py")

NET = dedent(
    """\
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.scale = nn.Parameter(torch.ones(width))
            self.encode = nn.Linear(width, 2 * width)

        def forward(self, x, mask=None):
            x = self.encode(x * self.scale)
            if mask is not None and mask.any():
                y = x[:, :2]
            for _ in range(2):
                x = torch.cat([x, x])
            z = x[x > 0]
            return unknown(x)
    """
)
DRIVE = dedent(
    """\
    import torch
    import package.net as module

    def test_drive():
        module.Net(3)(torch.ones(5, 3), torch.ones(5))
    """
)
NET_PY = "package/net.py"
FACTS = {
    (NET_PY, 7, "self.scale"): [(3,)],
    (NET_PY, 11, "x"): [(5, 6)],
    (NET_PY, 13, "y"): [(4, 2)],
    (NET_PY, 15, "x"): [(10, 6), (20, 6)],
    (NET_PY, 16, "z"): [(61,)],
    (NET_PY, 99, "z"): [(2,)],
}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A drive of a file that is never run."""
    (tmp_path / "package").mkdir()
    (tmp_path / NET_PY).write_text(NET)
    (tmp_path / "drive.py").write_text(DRIVE)
    return tmp_path / "drive.py"


def judged(program: Path, facts: Any) -> tuple[list[str], list[str]]:
    """The kind of each fact, and the wrong values."""
    verdicts, wrong = knowledge.compare(facts, knowledge.claims_of(program, None))
    return [v.kind for v in verdicts], [f"{v.place[1]} {v.place[2]} {v.claim}" for v in wrong]


def test_what_a_drive_knows_of_each_fact(program: Path) -> None:
    kinds, wrong = judged(program, FACTS)
    assert kinds == [
        "known",
        "known",
        "elsewhere",
        "known",
        "known",
        "sizes",
        "not reached",
    ]
    assert wrong == []  # the branch of `y` may not be taken


def test_values_that_never_occurred_are_wrong(program: Path) -> None:
    facts = {(NET_PY, 11, "x"): [(5, 7)], (NET_PY, 15, "x"): [(10, 6)]}
    assert judged(program, facts) == (
        ["elsewhere", "known"],
        ["11 x [5, 6]", "15 x [20, 6]"],
    )


def test_facts_that_random_numbers_decide_are_left_out() -> None:
    first = {("a.py", 1, "x"): [(2,), (3,)], ("a.py", 2, "y"): [(4,)], ("a.py", 3, "z"): [(1,)]}
    second = {("a.py", 1, "x"): [(3,), (2,)], ("a.py", 2, "y"): [(5,)]}
    assert knowledge.same_in_both(first, second) == ({("a.py", 1, "x"): [(2,), (3,)]}, 2)


def test_facts_are_kept_as_data() -> None:
    row = knowledge.read_row(knowledge.row_of("drivers/net", FACTS, drawn=3))
    assert row == ("drivers/net", 3, FACTS)


def test_the_observer_keeps_the_sizes_of_tensors(tmp_path: Path) -> None:
    array = type("ndarray", (), {"__module__": "numpy", "dtype": "float32"})

    def made(*sizes: int) -> object:
        value = array()
        value.shape = sizes
        return value

    observer = knowledge.Observer(str(tmp_path))
    names = {
        "__inlay_enter__": observer.enter,
        "__inlay_assigned__": observer.assigned,
        "__inlay_returned__": observer.returned,
        "made": made,
    }
    source = """\
        def f(rounds):
            n = 3
            for k in range(rounds):
                a, b = made(2, n), made(k % 2)
            return a
        f(3)
        f(1)
        """
    for file in ("in.py", "../out.py"):
        tree = knowledge.hooked(dedent(source))
        assert isinstance(tree, ast.Module)
        exec(compile(tree, str(tmp_path / file), "exec"), dict(names))
    assert observer.facts == {("in.py", 4, "a"): [(2, 3)], ("in.py", 4, "b"): [(0,), (1,)]}


def test_the_facts_of_the_drivers_can_be_read() -> None:
    rows = [knowledge.read_row(line) for line in knowledge.FACTS.read_text().splitlines()]
    assert {row.driver for row in rows} == set(knowledge.drivers())
