"""The rows of docs/from_torch.md: each program gives what its row says, or refuses so."""

from __future__ import annotations

import ast
import io
import pickle
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import namecheck_runtime as nt
import namecheck_runtime.multiprocessing
from outside.lists import registered

PAGE = Path(__file__).parents[2] / "docs/from_torch.md"
SECTION = "## PyTorch's documents, sentence by sentence"
_ROW = re.compile(r"\| (?P<said>[^|]+) \| `(?P<program>[^|]+)` \| `(?P<here>[^|]*)` \|")


def rows() -> list[tuple[str, str, str]]:
    """The sentence, the program and the outcome of each row."""
    section = PAGE.read_text(encoding="utf-8").partition(SECTION)[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ") and "`" in line]
    matches = [_ROW.fullmatch(line) for line in lines]
    assert all(matches), [line for line, match in zip(lines, matches, strict=True) if match is None]
    return [(match["said"], match["program"], match["here"]) for match in matches if match]


ROWS = rows()


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    with registered("lists"):
        yield
    nt.set_default_device(None)
    nt.set_default_dtype(nt.float32)


def test_there_are_rows_of_both_documents() -> None:
    assert len(ROWS) > 80
    assert len({program for _, program, _ in ROWS}) == len(ROWS)


def outcome(program: str) -> str:
    """The text of the last value of a program, or the name and the first line of what it raises."""
    names: dict[str, Any] = {"torch": nt, "io": io, "pickle": pickle}
    # `with block: a; b` in one line stands for a block of `a` and a value `b` after it.
    begin, _, rest = program.partition(": ")
    if begin.startswith("with ") and ";" in rest:
        inside, _, value = rest.rpartition("; ")
        program = f"{begin}:\n    {inside}\n{value}"
    tree = ast.parse(program)
    last = tree.body[-1]
    value = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    body = ast.Module(tree.body[: -1 if value else None], [])
    try:
        exec(compile(body, "<row>", "exec"), names)
        return repr(eval(compile(value, "<row>", "eval"), names)) if value else "None"
    except Exception as error:
        first = str(error).partition("\n")[0]
        return f"{type(error).__name__}: {first}"


@pytest.mark.parametrize(
    ("said", "program", "here"), ROWS, ids=[said.replace(" ", "_")[:50] for said, _, _ in ROWS]
)
def test_a_row(said: str, program: str, here: str) -> None:
    if "share" in program or "SimpleQueue" in program:
        if sys.platform == "win32":
            pytest.skip("needs file descriptors")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = outcome(program)
    refuses = re.match(r"\w+Error: ", here)
    if refuses:
        assert result.startswith(here)
    else:
        assert result == here
