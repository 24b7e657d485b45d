"""The cells that an IPython session has run, checked as one notebook when one of them asks for it.

What earlier cells defined is known in later ones, as for a notebook's file. Cells are those of the
session, in the order in which they ran, with the numbers that Jupyter shows: `[3]`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from namecheck.analysis import Watch
from namecheck.files.documents import Document, read_document
from namecheck.files.magics import blank, python_of
from namecheck.files.notebooks import Cell, Notebook
from namecheck.findings import Finding, ShapeAt, Span
from namecheck.printing.printed_paths import shown
from namecheck.report.contents import Report
from namecheck.report.locations import where as place_in_file
from namecheck.report.page.page_file import PageFile
from namecheck.running import suppressions
from namecheck.running.cache import Remembered
from namecheck.running.checking import conclude
from namecheck.running.examination import examine, known_dims, program_of
from namecheck.settings.config import Configuration
from namecheck.text.chunks import split
from namecheck.text.layout import split_lines

if TYPE_CHECKING:
    from namecheck.analysis import Program

__all__ = ["CheckedCell", "Session"]


class CheckedCell(NamedTuple):
    """A cell, by its number, with the texts of all cells: its findings and the dims in it."""

    path: str
    number: int
    texts: Mapping[int, str]
    findings: Sequence[Finding]
    shapes: Sequence[ShapeAt]
    known: Sequence[Finding]

    def source(self, path: str, cell: int | None) -> str:
        """The text that the places of a path and cell refer to."""
        if path == self.path:
            return self.texts.get(cell or 0, "")
        return read_document(path).parts.get(cell, "")

    def where(self, path: str, cell: int | None, span: Span) -> str:
        """What a place is called below the cell."""
        if path != self.path:
            return place_in_file(path, cell, span)
        line = f"line {span.line}"
        return line if cell == self.number else f"In [{cell}], {line}"

    def html(self) -> str:
        """The findings and dims as an element of HTML."""
        from namecheck.report.page.cell_output import cell_html

        sources: dict[int | None, str] = {self.number: self.texts[self.number]}
        file = PageFile(self.path, sources, self.findings, self.shapes, self.known)
        return cell_html(file, self.number, self.source, self.where)

    def text(self) -> str:
        """The findings and dims as plain text, for a terminal."""
        from namecheck.printing.screen import plain
        from namecheck.report import text_of_report
        from namecheck.report.page.cell_output import total_of
        from namecheck.report.shapes import beside

        parts = [f"namecheck: {total_of(self.findings)}\n"]
        if self.findings:
            parts.append(text_of_report(Report(self.findings, self.source, 1, total=False), "full"))
        if self.shapes:
            parts.append(plain(beside(self.texts[self.number], self.shapes)))
        return "\n".join(parts).rstrip("\n")


class Session:
    """The checks of one IPython session, which share what they have read of imported files."""

    def __init__(self) -> None:
        self._configuration = Configuration()
        self._folder = ""
        self._program: Program | None = None

    def check(
        self, earlier: Mapping[int, str], number: int, text: str, name: str = "notebook.ipynb"
    ) -> CheckedCell:
        """Check a cell after those that ran `earlier`, by number. Raises `Misconfigured`.

        `text` is the cell with the line of the magic, `name` that of the notebook if it is known.
        """
        path = shown(os.path.join(os.getcwd(), name))
        document = _document(path, earlier, number, text)
        troubles: tuple[Finding, ...] = ()
        if not document.is_python:
            document, troubles = document.mended()
        assert document.notebook is not None
        notebook, program = document.notebook, self._current_program(path)
        only = _chunks_from(notebook.text, notebook.line(number, 1))
        analysis = examine(document, program, only=only)
        analysis = analysis._replace(findings=(*troubles, *analysis.findings))
        result = Remembered(analysis, suppressions.of_document(document))
        texts = {cell.number: cell.text for cell in notebook.cells}
        here = CheckedCell(path, number, texts, (), (), ())

        def document_at(other: str) -> Document:
            return document if other == path else read_document(other)

        watch = Watch()
        dims = examine(document, program, thorough=True, watch=watch, only=only)
        checked = conclude({path: result}, self._configuration, document_at)
        return here._replace(
            findings=[one for one in checked.reported if _concerns(one, path, number)],
            shapes=[shape for shape in dims.shapes if shape.cell == number],
            known=[one for one in known_dims(document, watch) if one.cell == number],
        )

    def _current_program(self, path: str) -> Program:
        """The program in which imports are followed, with the files as they are now."""
        folder = os.getcwd()
        if folder != self._folder or not self._configuration.is_current():
            self._program = None
            self._configuration = Configuration()
            self._folder = folder
        if self._program is None:
            self._program = program_of((path,), (path,), self._configuration)
        else:
            self._program.refresh()
        return self._program


def _document(path: str, earlier: Mapping[int, str], number: int, text: str) -> Document:
    """The cells as one document; from the last one IPython takes away the line with the magic."""
    lines = split_lines(text)
    first = next((at for at, line in enumerate(lines, 1) if line.strip()), 0)
    python = blank("".join(lines[:first])) + python_of("".join(lines[first:]))
    cells = [Cell(n, earlier[n], python_of(earlier[n])) for n in sorted(earlier)]
    notebook = Notebook((*cells, Cell(number, text, python)))
    return Document(path, b"", notebook.text, notebook=notebook)


def _chunks_from(text: str, line: int) -> list[int]:
    """The first lines of the chunks that reach a line or are after it."""
    return [chunk.line for chunk in split(text) if chunk.line + len(chunk.layout.lines) > line]


def _concerns(finding: Finding, path: str, number: int) -> bool:
    """Whether a finding is in a cell, or elsewhere in what the cell calls."""
    if finding.path == path and finding.cell == number:
        return True
    return any(
        (note.path or finding.path) == path and note.cell == number for note in finding.notes
    )
