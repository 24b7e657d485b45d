"""How far an edit reaches: the chunks of a file that may have other findings after it.

The findings of a function depend on its text and on the meaning of its names. So an edit reaches
its own chunk, the chunks that mention a name which that one defines, and so on. Names are read off
the text, comments and strings included: a name too many costs time, one too few a proof. Facts
about the file as a whole are not covered: the trial compares findings before and after, and `--fix`
checks all files again.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Final

from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change
from namecheck.text.chunks import SourceChunk, split
from namecheck_runtime.light.regexes import regex

__all__ = ["Chunks"]

READING: Final = 16
"""The number of lines that are read in the time that evaluating one takes (measured: 15 to 40)."""

_NAME = regex(r"[^\W\d]\w*")
_GLOBAL = regex(r"\b(?:global|nonlocal)\b([^\n;#]*)")


class Chunks:
    """The chunks of a text, by number, with the names that tie them together."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.all: Sequence[SourceChunk] = split(code.text)
        self._begun = [chunk.line for chunk in self.all]

    def at(self, line: int) -> int:
        """The number of the chunk of a line."""
        return max(bisect_right(self._begun, line) - 1, 0)

    def cost(self, chunks: Collection[int] | None) -> int:
        """The cost of analysing some chunks (None: all of them), in evaluated lines. It includes
        the code that the module runs, and reading the whole text.
        """
        lines = len(self.code.lines)
        if chunks is None:
            return lines
        return -(-lines // READING) + sum(
            self._length(number)
            for number in range(len(self.all))
            if number in chunks or not self._definitions[number]
        )

    def _length(self, number: int) -> int:
        end = self._begun[number + 1] if number + 1 < len(self.all) else len(self.code.lines) + 1
        return end - self._begun[number]

    def edited(self, made: Iterable[Change]) -> set[int]:
        """The numbers of the chunks that changes edit."""
        return {
            number
            for change in made
            for number in range(self._holding(change.start), self._holding(change.end) + 1)
        }

    def _holding(self, offset: int) -> int:
        return self.at(self.code.place(offset)[0])

    def apart(self, edited: Iterable[Iterable[int]]) -> list[frozenset[int]]:
        """The chunks that edits reach, as disjoint sets.

        Each item of `edited` holds the chunks that are edited together.
        """
        label_of: dict[int, int] = {}
        parts: dict[int, set[int]] = {}
        for label, chunks in enumerate(edited):
            parts[label] = set()
            waiting = list(chunks)
            while waiting:
                chunk = waiting.pop()
                known = label_of.get(chunk)
                if known is None:
                    label_of[chunk] = label
                    parts[label].add(chunk)
                    for name in self._defined[chunk]:
                        waiting += self._mentioning.get(name, ())
                elif known != label:  # its reach is known already
                    less, more = sorted((known, label), key=lambda part: len(parts[part]))
                    label_of.update(dict.fromkeys(parts[less], more))
                    parts[more] |= parts.pop(less)
                    label = more
        return list(map(frozenset, parts.values()))

    @cached_property
    def _mentioning(self) -> dict[str, list[int]]:
        chunks: dict[str, list[int]] = defaultdict(list)
        for number, chunk in enumerate(self.all):
            for name in set(_NAME.findall(chunk.text)):
                chunks[name].append(number)
        return chunks

    @cached_property
    def _definitions(self) -> list[bool]:
        """Whether each chunk is a function or a class and nothing else."""
        return [_definition(tree) is not None for tree in self._trees]

    @cached_property
    def _defined(self) -> list[frozenset[str]]:
        """The names of each chunk whose meaning may change with its text."""
        imported = {
            alias.asname or alias.name.partition(".")[0]
            for tree in self._trees
            for node in (() if tree is None else tree.body)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        return [
            # Calling a function of a module does not change the module.
            _bound(tree, chunk.text) | (_changed(tree) - imported)
            for tree, chunk in zip(self._trees, self.all, strict=True)
        ]

    @cached_property
    def _trees(self) -> list[ast.Module | None]:
        return [Code(chunk.text).tree for chunk in self.all]


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definition(tree: ast.Module | None) -> Definition | None:
    body = [] if tree is None else tree.body
    if len(body) != 1 or not isinstance(body[0], Definition):
        return None
    return body[0]


def _bound(tree: ast.Module | None, text: str) -> frozenset[str]:
    """The module's names that a chunk binds; all names in it if it cannot be parsed."""
    if tree is None:
        return frozenset(_NAME.findall(text))
    names = {name for names in _GLOBAL.findall(text) for name in _NAME.findall(names)}
    definition = _definition(tree)
    if definition is not None:
        return frozenset({definition.name, *names})
    for node in ast.walk(tree):
        match node:
            case ast.Name(name, ast.Store() | ast.Del()):
                names.add(name)
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                names.add(name)
            case ast.alias(name, asname):
                names.add(asname or name.partition(".")[0])
            case ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
                names.add(name)
            case ast.ExceptHandler(_, str(name)):
                names.add(name)
    return frozenset(names)


def _changed(tree: ast.Module | None) -> frozenset[str]:
    """The names of objects that a chunk may change while the module runs: it calls their methods,
    passes them on, or assigns to parts of them.
    """
    if tree is None:
        return frozenset()
    definition = _definition(tree)
    inside = [tree] if definition is None else definition.decorator_list
    names: set[str] = set()
    for node in (node for tree in inside for node in ast.walk(tree)):
        match node:
            case ast.Call(function, arguments, keywords):
                values = [*arguments, *(keyword.value for keyword in keywords)]
                if isinstance(function, ast.Attribute):
                    values.append(function.value)
                names.update(*map(_roots, values))
            case ast.Attribute(value, _, ast.Store() | ast.Del()) | ast.Subscript(
                value, _, ast.Store() | ast.Del()
            ):
                names |= _roots(value)
    return frozenset(names)


def _roots(value: ast.expr) -> set[str]:
    """The names in an expression: their objects may be reached through it."""
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
