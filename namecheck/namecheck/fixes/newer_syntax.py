"""Syntax that the running Python is too old for, in words that it knows: `def f[T](x)` on 3.11.

Fixes and annotations are made by `ast`, which reads the syntax of the Python that runs; LibCST
reads newer one. What is newer is replaced by as many characters, so that every place stays where it
is and edits of the rest can be made in the text as it stands.
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
"""What a text has somewhere that is newer: most texts that are no Python have nothing of it."""

PARAMETERS: Final = (3, 12)
"""The Python that reads type parameters, `type` statements, and any expression in an f-string."""

TEMPLATES: Final = (3, 14)
"""The Python that reads t-strings, and `except A, B:`."""


class Older(NamedTuple):
    """A text that an older Python reads, its tree, and what was taken out, as it was written."""

    text: str
    tree: ast.Module
    replaced: tuple[str, ...]


def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a text; None if it is no Python that the running one reads."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def older(text: str, version: tuple[int, int] = sys.version_info[:2]) -> Older | None:
    """A text that the running Python reads, as long as this one, line by line; None if there is
    none.

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
        begin, end = (starts[one.line - 1] + one.column for one in (place.start, place.end))
        found.append((begin, end, replacement))
    found.sort()
    # An f-string that older Pythons read, too, stays what it is if all do.
    for some in ([one for one in found if not one[2].may_stay], found):
        made = _made(text, some)
        tree = None if made is None else parsed(made.text)
        if made is not None and tree is not None:
            return Older(made.text, tree, made.replaced)
    return None


class _Made(NamedTuple):
    text: str
    replaced: tuple[str, ...]


def _made(text: str, some: Iterable[tuple[int, int, _Replacement]]) -> _Made | None:
    """The text with replacements, the outermost ones; None if there is no room for one."""
    parts: list[str] = []
    replaced: list[str] = []
    done = 0
    for begin, end, replacement in some:
        if begin < done:
            continue  # inside of what is replaced
        written = text[begin:end]
        new = replacement.of(written)
        if new is None:
            return None
        parts += [text[done:begin], new]
        replaced.append(written)
        done = end
    return _Made("".join([*parts, text[done:]]), tuple(replaced))


class _Replacement(NamedTuple):
    """What stands in the place of some text: it begins and ends so, and is blank between.

    `keeps_first`: what stands before the first comma stays. `may_stay`: all of it, perhaps.
    """

    before: str = ""
    after: str = ""
    keeps_first: bool = False
    may_stay: bool = False

    def of(self, written: str) -> str | None:
        """As many characters in as many lines; None if there is no room."""
        if self.keeps_first:
            kept = written.partition(",")[0]
            return kept + " " * (len(written) - len(kept))
        inside = written[len(self.before) : len(written) - len(self.after)]
        if len(self.before) + len(self.after) > len(written) or "\r" in inside:
            return None
        whole = self.before + "".join("\n" if c == "\n" else " " for c in inside) + self.after
        lines = whole.split("\n")
        # A line that goes on says so by a backslash, for which there has to be room.
        if any(not line[-1:].isspace() for line in lines[:-1]):
            return None
        return "\n".join([*(line[:-1] + "\\" for line in lines[:-1]), lines[-1]])


def _replacements(
    module: cst.Module, version: tuple[int, int]
) -> Iterator[tuple[cst.CSTNode, _Replacement]]:
    """The outermost nodes that are newer than a Python, each with what may stand there."""
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
