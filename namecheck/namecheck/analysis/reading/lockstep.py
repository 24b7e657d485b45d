"""The walk over a tree in lockstep with the lines of its text: the owner of each line and comment.

Two walks build the same records from different trees (`from_libcst.py` from LibCST's, `from_ast.py`
from Python's own), and neither tree says where the comments are. This module has their common work
on the logical lines that `text/layout.py` reads from the text; they do the work on the nodes.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from namecheck.analysis.reading import ir
from namecheck.findings import Span
from namecheck.text.layout import CommentLine, Layout, indentation
from namecheck_runtime.light.compiled import mypyc_attr

NewId: TypeAlias = Callable[[], int]
Table: TypeAlias = Mapping[type, Callable[..., Any]]

# Longer chains of one operator or of elif are not kept: they are too deep for recursion.
LONGEST_CHAIN: Final = 200


class _Owner(NamedTuple):
    """The statements that own the comments at a logical line, and the places of the comments."""

    above: int  # the statement that comments on lines of their own above it belong to
    above_place: ir.Place
    last: int  # the statement that the comment at its end belongs to
    last_place: ir.Place
    previous: int | None  # the statement before `above`, in the same block


@mypyc_attr(allow_interpreted_subclasses=True)
class Lockstep:
    """One walk over a tree whose statements take one logical line after the other.

    Raises `IndexError` if tree and lines do not agree.
    """

    def __init__(self, layout: Layout, table: Table) -> None:
        self.layout = layout
        self.starts = layout.starts
        self.ends = layout.ends
        self.table = table
        self.go = table
        self.new: NewId = itertools.count().__next__
        self.at = 0  # the next logical line
        self.owners: list[_Owner] = []  # of the logical lines so far
        # The comments of logical lines with comments on inner lines. Only these need the lines of
        # the expressions, so only for these are they found out.
        self.commented: dict[int, list[CommentLine]] = {}
        for comment in layout.comments:
            if comment.inside or (
                not comment.alone and layout.starts[comment.logical] != comment.line
            ):
                self.commented.setdefault(comment.logical, []).append(comment)
        self.watched: Any = None  # the statement of such a line
        self.targets: dict[int, int] = {}  # line of a comment -> the number of what is beside it

    def watch(self, node: Any) -> None:
        """From here on, note the places of the expressions of this statement."""
        raise NotImplementedError

    def line(
        self,
        node: Any,
        number: int,
        previous: int | None = None,
        above: ir.Place = "above",
        last: ir.Place = "trailing",
    ) -> tuple[int, int]:
        """Take the next logical line for (a part of) a statement: its first and last line."""
        at = self.at
        self.at = at + 1
        self.owners.append(_Owner(number, above, number, last, previous))
        if at in self.commented:
            self.watch(node)
        return self.starts[at], self.ends[at]

    def clause(self, node: Any, number: int) -> tuple[int, int]:
        """Take the next logical line for `else:` and the like."""
        return self.line(node, number, None, "inside", "inside")

    def chunk(self, statements: tuple[ir.Statement, ...]) -> ir.Chunk:
        """The records, once all statements have been walked."""
        if self.at != len(self.starts):
            raise IndexError("logical lines are left over")
        return ir.Chunk(statements, tuple(self.comments()), len(self.layout.lines))

    def aim(
        self, spans: Mapping[int, Span], of_signature: Callable[[int], int | None] | None
    ) -> None:
        """Find what the comments inside the last logical line are beside.

        `spans` are those of its expressions by number. `of_signature` returns the number of what is
        on a line that ends a signature.
        """
        ends = _last_of_lines(spans)
        begins = _first_of_lines(spans)
        for comment in self.commented.get(self.at - 1, ()):
            target: int | None = None
            code = self.layout.lines[comment.line - 1][: comment.column - 1].rstrip()
            if comment.alone:
                below = bisect.bisect_right(begins, (comment.line + 1, -1))
                target = begins[below][1] if below < len(begins) else None
            elif comment.inside and not code.endswith(("(", "[", "{")):
                target = ends.get(comment.line)
            elif comment.inside:
                pass
            elif of_signature is not None:
                target = of_signature(comment.line)
            elif begins and begins[0][0] < comment.line:
                target = dict(begins).get(comment.line)
            if target is not None:
                self.targets[comment.line] = target

    def comments(self) -> Iterator[ir.Comment]:
        owners, indents = self.owners, self.layout.indents
        blocks: dict[tuple[int, int], int] = {}  # where blocks with comments at their end end
        for text, line, column, alone, inside, logical in self.layout.comments:
            place: ir.Place
            statement: int | None
            target, previous = self.targets.get(line), None
            if not owners:
                place, statement = "above", None
            elif inside:
                place, statement = "inside", owners[logical].above
            elif not alone:
                place, statement = owners[logical].last_place, owners[logical].last
            else:
                indent = indentation(self.layout.lines[line - 1])
                following = indents[logical] if logical < len(owners) else -1
                if logical > 0 and following < indents[logical - 1] and indent > following:
                    # A block ends here, and the comment still belongs to it.
                    block = logical, indent
                    last = blocks.get(block, logical - 1)
                    while last > 0 and indents[last] > indent:
                        last -= 1
                    blocks[block] = last
                    place, statement = "below", owners[last].above
                elif logical == len(owners):
                    place, statement = "below", owners[-1].above
                else:
                    owner = owners[logical]
                    place, statement, previous = owner.above_place, owner.above, owner.previous
            yield ir.Comment(text, line, column, place, statement, target, previous)


def last_on(line: int, spans: Mapping[int, Span]) -> int | None:
    """The number of what ends last on the line; of several, the one that began first."""
    return _last_of_lines(spans).get(line)


def _last_of_lines(spans: Mapping[int, Span]) -> dict[int, int]:
    """By line, the number of what ends last on it; of several, the one that began first."""
    latest: dict[int, tuple[int, int, int, int]] = {}
    for number, span in spans.items():
        key = (span.end_column, -span.line, -span.column, number)
        before = latest.get(span.end_line)
        if before is None or before < key:
            latest[span.end_line] = key
    return {line: key[3] for line, key in latest.items()}


def _first_of_lines(spans: Mapping[int, Span]) -> list[tuple[int, int]]:
    """The lines on which something begins, in order, each with the number of the first.

    Of several that begin at one place it is the longest.
    """
    earliest: dict[int, tuple[int, int, int, int]] = {}
    for number, span in spans.items():
        key = (span.column, -span.end_line, -span.end_column, -number)
        before = earliest.get(span.line)
        if before is None or key < before:
            earliest[span.line] = key
    return sorted([(line, -key[3]) for line, key in earliest.items()])
