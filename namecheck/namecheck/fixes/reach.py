"""How far an edit reaches: the chunks of a file of which something else may be found after it.

What a function says depends on its own text and on what its names mean. So an edit reaches the
chunk that it stands in, the chunks that mention a name which that one gives, and so on. Names are
read off the text, comments and strings included: a name too many costs time, one too few a proof.
What the reach cannot see (what is learned of a file as a whole) is the same before and after as far
as the trial can tell, and `--fix` checks all files once more.
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
"""How many lines are read in the time in which one is evaluated (measured: 15 to 40)."""

_NAME = regex(r"[^\W\d]\w*")
_GLOBAL = regex(r"\b(?:global|nonlocal)\b([^\n;#]*)")


class Chunks:
    """The chunks of a text, by number, with the names that tie them together."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.all: Sequence[SourceChunk] = split(code.text)
        self._begun = [chunk.line for chunk in self.all]

    def at(self, line: int) -> int:
        """The number of the chunk that a line stands in."""
        return max(bisect_right(self._begun, line) - 1, 0)

    def cost(self, some: Collection[int] | None) -> int:
        """What it costs to analyse some chunks (None: all of them), in lines that are evaluated:
        what the module runs included, and that the whole text is read.
        """
        lines = len(self.code.lines)
        if some is None:
            return lines
        return -(-lines // READING) + sum(
            self._length(number)
            for number in range(len(self.all))
            if number in some or not self._definitions[number]
        )

    def _length(self, number: int) -> int:
        end = self._begun[number + 1] if number + 1 < len(self.all) else len(self.code.lines) + 1
        return end - self._begun[number]

    def edited(self, made: Iterable[Change]) -> set[int]:
        """The numbers of the chunks in which changes are made."""
        return {
            number
            for change in made
            for number in range(self._holding(change.start), self._holding(change.end) + 1)
        }

    def _holding(self, offset: int) -> int:
        return self.at(self.code.place(offset)[0])

    def apart(self, edited: Iterable[Iterable[int]]) -> list[frozenset[int]]:
        """What edits reach, as sets of chunks that have none in common.

        Each of `edited` are the chunks that are edited together.
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
                    for name in self._given[chunk]:
                        waiting += self._mentioning.get(name, ())
                elif known != label:  # what that one reaches has been found
                    less, more = sorted((known, label), key=lambda one: len(parts[one]))
                    label_of.update(dict.fromkeys(parts[less], more))
                    parts[more] |= parts.pop(less)
                    label = more
        return list(map(frozenset, parts.values()))

    @cached_property
    def _mentioning(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, chunk in enumerate(self.all):
            for name in set(_NAME.findall(chunk.text)):
                found[name].append(number)
        return found

    @cached_property
    def _definitions(self) -> list[bool]:
        """Of each chunk whether it is a function or a class, and nothing but that."""
        return [_definition(tree) is not None for tree in self._trees]

    @cached_property
    def _given(self) -> list[frozenset[str]]:
        """Of each chunk the names that mean something else when it says something else."""
        imported = {
            alias.asname or alias.name.partition(".")[0]
            for tree in self._trees
            for node in (() if tree is None else tree.body)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        return [
            # To call what a module has does not change the module.
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
    """The names of the module that a chunk binds; all that it mentions if it cannot be read."""
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
    """The names of what a chunk may change while the module runs: what it calls methods of, hands
    to others, or assigns parts of.
    """
    if tree is None:
        return frozenset()
    definition = _definition(tree)
    inside = [tree] if definition is None else definition.decorator_list
    names: set[str] = set()
    for node in (node for one in inside for node in ast.walk(one)):
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
    """The names in an expression, whose objects may be reached through it."""
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
