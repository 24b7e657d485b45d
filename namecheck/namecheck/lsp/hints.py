"""Inlay hints: the dims that `namecheck show` prints, after the targets of assignments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from namecheck.findings import ShapeAt, Span
from namecheck.lsp.preferences import InlayHints
from namecheck.lsp.ranges import Places
from namecheck.text.layout import read_layout

__all__ = ["Lines", "hints", "span_of"]


def hints(
    shapes: Sequence[ShapeAt],
    cell: int | None,
    stretch: types.Range,
    places: Places,
    wanted: InlayHints,
) -> Iterator[types.InlayHint]:
    """The hints of a file, or of a notebook's cell, within a range."""
    switches = {
        "assign": wanted.assignments,
        "parameter": wanted.parameters,
        "return": wanted.returns,
    }
    lines = Lines(places)
    for shape in shapes:
        if shape.cell != cell or not switches.get(shape.kind):
            continue
        if shape.line - 1 > stretch.end.line:
            continue
        span = span_of(shape, lines)
        if span is None:
            continue
        position = places.position(*span[2:])
        if (
            (stretch.start.line, stretch.start.character)
            <= (position.line, position.character)
            <= (stretch.end.line, stretch.end.character)
        ):
            yield types.InlayHint(
                position, shape.dims_text, types.InlayHintKind.Type, padding_left=True
            )


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

    def __init__(self, places: Places) -> None:
        layout = read_layout("".join(places.lines))
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
