"""A program's text with its places: spans to offsets and back, and the syntax that stands there.

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
    """A text and, computed when they are asked for, its syntax tree and its comments."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = split_lines(text)
        self._starts = [0, *accumulate(map(len, self.lines))]
        self._older: Older | None = None
        self._walked: dict[int, tuple[ast.AST, ...]] = {}
        self._assigned: dict[ast.AST, dict[str, dict[int, ast.expr]]] = {}

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
        """The syntax tree, without what only newer Pythons read; None if this is not Python."""
        tree = parsed(self.text)
        if tree is None:
            self._older = older(self.text)
            tree = None if self._older is None else self._older.tree
        return tree

    @property
    def program(self) -> tuple[str, tuple[str, ...]] | None:
        """All but comments and layout: two texts with the same are the same program."""
        if self.tree is None:
            return None
        return ast.dump(self.tree), () if self._older is None else self._older.replaced

    @cached_property
    def _parsed_lines(self) -> list[str]:
        """The lines that columns of nodes count in."""
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
        """Every node that has a place, those of a statement before those inside it."""
        if self.tree is None:
            return ()
        return tuple(node for node in ast.walk(self.tree) if hasattr(node, "lineno"))

    @cached_property
    def _statements(self) -> tuple[list[int], list[ast.stmt]]:
        """The statements of the top level, and the line on which each begins, decorators too."""
        body = [] if self.tree is None else self.tree.body
        begun = [
            min([one.lineno, *(d.lineno for d in getattr(one, "decorator_list", ()))])
            for one in body
        ]
        return begun, body

    def around(self, line: int) -> tuple[ast.AST, ...]:
        """The nodes with a place in the statements of the top level that a line belongs to, those
        of a statement before those inside it.

        What looks for the syntax of a finding asks here: for each finding to walk through the file
        would take time that grows with the square of its length.
        """
        begun, body = self._statements
        found: list[ast.AST] = []
        at = bisect_right(begun, line) - 1
        while at >= 0 and (body[at].end_lineno or 0) >= line:
            found[:0] = self._nodes_in(at)
            at -= 1  # several statements may stand on one line
        return tuple(found)

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
        return tuple(one for one in self.nodes if isinstance(one, (ast.Import, ast.ImportFrom)))

    def assigned(self, name: str, scope: ast.AST, line: int) -> ast.expr | None:
        """What `name = ...` within a scope assigned last before a line."""
        known = self._assigned.get(scope)
        if known is None:
            known = self._assigned[scope] = {}
            for node in ast.walk(scope):
                match node:
                    case ast.Assign([ast.Name(id=target)], value):
                        # Of several on one line the one that is met first.
                        known.setdefault(target, {}).setdefault(node.lineno, value)
        lines = known.get(name, {})
        last = max((one for one in lines if one < line), default=None)
        return None if last is None else lines[last]

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
        text = self._parsed_lines[line - 1]
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
        for node in self.around(span.line):
            if (
                isinstance(node, kind)
                and node.lineno == span.line  # type: ignore[attr-defined]
                and self.stretch_of(node) == wanted
            ):
                yield node
