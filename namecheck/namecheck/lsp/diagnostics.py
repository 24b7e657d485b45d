"""Findings as the protocol's diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from lsprotocol import types

from namecheck.documentation import url_of
from namecheck.findings import WHOLE_FILE, Finding, Level, Span
from namecheck.lsp.places import Places
from namecheck.toml_settings import Misconfigured
from namecheck.troubles import UNUSED_IGNORE

__all__ = ["SOURCE", "Drawing", "by_uri", "diagnostic", "refusal"]

SOURCE: Final = "namecheck"

SEVERITIES: Final = {
    Level.ERROR: types.DiagnosticSeverity.Error,
    Level.WARNING: types.DiagnosticSeverity.Warning,
    Level.NOTE: types.DiagnosticSeverity.Information,
}


class Drawing(NamedTuple):
    """What is needed to tell a client of places: `places` of a path and cell, and its `uri`.

    `related`: the client shows what belongs to a diagnostic in places of its own.
    """

    places: Callable[[str, int | None], Places]
    uri: Callable[[str, int | None], str]
    related: bool


def diagnostic(finding: Finding, drawing: Drawing) -> types.Diagnostic:
    """A finding for a client; its message is that of the report, with the hint below it."""
    places = drawing.places(finding.path, finding.cell)
    message = finding.message
    if finding.hint:
        message += f"\n{finding.hint}"
    told = list(_related(finding, drawing)) if drawing.related else []
    if not drawing.related:  # the operands' dims are in the message
        lines = [(note.text, note.span.line) for note in finding.notes if note.span is not None]
        message += "".join(f"\n{text} (line {line})" for text, line in lines)
    url = url_of(finding.code)
    return types.Diagnostic(
        range=places.range(finding.span),
        message=message,
        severity=SEVERITIES[finding.level],
        code=finding.code,
        code_description=None if url is None else types.CodeDescription(url),
        source=SOURCE,
        tags=_tags(finding.code),
        related_information=told or None,
    )


def _tags(code: str) -> list[types.DiagnosticTag] | None:
    """How the code itself is drawn: faded where it does nothing, struck through where it is old."""
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
        if span is None:  # a fact of no place belongs to where it was needed
            path, cell, span = finding.path, finding.cell, finding.span
        stretches[path, cell, span, note.text] = None
    for path, cell, span, text in stretches:
        location = types.Location(drawing.uri(path, cell), drawing.places(path, cell).range(span))
        yield types.DiagnosticRelatedInformation(location, text)


def by_uri(
    findings: Mapping[str, Sequence[Finding]], drawing: Drawing
) -> dict[str, list[types.Diagnostic]]:
    """The diagnostics of paths by the texts that they are told of."""
    found: dict[str, list[types.Diagnostic]] = {}
    for path, some in findings.items():
        for finding in some:
            uri = drawing.uri(path, finding.cell)
            found.setdefault(uri, []).append(diagnostic(finding, drawing))
    return found


def refusal(trouble: Misconfigured, places: Places) -> types.Diagnostic:
    """Settings that are not understood, in the file in which they stand."""
    span = WHOLE_FILE
    if trouble.place is not None:
        line, column, length = trouble.place
        span = Span(line, column, line, column + length)
    return types.Diagnostic(
        places.range(span), trouble.message, types.DiagnosticSeverity.Error, source=SOURCE
    )
