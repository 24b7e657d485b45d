"""Findings as the protocol's diagnostics."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from lsprotocol import types

from namecheck.codes.troubles import INTERNAL_ERROR, UNUSED_IGNORE, internal_error
from namecheck.documentation.addresses import url_of
from namecheck.findings import WHOLE_FILE, Finding, Level, Note, Span
from namecheck.lsp.answers import Drawn, Reader
from namecheck.lsp.ranges import Places
from namecheck.lsp.texts import is_notebook, uri_of
from namecheck.report.targets import cut
from namecheck.settings.toml_settings import Misconfigured

if TYPE_CHECKING:
    from namecheck.lsp.desk import Desk

__all__ = ["SOURCE", "Drawing", "by_uri", "diagnostic", "drawing", "drawn", "failed", "refusal"]

SOURCE: Final = "namecheck"

LONGEST: Final = 60
"""The most characters of code that name a place."""

SEVERITIES: Final = {
    Level.ERROR: types.DiagnosticSeverity.Error,
    Level.WARNING: types.DiagnosticSeverity.Warning,
    Level.NOTE: types.DiagnosticSeverity.Information,
}


class Drawing(NamedTuple):
    """How places are given to a client: the `places` of a path and cell, and its `uri`.

    `related`: the client shows the related information of a diagnostic.
    """

    places: Callable[[str, int | None], Places]
    uri: Callable[[str, int | None], str]
    related: bool


def drawing(desk: Desk, reader: Reader) -> Drawing:
    """How places in open files, and in others, are given to a client."""
    sheets = desk.sheets

    def uri(path: str, cell: int | None) -> str:
        sheet = sheets.get(path)
        return uri_of(path) if sheet is None else sheet.uri_of(cell)

    @functools.cache
    def places(path: str, cell: int | None) -> Places:
        sheet = sheets.get(path)
        text = None if sheet is None else sheet.texts.get(cell)
        return Places(desk.source(path, cell) if text is None else text, reader.encoding)

    return Drawing(places, uri, reader.related)


def diagnostic(finding: Finding, drawing: Drawing) -> types.Diagnostic:
    """A finding as a diagnostic: its message is that of the report, with the hint below it."""
    places = drawing.places(finding.path, finding.cell)
    message = finding.message
    if finding.hint:
        message += f"\n{finding.hint}"
    related = list(_related(finding, drawing)) if drawing.related else []
    if not drawing.related:  # the operands' dims are in the message
        message += "".join(_below(note, finding, drawing) for note in finding.notes)
    url = url_of(finding.code)
    return types.Diagnostic(
        range=places.range(finding.span),
        message=message,
        severity=SEVERITIES[finding.level],
        code=finding.code,
        code_description=None if url is None else types.CodeDescription(url),
        source=SOURCE,
        tags=_tags(finding.code),
        related_information=related or None,
    )


def _below(note: Note, finding: Finding, drawing: Drawing) -> str:
    """A fact as a line of the message, with its place; nothing if it has no place."""
    if note.span is None:
        return ""
    line = note.span.line
    if note.path not in (None, finding.path):
        cell = "" if note.cell is None else f"cell {note.cell}, "
        return f"\n{note.text} ({os.path.basename(note.path)}, {cell}line {line})"
    if note.cell is not None:
        return f"\n{note.text} (cell {note.cell}, line {line})"
    if is_notebook(finding.path):  # the text of all cells: nobody sees the numbers of its lines
        code = cut(drawing.places(finding.path, None).code(line), LONGEST)
        return f"\n{note.text} (`{code}`)"
    return f"\n{note.text} (line {line})"


def _tags(code: str) -> list[types.DiagnosticTag] | None:
    """How the editor draws the code: faded if it does nothing, struck through if it is old."""
    if code == UNUSED_IGNORE:
        return [types.DiagnosticTag.Unnecessary]
    if code.startswith("NC6"):
        return [types.DiagnosticTag.Deprecated]
    return None


def _related(finding: Finding, drawing: Drawing) -> Iterator[types.DiagnosticRelatedInformation]:
    """The operands with their dims, and where each fact comes from."""
    stretches: dict[tuple[str, int | None, Span, str], None] = {}
    for label in finding.labels:
        stretches[finding.path, finding.cell, label.span, label.text] = None
    for note in finding.notes:
        path, cell, span = note.path or finding.path, note.cell, note.span
        if span is None:  # a fact without a place goes with the finding
            path, cell, span = finding.path, finding.cell, finding.span
        stretches[path, cell, span, note.text] = None
    for path, cell, span, text in stretches:
        location = types.Location(drawing.uri(path, cell), drawing.places(path, cell).range(span))
        # The report goes on with the place, which an editor shows in its own way.
        yield types.DiagnosticRelatedInformation(location, text.removesuffix(" is"))


def by_uri(
    findings: Mapping[str, Sequence[Finding]], drawing: Drawing
) -> dict[str, list[types.Diagnostic]]:
    """The diagnostics of findings by path, by the URI of their text."""
    diagnostics: dict[str, list[types.Diagnostic]] = {}
    for path, here in findings.items():
        for finding in here:
            uri = drawing.uri(path, finding.cell)
            diagnostics.setdefault(uri, []).append(diagnostic(finding, drawing))
    return diagnostics


def refusal(trouble: Misconfigured, places: Places) -> types.Diagnostic:
    """The diagnostic for settings that cannot be read, in their file."""
    span = WHOLE_FILE
    if trouble.place is not None:
        line, column, length = trouble.place
        span = Span(line, column, line, column + length)
    return types.Diagnostic(
        places.range(span), trouble.message, types.DiagnosticSeverity.Error, source=SOURCE
    )


def failed(desk: Desk, reader: Reader, failure: Exception) -> Drawn:
    """What is published after a failure outside the analysis of a file."""
    for sheet in desk.sheets.values():  # the first: it was edited last
        trouble = internal_error(sheet.path, failure)
        shown = diagnostic(trouble, drawing(desk, reader))
        uri = sheet.uri_of(None)
        versions = {uri: next(iter(sheet.versions.values()), None)}
        return Drawn({uri: [shown]}, versions, frozenset(), [trouble.message], [], None, True)
    return Drawn({}, {}, frozenset(), [str(failure)], [], None, True)


def drawn(desk: Desk, reader: Reader, stale: Sequence[str]) -> Drawn:
    """What is published now, in the protocol's types. `stale` are the files that had no result."""
    reported, sheets = desk.reported(), desk.sheets
    draw = drawing(desk, reader)
    diagnostics: dict[str, list[types.Diagnostic]] = {}
    versions: dict[str, int | None] = {}
    unknown: set[str] = set()
    for sheet in sheets.values():
        if sheet.path not in desk.results:
            unknown.update(sheet.uris.values())
            continue
        for cell, uri in sheet.uris.items():
            diagnostics[uri], versions[uri] = [], sheet.versions[cell]
    for uri, found in by_uri(reported.findings, draw).items():
        if uri not in unknown:
            diagnostics.setdefault(uri, []).extend(found)
    for trouble in reported.refused:
        if isinstance(trouble, Misconfigured):
            path = os.path.abspath(trouble.source)
            shown = refusal(trouble, draw.places(path, None))
            diagnostics.setdefault(uri_of(path), []).append(shown)
    failures = [
        f"{f.path}:{f.span.line}: {f.message}; {'; '.join(n.text for n in f.notes)}"
        for findings in reported.findings.values()
        for f in findings
        if f.code == INTERNAL_ERROR
    ]
    refused = [trouble.format_message() for trouble in reported.refused]
    looked_at = stale[0] if stale else None
    is_last = len(stale) <= 1
    return Drawn(diagnostics, versions, frozenset(unknown), failures, refused, looked_at, is_last)
