"""The table of the kinds of evidence is complete, and what it says is so."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import namecheck.analysis
from namecheck.analysis.evidence import moments

ANALYSIS = Path(namecheck.analysis.__file__).parent
EVIDENCE = "namecheck.analysis.evidence"
MODULES = {
    ".".join(path.relative_to(ANALYSIS).with_suffix("").parts): ast.parse(path.read_bytes())
    for path in ANALYSIS.rglob("*.py")
}
KINDS = {
    name.removeprefix("evidence.")
    for name in MODULES
    if name.startswith("evidence.") and name not in ("evidence.__init__", "evidence.moments")
}
TABLE: dict[str, tuple[Callable[..., Any], ...]] = {
    name: row
    for name, row in vars(moments).items()
    if name.isupper() and isinstance(row, tuple) and name != "ASKED_DIRECTLY"
}
WALKS = [node for node in MODULES["evidence.moments"].body if isinstance(node, ast.FunctionDef)]


def kind_of(function: Callable[..., Any]) -> str:
    module = function.__module__
    assert module.startswith(f"{EVIDENCE}.")
    return module.removeprefix(f"{EVIDENCE}.")


def imported(tree: ast.Module, package: str) -> Iterator[tuple[str, str, str]]:
    """What a module imports from below a package: the name it has here, the module, the name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                if node.module == package:
                    yield alias.asname or alias.name, alias.name, ""
                elif node.module.startswith(f"{package}."):
                    module = node.module.removeprefix(f"{package}.")
                    yield alias.asname or alias.name, module, alias.name


def used(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The functions of evidence that a module uses, as pairs of a module and a name."""
    names = {here: (module, name) for here, module, name in imported(tree, EVIDENCE)}
    for module, name in names.values():
        if name:
            yield module, name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module, name = names.get(node.value.id, ("", "-"))
            if not name:
                yield module, node.attr


USED = {
    (caller, module, name)
    for caller, tree in MODULES.items()
    if not caller.startswith("evidence.") and caller != "__init__"
    for module, name in used(tree)
    if isinstance(getattr(__import__(f"{EVIDENCE}.{module}", fromlist="x"), name), FunctionType)
    or module == "moments"
}


@pytest.mark.interpreted
def test_functions_outside_the_table_are_listed() -> None:
    direct = {(row.by, kind_of(row.ask), row.ask.__name__) for row in moments.ASKED_DIRECTLY}
    assert {use for use in USED if use[1] != "moments"} == direct


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_has_a_row(kind: str) -> None:
    reached = {kind_of(ask) for row in TABLE.values() for ask in row}
    for _ in KINDS:  # what they import helps them, and so does what that imports
        reached |= {
            module or name
            for helped in reached
            for name, module, _ in imported(MODULES[f"evidence.{helped}"], EVIDENCE)
        }
    assert kind in reached


@pytest.mark.parametrize("moment", TABLE)
def test_every_moment_comes(moment: str) -> None:
    """Its tuple is walked by a function that the evaluator calls, or by the evaluator."""
    walks = {
        walk.name
        for walk in WALKS
        if any(isinstance(node, ast.Name) and node.id == moment for node in ast.walk(walk))
    }
    assert TABLE[moment]
    assert any(name in {*walks, moment} for _, module, name in USED if module == "moments")
