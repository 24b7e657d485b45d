"""A file as the checks read it: its Python text, or the finding that says why it has none.

Files that are not Python source become Python text here, so that analysis, suppressions and fixes
see one kind of document. A place is given in one of two ways:

    in `Document.text`   one text for the whole file, which is analysed and searched for
                         suppression comments
    as (cell, line)      as findings are reported, after `restore`: in a notebook the number of the
                         cell and the line in it, in every other file None and the line

`Document.place` turns lines into places, `Document.line` places into lines. What the user reads
(frames, fixes, `namecheck show`) refers to `Document.parts`: the texts of the file in which places
count. Columns are the same everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
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
    from namecheck.text.examples import Examples

__all__ = [
    "PROSE",
    "Document",
    "bytes_of",
    "document_of",
    "is_prose",
    "read_document",
    "text_of",
]


class Document(NamedTuple):
    """The Python text of a file; `source` are its bytes.

    `examples` are those of a file that is prose; `text` has nothing else of it.
    `trouble` is the one finding (NC900) of a file that cannot be read, and `passed` the note of a
    file with nothing for us to check; in both cases the text is empty.
    """

    path: str
    source: bytes
    text: str
    trouble: Finding | None = None
    passed: Finding | None = None
    notebook: Notebook | None = None
    examples: Examples | None = None

    @property
    def is_module(self) -> bool:
        """Whether it is a file of Python code that can be checked."""
        special = self.trouble, self.passed, self.notebook, self.examples
        return all(one is None for one in special)

    @property
    def is_python(self) -> bool:
        """Whether the text can be read now: it cannot while it is being edited."""
        from namecheck.fixes.newer_syntax import parsed

        return parsed(self.text) is not None

    @property
    def parts(self) -> Mapping[int | None, str]:
        """The texts that spans of findings refer to: those of the cells, or that of the file."""
        if self.examples is not None:
            return {None: self.written}
        if self.notebook is None:
            return {None: self.text}
        return {cell.number: cell.text for cell in self.notebook.cells}

    @property
    def written(self) -> str:
        """The text of a file that is prose, with what is around its examples."""
        return self.source.decode("utf-8-sig", "replace")

    def place(self, line: int) -> tuple[int | None, int]:
        """The cell (None if there are no cells) and the line in it of a line of `text`."""
        return (None, line) if self.notebook is None else self.notebook.place(line)

    def line(self, cell: int | None, line: int) -> int:
        """The line of `text` of a line of a cell. Raises `ValueError` if there is no such cell."""
        if self.notebook is None:
            return line
        if cell is None:
            raise ValueError("a place in a notebook is in a cell")
        return self.notebook.line(cell, line)

    def restore(self, analysis: Analysis) -> Analysis:
        """The analysis of `text` with places in the cells; unchanged if the file has no cells."""
        return analysis if self.notebook is None else _Restoring(self, self.notebook).all(analysis)

    def mended(self) -> tuple[Document, tuple[Finding, ...]]:
        """The document without its cells that are not Python, and a finding (NC900) for each; if
        it is the text of cells, only for the first.
        """
        if self.notebook is None:
            return self._mended_text()
        faults = self.notebook.faults()
        notebook = self.notebook.without(frozenset(faults))
        findings = tuple(
            syntax_error(self.path, fault.message, fault.line, fault.column)._replace(cell=cell)
            for cell, fault in faults.items()
        )
        return self._replace(notebook=notebook, text=notebook.text), findings

    def _mended_text(self) -> tuple[Document, tuple[Finding, ...]]:
        if not self.path.endswith(".ipynb") or self.trouble is not None:
            return self, ()
        from namecheck.files.notebooks import mended_text

        text, fault = mended_text(self.text)
        if fault is None:
            return self, ()
        finding = syntax_error(self.path, fault.message, fault.line, fault.column)
        return self._replace(text=text), (finding,)

    def rewritten(self, parts: Mapping[int | None, str]) -> bytes:
        """The file's bytes with new texts for some of its `parts`, and no other change.

        Raises `UnicodeEncodeError` for a text that the file's encoding cannot express.
        """
        if self.notebook is None:
            return parts.get(None, self.text).encode(encoding_of(self.source))
        from namecheck.files.notebooks import rewritten

        texts = {cell: text for cell, text in parts.items() if cell is not None}
        # A byte order mark is kept.
        return rewritten(self.source.decode(), texts).encode()


def read_document(
    path: str,
    source: bytes | None = None,
    is_cells_text: bool = False,
    read: Callable[[str], bytes] | None = None,
) -> Document:
    """The document at a path, or of the bytes to check under that path.

    `is_cells_text`: the path is a notebook's, but the bytes are the Python of its cells, as IPython
    reads it, not JSON. `read` takes the place of `bytes_of`. Raises nothing: if the file cannot be
    read, `trouble` says why.
    """
    if path.endswith(".pyi"):
        passed = passed_by(path, "a stub declares signatures and computes nothing")
        return Document(path, source or b"", "", passed=passed)
    if source is None:
        try:
            source = (read or bytes_of)(path)
        except (OSError, ValueError) as refusal:
            reason = getattr(refusal, "strerror", None) or str(refusal)
            return Document(path, b"", "", unreadable(path, reason))
    if path.endswith(".ipynb") and not is_cells_text:
        return _notebook(path, source)
    if path.endswith(PROSE):
        return _prose(path, source)
    try:
        text = decode(source)
        return Document(path, source, _as_python(text) if is_cells_text else text)
    except Undecodable as fault:
        return Document(path, source, "", unreadable(path, str(fault)))


def document_of(path: str, text: str, is_cells_text: bool = False) -> Document:
    """The document of a text that needs no decoding; `is_cells_text` is that of `read_document`."""
    if is_cells_text:
        return Document(path, b"", _as_python(text))
    if path.endswith((".pyi", ".ipynb", *PROSE)):
        return read_document(path, text.encode("utf-8", "surrogatepass"))
    return Document(path, b"", text)


def _as_python(text: str) -> str:
    from namecheck.files.magics import python_of

    return python_of(text)


def text_of(path: str, cell: int | None = None) -> str:
    """The text that the spans of findings at a path refer to; empty if it cannot be read now."""
    return read_document(path).parts.get(cell, "")


PROSE: Final = (".md", ".markdown", ".rst")
"""How the names of files end that are prose for people, with examples."""

_PAGES: Final = frozenset({"docs", "doc", "documentation"})


def is_prose(parts: Sequence[str]) -> bool:
    """Whether a path, in parts below the folder of a project, is a README or a page for users."""
    name = parts[-1].lower()
    if not name.endswith(PROSE):
        return False
    return name.startswith("readme") or any(part.lower() in _PAGES for part in parts[:-1])


_STREAMS: Final = ("/dev/fd/", "/proc/self/fd/", "/dev/stdin", os.devnull)
"""Paths that are read although they are not files: the shell's `<(command)`, and the like."""


def bytes_of(path: str) -> bytes:
    """The bytes of a file. Raises `OSError`, also for a device or pipe that may never end."""
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


def _prose(path: str, source: bytes) -> Document:
    """A README or a page of documentation: the examples in it."""
    from namecheck.text.examples import examples_in_prose

    examples = examples_in_prose(source.decode("utf-8-sig", "replace"))
    return Document(path, source, examples.text, examples=examples)


class _Restoring:
    """Moves the places of an analysis from a notebook's text to its cells."""

    def __init__(self, document: Document, notebook: Notebook) -> None:
        self.path = document.path
        self.notebook = notebook
        self.raising = {cell.number for cell in notebook.cells if cell.raises}

    def all(self, analysis: Analysis) -> Analysis:
        findings = map(self.finding, analysis.findings)
        return analysis._replace(
            # An exception that the cell announces is not a mistake.
            findings=tuple(
                f for f in findings if f.path != self.path or f.cell not in self.raising
            ),
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
                # The edit goes to the end of a line, which may be the last one of the cell.
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
