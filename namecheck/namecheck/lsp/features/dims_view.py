"""The answer to `namecheck/dims`: the dims of what stands at a place, each by itself.

An editor draws them as a row of boxes, and lists below where their names come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from lsprotocol import types

from namecheck.findings import Note
from namecheck.lsp.desk import Desk
from namecheck.lsp.features.diagnostics import Drawing
from namecheck.lsp.features.name_origins import explains, notes_nearby
from namecheck.lsp.features.pointed import Pointed, pointed_at
from namecheck.report.axes import axes_of

__all__ = ["DimOf", "DimsAt", "OriginOf", "dims_at"]


class DimOf(TypedDict):
    """A dim: its label as the report writes it, its size if that is a number, and the note that
    says where its name comes from.
    """

    label: str
    size: int | None
    origin: str | None


class OriginOf(TypedDict):
    """A fact that the dims come from, and its place."""

    text: str
    location: types.Location | None


class DimsAt(TypedDict):
    """The dims of an expression or a target. `dtype` is the kind of its dtype, if that is certain:
    "float", "int", "bool" or "complex".
    """

    expression: str
    range: types.Range
    dtype: str | None
    dims: list[DimOf]
    origins: list[OriginOf]


def dims_at(
    desk: Desk, path: str, cell: int | None, position: types.Position, drawing: Drawing
) -> DimsAt | None:
    """The dims of the smallest expression or target at a place that has any."""
    places = drawing.places(path, cell)
    pointed = pointed_at(desk, path, cell, places.place(position), places)
    if pointed is None:
        return None
    labels = axes_of(pointed.dims)
    notes = list(pointed.notes)
    if any(_is_name(label) and _origin(label, notes) is None for label in labels):
        # A size that later lines name is explained there.
        near = desk.known(path), pointed.cell, pointed.span.line, places.lines
        for _, note in notes_nearby(*near):
            if any(explains(note, label) and _origin(label, notes) is None for label in labels):
                notes.append(note)
    return {
        "expression": pointed.code,
        "range": places.range(pointed.span),
        "dtype": pointed.dtype or None,
        "dims": [_dim(label, notes) for label in labels],
        "origins": [
            {"text": note.text, "location": _location(note, pointed, drawing)} for note in notes
        ],
    }


def _dim(label: str, notes: Sequence[Note]) -> DimOf:
    size = None if _is_name(label) else int(label)
    return {"label": label, "size": size, "origin": _origin(label, notes)}


def _is_name(label: str) -> bool:
    return not (label.isascii() and label.isdecimal())


def _origin(label: str, notes: Sequence[Note]) -> str | None:
    return next((note.text for note in notes if explains(note, label)), None)


def _location(note: Note, pointed: Pointed, drawing: Drawing) -> types.Location | None:
    if note.span is None:
        return None
    path, cell = note.path or pointed.path, note.cell
    return types.Location(drawing.uri(path, cell), drawing.places(path, cell).range(note.span))
