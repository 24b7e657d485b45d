"""The names of array classes in a file: `Tensor`, `torch.Tensor`, `np.ndarray`.

Also whether a name is free: a file that has a `Float` of its own keeps it.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import Final

from namecheck.fixes.code import Code
from namecheck.frameworks import jax, numpy, torch

__all__ = ["PLAIN", "Imports"]

PLAIN: Final = frozenset({torch.TENSOR_TYPE, numpy.TENSOR_TYPE, *jax.TENSOR_TYPES})
"""Array classes without dims in their annotations; those of other classes are left alone."""


class Imports:
    """The meanings of imported names in a file."""

    def __init__(self, code: Code) -> None:
        self.code = code

    @cached_property
    def meanings(self) -> dict[str, set[str]]:
        """The dotted paths of the imports of each name in the file; "" for another binding."""
        meanings: dict[str, set[str]] = {}
        for node in ast.walk(self.code.tree) if self.code.tree is not None else ():
            for name, path in _bindings(node):
                meanings.setdefault(name, set()).add(path)
        return meanings

    @cached_property
    def sure(self) -> dict[str, str]:
        """The names that statements at the top level import, outside of any block."""
        names: dict[str, str] = {}
        for node in self.code.tree.body if self.code.tree is not None else ():
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names.update(_bindings(node))
        return names

    def path(self, node: ast.expr) -> str:
        """The dotted path of a name or attribute; "" if it may have another meaning."""
        match node:
            case ast.Name(name):
                meant = self.meanings.get(name, set())
                return next(iter(meant)) if len(meant) == 1 else ""
            case ast.Attribute(value, attribute):
                owner = self.path(value)
                return f"{owner}.{attribute}" if owner else ""
        return ""

    def called(self, path: str) -> str | None:
        """The name of a class in the file, by an import that is sure; None if it has none."""
        for name, meant in self.sure.items():
            if meant == path and self.meanings[name] == {path}:
                return name
        owner, _, attribute = path.rpartition(".")
        name_of_owner = self.called(owner) if owner else None
        return None if name_of_owner is None else f"{name_of_owner}.{attribute}"

    def has(self, library: str) -> bool:
        """Whether a library, or a name of it, is imported for sure."""
        return any(path.partition(".")[0] == library for path in self.sure.values())

    def is_free(self, name: str, path: str) -> bool:
        """Whether a name has no meaning in the file, or this one."""
        return self.meanings.get(name, {path}) == {path}


def _bindings(node: ast.AST) -> list[tuple[str, str]]:
    match node:
        case ast.Import(names):
            return [
                (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
                for alias in names
            ]
        case ast.ImportFrom(module, names, level):
            dots = "." * (level or 0)
            return [(a.asname or a.name, f"{dots}{module or ''}.{a.name}") for a in names]
        case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
            return [(name, "")]
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return [(name, "")]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            return [(name, "")]
        case ast.Global(names) | ast.Nonlocal(names):
            return [(name, "") for name in names]
    return []
