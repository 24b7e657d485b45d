"""Where in its source the target of an assignment, a parameter or a returned value stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from namecheck.findings import ShapeAt, Span
from namecheck.text.layout import read_layout

__all__ = ["Lines", "cut", "quoted", "span_of"]


def quoted(lines: Sequence[str], span: Span) -> str:
    """The code of a span that is in one line, or the first line of it."""
    line = lines[span.line - 1]
    if span.line == span.end_line:
        return line[span.column - 1 : span.end_column - 1]
    return line[span.column - 1 :].rstrip() + " ..."


def cut(code: str, longest: int) -> str:
    """Code of at most so many characters."""
    return code if len(code) <= longest else code[: longest - 4] + " ..."


def span_of(shape: ShapeAt, lines: Lines) -> Span | None:
    """The span of the target with these dims; of a `return`, the code of the line.

    None if the target is not written on the lines of its statement.
    """
    if shape.kind == "return":
        code = lines.code(shape.line)
        return Span(shape.line, len(code) - len(code.lstrip()) + 1, shape.line, len(code) + 1)
    after = r"(?=\s*[:,=)]|\s*$)" if shape.kind == "parameter" else r"(?![\w.])"
    pattern = re.compile(rf"(?<![\w.]){re.escape(shape.target)}(?!\w){after}")
    for line in range(shape.line, lines.end_of(shape.line) + 1):
        match = pattern.search(lines.code(line))
        if match is not None:
            return Span(line, match.start() + 1, line, match.end() + 1)
    return None


class Lines:
    """The lines of a text without their comments, and the extent of each logical line."""

    def __init__(self, lines: Sequence[str]) -> None:
        """`lines` have their ends."""
        layout = read_layout("".join(lines))
        self._lines = layout.lines
        self._comments = {comment.line: comment.column for comment in layout.comments}
        self._ends = dict(zip(layout.starts, layout.ends, strict=True))

    def code(self, line: int) -> str:
        """The code of a line, without its comment."""
        if line > len(self._lines):
            return ""
        text = self._lines[line - 1]
        return text[: self._comments.get(line, len(text) + 1) - 1].rstrip()

    def end_of(self, line: int) -> int:
        """The last line of the logical line that begins on a line."""
        return self._ends.get(line, line)
