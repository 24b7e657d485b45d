"""The correct programs of the lessons, changed in ways that must not cause a finding.

An expression is replaced by an unknown one (knowing less never causes a finding), the whole program
is put into a branch, a loop or a function, and its variables get other names. This module makes the
changes, with `ast`; `lessons` reads the programs.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest

from lessons import Program, programs
from namecheck.analysis import analyze
from namecheck.findings import Level

CORRECT = [
    program
    for path in sorted((Path(__file__).parent / "cases").glob("*.md"))
    for program in programs(path)
    if not program.marks.found and not program.short
]
IDS = [f"{program.lesson}: {program.title}" for program in CORRECT]

WRAPPED = {
    "with": "with open('x') as file:\n{}",
    "for": "for one in many():\n{}",
    "while": "while unknown():\n{}",
    "if": "if unknown():\n{}",
    "else": "if unknown():\n    pass\nelse:\n{}",
    "try": "try:\n{}finally:\n    pass\n",
    "def": "def program():\n{}\n\nprogram()\n",
}

EVERY = 11
"""One expression in this many is forgotten: enough to find a fault, and few enough to be quick."""


def findings_of(text: str) -> list[str]:
    findings = analyze("program.py", text.encode()).findings
    return [
        f"{f.span.line}: {f.level}[{f.code}] {f.message}"
        for f in findings
        if f.level is not Level.NOTE
    ]


def forgotten(text: str) -> Iterator[str]:
    """The programs that replace one expression of this program by an unknown one.

    Only assigned or returned expressions are replaced, not those with an effect: without the call
    that appends to a list it would be another program.
    """
    lines = text.splitlines()
    spots: set[tuple[int, int, int]] = set()
    for statement in ast.walk(ast.parse(text)):
        if isinstance(statement, ast.Assign | ast.Return) and statement.value is not None:
            for node in ast.walk(statement.value):
                if isinstance(node, ast.Call | ast.BinOp | ast.Subscript | ast.Attribute):
                    if node.lineno == node.end_lineno:
                        spots.add((node.lineno, node.col_offset, node.end_col_offset or 0))
    for line, start, end in sorted(spots):
        before = lines[line - 1].encode()
        after = (before[:start] + b"unknown_thing()" + before[end:]).decode()
        yield "\n".join([*lines[: line - 1], after, *lines[line:], ""])


def renamed(text: str) -> str:
    """The program with other names for its variables, except those in its comments and strings."""
    tree = ast.parse(text)
    names: set[str] = set()
    fixed: set[str | None] = {"self"}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                names.add(name)
            case ast.Attribute(attr=name) | ast.keyword(arg=name):
                fixed.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                fixed |= {alias.asname or alias.name.partition(".")[0] for alias in aliases}
            case ast.ClassDef(body=body):
                # Fields of a class are written as keywords and attributes.
                fixed |= {n.id for n in ast.walk(ast.Module(body, [])) if isinstance(n, ast.Name)}
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    written = " ".join(
        token.string for token in tokens if token.type in (tokenize.COMMENT, tokenize.STRING)
    )
    names = {
        name
        for name in names - fixed
        # `C_` beside `C` means that the two are the same size.
        if not name.endswith("_")
        and f"{name}_" not in names
        and not re.search(rf"\b{name}\b", written)
    }
    lines = text.splitlines(keepends=True)
    for token in reversed(tokens):
        if token.type == tokenize.NAME and token.string in names:
            row, column = token.start
            line = lines[row - 1]
            if not line[:column].rstrip().endswith("."):
                lines[row - 1] = f"{line[:column]}{token.string}_other{line[token.end[1] :]}"
    return "".join(lines)


@pytest.mark.parametrize("program", CORRECT, ids=IDS)
def test_forgetting_a_value_causes_no_finding(program: Program) -> None:
    for text in list(forgotten(program.marks.text))[program.line % EVERY :: EVERY]:
        assert not findings_of(text), text


@pytest.mark.parametrize("program", CORRECT, ids=IDS)
def test_moving_a_program_causes_no_finding(program: Program) -> None:
    if "import *" in program.marks.text:
        pytest.skip("only a module may import everything")
    for wrapped in WRAPPED.values():
        text = wrapped.format(indent(program.marks.text, "    "))
        assert not findings_of(text), text


@pytest.mark.parametrize("program", CORRECT, ids=IDS)
def test_other_names_cause_no_finding(program: Program) -> None:
    text = renamed(program.marks.text)
    assert not findings_of(text), text


def test_the_changes_have_an_effect() -> None:
    assert len(CORRECT) > 250
    variants = [list(forgotten(program.marks.text)) for program in CORRECT]
    assert sum(map(len, variants)) > 2000
    assert sum(renamed(program.marks.text) != program.marks.text for program in CORRECT) > 150
