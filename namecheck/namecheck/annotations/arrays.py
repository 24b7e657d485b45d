"""The classes of arrays by what a file calls them: `Tensor`, `torch.Tensor`, `np.ndarray`.

And whether a name is free: a file that calls something of its own `Float` is not told otherwise.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import Final

from namecheck.fixes.code import Code
from namecheck.frameworks import jax, numpy, torch

__all__ = ["PLAIN", "Imports"]

PLAIN: Final = frozenset({torch.TENSOR_TYPE, numpy.TENSOR_TYPE, *jax.TENSOR_TYPES})
"""The classes whose annotations say nothing of dims; others may say more than we know."""


class Imports:
    """What the names of a file mean that it has from elsewhere."""

    def __init__(self, code: Code) -> None:
        self.code = code

    @cached_property
    def meanings(self) -> dict[str, set[str]]:
        """The dotted paths that imports anywhere in the file give a name; "" for other bindings."""
        found: dict[str, set[str]] = {}
        for node in ast.walk(self.code.tree) if self.code.tree is not None else ():
            for name, path in _bindings(node):
                found.setdefault(name, set()).add(path)
        return found

    @cached_property
    def sure(self) -> dict[str, str]:
        """The names that a statement at the top level, on which nothing else depends, imports."""
        found: dict[str, str] = {}
        for node in self.code.tree.body if self.code.tree is not None else ():
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                found.update(_bindings(node))
        return found

    def path(self, node: ast.expr) -> str:
        """The dotted path of a name or attribute, "" if the file may mean something else by it."""
        match node:
            case ast.Name(name):
                meant = self.meanings.get(name, set())
                return next(iter(meant)) if len(meant) == 1 else ""
            case ast.Attribute(value, attribute):
                owner = self.path(value)
                return f"{owner}.{attribute}" if owner else ""
        return ""

    def called(self, path: str) -> str | None:
        """What the file calls a class, by an import that is sure; None if it does not."""
        for name, meant in self.sure.items():
            if meant == path and self.meanings[name] == {path}:
                return name
        owner, _, attribute = path.rpartition(".")
        found = self.called(owner) if owner else None
        return None if found is None else f"{found}.{attribute}"

    def has(self, library: str) -> bool:
        """Whether something of a library is imported for sure."""
        return any(path.partition(".")[0] == library for path in self.sure.values())

    def is_free(self, name: str, path: str) -> bool:
        """Whether a name means nothing in the file, or this."""
        return self.meanings.get(name, {path}) == {path}


def _bindings(node: ast.AST) -> list[tuple[str, str]]:
    match node:
        case ast.Import(names):
            return [
                (one.asname, one.name) if one.asname else (one.name.partition(".")[0],) * 2
                for one in names
            ]
        case ast.ImportFrom(module, names, level):
            dots = "." * (level or 0)
            return [(one.asname or one.name, f"{dots}{module or ''}.{one.name}") for one in names]
        case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
            return [(name, "")]
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return [(name, "")]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            return [(name, "")]
        case ast.Global(names) | ast.Nonlocal(names):
            return [(name, "") for name in names]
    return []
