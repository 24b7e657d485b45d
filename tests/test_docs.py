"""The code in our documents runs, in the order of the page."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
GUIDES = [DOCS / "adding_an_op.md", DOCS / "runtime.md"]


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_the_code_of_a_guide_runs(path: Path) -> None:
    """It runs in a process of its own: a guide may declare ops that must not stay registered."""
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    code = "from __future__ import annotations\n" + "\n".join(blocks)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(DOCS.parent / "runtime")},
    )
    assert done.returncode == 0, done.stderr


PROGRAMS = [
    (path, number, block)
    for path in [DOCS / "sharing.md"]
    for number, block in enumerate(
        re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
    )
]


@pytest.mark.parametrize(
    ("path", "block"),
    [(path, block) for path, _, block in PROGRAMS],
    ids=[f"{path.stem}-{number}" for path, number, _ in PROGRAMS],
)
def test_a_program_of_a_guide_runs(path: Path, block: str, tmp_path: Path) -> None:
    """From a file: processes that are started anew import it."""
    program = tmp_path / "program.py"
    program.write_text(block)
    done = subprocess.run(
        [sys.executable, program],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(DOCS.parent / "runtime")},
    )
    assert done.returncode == 0, done.stderr


SESSIONS = [
    DOCS / "runtime.md",
    DOCS / "from_torch.md",
    DOCS / "autograd.md",
    DOCS / "modules.md",
    DOCS / "training.md",
    DOCS / "saving.md",
    DOCS / "sharing.md",
    DOCS / "overrides.md",
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_the_sessions_of_a_guide_run(path: Path) -> None:
    """Each block continues the session, and its output is the one shown."""
    blocks = re.findall(r"^```pycon\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, path.name, str(path), 0)
    assert len(test.examples) > 5
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.stem)
def test_the_first_column_of_a_table_has_a_heading(path: Path) -> None:
    """Markdown drops an empty first cell and moves the others left, unless all are empty."""
    lines = path.read_text().splitlines()
    for head, rule in pairwise(lines):
        if re.fullmatch(r"\|[-:| ]+\|", rule) and head.startswith("|"):
            first, *rest = (cell.strip() for cell in head.strip("|").split("|"))
            assert first or not any(rest), head
