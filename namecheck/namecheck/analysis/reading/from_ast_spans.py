"""Where expressions stand: those of a finding, and of a statement with comments on inner lines.

Places are told as LibCST tells them, without the parentheses around an expression: Python's nodes
do not know of those, so they are looked for in the text between the nodes.
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
"""For a number, the node with which its record begins and that with which it ends.

Of the first operations of `a and b and c`, which are one node to Python, the second is the number
of operations; of several indices, which are one tuple only to Python, it is None.
"""


def remembering(nodes: Nodes, exact: bool = False) -> Table:
    """The table of expressions, made to note in `nodes` which node each record comes from.

    `exact`: but for those of which Python 3.11 does not know the columns.
    """

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        def make(node: Any, go: Table, new: NewId, *rest: Any) -> Any:
            formatted = type(node) is ast.JoinedStr
            if formatted and not exact and node.lineno != node.end_lineno:
                raise Doubt  # what is inside stands on lines that are not known
            before = len(nodes)
            record = function(node, go, new, *rest)
            if formatted and exact:
                for number in list(nodes)[before:]:
                    del nodes[number]
            if isinstance(record, (Binary, ir.Boolean)):
                inner: Any = record
                for pair in _chain(node):
                    nodes[inner.id] = pair
                    inner = inner.left
            elif isinstance(record, ir.Parameter):
                if exact and record.kind.startswith("variadic"):
                    return record  # no node knows of the stars
                nodes[record.id] = (node, rest[1] if len(rest) > 1 and rest[1] else node)
            else:
                nodes[record.id] = (node, node)
            if type(node) is ast.Subscript and type(node.slice) is ast.Tuple:
                nodes[record.index.id] = (node.slice, None)
            return record

        return make

    return {type_: noted(function) for type_, function in EXPRESSIONS.items()}


def _chain(node: Any) -> Iterator[tuple[Any, Any]]:
    """With what each operation of a chain begins and ends, from the outermost to the left."""
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
    """The text between nodes, where parentheses stand that no node tells of."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def signs(self, start: Point, end: Point) -> list[tuple[str, Point]]:
        """The parentheses and commas between two nodes, and where each of them stands."""
        found = []
        for line in range(start[0], end[0] + 1):
            written = self.lines[line - 1].encode()
            first = start[1] if line == start[0] else 0
            last = end[1] if line == end[0] else len(written)
            code = written[first:last].partition(b"#")[0]
            found += [(chr(c), (line, first + k)) for k, c in enumerate(code) if c in b"(),"]
        return found

    def own(self, node: ast.Tuple) -> bool:
        """Whether a tuple stands in parentheses of its own."""
        if not node.elts:
            return True
        first = node.elts[0]
        opened = len(self.signs(place(node), place(first)))
        return opened > _closing(self.signs(_end(first), _end(node)))

    def exact_span(self, first: Any, last: Any) -> Span | None:
        """As `span`, but for columns that count characters and not bytes, and for parameters, of
        which it is that of the name; None also of `()`.
        """
        if type(first) is ast.Tuple and not first.elts:
            return None
        if type(first) is ast.arg:
            line, start_at = place(first)
            found: Span | None = Span(
                line, start_at + 1, line, start_at + 1 + len(first.arg.encode())
            )
        else:
            found = self.span(first, last)
        if found is None:
            return None
        start, end = self.lines[found.line - 1], self.lines[found.end_line - 1]
        if start.isascii() and end.isascii():
            return found
        return Span(
            found.line,
            len(start.encode()[: found.column - 1].decode()) + 1,
            found.end_line,
            len(end.encode()[: found.end_column - 1].decode()) + 1,
        )

    def span(self, first: Any, last: Any) -> Span | None:
        """What a record spans; None where LibCST does not tell, or tells it wrongly."""
        start = place(first)
        if type(first) is ast.Tuple and (last is None or last is first):
            own = self.own(first)
            if (last is None and not own) or (own and self.closes_later(first)):
                return None
            if own and first.elts:
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
        """Where what is behind the parenthesis at `start` begins: something that holds `inner`."""
        signs = self.signs(start, inner)
        return signs[1][1] if len(signs) > 1 else inner

    def closes_later(self, node: ast.Tuple) -> bool:
        """Whether the closing parenthesis of a tuple is on a line below the last element."""
        end = _end(node.elts[-1]) if node.elts else place(node)
        before = [at for _, at in self.signs(end, _end(node))[:-1]]
        return (before[-1] if before else end)[0] != node.end_lineno


def _end(node: Any) -> Point:
    return node.end_lineno, node.end_col_offset


def _behind_last(signs: Sequence[tuple[str, Point]], end: Point) -> Point:
    """Behind the last of these signs, `end` where there is none."""
    return (signs[-1][1][0], signs[-1][1][1] + 1) if signs else end


def _closing(signs: Sequence[tuple[str, Point]]) -> int:
    """How many closing parentheses come first."""
    return next((k for k, (sign, _) in enumerate(signs) if sign != ")"), len(signs))


def last_of_signature(line: int, node: Any, seen: Nodes, spans: dict[int, Span]) -> int | None:
    """What the last line of a signature of several lines holds: the returns or a parameter.

    None if it holds both: the comment there could mean either.
    """
    parameters = {
        number: span for number, span in spans.items() if type(seen[number][0]) is ast.arg
    }
    parameter = last_on(line, parameters)
    for number, (one, _) in seen.items():
        if one is node.returns and number in spans and spans[number].line == line:
            return number if parameter is None else None
    return parameter
