"""Findings of an earlier run, with places in files that were edited since.

An edit of one function moves the lines below it. A result that does not depend on that function
still holds, and cites the other lines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from namecheck.findings import Analysis, Finding, Fix, Label, Note, Span, UnknownCall
from namecheck.text.file_parts import Edited

__all__ = ["after_edits", "cites", "moved_analysis"]


def after_edits(
    analysis: Analysis, edits: Mapping[str, Edited], shown: Callable[[str], str]
) -> Analysis | None:
    """The same findings after edits of other files, by real path; None if they may be others.

    `shown` is the path of a file in reports.
    """
    concerned = {path: edit for path, edit in edits.items() if path in analysis.depends}
    if not concerned:
        return analysis
    if not all(edit.leaves(analysis.parts.get(path)) for path, edit in concerned.items()):
        return None
    by_name = {name: edit for path, edit in concerned.items() for name in (path, shown(path))}
    return moved_analysis(analysis, by_name)


def cites(analysis: Analysis, paths: Collection[str]) -> bool:
    """Whether a finding is in one of these files, by its path in reports, or a note names it."""
    return any(
        finding.path in paths or any(note.path in paths for note in finding.notes)
        for finding in analysis.findings
    )


def moved_analysis(analysis: Analysis, edits: Mapping[str, Edited]) -> Analysis:
    """The findings with the lines of now in files that were edited, by the paths of reports.

    They rest on parts of these files that are the same.
    """
    return analysis._replace(
        findings=tuple([_moved(finding, edits) for finding in analysis.findings]),
        unknown_calls=tuple([_call(call, edits.get(call.path)) for call in analysis.unknown_calls]),
    )


def _call(call: UnknownCall, edit: Edited | None) -> UnknownCall:
    return call._replace(line=_line(call.line, edit))


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
    return span._replace(line=_line(span.line, edit), end_line=_line(span.end_line, edit))


def _line(line: int, edit: Edited | None) -> int:
    if edit is None or edit.before is None or edit.now is None:
        return line
    return edit.before.moved(line, edit.now)
