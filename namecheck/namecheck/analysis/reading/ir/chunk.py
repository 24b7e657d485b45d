"""The result of lowering: a chunk of a module, with its comments."""

from __future__ import annotations

from typing import Literal, TypeAlias

from namecheck.analysis.reading.ir.base import Readings, Record, Statement
from namecheck.analysis.reading.ir.expressions import Str
from namecheck.analysis.reading.ir.statements import ExpressionStatement

Place: TypeAlias = Literal["trailing", "inside", "above", "below"]


class Comment(Record):
    """One `#` comment, and the statement or expression that it is beside.

    `text` begins with the `#`; `column` counts characters from 1. `place` says how the comment
    relates to the statement with the number `statement`:

    * "trailing": at the end of the statement's last line (for a compound statement: its header's).
      `target` is then the sub-expression that begins on that line if the statement began on an
      earlier one, or the returns annotation on the last line of a `def` over several lines.
    * "inside": on an earlier line of a statement that spans several, or on a line that belongs to
      a compound statement without being its header (`else:`, `except`, `case`, a decorator).
      `target` is the largest sub-expression or parameter that ends on the comment's line (the last
      of them, if there are several), or begins next if the comment has the line for itself.
    * "above": on a line of its own above the statement, or above its decorators. `previous` is
      then the statement before it in the same block, which the comment may be about.
    * "below": on a line of its own after the last statement of a block, indented like it.

    In a file without statements `statement` is None and `place` "above".
    """

    __slots__ = ("column", "line", "place", "previous", "statement", "target", "text")
    __match_args__ = ("text", "line", "column", "place", "statement", "target", "previous")

    def __init__(
        self,
        text: str,
        line: int,
        column: int,
        place: Place,
        statement: int | None,
        target: int | None,
        previous: int | None,
    ) -> None:
        self.text = text
        self.line = line
        self.column = column
        self.place = place
        self.statement = statement
        self.target = target
        self.previous = previous


class Chunk(Record):
    """Lowered text: a chunk of a module, or all of it. `lines` is how many lines the text has."""

    __slots__ = ("comments", "lines", "readings", "statements")
    __match_args__ = ("statements", "comments", "lines")

    def __init__(
        self, statements: tuple[Statement, ...], comments: tuple[Comment, ...], lines: int
    ) -> None:
        self.statements = statements
        self.comments = comments
        self.lines = lines
        self.readings: Readings = {}


def docstring(body: tuple[Statement, ...]) -> ExpressionStatement | None:
    """The statement that is the docstring of a module, class or function with this body.

    Of a module's chunks only the first can have one. The text is `.value.value`, as written
    (indented); it begins on line `.line`.
    """
    match body:
        case (ExpressionStatement(value=Str()) as statement, *_):
            return statement
    return None


def comments_by_statement(chunk: Chunk) -> dict[int, list[Comment]]:
    """The comments of each statement that has some, in the order of the source.

    A comment above a statement is listed under that statement only. `Comment.previous` leads from
    it to the statement before.
    """
    comments: dict[int, list[Comment]] = {}
    for comment in chunk.comments:
        if comment.statement is not None:
            comments.setdefault(comment.statement, []).append(comment)
    return comments
