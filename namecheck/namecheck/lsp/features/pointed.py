"""What stands at a place of an open file: an expression, or the target of an assignment.

Hovers and the view of dims show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from namecheck.findings import Finding, Note, ShapeAt, Span
from namecheck.lsp.desk import Desk
from namecheck.lsp.ranges import Places
from namecheck.report.targets import Lines, cut, quoted, span_of

__all__ = ["Pointed", "holds", "pointed_at"]

LONGEST: Final = 60
"""The most characters of an expression that are quoted."""


class Pointed(NamedTuple):
    """An expression or a target: its code, its dims, and where the dims come from.

    `path` and `cell` are its own, and those of notes without any. `dtype` is the kind of its dtype,
    "" if that is not certain. `is_target`: it is assigned to, or a parameter.
    """

    path: str
    cell: int | None
    code: str
    dims: str
    dtype: str
    span: Span
    notes: tuple[Note, ...]
    is_target: bool


def pointed_at(
    desk: Desk, path: str, cell: int | None, place: tuple[int, int], places: Places
) -> Pointed | None:
    """The smallest expression or target with dims at a place; None if there is none."""
    known = [one for one in desk.known(path) if one.cell == cell]
    expression = next((one for one in known if holds(one.span, place)), None)
    target = _target(desk.shapes(path), cell, place, places)
    if target is not None and (expression is None or _is_inside(target[1], expression.span)):
        shape, span, last = target
        like = _like(shape, span, last, known, places)
        own = (f"{shape.target} is set", shape.line)
        notes = tuple(
            note
            for note in (() if like is None else like.notes)
            if note.path is not None or note.span is None or (note.text, note.span.line) != own
        )
        dtype = "" if like is None else like.name
        return Pointed(path, cell, shape.target, shape.dims_text, dtype, span, notes, True)
    if expression is None:
        return None
    code = cut(quoted(places.lines, expression.span), LONGEST)
    dims, dtype, span = expression.message, expression.name, expression.span
    return Pointed(path, cell, code, dims, dtype, span, expression.notes, False)


def holds(span: Span, place: tuple[int, int]) -> bool:
    """Whether a place is in a span or at its end."""
    return span[:2] <= place <= span[2:]


def _target(
    shapes: Sequence[ShapeAt], cell: int | None, place: tuple[int, int], places: Places
) -> tuple[ShapeAt, Span, int] | None:
    """The target of an assignment, or the parameter, at a place, and its statement's last line."""
    lines = Lines(places.lines)
    for shape in shapes:
        if shape.cell == cell and shape.line <= place[0] and shape.kind != "return":
            span = span_of(shape, lines)
            if span is not None and holds(span, place):
                return shape, span, lines.end_of(shape.line)
    return None


def _like(
    shape: ShapeAt, span: Span, last: int, known: Sequence[Finding], places: Places
) -> Finding | None:
    """The expression that says more of a target: its first use, or else what is assigned to it."""
    same = [one for one in known if one.message == shape.dims_text]
    uses = [
        one
        for one in same
        if quoted(places.lines, one.span) == shape.target
        and any(note.span is not None and note.span.line == shape.line for note in one.notes)
    ]
    if uses:
        return min(uses, key=lambda one: one.span)
    assigned = [one for one in same if shape.line <= one.span.line <= last and one.span != span]
    return assigned[-1] if assigned else None  # the largest


def _is_inside(inner: Span, outer: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]
