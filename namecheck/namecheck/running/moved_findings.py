"""Findings of an earlier run, with places in files that were edited since.

An edit of one function moves the lines below it. A result that does not depend on that function
still holds, and cites the other lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from namecheck.findings import Finding, Fix, Label, Note, Span
from namecheck.text.file_parts import FileParts
from namecheck_runtime.light.records import NamedTuple

__all__ = ["Edited", "moved_findings"]


class Edited(NamedTuple):
    """The parts of a file before and after an edit; None if they are not known."""

    before: FileParts | None
    now: FileParts | None


def moved_findings(findings: Sequence[Finding], edits: Mapping[str, Edited]) -> tuple[Finding, ...]:
    """The findings with the lines of now in files that were edited, by the paths of reports.

    They rest on parts of these files that are the same.
    """
    return tuple([_moved(finding, edits) for finding in findings])


def _moved(finding: Finding, edits: Mapping[str, Edited]) -> Finding:
    own = edits.get(finding.path)
    return finding._replace(
        span=_span(finding.span, own),
        labels=tuple([_label(label, own) for label in finding.labels]),
        notes=tuple([_note(note, edits, own) for note in finding.notes]),
        fix=None if finding.fix is None else _fix(finding.fix, own),
    )


def _label(label: Label, edit: Edited | None) -> Label:
    return label._replace(span=_span(label.span, edit))


def _note(note: Note, edits: Mapping[str, Edited], own: Edited | None) -> Note:
    edit = own if note.path is None else edits.get(note.path)
    return note if note.span is None else note._replace(span=_span(note.span, edit))


def _fix(fix: Fix, own: Edited | None) -> Fix:
    return fix._replace(edits=tuple([e._replace(span=_span(e.span, own)) for e in fix.edits]))


def _span(span: Span, edit: Edited | None) -> Span:
    if edit is None or edit.before is None or edit.now is None:
        return span
    line = edit.before.moved(span.line, edit.now)
    return span._replace(line=line, end_line=span.end_line + line - span.line)
