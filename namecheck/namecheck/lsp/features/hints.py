"""Inlay hints: the dims that `namecheck show` prints, after the targets of assignments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from namecheck.findings import ShapeAt
from namecheck.lsp.client.preferences import InlayHints
from namecheck.lsp.ranges import Places
from namecheck.report.targets import Lines, span_of

__all__ = ["hints"]


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
    lines = Lines(places.lines)
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
