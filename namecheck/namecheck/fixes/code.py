"""A program's text with its places: spans to offsets and back, and the syntax at a span.

Lines end where Python ends them and columns count characters, as in every finding.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from namecheck.findings import Span
from namecheck.fixes.newer_syntax import Older, older, parsed
from namecheck.text.layout import CommentLine, read_layout, split_lines

__all__ = ["Code"]

Node = TypeVar("Node", bound=ast.AST)


class Code:
    """A text with its syntax tree and comments, which are computed on first use."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = split_lines(text)
        self._starts = [0, *accumulate(map(len, self.lines))]
        self._older: Older | None = None
        self._walked: dict[int, tuple[ast.AST, ...]] = {}
        self._assigned: dict[ast.AST, dict[str, dict[int, ast.expr]]] = {}

    def offset(self, line: int, column: int) -> int:
        """The number of characters before a place; a place after the text counts as its end."""
        if line > len(self.lines):
            return len(self.text)
        return min(self._starts[line - 1] + column - 1, len(self.text))

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset."""
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
        """The syntax tree, with newer syntax replaced; None if the text is not Python."""
        tree = parsed(self.text)
        if tree is None:
            self._older = older(self.text)
            tree = None if self._older is None else self._older.tree
        return tree

    @property
    def program(self) -> tuple[str, tuple[str, ...]] | None:
        """The program without comments and layout: equal for two texts of the same program."""
        if self.tree is None:
            return None
        return ast.dump(self.tree), () if self._older is None else self._older.replaced

    @cached_property
    def _parsed_lines(self) -> list[str]:
        """The lines that the columns of nodes refer to."""
        return self.lines if self._older is None else split_lines(self._older.text)

    def comments_on(self, first: int, last: int) -> tuple[CommentLine, ...]:
        """The comments on some lines, both included."""
        lines = self._comment_lines
        return self.comments[bisect_left(lines, first) : bisect_right(lines, last)]

    @cached_property
    def _comment_lines(self) -> list[int]:
        return [comment.line for comment in self.comments]

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes with a place, outer ones before inner ones."""
        if self.tree is None:
            return ()
        return tuple(node for node in ast.walk(self.tree) if hasattr(node, "lineno"))

    @cached_property
    def _statements(self) -> tuple[list[int], list[ast.stmt]]:
        """The top-level statements, after the lines on which they begin, decorators included."""
        body = [] if self.tree is None else self.tree.body
        begins = [
            min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            for node in body
        ]
        return begins, body

    def around(self, line: int) -> tuple[ast.AST, ...]:
        """The nodes with a place in the top-level statements of a line, outer nodes first.

        The syntax of a finding is searched for in these: a walk through the whole file for each
        finding would take time that grows with the square of its length.
        """
        begins, body = self._statements
        nodes: list[ast.AST] = []
        number = bisect_right(begins, line) - 1
        while number >= 0 and (body[number].end_lineno or 0) >= line:
            nodes[:0] = self._nodes_in(number)
            number -= 1  # several statements may be on one line
        return tuple(nodes)

    def _nodes_in(self, number: int) -> tuple[ast.AST, ...]:
        known = self._walked.get(number)
        if known is None:
            nodes = ast.walk(self._statements[1][number])
            known = tuple(node for node in nodes if hasattr(node, "lineno"))
            self._walked[number] = known
        return known

    @cached_property
    def imports(self) -> tuple[ast.Import | ast.ImportFrom, ...]:
        """The import statements, the outer ones first."""
        return tuple(node for node in self.nodes if isinstance(node, (ast.Import, ast.ImportFrom)))

    def assigned(self, name: str, scope: ast.AST, line: int) -> ast.expr | None:
        """The value of the last `name = ...` in a scope before a line; None if there is none."""
        known = self._assigned.get(scope)
        if known is None:
            known = self._assigned[scope] = {}
            for node in ast.walk(scope):
                match node:
                    case ast.Assign([ast.Name(id=target)], value):
                        # Of several on one line the first one counts.
                        known.setdefault(target, {}).setdefault(node.lineno, value)
        lines = known.get(name, {})
        last = max((number for number in lines if number < line), default=None)
        return None if last is None else lines[last]

    @cached_property
    def comments(self) -> tuple[CommentLine, ...]:
        """The comments in the order of the text."""
        return tuple(read_layout(self.text).comments)

    def stretch_of(self, node: ast.AST) -> tuple[int, int]:
        """The offsets at which a node begins and ends, without parentheses around it."""
        first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        before, after = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
        return self._starts[first - 1] + self._characters(first, before), (
            self._starts[last - 1] + self._characters(last, after)
        )

    def _characters(self, line: int, bytes_before: int) -> int:
        """The number of characters in the first bytes of a line: `ast` counts columns in UTF-8."""
        text = self._parsed_lines[line - 1]
        if text.isascii():
            return bytes_before
        return len(text.encode()[:bytes_before].decode())

    def written(self, node: ast.AST) -> str:
        """The text of a node."""
        start, end = self.stretch_of(node)
        return self.text[start:end]

    def at(self, span: Span, kind: type[Node]) -> Iterator[Node]:
        """The nodes of a kind with exactly this span."""
        stretch = self.stretch(span)
        for node in self.around(span.line):
            if (
                isinstance(node, kind)
                and node.lineno == span.line  # type: ignore[attr-defined]
                and self.stretch_of(node) == stretch
            ):
                yield node
