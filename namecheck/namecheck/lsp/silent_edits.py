"""Edits that say nothing to the checker: a plain comment, a blank line, words of a docstring.

After one of them nothing is evaluated. The result for the text before holds, on the lines of now,
as a result in the cache does (`text/file_parts.py`).
"""

from __future__ import annotations

from namecheck.analysis import silent_edit
from namecheck.codes.troubles import UNREAD
from namecheck.files.documents import Document
from namecheck.findings import Analysis, ShapeAt
from namecheck.lsp.shown_dims import ShownDims
from namecheck.running.moved_findings import moved_analysis
from namecheck.text.chunks import split
from namecheck.text.file_parts import Edited

__all__ = ["analysis_after", "dims_after"]


def analysis_after(analysis: Analysis, before: Document, now: Document) -> Analysis | None:
    """The analysis of an edited document, without fixes; None if it has to be evaluated."""
    if any(finding.code in UNREAD for finding in analysis.findings):
        return None  # what Python says of a mistake in the syntax cites lines
    edit = _silent(before.text, now) if before.is_module else None
    if edit is None:
        return None
    findings = tuple([finding._replace(fix=None) for finding in analysis.findings])
    lines = analysis.counts.lines + now.text.count("\n") - before.text.count("\n")
    counts = analysis.counts._replace(lines=lines)
    return moved_analysis(analysis._replace(findings=findings, counts=counts), {now.path: edit})


def dims_after(shown: ShownDims, now: Document) -> ShownDims | None:
    """The dims to show in an edited document; None if they have to be evaluated."""
    edit = _silent(shown.text, now)
    if edit is None or edit.before is None or edit.now is None:
        return None
    known = shown.known
    if known is not None:
        known = moved_analysis(Analysis(tuple(known)), {now.path: edit}).findings
    shapes = [_moved(shape, edit) for shape in shown.shapes]
    return shown._replace(text=now.text, shapes=shapes, known=known)


def _moved(shape: ShapeAt, edit: Edited) -> ShapeAt:
    assert edit.before is not None
    assert edit.now is not None
    return shape._replace(line=edit.before.moved(shape.line, edit.now))


def _silent(before: str, now: Document) -> Edited | None:
    """How the text of a document was edited, if that says nothing to the checker."""
    return silent_edit(split(before), split(now.text)) if now.is_module else None
