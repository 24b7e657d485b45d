"""The page of a code, shown in the editor: from the site if it is there, else from a file."""

from __future__ import annotations

import os
import tempfile

from lsprotocol import types

from namecheck.documentation.addresses import url_of
from namecheck.documentation.pages import Page
from namecheck.lsp.texts import uri_of

__all__ = ["Explanations"]


class Explanations:
    """Pages as documents. A page that is not on the site is written into a temporary folder."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def document(self, page: Page) -> types.ShowDocumentParams:
        """The document that the client is to show."""
        url = url_of(page.code)
        if url is not None:
            return types.ShowDocumentParams(url, external=True)
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="namecheck-")
        path = os.path.join(self._folder.name, f"{page.code}-{page.name}.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page.markdown() + "\n")
        return types.ShowDocumentParams(uri_of(path), external=False, take_focus=True)

    def end(self) -> None:
        """Remove the temporary folder."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
