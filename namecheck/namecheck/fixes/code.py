"""A program's text with its places: spans to offsets and back, and the syntax that stands there.

Lines end where Python ends them and columns count characters, as in every finding.
"""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from namecheck.analysis.layout import CommentLine, read_layout, split_lines
from namecheck.findings import Span

__all__ = ["Code"]

Node = TypeVar("Node", bound=ast.AST)


class Code:
    """A text and, computed when they are asked for, its syntax tree and its comments."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = split_lines(text)
        self._starts = [0, *accumulate(map(len, self.lines))]

    def offset(self, line: int, column: int) -> int:
        """How many characters stand before a place; a place behind the text is its end."""
        if line > len(self.lines):
            return len(self.text)
        return min(self._starts[line - 1] + column - 1, len(self.text))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the character that so many stand before."""
        line = bisect_right(self._starts, offset)
        if line > len(self.lines) and offset == len(self.text) and not self._ends_a_line:
            line = len(self.lines)
        return line, offset - self._starts[line - 1] + 1

    @property
    def _ends_a_line(self) -> bool:
        return self.text.endswith(("\n", "\r"))

    def span(self, start: int, end: int) -> Span:
        """The span from one offset up to another."""
        return Span(*self.place(start), *self.place(end))

    def stretch(self, span: Span) -> tuple[int, int]:
        """The offsets at which a span begins and ends."""
        return self.offset(span.line, span.column), self.offset(span.end_line, span.end_column)

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree; None if this is not Python."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node that has a place, those of a statement before those inside it."""
        if self.tree is None:
            return ()
        return tuple(node for node in ast.walk(self.tree) if hasattr(node, "lineno"))

    @cached_property
    def comments(self) -> tuple[CommentLine, ...]:
        """The comments in the order in which they stand."""
        return tuple(read_layout(self.text).comments)

    def stretch_of(self, node: ast.AST) -> tuple[int, int]:
        """The offsets at which a node begins and ends, without parentheses around it."""
        first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        before, after = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
        return self._starts[first - 1] + self._characters(first, before), (
            self._starts[last - 1] + self._characters(last, after)
        )

    def _characters(self, line: int, bytes_before: int) -> int:
        """Columns of `ast` count the bytes of UTF-8."""
        text = self.lines[line - 1]
        if text.isascii():
            return bytes_before
        return len(text.encode()[:bytes_before].decode())

    def written(self, node: ast.AST) -> str:
        """The text of a node."""
        start, end = self.stretch_of(node)
        return self.text[start:end]

    def at(self, span: Span, kind: type[Node]) -> Iterator[Node]:
        """The nodes of a kind that take exactly this span."""
        wanted = self.stretch(span)
        for node in self.nodes:
            if (
                isinstance(node, kind)
                and node.lineno == span.line  # type: ignore[attr-defined]
                and self.stretch_of(node) == wanted
            ):
                yield node
