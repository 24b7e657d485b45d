"""The inferred dims of a file as JSON: the format `json` of `namecheck show`.

One object for each target of an assignment, parameter and returned value (the dims that `show`
prints beside lines), and one for each expression that is a tensor, with where its dims come from.
Rows and columns are those of the findings' JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from namecheck.findings import Finding, ShapeAt, Span
from namecheck.printing.escapes import json_text
from namecheck.report.axes import axes_of
from namecheck.report.json import note_records, places
from namecheck.report.targets import Lines, span_of
from namecheck.text.layout import split_lines

__all__ = ["dims_text"]


def dims_text(
    path: str,
    sources: Mapping[int | None, str],
    shapes: Iterable[ShapeAt],
    known: Iterable[Finding],
) -> str:
    """The array, in the order of the places, with a newline at the end.

    `sources` are the texts of a file, or of a notebook's cells by their numbers. `known` are the
    expressions, each as a note whose message is its dims.
    """
    lines = {cell: split_lines(text) for cell, text in sources.items()}
    layouts = {cell: Lines(these) for cell, these in lines.items()}
    records: list[tuple[int, Span, dict[str, Any]]] = []

    def add(cell: int | None, span: Span, kind: str, dims: str, notes: list[Any]) -> None:
        record = {
            "filename": path,
            "cell": cell,
            "kind": kind,
            "code": _code(lines[cell], span),
            "dims": dims,
            "axes": axes_of(dims),
            **places(span),
            "notes": notes,
        }
        records.append((cell or 0, span, record))

    for shape in dict.fromkeys(shapes):
        span = span_of(shape, layouts[shape.cell])
        if span is not None:
            add(shape.cell, span, shape.kind, shape.dims_text, [])
    for one in known:
        add(one.cell, one.span, "expression", one.message, note_records(one))
    records.sort(key=lambda entry: entry[:2])
    return json_text([record for _, _, record in records], indent=2) + "\n"


def _code(lines: list[str], span: Span) -> str:
    """The code of a span, as it is written."""
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first = lines[span.line - 1][span.column - 1 :]
    last = lines[span.end_line - 1][: span.end_column - 1]
    return "".join([first, *lines[span.line : span.end_line - 1], last])
