"""The hover text of a place: dims and where they come from, and what the codes there mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from namecheck.documentation.addresses import url_of
from namecheck.documentation.pages import find, pages
from namecheck.findings import WHOLE_FILE, Finding, ShapeAt, Span
from namecheck.lsp.desk import Desk
from namecheck.lsp.features.diagnostics import Drawing
from namecheck.lsp.ranges import Places
from namecheck.report.targets import Lines, cut, quoted, span_of

__all__ = ["hover"]

LONGEST = 60
"""The most characters of an expression that are quoted."""


def hover(
    desk: Desk, path: str, cell: int | None, position: types.Position, drawing: Drawing
) -> types.Hover | None:
    """The hover of a place in an open file; None if there is nothing to show."""
    places = drawing.places(path, cell)
    place = places.place(position)
    parts: list[str] = []
    span: Span | None = None
    for known in desk.known(path):
        if known.cell == cell and _holds(known.span, place):
            span = known.span
            parts.append("\n\n".join(_of_known(known, places, drawing)))
            break
    target = _target(desk.shapes(path), cell, place, places)
    if target is not None and (span is None or _is_inside(target[1], span)):
        shape, span = target
        parts = [f"```python\n{shape.target}: {shape.dims_text}\n```"]
    desk.look_once(path)
    for finding in desk.reported().findings.get(path, ()):
        if finding.cell == cell and finding.span != WHOLE_FILE and _holds(finding.span, place):
            parts.append(_of_code(finding))
            span = span or finding.span
    if span is None:
        return None
    text = "\n\n---\n\n".join(parts)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), places.range(span))


def _of_known(known: Finding, places: Places, drawing: Drawing) -> Iterator[str]:
    written = cut(quoted(places.lines, known.span), LONGEST)
    yield f"```python\n{written}: {known.message}\n```"
    reasons = []
    for note in known.notes:
        where = ""
        if note.span is not None:
            path, cell = note.path or known.path, note.cell
            number = drawing.places(path, cell).position(*note.span[:2]).line + 1
            # Editors understand the fragment that GitHub uses for lines.
            where = f" ([line {number}]({drawing.uri(path, cell)}#L{number}))"
        reasons.append(f"- {note.text}{where}")
    if reasons:
        yield "\n".join(reasons)


def _target(
    shapes: Sequence[ShapeAt], cell: int | None, place: tuple[int, int], places: Places
) -> tuple[ShapeAt, Span] | None:
    """The target of an assignment, or the parameter, at a place."""
    lines = Lines(places.lines)
    for shape in shapes:
        if shape.cell == cell and shape.line <= place[0] and shape.kind != "return":
            span = span_of(shape, lines)
            if span is not None and _holds(span, place):
                return shape, span
    return None


def _of_code(finding: Finding) -> str:
    """The meaning of a finding's code, in short."""
    page = find(finding.code, pages())
    title = f"**{finding.code} {finding.name}**"
    url = url_of(finding.code)
    if url is not None:
        title = f"[{title}]({url})"
    if page is None:
        return title
    first = page.text.split("\n\n")[0].strip()
    return f"{title}: {first}\n\nMore: `namecheck explain {finding.code}`"


def _holds(span: Span, place: tuple[int, int]) -> bool:
    return span[:2] <= place <= span[2:]


def _is_inside(inner: Span, outer: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]
