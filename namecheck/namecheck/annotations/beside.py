"""The comment of a single line, for an editor: what `annotate` would write there.

Only the definition around the line is evaluated: once for its dims, and once more with the comment,
which has to leave them as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.annotations.annotation_proof import State, Trial
from namecheck.annotations.examining import examining
from namecheck.annotations.styles import STYLES
from namecheck.findings import Edit
from namecheck.fixes.code import Code

if TYPE_CHECKING:
    from namecheck.analysis import Key, Program
    from namecheck.files.documents import Document

__all__ = ["comment_beside"]


def comment_beside(document: Document, key: Key, program: Program) -> tuple[int | None, list[Edit]]:
    """The cell of a key and the edits in it that write its dims, none if `annotate` writes none."""
    nothing: tuple[int | None, list[Edit]] = None, []
    if document.trouble is not None or document.passed is not None:
        return nothing
    document, _ = document.mended()
    path, code, style = document.path, Code(document.text), STYLES["comment"](None)
    if code.tree is None:
        return nothing
    examine = examining(path, program, set())
    whole = Trial(
        path,
        State(code, {}, tuple),
        examine,
        lambda annotations: style.joined(code, annotations),
        style.silent,
        strict=True,
    )
    part = whole.within(whole.chunks_of([key[0]]))
    options = style.options(path, code, part.before.known)
    annotation = next((option for option in options if key in option.keys), None)
    if annotation is None or not isinstance(part.of([annotation]), State):
        return nothing
    edits = []
    cell = None
    for change in annotation.made:
        span = code.span(change.start, change.end)
        cell, line = document.place(span.line)
        moved = span._replace(line=line, end_line=span.end_line + line - span.line)
        edits.append(Edit(moved, change.content))
    return cell, edits
