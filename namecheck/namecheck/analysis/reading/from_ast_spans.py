"""The spans of expressions in Python's own tree.

They are needed for findings and for statements with comments on inner lines. As with LibCST, a span
leaves out the parentheses around an expression. Python's nodes do not record these, so this module
looks for them in the text between the nodes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.from_ast_expressions import EXPRESSIONS, Doubt, place
from namecheck.analysis.reading.ir import Binary
from namecheck.analysis.reading.lockstep import NewId, Table, last_on
from namecheck.findings import Span

Nodes: TypeAlias = dict[int, tuple[Any, Any]]
"""By number of a record: the node with which it begins, and the node with which it ends.

`a and b and c` is one node for Python; for its first operations the second entry is the number of
operations. Several indices are a tuple only for Python; for them it is None.
"""


def remembering(
    nodes: Nodes, exact: bool = False, may_matter: Callable[[int, int], bool] | None = None
) -> Table:
    """The table of expressions, with functions that note in `nodes` the node of each record.

    If `exact`, they leave out the records whose columns Python 3.11 does not know. It does not know
    their lines either, in a formatted string of several. They are left out as well if these cannot
    matter between the string's first line and its last; otherwise that raises `Doubt`.
    """

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        def make(node: Any, go: Table, new: NewId, *rest: Any) -> Any:
            formatted = type(node) is ast.JoinedStr
            left_out = formatted and exact
            if formatted and not exact and node.lineno != node.end_lineno:
                if may_matter is None or may_matter(node.lineno, node.end_lineno):
                    raise Doubt
                left_out = True
            before = len(nodes)
            record = function(node, go, new, *rest)
            if left_out:
                for number in list(nodes)[before:]:
                    del nodes[number]
            if isinstance(record, (Binary, ir.Boolean)):
                inner: Any = record
                for pair in _chain(node):
                    nodes[inner.id] = pair
                    inner = inner.left
            elif isinstance(record, ir.Parameter):
                if exact and record.kind.startswith("variadic"):
                    return record  # no node includes the stars
                nodes[record.id] = (node, rest[1] if len(rest) > 1 and rest[1] else node)
            else:
                nodes[record.id] = (node, node)
            if type(node) is ast.Subscript and type(node.slice) is ast.Tuple:
                nodes[record.index.id] = (node.slice, None)
            return record

        return make

    return {type_: noted(function) for type_, function in EXPRESSIONS.items()}


def _chain(node: Any) -> Iterator[tuple[Any, Any]]:
    """The begin and end of each operation in a chain, as in `Nodes`, from the outermost inwards."""
    while type(node) is ast.BinOp:
        yield node, node
        node = node.left
    while type(node) is ast.BoolOp:
        yield node, node
        for count in range(len(node.values) - 2, 0, -1):
            yield node, count
        node = node.values[0]


Point: TypeAlias = tuple[int, int]
"""A line from 1, and a column from 0 in bytes, as `ast` counts them."""


class Gaps:
    """The text between nodes, with the parentheses that no node records."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def signs(self, start: Point, end: Point) -> list[tuple[str, Point]]:
        """The parentheses and commas between two nodes, each with its place."""
        signs = []
        for line in range(start[0], end[0] + 1):
            text = self.lines[line - 1].encode()
            first = start[1] if line == start[0] else 0
            last = end[1] if line == end[0] else len(text)
            code = text[first:last].partition(b"#")[0]
            signs += [(chr(c), (line, first + k)) for k, c in enumerate(code) if c in b"(),"]
        return signs

    def own(self, node: ast.Tuple) -> bool:
        """Whether a tuple has parentheses of its own."""
        if not node.elts:
            return True
        first = node.elts[0]
        opened = len(self.signs(place(node), place(first)))
        return opened > _closing(self.signs(_end(first), _end(node)))

    def exact_span(self, first: Any, last: Any) -> Span | None:
        """As `span`, but with columns that count characters and not bytes.

        The span of a parameter is its name; `()` and patterns give None too.
        """
        if type(first) is ast.Tuple and not first.elts:
            return None
        if isinstance(first, ast.pattern):
            return None  # for LibCST it may have parentheses of its own
        if type(first) is ast.arg:
            line, column = place(first)
            span: Span | None = Span(line, column + 1, line, column + 1 + len(first.arg.encode()))
        else:
            span = self.span(first, last)
        if span is None:
            return None
        start, end = self.lines[span.line - 1], self.lines[span.end_line - 1]
        if start.isascii() and end.isascii():
            return span
        return Span(
            span.line,
            len(start.encode()[: span.column - 1].decode()) + 1,
            span.end_line,
            len(end.encode()[: span.end_column - 1].decode()) + 1,
        )

    def span(self, first: Any, last: Any) -> Span | None:
        """The span of a record; None where LibCST has none, or a wrong one."""
        start = place(first)
        if type(first) is ast.Tuple and (last is None or last is first):
            in_parentheses = self.own(first)
            if (last is None and not in_parentheses) or (
                in_parentheses and self.closes_later(first)
            ):
                return None
            if in_parentheses and first.elts:
                start = self.behind(start, place(first.elts[0]))
        elif type(first) is ast.GeneratorExp:
            start = self.behind(start, place(first.elt))
        if type(last) is int:
            end = _end(first.values[last])
            signs = self.signs(end, place(first.values[last + 1]))
            end = _behind_last(signs[: _closing(signs)], end)
        else:
            end = self.end(last or first)
        return Span(start[0], start[1] + 1, end[0], end[1] + 1)

    def end(self, node: Any) -> Point:
        """Where a node ends: a tuple or a generator before its closing parenthesis."""
        if type(node) is ast.GeneratorExp:
            clause = node.generators[-1]
            end = _end(clause.ifs[-1] if clause.ifs else clause.iter)
        elif type(node) is ast.Tuple and node.elts and self.own(node):
            end = _end(node.elts[-1])
        else:
            return _end(node)
        return _behind_last(self.signs(end, _end(node))[:-1], end)

    def behind(self, start: Point, inner: Point) -> Point:
        """The begin of what is behind the parenthesis at `start` and contains `inner`."""
        signs = self.signs(start, inner)
        return signs[1][1] if len(signs) > 1 else inner

    def closes_later(self, node: ast.Tuple) -> bool:
        """Whether the closing parenthesis of a tuple is on a line below the last element."""
        end = _end(node.elts[-1]) if node.elts else place(node)
        before = [point for _, point in self.signs(end, _end(node))[:-1]]
        return (before[-1] if before else end)[0] != node.end_lineno


def _end(node: Any) -> Point:
    return node.end_lineno, node.end_col_offset


def _behind_last(signs: Sequence[tuple[str, Point]], end: Point) -> Point:
    """The point behind the last of these signs; `end` if there is none."""
    return (signs[-1][1][0], signs[-1][1][1] + 1) if signs else end


def _closing(signs: Sequence[tuple[str, Point]]) -> int:
    """How many closing parentheses come before any other sign."""
    return next((k for k, (sign, _) in enumerate(signs) if sign != ")"), len(signs))


def last_of_signature(line: int, node: Any, seen: Nodes, spans: dict[int, Span]) -> int | None:
    """The number of what is on the last line of a long signature: the returns or a parameter.

    None if both are: the comment there could mean either.
    """
    parameters = {
        number: span for number, span in spans.items() if type(seen[number][0]) is ast.arg
    }
    parameter = last_on(line, parameters)
    for number, (first, _) in seen.items():
        if first is node.returns and number in spans and spans[number].line == line:
            return number if parameter is None else None
    return parameter
