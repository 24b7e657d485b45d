"""Names of libraries are only in `frameworks`, with one module per library."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import namecheck
from namecheck.frameworks import LABELLED, LIBRARIES

PACKAGE = Path(namecheck.__file__).parent
FRAMEWORKS = PACKAGE / "frameworks"

MODULES = frozenset(path.stem for path in FRAMEWORKS.glob("*.py")) - {
    *("__init__", "python", "transforms"),
}
THIRD_PARTY = MODULES | LIBRARIES.keys() | {path.rstrip(".") for path in LABELLED}
KNOWN = THIRD_PARTY | sys.stdlib_module_names

ALLOWED = {
    ("annotations/styles.py", "jaxtyping"): "a value of the option --style",
    ("commands/annotate.py", "jaxtyping"): "the same option",
    ("commands/slow_runs.py", "namecheck_runtime.infer"): "a module of this project",
}


def test_names_of_libraries_are_in_frameworks() -> None:
    lines_by_name = {
        (path.relative_to(PACKAGE).as_posix(), text): line
        for path in sorted(PACKAGE.rglob("*.py"))
        if FRAMEWORKS not in path.parents
        for line, text in literals(path.read_text(encoding="utf-8"))
        if names_library(text)
    }
    assert {key: line for key, line in lines_by_name.items() if key not in ALLOWED} == {}
    assert lines_by_name.keys() == ALLOWED.keys(), "an entry of ALLOWED is out of date"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch", True),
        ("torch.empty", True),
        ("numpy.", True),
        ("functools.partial", True),
        ("copy", False),
        ("torchvision is not declared", False),
        ("torch. A sentence", False),
        ("x.copy", False),
    ],
)
def test_literals_that_name_a_library(text: str, expected: bool) -> None:
    assert names_library(text) is expected


def literals(text: str) -> list[tuple[int, str]]:
    """The string literals of a module with their lines, without docstrings."""
    tree = ast.parse(text)
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def names_library(text: str) -> bool:
    """Whether a literal is the name of a library, or begins with a path in one.

    A module of the standard library counts only with a dot: `copy` is a method of lists.
    """
    if text in THIRD_PARTY:
        return True
    first, dot, rest = text.partition(".")
    return bool(dot) and first in KNOWN and (not rest or rest[0].isidentifier())
