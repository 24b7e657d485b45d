"""A file as the checks read it: its Python text, or the finding that says why it has none.

Files of other kinds than Python source become Python text here; whoever analyses, suppresses or
fixes sees one kind of document. Two ways to speak of a place have to be told apart:

    in `Document.text`   one text for the whole file, which is what is analysed, and where
                         suppression comments are looked for
    in (cell, line)      as findings are told, once `restore` has been over them: of a notebook the
                         cell's number and the line in it, of every other file None and the line

Lines become places by `Document.place`, places lines by `Document.line`. What a person reads
(frames, fixes, `namecheck show`) speaks of `Document.parts`: the texts that places count in, as
they stand in the file. Columns are the same everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from namecheck.codes.coverage import passed_by
from namecheck.codes.troubles import syntax_error, unreadable
from namecheck.files.disk import read_file
from namecheck.findings import (
    Analysis,
    Edit,
    Finding,
    Fix,
    Label,
    Note,
    ShapeAt,
    Span,
    UnknownCall,
)
from namecheck.source import Undecodable, decode, encoding_of
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.files.notebooks import Notebook

__all__ = ["Document", "document_of", "read_document", "text_of"]


class Document(NamedTuple):
    """The Python text of a file; `source` are its bytes as they stand on the disk.

    `trouble` is the one finding (NC900) of a file that cannot be read; its text is empty then. So
    it is of a file that holds nothing for us to check, of which `passed` is a note.
    """

    path: str
    source: bytes
    text: str
    trouble: Finding | None = None
    passed: Finding | None = None
    notebook: Notebook | None = None

    @property
    def parts(self) -> Mapping[int | None, str]:
        """The texts that spans of findings count in: those of the cells, or that of the file."""
        if self.notebook is None:
            return {None: self.text}
        return {cell.number: cell.text for cell in self.notebook.cells}

    def place(self, line: int) -> tuple[int | None, int]:
        """The cell, if there are cells, and the line in it that a line of `text` is."""
        return (None, line) if self.notebook is None else self.notebook.place(line)

    def line(self, cell: int | None, line: int) -> int:
        """The line of `text` that a line of a cell is.  Raises `ValueError` for no such cell."""
        if self.notebook is None:
            return line
        if cell is None:
            raise ValueError("a place in a notebook is in a cell")
        return self.notebook.line(cell, line)

    def restore(self, analysis: Analysis) -> Analysis:
        """What was found in `text`, brought to the cells; of other files nothing is changed."""
        return analysis if self.notebook is None else _Restoring(self, self.notebook).all(analysis)

    def mended(self) -> tuple[Document, tuple[Finding, ...]]:
        """The document without its cells that are not Python, and a finding (NC900) for each; for
        the first if it has the text of cells alone.
        """
        if self.notebook is None:
            return self._mended_text()
        faults = self.notebook.faults()
        notebook = self.notebook.without(frozenset(faults))
        found = tuple(
            syntax_error(self.path, fault.message, fault.line, fault.column)._replace(cell=cell)
            for cell, fault in faults.items()
        )
        return self._replace(notebook=notebook, text=notebook.text), found

    def _mended_text(self) -> tuple[Document, tuple[Finding, ...]]:
        if not self.path.endswith(".ipynb") or self.trouble is not None:
            return self, ()
        from namecheck.files.notebooks import mended_text

        text, fault = mended_text(self.text)
        if fault is None:
            return self, ()
        found = syntax_error(self.path, fault.message, fault.line, fault.column)
        return self._replace(text=text), (found,)

    def rewritten(self, parts: Mapping[int | None, str]) -> bytes:
        """The file's bytes with new texts for some of its `parts`, and nothing else changed.

        Raises `UnicodeEncodeError` for a text that the file's encoding cannot express.
        """
        if self.notebook is None:
            return parts.get(None, self.text).encode(encoding_of(self.source))
        from namecheck.files.notebooks import rewritten

        texts = {cell: text for cell, text in parts.items() if cell is not None}
        # Bytes that were a mark of the byte order stay one.
        return rewritten(self.source.decode(), texts).encode()


def read_document(path: str, source: bytes | None = None, is_cells_text: bool = False) -> Document:
    """The document at a path, or of the bytes that are to be checked under that path.

    `is_cells_text`: a notebook's name, and no JSON but the Python of its cells, as IPython reads
    it. Raises nothing: what cannot be read is the document's `trouble`.
    """
    if path.endswith(".pyi"):
        passed = passed_by(path, "a stub says what is called, and computes nothing")
        return Document(path, source or b"", "", passed=passed)
    if source is None:
        try:
            source = _bytes_of(path)
        except (OSError, ValueError) as refusal:
            reason = getattr(refusal, "strerror", None) or str(refusal)
            return Document(path, b"", "", unreadable(path, reason))
    if path.endswith(".ipynb") and not is_cells_text:
        return _notebook(path, source)
    try:
        text = decode(source)
        return Document(path, source, _as_python(text) if is_cells_text else text)
    except Undecodable as fault:
        return Document(path, source, "", unreadable(path, str(fault)))


def document_of(path: str, text: str, is_cells_text: bool = False) -> Document:
    """The document of a text that somebody has in hand: there are no bytes to be decoded.

    `is_cells_text` is that of `read_document`.
    """
    if is_cells_text:
        return Document(path, b"", _as_python(text))
    if path.endswith((".pyi", ".ipynb")):
        return read_document(path, text.encode("utf-8", "surrogatepass"))
    return Document(path, b"", text)


def _as_python(text: str) -> str:
    from namecheck.files.magics import python_of

    return python_of(text)


def text_of(path: str, cell: int | None = None) -> str:
    """The text that spans of findings at a path count in; empty when it cannot be read now."""
    return read_document(path).parts.get(cell, "")


_STREAMS: Final = ("/dev/fd/", "/proc/self/fd/", "/dev/stdin", os.devnull)
"""What may be read although it is no file: the shell's `<(command)`, and what cannot hold us up."""


def _bytes_of(path: str) -> bytes:
    """What a file holds.  Raises `OSError`, also for what nobody knows the end of."""
    if path.startswith(_STREAMS):
        with open(path, "rb") as file:
            return file.read()
    return read_file(path)


def _notebook(path: str, source: bytes) -> Document:
    from namecheck.files.notebooks import NotANotebook, read_notebook

    try:
        notebook = read_notebook(source.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        wrong = f"byte 0x{source[fault.start]:02x} at offset {fault.start} is not utf-8"
        return Document(path, source, "", unreadable(path, wrong))
    except NotANotebook as fault:
        return Document(path, source, "", unreadable(path, str(fault)))
    if notebook.language is not None:
        passed = passed_by(path, f"its language is {notebook.language}")
        return Document(path, source, "", passed=passed)
    return Document(path, source, notebook.text, notebook=notebook)


class _Restoring:
    """The way of an analysis from a notebook's text back to its cells."""

    def __init__(self, document: Document, notebook: Notebook) -> None:
        self.path = document.path
        self.notebook = notebook
        self.raising = {cell.number for cell in notebook.cells if cell.raises}

    def all(self, analysis: Analysis) -> Analysis:
        found = map(self.finding, analysis.findings)
        return analysis._replace(
            # An exception that is announced is no mistake.
            findings=tuple(f for f in found if f.path != self.path or f.cell not in self.raising),
            shapes=tuple(map(self.shape, analysis.shapes)),
            unknown_calls=tuple(map(self.call, analysis.unknown_calls)),
        )

    def finding(self, finding: Finding) -> Finding:
        if finding.path != self.path:
            return finding._replace(notes=tuple(map(self.note_elsewhere, finding.notes)))
        cell, span = self.span(finding.span)
        notes = tuple(map(self.note, finding.notes))
        labels = []
        for label in finding.labels:
            where, at = self.span(label.span)
            if where == cell:
                labels.append(Label(at, label.text))
            else:  # a frame shows one cell
                notes += (Note(label.text, None, at, where),)
        fix = None if finding.fix is None else self.fix(finding.fix, cell)
        return finding._replace(cell=cell, span=span, labels=tuple(labels), notes=notes, fix=fix)

    def fix(self, fix: Fix, cell: int) -> Fix | None:
        """The fix of a finding in a cell; None if it edits another cell, too."""
        edits = []
        for edit in fix.edits:
            where, at = self.span(edit.span)
            if edit.span.end_column == 1 and edit.span.end_line > edit.span.line:
                # It goes to the end of a line, which may be the last one of the cell.
                where, last = self.notebook.place(edit.span.end_line - 1)
                at = at._replace(end_line=last + 1, end_column=1)
            if where != cell or self.span(edit.span)[0] != cell:
                return None
            edits.append(Edit(at, edit.content))
        return fix._replace(edits=tuple(edits))

    def note(self, note: Note) -> Note:
        """A note of a finding in the notebook."""
        if note.path not in (None, self.path) or note.span is None:
            return note
        cell, span = self.span(note.span)
        return note._replace(cell=cell, span=span)

    def note_elsewhere(self, note: Note) -> Note:
        """A note of a finding in another file."""
        return self.note(note) if note.path == self.path else note

    def shape(self, shape: ShapeAt) -> ShapeAt:
        cell, line = self.notebook.place(shape.line)
        return shape._replace(cell=cell, line=line)

    def call(self, call: UnknownCall) -> UnknownCall:
        if call.path != self.path:
            return call
        cell, line = self.notebook.place(call.line)
        return call._replace(cell=cell, line=line)

    def span(self, span: Span) -> tuple[int, Span]:
        cell, line = self.notebook.place(span.line)
        end_cell, end_line = self.notebook.place(span.end_line)
        if end_cell == cell:
            return cell, Span(line, span.column, end_line, span.end_column)
        return cell, Span(line, span.column, line, span.column + 1)
