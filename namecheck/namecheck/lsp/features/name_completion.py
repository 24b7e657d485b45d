"""The answer to `textDocument/completion`: names of dims, where names of dims are written.

First those of the tensor at that place, then those of its function, then those of the file. The
dims are those of the text as it is, or as it was when it was last Python: the user is typing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types

from namecheck.lsp.desk import Desk
from namecheck.lsp.features.diagnostics import Drawing
from namecheck.lsp.features.written_dims import WrittenDims, in_comments, written_at
from namecheck.lsp.ranges import offset
from namecheck.lsp.shown_dims import ShownDims
from namecheck.report.axes import axes_of
from namecheck.text.layout import split_lines
from namecheck_runtime.light.regexes import regex

__all__ = ["completion"]

_WORD = regex(r"[^\W\d]\w*(?!\w*\()")
_HEADER = regex(r"(\s*)(?:async\s+)?def\s+(\w+)")
_BLANK = regex(r"\s*(?:#.*)?$")


class Beside(NamedTuple):
    """The dims of a target, and its line in the text as it is now."""

    line: int
    target: str
    dims: str
    kind: str


def completion(
    desk: Desk, path: str, cell: int | None, position: types.Position, drawing: Drawing
) -> list[types.CompletionItem]:
    """The names of dims that fit at a place; none where no dims are written."""
    places = drawing.places(path, cell)
    written = written_at("".join(places.lines), offset(places.lines, position, places.encoding))
    if written is None:
        return []
    line, column = places.place(position)
    text = places.lines[line - 1] if line <= len(places.lines) else ""
    shown = _shown(desk, path, line)
    beside = _beside(shown, cell, places.lines)
    first, last, function = _function_around(places.lines, line)
    inside = [one for one in beside if first <= one.line <= last]
    own = _of_tensor(inside or beside, written, line, text)
    typed = column - 1 - (offset(places.lines, position, places.encoding) - written.start)
    start = places.position(line, typed + 1)
    end = places.position(line, typed + 1 + written.end - written.start)
    prefix = text[typed : column - 1].lower()
    reasons: dict[str, str] = {}
    for name in _next_first(own.dims, written.before) if own is not None else ():
        assert own is not None
        reasons.setdefault(name, f"{own.target}: {own.dims}" if own.target else own.dims)
    where = f"dim in {function}" if function else "dim in this file"
    for one in inside:
        for name in _WORD.findall(one.dims):
            reasons.setdefault(name, where)
    for one in beside:
        for name in _WORD.findall(one.dims):
            reasons.setdefault(name, "dim in this file")
    fitting = [name for name in reasons if name.lower().startswith(prefix)]
    return [
        types.CompletionItem(
            label=name,
            kind=types.CompletionItemKind.Variable,
            detail=reasons[name],
            sort_text=f"{number:04}",
            text_edit=types.TextEdit(types.Range(start, end), name),
        )
        for number, name in enumerate(fitting)
    ]


def _shown(desk: Desk, path: str, line: int) -> ShownDims | None:
    """The dims of a file as it is now or, while it is not Python, as it was when it last was.

    If it has not been Python since it was opened, those of the text without a line.
    """
    document = desk.document(path)
    if document.is_python:
        return desk.shown(path)
    if path not in desk.readable and document.is_module:
        lines = split_lines(document.text)
        if line <= len(lines):
            text = lines[line - 1]
            indent = text[: len(text) - len(text.lstrip())]
            lines[line - 1] = f"{indent}pass{text[len(text.rstrip()) :]}"
        without = document._replace(text="".join(lines))
        if without.is_python:
            desk.readable[path] = desk.evaluated_dims(without, False, None)
    return desk.readable.get(path)


def _beside(shown: ShownDims | None, cell: int | None, lines: Sequence[str]) -> list[Beside]:
    """The dims of targets and parameters, in order, at their lines in the text as it is now.

    Those that comments name are among them: they may be known from there alone.
    """
    made = [Beside(*written, "comment") for written in in_comments(lines)]
    old = lines if cell is not None or shown is None else split_lines(shown.text)
    for shape in () if shown is None else shown.shapes:
        line = _moved(shape.line, old, lines) if shape.cell == cell else None
        if line is not None and shape.kind != "return":
            made.append(Beside(line, shape.target, shape.dims_text, shape.kind))
    return sorted(made, key=lambda one: one.line)


def _moved(line: int, old: Sequence[str], now: Sequence[str]) -> int:
    """Where a line of an older text is now, as far as the ends of the text tell."""
    if line <= len(old) and line <= len(now) and old[line - 1] == now[line - 1]:
        return line
    back = len(old) - line
    if old is not now and 0 <= back < len(now) and old[line - 1] == now[len(now) - 1 - back]:
        return len(now) - back
    return line


def _function_around(lines: Sequence[str], line: int) -> tuple[int, int, str]:
    """The first and the last line of the function around a line, and its name; or all lines.

    By indentation alone: the text need not be Python.
    """
    for first in range(min(line, len(lines)), 0, -1):
        header = _HEADER.match(lines[first - 1])
        if header is None:
            continue
        indent = len(header[1])
        last = first
        for number in range(first + 1, len(lines) + 1):
            text = lines[number - 1]
            if not _BLANK.match(text) and len(text) - len(text.lstrip()) <= indent:
                if not text.lstrip().startswith((")", "]")):
                    break
            last = number
        if last >= line:
            return first, last, header[2]
    return 1, len(lines), ""


def _of_tensor(
    beside: Sequence[Beside], written: WrittenDims, line: int, text: str
) -> Beside | None:
    """The tensor whose dims are written, among those of a function."""
    if written.subject:
        named = [one for one in beside if one.target == written.subject]
        # A pattern is about what the name was before the statement.
        earlier = [one for one in named if one.line < line + (written.kind != "pattern")]
        if named:
            return (earlier or named)[-1 if earlier else 0]
    if written.kind == "docstring" or written.kind == "pattern":
        return None
    parameters = [one for one in beside if one.kind == "parameter"]
    for one in parameters:  # one on each line
        if re.match(rf"\s*\*{{0,2}}{re.escape(one.target)}\s*[:=,)]", text):
            return one
    of_line = [one for one in beside if one.line == line and one.kind == "assign"]
    if not of_line and text.lstrip().startswith("#"):
        of_line = [one for one in beside if one.line == line + 1]
    return of_line[0] if of_line else None


def _next_first(dims: str, before: int) -> Iterator[str]:
    """The names in dims, those from a dim on first, since `before` are written already."""
    axes = axes_of(dims)
    for axis in (*axes[before:], *axes[:before]):
        yield from _WORD.findall(axis)
