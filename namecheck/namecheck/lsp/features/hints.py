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
    uri: str,
    stretch: types.Range,
    places: Places,
    wanted: InlayHints,
    version: int | None,
) -> Iterator[types.InlayHint]:
    """The hints of a file, or of a notebook's cell, within a range.

    Their edits are computed only if the client asks for those of one hint (`annotating`). The
    `version` of the text tells whether they are still for the same one.
    """
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
            data = {
                "uri": uri,
                "version": version,
                "line": shape.line,
                "target": shape.target,
                "kind": shape.kind,
            }
            kind = types.InlayHintKind.Type
            yield types.InlayHint(position, shape.dims_text, kind, padding_left=True, data=data)
