"""Writing dims into an open file, as `namecheck annotate` does: all of them, or those of a hint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lsprotocol import types

from namecheck.annotations.beside import comment_beside
from namecheck.annotations.files import edit_open
from namecheck.applying.difference import edits_between
from namecheck.applying.undone import in_cells
from namecheck.applying.writing import Unwritable
from namecheck.files.documents import Document, read_document
from namecheck.findings import Edit
from namecheck.fixes.code import Code
from namecheck.lsp.answers import Annotated
from namecheck.lsp.desk import Desk, bytes_of_text
from namecheck.lsp.features.diagnostics import Drawing
from namecheck.lsp.texts import Sheet
from namecheck.printing.counts import counted

__all__ = ["annotated", "with_comment"]

TOOLTIP = "Double-click to write this as a comment"


def with_comment(
    hint: types.InlayHint, desk: Desk, sheet: Sheet, cell: int | None, drawing: Drawing
) -> types.InlayHint:
    """A hint with the edits that write its dims, if `annotate` would write them there."""
    data: Any = hint.data
    if data["version"] != sheet.versions[cell]:
        return hint  # the text has changed since
    document = sheet.document()
    key = document.line(cell, data["line"]), data["target"], data["kind"]
    edited, edits = comment_beside(document, key, desk.program)
    if edits and edited == cell:
        hint.text_edits = _text_edits(edits, sheet, cell, drawing)
        hint.tooltip = TOOLTIP
    return hint


def annotated(desk: Desk, sheet: Sheet, drawing: Drawing, versioned: bool) -> Annotated:
    """The edit that writes the dims of an open file as comments, and a sentence about it.

    `versioned`: it names the versions of the texts that it is for.
    """
    path = sheet.path
    document = _as_file(sheet)
    if document is None:
        return Annotated(None, "Not annotated: the text is not that of a file.")
    try:
        edited = edit_open(document, desk.program)
    except Unwritable as reason:
        return Annotated(None, f"Not annotated: {reason}.")
    if not edited.written:
        why = f"Not annotated ({edited.why}): {in_cells(path, edited.cells)}."
        return Annotated(None, why if edited.why else "Nothing to annotate.")
    after = read_document(path, edited.source)
    changes: dict[int | None, list[types.TextEdit]] = {}
    for cell, text in document.parts.items():
        edits = list(edits_between(Code(text), Code(after.parts[cell])))
        if edits:
            changes[cell] = _text_edits(edits, sheet, cell, drawing)
    sentence = f"Wrote {counted(edited.written, 'annotation')}."
    return Annotated(_workspace_edit(changes, sheet, versioned), sentence)


def _as_file(sheet: Sheet) -> Document | None:
    """The document as it would be in a file; None if the text would not be the same there."""
    document = sheet.document()
    if sheet.is_cells_text:
        return None
    if document.source:
        return document
    file = read_document(sheet.path, bytes_of_text(document.text))
    return file if file.text == document.text else None


def _text_edits(
    edits: Sequence[Edit], sheet: Sheet, cell: int | None, drawing: Drawing
) -> list[types.TextEdit]:
    places = drawing.places(sheet.path, cell)
    return [types.TextEdit(places.range(edit.span), edit.content) for edit in edits]


def _workspace_edit(
    changes: Mapping[int | None, Sequence[types.TextEdit]], sheet: Sheet, versioned: bool
) -> types.WorkspaceEdit:
    if not versioned:
        return types.WorkspaceEdit(changes={sheet.uri_of(c): list(e) for c, e in changes.items()})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(
                    sheet.uri_of(cell), sheet.versions[cell]
                ),
                list(edits),
            )
            for cell, edits in changes.items()
        ]
    )
