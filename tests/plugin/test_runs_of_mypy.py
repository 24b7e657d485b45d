"""Five modules, checked in every mode of mypy: the findings are the same."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import checked
from checked import mypy

PROJECT = Path(__file__).parent / "project"
MODULES = [path.name for path in sorted(PROJECT.glob("*.py"))]

FOUND = {
    "data.py:16": "cannot find dim 'C' for sum in [N]",
    "model.py:13": "cannot find dim 'C' for sum in [N, E]",
    "training.py:9": "cannot add [N, C] and [C, E]: 'C' and 'E' meet at position -1",
    "training.py:11": 'Revealed type is "Tensor[N, E]"',
    "training.py:12": 'Revealed type is "Tensor[C, E]"',
    "training.py:13": 'Revealed type is "Tensor[N, C]"',
}

EDITED = {
    **FOUND,
    "layers.py:16": "cannot add [N, O] and [E]: 'O' and 'E' meet at position -1",
    "training.py:9": "cannot add [N, C] and [C, O]: 'C' and 'O' meet at position -1",
    "training.py:11": 'Revealed type is "Tensor[N, O]"',
    "training.py:12": 'Revealed type is "Tensor[C, O]"',
}
"""The messages after `weight` gets other names in the module that all others import."""


SAID = re.compile(r"(\w+\.py:\d+)(?::\d+)*: (?:error|note): (.*?)(?:  \[[\w-]+\])?")


def edit(project: Path) -> None:
    path = project / "shapes.py"
    text = path.read_text()
    assert text.count('names=("C", "E")') == 1
    # mypy takes a file of the same size and the same second for the same file.
    path.write_text(text.replace('names=("C", "E")', 'names=("C", "O")') + "# edited\n")


def first_messages(output: str) -> dict[str, str]:
    """The first message at each place, types shortened, without the messages that mypy adds because
    an operator with an error gives Any.
    """
    messages: dict[str, str] = {}
    for line in output.splitlines():
        match = SAID.fullmatch(line)
        if match is not None and not match[2].startswith("Returning Any"):
            text = match[2]
            short = checked.shortened(text)
            text = text if short is None else f'Revealed type is "{short}"'
            messages.setdefault(match[1], text)
    return messages


@pytest.fixture
def project(warm: Path) -> Path:
    for name in MODULES:
        shutil.copy(PROJECT / name, warm)
    return warm


def test_there_are_five_modules() -> None:
    assert len(MODULES) == 5


@pytest.mark.parametrize(
    "cache",
    [
        pytest.param([], id="default"),
        pytest.param(["--no-fixed-format-cache"], id="json", marks=pytest.mark.deep),
        pytest.param(["--sqlite-cache"], id="sqlite", marks=pytest.mark.deep),
        pytest.param(["--no-incremental"], id="none", marks=pytest.mark.deep),
    ],
)
def test_cold_warm_and_after_an_edit(project: Path, cache: list[str]) -> None:
    assert first_messages(mypy(project, *cache, *MODULES)) == FOUND
    assert first_messages(mypy(project, *cache, *MODULES)) == FOUND
    edit(project)
    assert first_messages(mypy(project, *cache, *MODULES)) == EDITED
    assert first_messages(mypy(project, *cache, *MODULES)) == EDITED


def test_workers_find_the_same(project: Path) -> None:
    assert first_messages(mypy(project, "-n", "2", *MODULES)) == FOUND
    edit(project)
    assert first_messages(mypy(project, "-n", "2", *MODULES)) == EDITED


@pytest.fixture
def daemon(project: Path) -> Iterator[checked.Daemon]:
    with checked.Daemon(project) as started:
        yield started


def test_the_daemon_finds_the_same(project: Path, daemon: checked.Daemon) -> None:
    arguments = ("run", "--export-types", "--", *MODULES)
    assert first_messages(daemon(*arguments)) == FOUND
    assert first_messages(daemon(*arguments)) == FOUND
    edit(project)
    assert first_messages(daemon(*arguments)) == EDITED
    shown = daemon("inspect", "training.py:11:13:11:26")
    assert "Tensor[Literal['N'], Literal['O']]" in shown
    (project / "shapes.py").write_text((PROJECT / "shapes.py").read_text())
    assert first_messages(daemon(*arguments)) == FOUND


def test_the_daemon_forgets_a_replaced_class(project: Path, daemon: checked.Daemon) -> None:
    """The plugin remembers its answers by type, and mypy keeps the type of a class across an edit
    that replaces the class.
    """
    tensor = (
        "from typing import Literal as L\n\nfrom namecheck_runtime import Tensor\n\n\n"
        'class Rows(Tensor[L["N"], L["C"]]): ...\n'
    )
    plain = "class Rows:\n    def sum(self, of: str) -> int:\n        return len(of)\n"
    (project / "kind.py").write_text(tensor)
    (project / "use.py").write_text(
        "from kind import Rows\n\n\ndef used(rows: Rows) -> None:\n    rows.sum('Q')\n"
    )
    arguments = ("run", "--", "use.py", "kind.py")
    expected = {"use.py:5": "cannot find dim 'Q' for sum in [N, C]"}
    assert first_messages(daemon(*arguments)) == expected
    (project / "kind.py").write_text(plain)
    assert first_messages(daemon(*arguments)) == {}
    (project / "kind.py").write_text(tensor)
    assert first_messages(daemon(*arguments)) == expected


@pytest.mark.slow
def test_the_daemon_suggests_types_with_names(project: Path, daemon: checked.Daemon) -> None:
    (project / "helper.py").write_text(
        "# mypy: allow-untyped-defs, allow-untyped-calls\n"
        "from shapes import rows\n\n"
        "def doubled(x):\n    return x * 2\n\n"
        "doubled(rows(3))\n"
    )
    daemon("run", "--", "helper.py")
    suggested = daemon("suggest", "helper.doubled")
    rows = "namecheck_runtime.tensors.object.Tensor[Literal['N'], Literal['C']]"
    assert suggested.strip() == f"({rows}) -> {rows}"
