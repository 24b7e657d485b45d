"""The page of a code, shown in the editor: from the site where there is one, else from a file."""

from __future__ import annotations

import os
import tempfile

from lsprotocol import types

from namecheck.documentation.addresses import url_of
from namecheck.documentation.pages import Page
from namecheck.lsp.texts import uri_of

__all__ = ["Explanations"]


class Explanations:
    """Pages as documents.  What no site has is written into a folder that goes at the end."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def document(self, page: Page) -> types.ShowDocumentParams:
        """What the client has to show."""
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
        """No page is shown any more."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
