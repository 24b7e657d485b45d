"""One client and what it has open: when something changes, what is found is told to it.

Runs in the event loop and never computes anything itself; the work is done at the desk.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lsprotocol import types
from pygls.uris import to_fs_path

from namecheck.lsp.abilities import Abilities
from namecheck.lsp.actions import Actions
from namecheck.lsp.desk import Desk
from namecheck.lsp.diagnostics import Drawing, by_uri, diagnostic, refusal
from namecheck.lsp.explanation import Explanations
from namecheck.lsp.hints import hints
from namecheck.lsp.hover import hover
from namecheck.lsp.places import Places, encoding_of
from namecheck.lsp.preferences import Preferences, preferences
from namecheck.lsp.texts import Sheet, Texts, sheet_of_notebook, sheet_of_text, uri_of
from namecheck.lsp.work import Worker
from namecheck.toml_settings import Misconfigured
from namecheck.troubles import INTERNAL_ERROR, internal_error

if TYPE_CHECKING:
    from namecheck.config import Configuration
    from namecheck.lsp.server import Server

__all__ = ["Session"]

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")


class Round(NamedTuple):
    """What is told after a file was looked at: diagnostics by text, and whether that is all.

    `versions` are those of the open texts; `failures` are bugs of ours, `refused` settings that are
    not understood. `looked_at` is the file that was looked at, if one had to be.
    """

    diagnostics: dict[str, list[types.Diagnostic]]
    versions: dict[str, int | None]
    failures: list[str]
    refused: list[str]
    looked_at: str | None
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
        self.pulled: dict[str, list[types.Diagnostic]] = {}
        """What the client was given when it asked."""
        self._hints_are_old = False
        self.preferences = Preferences()
        self.explanations = Explanations()
        self._forgotten: list[Callable[[Desk], None]] = []
        self._checking: asyncio.Task[None] | None = None

    def folders(self) -> list[str]:
        """The real paths of the folders that the client works on."""
        texts = self.server.workspace
        uris = [folder.uri for folder in texts.folders.values()] or [texts.root_uri]
        paths = [path for uri in uris if uri and (path := to_fs_path(uri))]
        return [os.path.realpath(path) for path in paths if os.path.isdir(path)]

    # Changes

    def edited(self, uri: str) -> None:
        """A text was changed; the next change may follow at once."""
        self.changed(uri, self.preferences.debounce / 1000)

    def changed(self, uri: str, pause: float = 0.0) -> None:
        """A text was opened, changed, saved or closed."""
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
        edited = next(iter(self.sheets), None)
        while True:
            done = await self.ask(self._round)
            self._tell(done)
            if done.looked_at not in (None, edited):
                self._hints_are_old = True
            if done.is_last:
                self._call_back(done)
                return

    def _call_back(self, done: Round) -> None:
        """Has the client ask again for what it has asked for, and is not so any more."""
        if self.client.pulls and any(
            self.pulled[uri] != done.diagnostics[uri]
            for uri in self.pulled.keys() & done.diagnostics.keys()
        ):
            self.server.workspace_diagnostic_refresh(None)
        if self.client.refreshes_hints and self._hints_are_old:
            self.server.workspace_inlay_hint_refresh(None)
        self._hints_are_old = False

    def _round(self, desk: Desk) -> Round:
        """Looks at one file, at the desk."""
        try:
            stale = desk.stale()
            if stale:
                desk.look(stale[0])
            return self._drawn(desk, stale)
        except Exception as failure:  # a bug of ours must not keep the server from serving
            log.exception("namecheck failed")
            return self._failed(desk, failure)

    def _failed(self, desk: Desk, failure: Exception) -> Round:
        """What is told when something else than the analysis of a file went wrong."""
        for sheet in desk.sheets.values():  # the one that was edited last
            wrong = internal_error(sheet.path, failure)
            told = diagnostic(wrong, self.drawing(desk))
            uri = sheet.uri_of(None)
            versions = {uri: next(iter(sheet.versions.values()), None)}
            return Round({uri: [told]}, versions, [wrong.message], [], None, True)
        return Round({}, {}, [str(failure)], [], None, True)

    def _drawn(self, desk: Desk, stale: Sequence[str]) -> Round:
        """What is told, in the words of the protocol."""
        told, sheets = desk.told(), desk.sheets
        drawing = self.drawing(desk)
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
        looked_at = stale[0] if stale else None
        return Round(found, versions, failures, refused, looked_at, len(stale) <= 1)

    def drawing(self, desk: Desk) -> Drawing:
        """How places in open files, and in others, are told to this client."""
        sheets = desk.sheets

        def uri(path: str, cell: int | None) -> str:
            sheet = sheets.get(path)
            return uri_of(path) if sheet is None else sheet.uri_of(cell)

        @functools.cache
        def places(path: str, cell: int | None) -> Places:
            sheet = sheets.get(path)
            text = None if sheet is None else sheet.texts.get(cell)
            return Places(desk.source(path, cell) if text is None else text, self.encoding)

        return Drawing(places, uri, self.client.related)

    def _tell(self, done: Round) -> None:
        for uri, some in {**{uri: [] for uri in self._told}, **done.diagnostics}.items():
            version = done.versions.get(uri)
            if self.client.pulls and uri in done.versions:
                continue
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

    def prefer(self, told: object) -> None:
        """What the person at the editor has set, as the editor tells it."""
        before = self.preferences
        try:
            self.preferences = preferences(told)
        except ValueError as fault:
            self.server.window_show_message(
                types.ShowMessageParams(types.MessageType.Warning, f"namecheck: {fault}")
            )
        if self.client.refreshes_hints and self.preferences.hints != before.hints:
            self.server.workspace_inlay_hint_refresh(None)

    def end(self) -> None:
        """The client goes."""
        if self._checking is not None:
            self._checking.cancel()
        self.worker.end()
        self.explanations.end()

    # Questions

    def _where(self, desk: Desk, uri: str) -> tuple[Sheet, int | None] | None:
        """The file, and the cell of a notebook, that an open text is."""
        for sheet in desk.sheets.values():
            for cell, own in sheet.uris.items():
                if own == uri:
                    return sheet, cell
        return None

    async def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        """What there is to say of a place."""

        def look(desk: Desk) -> types.Hover | None:
            where = self._where(desk, uri)
            if where is None:
                return None
            sheet, cell = where
            return hover(desk, sheet.path, cell, position, self.drawing(desk))

        return await self.ask(look) if self.preferences.hover else None

    async def hints(self, uri: str, stretch: types.Range) -> list[types.InlayHint]:
        """The dims beside the lines of a range."""

        def look(desk: Desk) -> list[types.InlayHint]:
            where = self._where(desk, uri)
            if where is None:
                return []
            sheet, cell = where
            places = self.drawing(desk).places(sheet.path, cell)
            shapes = desk.shapes(sheet.path)
            return list(hints(shapes, cell, stretch, places, self.preferences.hints))

        wanted = self.preferences.hints
        on = wanted.assignments or wanted.parameters or wanted.returns
        return await self.ask(look) if on else []

    async def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """What can be done about the findings of a range."""

        def look(desk: Desk) -> list[types.CodeAction]:
            where = self._where(desk, params.text_document.uri)
            if where is None:
                return []
            desk.up_to_date(where[0].path)
            actions = Actions(desk, *where, self.drawing(desk), self.client.versioned_edits)
            return actions.all(params.range, params.context.only)

        return await self.ask(look)

    async def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """What is told of a text that the client asks for."""

        def look(desk: Desk) -> list[types.Diagnostic]:
            where = self._where(desk, uri)
            if where is None:
                return []
            desk.up_to_date(where[0].path)
            return self._drawn(desk, ()).diagnostics[uri]

        found = await self.ask(look)
        self.pulled[uri] = found
        return found
