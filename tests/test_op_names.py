"""The code knows ops by the words of their declarations; only these and the kernels name an op.

A name elsewhere would be a policy that is missing from the declaration and from every new op.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.declare import REGISTRY

ROOT = Path(__file__).parent.parent
FOLDERS = ("runtime/namecheck_runtime", "namecheck/namecheck", "plugin/namecheck_plugin")
_TENSORS = "runtime/namecheck_runtime/tensors"
_AUTOGRAD = "runtime/namecheck_runtime/autograd"

HOMES: Final = (
    "runtime/namecheck_runtime/rules/",
    "runtime/namecheck_runtime/nn/",
    f"{_TENSORS}/kernels/",
    f"{_AUTOGRAD}/derivatives/",
    "namecheck/namecheck/frameworks/",
)
"""The folders of declarations, of kernels and of derivatives, and the knowledge of other
libraries' programs.
"""

KERNELS: Final = {
    f"{_TENSORS}/layouts/sparse_rows.py": "kernels of a layout that is registered",
    f"{_TENSORS}/views/view_ops.py": "kernels of ops that show memory: views are above `kernels`",
    f"{_TENSORS}/computing/in_place.py": "kernels of ops that change dims in place: need views",
    f"{_TENSORS}/computing/composed.py": "kernels of ops that are made of other ops",
    f"{_TENSORS}/computing/answers.py": "kernels of ops that compute no tensor: they need no array",
}
"""Modules of kernels outside the folder, and the reasons."""

ALLOWED: Final = {
    "runtime/namecheck_runtime/_surface.py": "generated: methods, before the rulebook is read",
    "runtime/namecheck_runtime/as_torch/__init__.py": "PyTorch's names of files of distributions",
    "runtime/namecheck_runtime/declare.py": "Python's augmented operators",
    "runtime/namecheck_runtime/surface.py": "functions that are written out, and where",
    f"{_AUTOGRAD}/attributes.py": "attributes of tensors that are written out",
    f"{_AUTOGRAD}/checks.py": "a gradient that is missing is zeros",
    f"{_AUTOGRAD}/engine.py": "the way back begins with ones, and gradients are added",
    f"{_AUTOGRAD}/functional.py": "a Jacobian is stacked from its rows",
    f"{_AUTOGRAD}/graph.py": "gradients are summed, cast and put where they belong",
    f"{_AUTOGRAD}/rebasing.py": "a gradient of a part is put into that of the whole",
    f"{_AUTOGRAD}/recording.py": "an assignment is recorded",
    f"{_AUTOGRAD}/node_names.py": "PyTorch's names of nodes, measured",
    f"{_AUTOGRAD}/shapes.py": "what derivatives have in common",
    f"{_TENSORS}/calls/overrides.py": "PyTorch's names of operators for `__torch_function__`",
    f"{_TENSORS}/subclasses.py": "attributes and methods of tensors that call no op",
    f"{_TENSORS}/computing/destinations.py": "`x[key] = value` asks its rule",
    f"{_TENSORS}/constructor.py": "`nt.Tensor(2, 3)` calls `empty`",
    f"{_TENSORS}/functions.py": "a function that is written out calls its op",
    f"{_TENSORS}/making/factories.py": "`nt.tensor` asks its rule",
    f"{_TENSORS}/methods.py": "methods that are written out, with a fast path, call their ops",
    f"{_TENSORS}/operators.py": "operators with a fast path call their ops",
    f"{_TENSORS}/views/broadcasting.py": "`strict_broadcasting` asks XLA's rule",
}
"""Modules that name ops for another reason: each calls the op it names, or lists something else."""

_PLAIN = """
    bool int float complex tuple list len abs all any max min sum range round iter type key copy
    dtype device layout names shape size dim data cpu cuda where requires_grad pin_memory
    short long half double cfloat cdouble
"""
PLAIN: Final = frozenset(_PLAIN.split())
"""Ops with the name of something in Python, of a keyword, a dtype or a device."""

MOST = 3
"""The most last parts of op names in a literal: with more it is a table of ops."""


@cache
def bare() -> frozenset[str]:
    """Ops by the last part of their paths."""
    return frozenset(path.rpartition(".")[2] for path in REGISTRY) - PLAIN


def named(text: str) -> Iterator[str]:
    """The places of a module that name ops, each with its line.

    A place names one op by its path, or several by the last parts of their paths.
    """
    tree = ast.parse(text)
    statements = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    docstrings = {id(value) for value in statements if isinstance(value, ast.Constant)}
    for node in ast.walk(tree):
        words = words_of(node)
        if id(node) not in docstrings:
            for word in words:
                if isinstance(word, str) and word in REGISTRY:
                    yield f"{node.lineno}: {word}"  # type: ignore[attr-defined]
        table = bare().intersection(words)
        if len(table) > MOST:
            yield f"{node.lineno}: {' '.join(sorted(table))}"  # type: ignore[attr-defined]


def words_of(node: ast.AST) -> list[object]:
    """A constant; the constants of a literal collection, or of a pattern with alternatives; the
    words of a text that is split.
    """
    match node:
        case ast.Constant(value):
            return [value]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split")):
            return list(text.split())
        case ast.Tuple(elts=entries) | ast.List(elts=entries) | ast.Set(elts=entries):
            pass
        case ast.Dict(keys=keys):
            entries = [key for key in keys if key is not None]
        case ast.MatchOr(patterns):
            entries = [pattern.value for pattern in patterns if isinstance(pattern, ast.MatchValue)]
        case _:
            return []
    return [entry.value for entry in entries if isinstance(entry, ast.Constant)]


@cache
def places_that_name_ops() -> dict[str, list[str]]:
    """The modules outside `HOMES` that name ops, with the places."""
    modules = {
        path.relative_to(ROOT).as_posix(): path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
    }
    places = {
        module: list(dict.fromkeys(named(path.read_text(encoding="utf-8"))))
        for module, path in modules.items()
        if not module.startswith(HOMES)
    }
    return {module: lines for module, lines in places.items() if lines}


def test_only_rules_and_kernels_name_ops() -> None:
    assert {
        module: lines
        for module, lines in places_that_name_ops().items()
        if module not in KERNELS and module not in ALLOWED
    } == {}


def test_every_exception_is_needed() -> None:
    assert [module for module in (*KERNELS, *ALLOWED) if module not in places_that_name_ops()] == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('if op.name == "torch.sum": pass', ["1: torch.sum"]),
        ('"torch.sum"', []),
        ('"""torch.sum is an op."""', []),
        ('say("torch.sum is an op")', []),
        ('NAMES = {"torch.sum": 1}', ["1: torch.sum"]),
        ('NAMES = "torch.sum torch.mean".split()', ["1: torch.sum", "1: torch.mean"]),
        ('NAMES = ("amax", "amin", "mean")', []),
        ('NAMES = ("amax", "amin", "mean", "float")', []),
        ('NAMES = ("amax", "amin", "mean", "prod")', ["1: amax amin mean prod"]),
        ('NAMES = {"amax": 1, "amin": 2, "mean": 3, "prod": 4}', ["1: amax amin mean prod"]),
        ('NAMES = "amax amin mean prod".split()', ["1: amax amin mean prod"]),
    ],
)
def test_names_that_count(text: str, places: list[str]) -> None:
    assert list(dict.fromkeys(named(text))) == places
