"""The texts that an editor has open, and the files that they make up.

pygls keeps them and takes the editor's changes; where lines end and how columns count is decided
here and in `ranges`.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument, Workspace

from namecheck.files.documents import Document, document_of
from namecheck.files.notebooks import is_python
from namecheck.lsp.ranges import encoding_of, offset
from namecheck.text.layout import split_lines

__all__ = [
    "Sheet",
    "Text",
    "Texts",
    "meant_path",
    "path_of",
    "sheet_of_notebook",
    "sheet_of_text",
    "uri_of",
]

log = logging.getLogger(__name__)


class Text(TextDocument):
    """One text that a client has open."""

    @property
    def lines(self) -> Sequence[str]:
        return split_lines(self.source)

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Change the text as the client did."""
        if not isinstance(change, types.TextDocumentContentChangePartial):
            self._source = change.text
            return
        source, lines = self.source, self.lines
        encoding = encoding_of(self.position_codec.encoding)
        start = offset(lines, change.range.start, encoding)
        end = max(start, offset(lines, change.range.end, encoding))
        self._source = source[:start] + change.text + source[end:]


class Texts(Workspace):
    """The folders and texts that a client has open."""

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> TextDocument:
        return Text(doc_uri, source, version, language_id, position_codec=self.position_codec)

    def update_text_document(
        self,
        text_doc: types.VersionedTextDocumentIdentifier,
        change: types.TextDocumentContentChangeEvent,
    ) -> None:
        """Change an open text; the change of another one is ignored."""
        if unquote(text_doc.uri) in self.text_documents:
            super().update_text_document(text_doc, change)
        else:
            log.warning("ignored a change of a text that is not open: %.200r", text_doc.uri)

    def update_notebook_document(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Change an open notebook; the change of another one is ignored."""
        if unquote(params.notebook_document.uri) in self.notebook_documents:
            super().update_notebook_document(params)
        else:
            log.warning("ignored a change of a notebook that is not open")

    def text_of(self, uri: str) -> TextDocument | None:
        """The open text of a URI; unlike `get_text_document`, never one from the disk."""
        text: TextDocument | None = self.text_documents.get(unquote(uri))
        return text


class Sheet(NamedTuple):
    """An open file: its path and its text, or the texts of a notebook's cells by number.

    `uris` and `versions` are the client's, by cell; the key is None for the text of a whole file.
    `is_file`: there may be a file with this path, which others import. `is_cells_text`: the path is
    a notebook's, but the text is the Python of its cells and not JSON.
    """

    path: str
    is_file: bool
    texts: Mapping[int | None, str]
    uris: Mapping[int | None, str]
    versions: Mapping[int | None, int | None]
    uri: str
    is_cells_text: bool = False

    @property
    def text(self) -> str | None:
        """The text of a file that is not a notebook."""
        return self.texts.get(None)

    def uri_of(self, cell: int | None) -> str:
        """The URI of the text that the places of a finding refer to."""
        return self.uris.get(cell) or next(iter(self.uris.values()), self.uri)

    def document(self) -> Document:
        """The document to check."""
        if self.text is not None:
            # A byte order mark is not Python; a form feed of the same width is.
            marked = self.text.startswith("\ufeff")
            text = "\f" + self.text[1:] if marked else self.text
            return document_of(self.path, text, self.is_cells_text)
        cells = [
            {"cell_type": "code" if number in self.texts else "markdown", "source": text}
            for number, text in self._cells()
        ]
        return document_of(self.path, json.dumps({"cells": cells}))

    def _cells(self) -> list[tuple[int, str]]:
        numbers = [number for number in self.texts if number is not None]
        last = max(numbers, default=0)
        return [(number, self.texts.get(number, "")) for number in range(1, last + 1)]


def path_of(uri: str, folder: str) -> tuple[str, bool]:
    """The path of a document, and whether there may be a file there.

    A text without a file (`untitled:Untitled-1`) gets a path in `folder`, and so its settings.
    """
    path = to_fs_path(uri)
    if path and _can_be_file(path):
        return meant_path(os.path.abspath(path)), True
    name = "".join(letter if letter.isalnum() else "-" for letter in uri)
    return os.path.join(folder, f"{name}.py"), False


VIRTUAL: Final = ".virtual_documents"


def meant_path(path: str) -> str:
    """The path of the file or folder behind one of JupyterLab's virtual documents.

    jupyter-lsp gives `sub/a.ipynb` the path `.virtual_documents/sub/a.ipynb`, below the folder that
    it serves. Imports and settings are those of the notebook itself.
    """
    parts = path.split(os.sep)
    if VIRTUAL in parts:
        parts.remove(VIRTUAL)
    return os.sep.join(parts) or os.sep


def _can_be_file(path: str) -> bool:
    """Whether the operating system accepts a path."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def is_notebook(path: str) -> bool:
    """Whether a path is that of a notebook."""
    return path.endswith(".ipynb")


def uri_of(path: str) -> str:
    """The URI of a file."""
    return str(from_fs_path(os.path.abspath(path)))


def sheet_of_text(text: TextDocument, folder: str) -> Sheet:
    """The sheet of an open text; `folder` is for a text without a file.

    A text that the client calls Python is Python even under the name of a notebook, unless it looks
    like JSON: JupyterLab sends a notebook's cells as one Python text under the notebook's name.
    """
    path, is_file = path_of(text.uri, folder)
    source = text.source
    is_cells_text = (
        is_notebook(path)
        and is_python(text.language_id or "")
        and not source.lstrip("\ufeff \t\r\n").startswith("{")
    )
    return Sheet(
        path,
        is_file,
        {None: source},
        {None: text.uri},
        {None: text.version},
        text.uri,
        is_cells_text,
    )


def sheet_of_notebook(notebook: types.NotebookDocument, texts: Texts, folder: str) -> Sheet:
    """The sheet of an open notebook, with its code cells; `folder` is for one without a file."""
    path, is_file = path_of(notebook.uri, folder)
    if not is_notebook(path):
        path += ".ipynb"
    cells = {
        number: text
        for number, cell in enumerate(notebook.cells, 1)
        if cell.kind == types.NotebookCellKind.Code and (text := texts.text_of(cell.document))
    }
    return Sheet(
        path,
        is_file,
        {number: text.source for number, text in cells.items()},
        {number: text.uri for number, text in cells.items()},
        {number: text.version for number, text in cells.items()},
        notebook.uri,
    )
