"""The answer to `textDocument/definition`: where the names of the dims at a place come from.

The place is that of an expression or target, or of a name in a shape comment, an annotation, a
pattern, `names=` or a docstring. The origins are those that a hover lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types

from namecheck.findings import Finding, Note, Span
from namecheck.lsp.desk import Desk
from namecheck.lsp.features.diagnostics import Drawing
from namecheck.lsp.features.name_origins import explains, notes_nearby
from namecheck.lsp.features.pointed import pointed_at
from namecheck.lsp.features.written_dims import WrittenDims, written_at
from namecheck.lsp.ranges import Places, offset
from namecheck.report.axes import axes_of
from namecheck.report.targets import quoted
from namecheck_runtime.light.regexes import regex

__all__ = ["definition"]

_WORD = regex(r"[^\W\d]\w*(?!\w*\()")
"""A name in the label of a dim; not `max` in `max(C, D)`."""

_AXIS = regex(r"\([^()]*\)|[^\s()]+")
"""A dim in a pattern: a name, or several in brackets."""


class Origin(NamedTuple):
    """Where the name of a dim comes from, and the name itself in that place if it is there."""

    path: str
    cell: int | None
    whole: Span
    name: Span


def definition(
    desk: Desk,
    path: str,
    cell: int | None,
    position: types.Position,
    drawing: Drawing,
    links: bool,
) -> list[types.LocationLink] | list[types.Location] | None:
    """The places where the names of the dims at a place come from; None if it has none.

    `links`: the client understands a link, which says what it is about.
    """
    places = drawing.places(path, cell)
    text = "".join(places.lines)
    written = written_at(text, offset(places.lines, position, places.encoding))
    if written is not None and written.word:
        here = _span_at(places.lines, written.start, written.end)
        origins = list(_of_written(desk, path, cell, written, here, drawing))
    elif written is not None:
        return None
    else:
        pointed = pointed_at(desk, path, cell, places.place(position), places)
        if pointed is None:
            return None
        here = pointed.span
        names = dict.fromkeys(_WORD.findall(pointed.dims))
        notes = [(pointed.path, pointed.cell, note) for note in pointed.notes]
        origins = [one for name in names for one in _origins(name, notes, drawing)]
    origins = list(dict.fromkeys(origins))
    if not origins:
        return None
    if not links:
        return [
            types.Location(drawing.uri(one.path, one.cell), _range(one, one.name, drawing))
            for one in origins
        ]
    return [
        types.LocationLink(
            drawing.uri(one.path, one.cell),
            _range(one, one.whole, drawing),
            _range(one, one.name, drawing),
            places.range(here),
        )
        for one in origins
    ]


def _range(origin: Origin, span: Span, drawing: Drawing) -> types.Range:
    return drawing.places(origin.path, origin.cell).range(span)


def _of_written(
    desk: Desk,
    path: str,
    cell: int | None,
    written: WrittenDims,
    here: Span,
    drawing: Drawing,
) -> Iterator[Origin]:
    """The origin of a written name: the first one nearby, or itself if a tensor has that name."""
    places = drawing.places(path, cell)
    known = desk.known(path)
    names = [written.word]
    if written.kind == "pattern":
        # Its own names are bound to the dims of the tensor, whose names may be others.
        dims = _dims_of_operand(known, cell, written, here, places)
        names = _names_in_pattern("".join(places.lines), written, dims) or names
    for name in names:
        for one, note in notes_nearby(known, cell, here.line, places.lines):
            if explains(note, name):
                origins = list(_origins(name, [(one.path, one.cell, note)], drawing))
                yield from origins[:1]
                return
    shapes = [shape.dims_text for shape in desk.shapes(path) if shape.cell == cell]
    if any(written.word in _WORD.findall(dims) for dims in shapes):
        yield Origin(path, cell, here, here)


def _dims_of_operand(
    known: Sequence[Finding], cell: int | None, written: WrittenDims, here: Span, places: Places
) -> list[str]:
    """The dims of the first argument of the call that a pattern is in, if it has a name."""
    last = Span(1, 1, 1, 1)
    dims: list[str] = []
    for one in known:
        if one.cell == cell and last <= one.span and one.span[:2] < here[:2]:
            if quoted(places.lines, one.span) == written.subject:
                last, dims = one.span, axes_of(one.message)
    return dims


def _names_in_pattern(text: str, written: WrittenDims, dims: Sequence[str]) -> list[str]:
    """The names in the dim that a name of a pattern stands for; none if that is not certain."""
    pattern = re.split(r"[\"'\r\n]", text[written.opening :], maxsplit=1)[0]
    axes = _AXIS.findall(pattern.partition("->")[0])
    if len(axes) != len(dims):
        return []
    for axis, dim in zip(axes, dims, strict=True):
        if written.word in re.findall(r"\w+", axis):
            return [written.word] if written.word in _WORD.findall(dim) else _WORD.findall(dim)
    return []


def _origins(
    name: str, notes: Sequence[tuple[str, int | None, Note]], drawing: Drawing
) -> Iterator[Origin]:
    """The places of the notes about a name; each note has the path and cell that it is of."""
    for path, cell, note in notes:
        if note.span is None or not explains(note, name):
            continue
        if note.path is not None:
            path, cell = note.path, note.cell
        else:
            cell = note.cell
        lines = drawing.places(path, cell).lines
        yield Origin(path, cell, note.span, _name_in(lines, note.span, name))


def _name_in(lines: Sequence[str], span: Span, name: str) -> Span:
    """The first place of a name in a span of a text; the span if it is not there."""
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for number in range(span.line, min(span.end_line, len(lines)) + 1):
        start = span.column - 1 if number == span.line else 0
        end = span.end_column - 1 if number == span.end_line else len(lines[number - 1])
        match = pattern.search(lines[number - 1], start, end)
        if match is not None:
            return Span(number, match.start() + 1, number, match.end() + 1)
    return span


def _span_at(lines: Sequence[str], start: int, end: int) -> Span:
    """The span of some characters of a text, which are in one line."""
    for number, line in enumerate(lines, 1):
        if start < len(line) or number == len(lines):
            return Span(number, start + 1, number, end + 1)
        start, end = start - len(line), end - len(line)
    return Span(1, 1, 1, 1)
