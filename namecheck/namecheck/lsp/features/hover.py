"""The hover text of a place: dims and where they come from, and what the codes there mean."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from namecheck.documentation.addresses import url_of
from namecheck.documentation.pages import find, pages
from namecheck.findings import WHOLE_FILE, Finding, Span
from namecheck.lsp.desk import Desk
from namecheck.lsp.features.diagnostics import Drawing
from namecheck.lsp.features.pointed import Pointed, holds, pointed_at

__all__ = ["hover"]


def hover(
    desk: Desk, path: str, cell: int | None, position: types.Position, drawing: Drawing
) -> types.Hover | None:
    """The hover of a place in an open file; None if there is nothing to show."""
    places = drawing.places(path, cell)
    place = places.place(position)
    parts: list[str] = []
    span: Span | None = None
    pointed = pointed_at(desk, path, cell, place, places)
    if pointed is not None:
        span = pointed.span
        parts.append("\n\n".join(_of_dims(pointed, drawing)))
    desk.look_once(path)
    for finding in desk.reported().findings.get(path, ()):
        if finding.cell == cell and finding.span != WHOLE_FILE and holds(finding.span, place):
            parts.append(_of_code(finding))
            span = span or finding.span
    if span is None:
        return None
    text = "\n\n---\n\n".join(parts)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), places.range(span))


def _of_dims(pointed: Pointed, drawing: Drawing) -> Iterator[str]:
    yield f"```python\n{pointed.code}: {pointed.dims}\n```"
    reasons = []
    for note in () if pointed.is_target else pointed.notes:
        where = ""
        if note.span is not None:
            path, cell = note.path or pointed.path, note.cell
            number = drawing.places(path, cell).position(*note.span[:2]).line + 1
            # Editors understand the fragment that GitHub uses for lines.
            where = f" ([line {number}]({drawing.uri(path, cell)}#L{number}))"
        reasons.append(f"- {note.text}{where}")
    if reasons:
        yield "\n".join(reasons)


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
