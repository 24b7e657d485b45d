"""One client and what it has open: when something changes, what is found is told to it.

Runs in the event loop and never computes anything itself; the work is done at the desk.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from lsprotocol import types
from pygls.uris import to_fs_path

from namecheck.lsp.abilities import Abilities
from namecheck.lsp.desk import Desk, Told
from namecheck.lsp.diagnostics import Drawing, by_uri, refusal
from namecheck.lsp.places import Places, encoding_of
from namecheck.lsp.texts import Sheet, Texts, sheet_of_notebook, sheet_of_text, uri_of
from namecheck.lsp.work import Worker
from namecheck.toml_settings import Misconfigured
from namecheck.troubles import INTERNAL_ERROR

if TYPE_CHECKING:
    from namecheck.config import Configuration
    from namecheck.lsp.server import Server

__all__ = ["Session"]

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

PAUSE: Final = 0.1
"""Seconds without an edit after which a text is checked."""


class Round(NamedTuple):
    """What is told after a file was looked at: diagnostics by text, and whether that is all.

    `versions` are those of the open texts; `failures` are bugs of ours, `refused` settings that are
    not understood.
    """

    diagnostics: dict[str, list[types.Diagnostic]]
    versions: dict[str, int | None]
    failures: list[str]
    refused: list[str]
    is_last: bool


class Session:
    """What one client has open, and what it was told."""

    def __init__(self, server: Server, configuration: Configuration, client: Abilities) -> None:
        self.server = server
        self.client = client
        self.sheets: dict[str, Sheet] = {}
        self.encoding = encoding_of(server.workspace.position_encoding)
        self.worker = Worker(Desk(self.folders(), configuration))
        self._told: dict[str, tuple[list[types.Diagnostic], int | None]] = {}
        self._said: set[str] = set()
        self._forgotten: list[Callable[[Desk], None]] = []
        self._checking: asyncio.Task[None] | None = None

    def folders(self) -> list[str]:
        """The real paths of the folders that the client works on."""
        texts = self.server.workspace
        uris = [folder.uri for folder in texts.folders.values()] or [texts.root_uri]
        paths = [path for uri in uris if uri and (path := to_fs_path(uri))]
        return [os.path.realpath(path) for path in paths if os.path.isdir(path)]

    # Changes

    def changed(self, uri: str, pause: float = PAUSE) -> None:
        """A text was opened, changed or closed."""
        texts = self.server.workspace
        assert isinstance(texts, Texts)
        folder = (self.folders() or [os.getcwd()])[0]
        notebook = texts.get_notebook_document(notebook_uri=uri) or texts.get_notebook_document(
            cell_uri=uri
        )
        sheets = {path: sheet for path, sheet in self.sheets.items() if sheet.uri != uri}
        if notebook is not None:
            sheet = sheet_of_notebook(notebook, texts, folder)
            sheets.pop(sheet.path, None)
        elif uri in texts.text_documents:
            sheet = sheet_of_text(texts.get_text_document(uri), folder)
        else:
            self.sheets = sheets
            self.check(pause)
            return
        # What was edited last is looked at first.
        self.sheets = {sheet.path: sheet, **sheets}
        self.check(pause)

    def check(self, pause: float = 0.0) -> None:
        """Looks, after a pause, at what is not known any more."""
        self.worker.interrupt()
        if self._checking is not None:
            self._checking.cancel()
        self._checking = asyncio.get_running_loop().create_task(self._check(pause))

    def afresh(self, forget: Callable[[Desk], None]) -> None:
        """Has something forgotten, and looks again."""
        self._forgotten.append(forget)
        self.check()

    async def ask(self, do: Callable[[Desk], Answer]) -> Answer:
        """What `do` gives at the desk, of the texts as they are by then."""

        def at_desk(desk: Desk) -> Answer:
            while self._forgotten:
                self._forgotten.pop()(desk)
            desk.take(self.sheets)
            return do(desk)

        return await self.worker.ask(at_desk)

    async def _check(self, pause: float) -> None:
        await asyncio.sleep(pause)
        while True:
            try:
                done = await self.ask(self._round)
            except Exception:
                log.exception("namecheck failed")
                raise
            self._tell(done)
            if done.is_last:
                return

    def _round(self, desk: Desk) -> Round:
        """Looks at one file, at the desk."""
        stale = desk.stale()
        if stale:
            desk.look(stale[0])
        return self._drawn(desk.told(), desk.sheets, len(stale) <= 1)

    def _drawn(self, told: Told, sheets: Mapping[str, Sheet], is_last: bool) -> Round:
        """What is told, in the words of the protocol."""
        drawing = self.drawing(told.sources, sheets)
        found: dict[str, list[types.Diagnostic]] = {}
        versions: dict[str, int | None] = {}
        for sheet in sheets.values():
            for cell, uri in sheet.uris.items():
                found[uri], versions[uri] = [], sheet.versions[cell]
        for uri, some in by_uri(told.findings, drawing).items():
            found.setdefault(uri, []).extend(some)
        for trouble in told.refused:
            if isinstance(trouble, Misconfigured):
                path = os.path.abspath(trouble.source)
                wrong = refusal(trouble, drawing.places(path, None))
                found.setdefault(uri_of(path), []).append(wrong)
        failures = [
            f"{one.path}:{one.span.line}: {one.message}; {'; '.join(n.text for n in one.notes)}"
            for some in told.findings.values()
            for one in some
            if one.code == INTERNAL_ERROR
        ]
        refused = [trouble.format_message() for trouble in told.refused]
        return Round(found, versions, failures, refused, is_last)

    def drawing(
        self, sources: Callable[[str, int | None], str], sheets: Mapping[str, Sheet]
    ) -> Drawing:
        """How findings in these sheets, and in other files, are told to this client."""

        def uri(path: str, cell: int | None) -> str:
            sheet = sheets.get(path)
            return uri_of(path) if sheet is None else sheet.uri_of(cell)

        @functools.cache
        def places(path: str, cell: int | None) -> Places:
            sheet = sheets.get(path)
            text = None if sheet is None else sheet.texts.get(cell)
            return Places(sources(path, cell) if text is None else text, self.encoding)

        return Drawing(places, uri, self.client.related)

    def _tell(self, done: Round) -> None:
        for uri, some in {**{uri: [] for uri in self._told}, **done.diagnostics}.items():
            version = done.versions.get(uri)
            if self._told.get(uri) == (some, version):
                continue
            if uri in done.versions:
                self._told[uri] = some, version
            else:
                self._told.pop(uri, None)
                if some:
                    self._told[uri] = some, None
            self.server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, some, version)
            )
        for failure in done.failures:
            if failure not in self._said:
                log.error(failure)
                self.server.window_log_message(
                    types.LogMessageParams(types.MessageType.Error, failure)
                )
        for reason in done.refused:
            if reason not in self._said:
                self.server.window_show_message(
                    types.ShowMessageParams(types.MessageType.Error, f"namecheck: {reason}")
                )
        self._said = {*done.failures, *done.refused}

    def end(self) -> None:
        """The client goes."""
        if self._checking is not None:
            self._checking.cancel()
        self.worker.end()
