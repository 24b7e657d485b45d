"""Statements of a function that give nothing to those who call it from other files.

What a function prints, logs and warns of is no part of what it computes, and neither is a number
under a name that nothing reads. A call from another file is evaluated without such statements, so a
result that rests on the call holds after an edit of them. In its own file all of a function counts.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Callable, Collection
from typing import Final

from namecheck.text.chunks import SourceChunk, digest
from namecheck.text.layout import Layout
from namecheck_runtime.light.regexes import regex

__all__ = ["without_inert"]


def without_inert(
    chunk: SourceChunk, reports: re.Pattern[str], says_something: Callable[[str], bool]
) -> SourceChunk:
    """A chunk without its inert statements; the others stay on their lines.

    `reports` matches the beginnings of statements that print, log or warn. A statement stays if a
    comment in it or above it says something. A block of nothing else gets a `pass`.
    """
    layout, text = chunk.layout, chunk.text
    if layout.doubtful or "\r" in text or "\f" in text:
        return chunk
    rows = {row for row in _candidates(text, layout, reports) if _is_in_function(layout, row)}
    rows = {row for row in rows if _is_inert(_statement(layout, row))}
    if rows:
        rows -= {c.logical for c in layout.comments if says_something(c.text)}
    if not rows:
        return chunk
    lines = list(layout.lines)
    for row in rows:
        first, last = layout.starts[row] - 1, layout.ends[row]
        lines[first:last] = ["\n"] * (last - first)
    for row in rows:
        if _is_first_of_block(layout, row) and _is_block_of(layout, row, rows):
            margin = re.match(r"[ \t]*", layout.lines[layout.starts[row] - 1])
            lines[layout.starts[row] - 1] = f"{margin[0] if margin else ''}pass\n"
    text = "".join(lines)
    return SourceChunk(text, chunk.line, digest(text), _layout_without(layout, rows, lines))


def _layout_without(layout: Layout, rows: Collection[int], lines: list[str]) -> Layout:
    """The layout of these lines, where some logical lines are empty, or a `pass`."""
    starts: list[int] = []
    ends: list[int] = []
    indents: list[int] = []
    depths: list[int] = []
    places = []
    emptied: set[int] = set()
    for row, (start, end) in enumerate(zip(layout.starts, layout.ends, strict=True)):
        places.append(len(starts))
        if row in rows:
            emptied.update(range(start, end + 1))
            if lines[start - 1] == "\n":
                continue
        starts.append(start)
        ends.append(start if row in rows else end)
        indents.append(layout.indents[row])
        depths.append(0 if row in rows else layout.depths[row])
    places.append(len(starts))
    comments = [
        comment._replace(logical=places[comment.logical])
        for comment in layout.comments
        if comment.line not in emptied
    ]
    return Layout(starts, ends, indents, comments, lines, layout.doubtful, depths)


def _candidates(text: str, layout: Layout, reports: re.Pattern[str]) -> set[int]:
    """The numbers of the logical lines that look like inert statements."""
    starts = []
    if reports.search(text) is not None:
        starts += [match.start() for match in reports.finditer(text)]
    for match in _LITERAL.finditer(text):
        begin = text.rfind("\n", 0, match.start()) + 1
        name = text[begin : match.start()].strip(" \t")
        named = match.start() - len(name)
        if text.find(name, 0, named) < 0 and text.find(name, match.start()) < 0:
            if name.isidentifier() and _LOOKS_NAMES_UP.search(text) is None:
                starts.append(begin)
    rows = set()
    for start in starts:
        line = text.count("\n", 0, start) + 1
        row = bisect_left(layout.starts, line)
        # A line that begins no statement is in the middle of one, or of a string.
        if row < len(layout.starts) and layout.starts[row] == line:
            rows.add(row)
    return rows


_LITERAL: Final = regex(
    r""" = (?:-?\d[\w.]*|"[^"\\\n]*"|'[^'\\\n]*'|True|False|None)$""", re.MULTILINE
)
_LOOKS_NAMES_UP: Final = regex(r"\b(?:locals|vars|globals|exec|eval)\(")
"""What may read a variable whose name is written down once."""


def _is_in_function(layout: Layout, row: int) -> bool:
    """Whether a logical line runs when a function is called: not in the body of a class."""
    indent = layout.indents[row]
    for above in range(row - 1, -1, -1):
        if layout.indents[above] < indent:
            indent = layout.indents[above]
            header = layout.lines[layout.starts[above] - 1].lstrip(" \t")
            if header.startswith(("def ", "async ")):
                return True
            if header.startswith("class "):
                return False
    return False


def _is_first_of_block(layout: Layout, row: int) -> bool:
    return row > 0 and layout.indents[row - 1] < layout.indents[row]


def _is_block_of(layout: Layout, first: int, rows: Collection[int]) -> bool:
    """Whether the block that begins with a logical line has no other than these."""
    row = first
    while row < len(layout.starts) and layout.indents[row] >= layout.indents[first]:
        if row not in rows:
            return False
        row += 1
    return True


def _statement(layout: Layout, row: int) -> str:
    return "".join(layout.lines[layout.starts[row] - 1 : layout.ends[row]]).strip()


def _is_inert(statement: str) -> bool:
    """Whether a statement that looks inert is one call or one number, and nothing else."""
    try:
        body = ast.parse(statement).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if len(body) != 1:
        return False
    match body[0]:
        case ast.Expr(ast.Call(function, arguments, keywords)):
            parts = [function, *arguments, *(keyword.value for keyword in keywords)]
            return all(_changes_nothing(inner) for part in parts for inner in ast.walk(part))
    return isinstance(body[0], ast.Assign)


def _changes_nothing(node: ast.AST) -> bool:
    """Whether a part of a message changes nothing by being evaluated."""
    match node:
        case ast.Call(ast.Name(name)):
            return name in _PURE or name.endswith(("Warning", "Error"))
        case ast.Call(ast.Attribute(_, name)):
            return name in _PURE_METHODS
        case ast.Call() | ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
            return False
    return True


_PURE: Final = frozenset(
    {
        *("abs", "float", "int", "len", "list", "max", "min", "repr"),
        *("round", "set", "sorted", "str", "sum", "tuple", "type"),
    }
)
_PURE_METHODS: Final = frozenset({"format", "join"})
"""What messages call to write something down."""
