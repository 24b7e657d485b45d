"""Replacing syntax that the running Python is too old for, such as `def f[T](x)` on 3.11.

Fixes and annotations use `ast`, which reads the syntax of the running Python; LibCST reads newer
syntax. That is replaced by the same number of characters, so that all places stay the same, and
edits of the rest can be applied to the text itself.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.text.layout import split_lines
from namecheck_runtime.light.regexes import regex

if TYPE_CHECKING:
    import libcst as cst

__all__ = ["Older", "older", "parsed"]

_NEWER: Final = regex(
    r"\b(?:def|class)[ \t]+\w+[ \t]*\[|\btype[ \t]+\w|\bexcept\b[ \t*]+[\w.]+[ \t]*,"
    r"|(?<![\w\"'])(?:[rR]?[fFtT]|[fFtT][rR])[\"']"
)
"""A pattern for newer syntax: most texts that are not Python do not match it."""

PARAMETERS: Final = (3, 12)
"""The Python that reads type parameters, `type` statements, and any expression in an f-string."""

TEMPLATES: Final = (3, 14)
"""The Python that reads t-strings, and `except A, B:`."""


class Older(NamedTuple):
    """A text that an older Python reads, its tree, and the pieces that were replaced."""

    text: str
    tree: ast.Module
    replaced: tuple[str, ...]


def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a text; None if the running Python cannot parse it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def older(text: str, version: tuple[int, int] = sys.version_info[:2]) -> Older | None:
    """A text with the same lines and columns that the running Python reads; None if there is none.

    `version` is that of the running Python, or of an older one.
    """
    if version >= TEMPLATES or "\f" in text or _NEWER.search(text) is None:
        return None
    import libcst as cst
    from libcst.metadata import MetadataWrapper, PositionProvider

    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        positions = wrapper.resolve(PositionProvider)
    except (cst.ParserSyntaxError, RecursionError, MemoryError, ValueError):
        return None
    starts = [0, *accumulate(map(len, split_lines(text)))]
    found: list[tuple[int, int, _Replacement]] = []
    for node, replacement in _replacements(wrapper.module, version):
        place = positions[node]
        begin, end = (starts[p.line - 1] + p.column for p in (place.start, place.end))
        found.append((begin, end, replacement))
    found.sort()
    # F-strings stay as they are if the older Python can read all of them.
    for replacements in ([item for item in found if not item[2].may_stay], found):
        result = _replaced(text, replacements)
        tree = None if result is None else parsed(result.text)
        if result is not None and tree is not None:
            return Older(result.text, tree, result.replaced)
    return None


class _Replaced(NamedTuple):
    text: str
    replaced: tuple[str, ...]


def _replaced(text: str, found: Iterable[tuple[int, int, _Replacement]]) -> _Replaced | None:
    """The text with the outermost replacements; None if there is no room for one."""
    parts: list[str] = []
    replaced: list[str] = []
    done = 0
    for begin, end, replacement in found:
        if begin < done:
            continue  # inside another replacement
        written = text[begin:end]
        new = replacement.of(written)
        if new is None:
            return None
        parts += [text[done:begin], new]
        replaced.append(written)
        done = end
    return _Replaced("".join([*parts, text[done:]]), tuple(replaced))


class _Replacement(NamedTuple):
    """The replacement of some text: its beginning and its end, with blanks in between.

    `keeps_first`: the text before the first comma is kept. `may_stay`: perhaps all of it is.
    """

    before: str = ""
    after: str = ""
    keeps_first: bool = False
    may_stay: bool = False

    def of(self, written: str) -> str | None:
        """A replacement with as many characters and lines; None if there is no room for it."""
        if self.keeps_first:
            kept = written.partition(",")[0]
            return kept + " " * (len(written) - len(kept))
        inside = written[len(self.before) : len(written) - len(self.after)]
        if len(self.before) + len(self.after) > len(written) or "\r" in inside:
            return None
        text = self.before + "".join("\n" if c == "\n" else " " for c in inside) + self.after
        lines = text.split("\n")
        # A line that is continued needs room for a backslash.
        if any(not line[-1:].isspace() for line in lines[:-1]):
            return None
        return "\n".join([*(line[:-1] + "\\" for line in lines[:-1]), lines[-1]])


def _replacements(
    module: cst.Module, version: tuple[int, int]
) -> Iterator[tuple[cst.CSTNode, _Replacement]]:
    """The nodes with newer syntax than a Python reads, each with its replacement."""
    import libcst as cst

    waiting: list[cst.CSTNode] = [module]
    while waiting:
        node = waiting.pop()
        match node:
            case cst.TypeParameters() if version < PARAMETERS:
                yield node, _Replacement()
            case cst.TypeAlias() if version < PARAMETERS:
                yield node, _Replacement("pass")
            case cst.FormattedString() if version < PARAMETERS:
                yield node, _Replacement("'", "'", may_stay=True)
                waiting += node.children
            case cst.TemplatedString():
                yield node, _Replacement("'", "'")
            case (
                cst.ExceptHandler(type=cst.Tuple(lpar=[]) as kinds)
                | cst.ExceptStarHandler(type=cst.Tuple(lpar=[]) as kinds)
            ):
                yield kinds, _Replacement(keeps_first=True)
                waiting += node.children
            case _:
                waiting += node.children
