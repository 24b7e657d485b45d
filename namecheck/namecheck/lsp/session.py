"""One client and what it has open: when something changes, what is found is told to it.

Runs in the event loop and never computes anything itself; the work is done in other processes.
"""

from __future__ import annotations

import asyncio
import logging
import os
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import to_fs_path

from namecheck.lsp.abilities import Abilities
from namecheck.lsp.answers import Drawn, Reader
from namecheck.lsp.explanation import Explanations
from namecheck.lsp.pool import Moved, Pool, Worker
from namecheck.lsp.preferences import Preferences, read_section
from namecheck.lsp.questions import (
    Calls,
    CodeActions,
    Diagnostics,
    Hints,
    Hover,
    Look,
    Round,
)
from namecheck.lsp.ranges import encoding_of
from namecheck.lsp.texts import Sheet, Texts, meant_path, sheet_of_notebook, sheet_of_text

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from namecheck.settings.config import Configuration

__all__ = ["Session"]

log = logging.getLogger(__name__)

QUIET: Final = 0.5
"""Seconds in which nothing has changed, and all that is open is known, before files that are not
open are looked at.
"""


class Session:
    """What one client has open, and what it was told."""

    def __init__(
        self, server: LanguageServer, configuration: Configuration, client: Abilities
    ) -> None:
        self.server = server
        self.client = client
        self.sheets: dict[str, Sheet] = {}
        self.encoding = encoding_of(server.workspace.position_encoding)
        reader = Reader(
            self.encoding, client.related, client.versioned_edits, client.shows_disabled
        )
        self.pool = Pool(self.folders(), configuration, reader, self._look_on)
        self._told: dict[str, tuple[list[types.Diagnostic], int | None]] = {}
        self._said: set[str] = set()
        self.pulled: dict[str, list[types.Diagnostic]] = {}
        """What the client was given when it asked."""
        self._hints_are_old = False
        self.preferences = Preferences()
        self._unknown_keys: tuple[str, ...] = ()
        self.explanations = Explanations()
        self._changes = 0
        self._is_news = False
        """Whether something was found that was not told yet."""
        self._checking: asyncio.Task[None] | None = None
        self._looking: dict[Worker, asyncio.Task[None]] = {}
        self._hearing: asyncio.Task[None] | None = None
        self._heard: int | None = None
        """The number of changes after which callers were looked at."""

    def folders(self) -> list[str]:
        """The real paths of the folders that the client works on."""
        texts = self.server.workspace
        uris = [folder.uri for folder in texts.folders.values()] or [texts.root_uri]
        paths = [meant_path(path) for uri in uris if uri and (path := to_fs_path(uri))]
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
        elif (opened := texts.text_of(uri)) is not None:
            sheet = sheet_of_text(opened, folder)
        else:
            for closed in self.sheets.keys() - sheets.keys():
                for text in self.sheets[closed].uris.values():
                    self.pulled.pop(text, None)
            self.sheets = sheets
            self.pool.take(sheets)
            self.check(pause)
            return
        sheets.pop(sheet.path, None)
        # What was edited last is looked at first.
        self.sheets = {sheet.path: sheet, **sheets}
        self.pool.take(self.sheets)
        self.check(pause, sheet.path)

    def check(self, pause: float = 0.0, path: str | None = None) -> None:
        """Looks, after a pause, at what is not known any more: `path`, and what depends on it."""
        self._changes += 1
        self.pool.changed(path)
        if self._hearing is not None:
            self._hearing.cancel()
        if self._checking is not None:
            self._checking.cancel()
        self._checking = asyncio.get_running_loop().create_task(self._check(pause))
        for worker in self.pool.slow:
            if path is None or path in worker.paths:
                self._look_on(worker, pause)
            elif worker not in self._looking:  # else it looks again when it is done
                self._look_on(worker)

    def forget(self) -> None:
        """Files have come or gone."""
        self.pool.forget()
        self.check()

    def move(self) -> None:
        """The editor works on other folders now."""
        self.pool.move(self.folders())
        self.check()

    async def _check(self, pause: float) -> None:
        await asyncio.sleep(pause)
        edited = next(iter(self.sheets), None)
        try:
            while True:
                self._is_news = False
                done = await self.pool.ask(Round(), self.pool.shared)
                self._tell(done)
                if done.looked_at not in (None, edited):
                    self._hints_are_old = True
                if done.is_last and not self._is_news:
                    self._call_back(done)
                    self._hear_callers()
                    return
        except JsonRpcException as failure:
            self._report(failure)

    def _look_on(self, worker: Worker, pause: float = 0.0) -> None:
        """Has a worker look at the files that it has been given because they take long."""
        if worker in self._looking:
            self._looking[worker].cancel()
        task = asyncio.get_running_loop().create_task(self._look(worker, pause))
        self._looking[worker] = task

        def done(_: asyncio.Task[None]) -> None:
            if self._looking.get(worker) is task:
                del self._looking[worker]

        task.add_done_callback(done)

    async def _look(self, worker: Worker, pause: float) -> None:
        await asyncio.sleep(pause)
        try:
            while True:
                changes = self._changes
                found = await self.pool.ask(Look(self.pool.tokens()), worker)
                if found.looked is not None:
                    self.pool.adopt(found.looked)
                    self._hints_are_old = True
                    self._tell_soon()
                if found.is_last and changes == self._changes:
                    return
        except Moved:
            return
        except JsonRpcException as failure:
            self._report(failure)

    def _hear_callers(self) -> None:
        """Has the files looked at that call what is open, unless that was done since a change."""
        if not any(sheet.is_file for sheet in self.sheets.values()):
            self.pool.called = ()
        elif self.preferences.callers and self._heard != self._changes:
            self._heard = self._changes
            self._hearing = asyncio.get_running_loop().create_task(self._hear())

    async def _hear(self) -> None:
        await asyncio.sleep(QUIET)
        is_first = True
        while True:
            question = Calls(is_first, frozenset(self.pool.ended_at))
            try:
                found = await self.pool.ask(question, self.pool.background)
            except JsonRpcException as failure:
                if question.without == self.pool.ended_at:
                    log.error("the callers of open files: %s", failure.message)
                    return
                continue
            is_first = False
            if found.called != self.pool.called:
                self.pool.called = found.called
                self._tell_soon()
            if found.is_last:
                return

    def _tell_soon(self) -> None:
        """Something was found elsewhere than where all is told."""
        self._is_news = True
        if self._checking is None or self._checking.done():
            self._checking = asyncio.get_running_loop().create_task(self._check(0.0))

    def _report(self, failure: JsonRpcException) -> None:
        """Nothing can be looked at."""
        log.error(failure.message)
        told = types.LogMessageParams(types.MessageType.Error, failure.message)
        self.server.window_log_message(told)

    def _call_back(self, done: Drawn) -> None:
        """Has the client ask again for what it has asked for, and is not so any more."""
        if self.client.pulls and any(
            self.pulled[uri] != done.diagnostics[uri]
            for uri in self.pulled.keys() & done.diagnostics.keys()
        ):
            self.server.workspace_diagnostic_refresh(None)
        if self.client.refreshes_hints and self._hints_are_old:
            self.server.workspace_inlay_hint_refresh(None)
        self._hints_are_old = False

    def _tell(self, done: Drawn) -> None:
        before: dict[str, list[types.Diagnostic]] = {
            uri: [] for uri in self._told if uri not in done.unknown
        }
        for uri, some in {**before, **done.diagnostics}.items():
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
        section = read_section(told)
        self.preferences = section.preferences
        for fault in section.faults:
            self.server.window_show_message(
                types.ShowMessageParams(types.MessageType.Warning, f"namecheck: {fault}")
            )
        if section.unknown not in ((), self._unknown_keys):
            # Its own settings, in most cases, of the extension that has started the server.
            log.warning("settings of the editor: unknown and ignored: %s", _few(section.unknown))
            self._unknown_keys = section.unknown
        if self.client.refreshes_hints and self.preferences.hints != before.hints:
            self.server.workspace_inlay_hint_refresh(None)
        if self.preferences.callers != before.callers and self.sheets:
            self.pool.called = ()
            self.check()

    def end(self) -> None:
        """The client goes."""
        if self._checking is not None:
            self._checking.cancel()
        if self._hearing is not None:
            self._hearing.cancel()
        for task in self._looking.values():
            task.cancel()
        self.pool.end()
        self.explanations.end()

    # Questions

    def _path_of(self, uri: str) -> str | None:
        """The file that an open text is, or is a cell of."""
        for path, sheet in self.sheets.items():
            if uri in sheet.uris.values():
                return path
        return None

    async def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        """What there is to say of a place."""
        path = self._path_of(uri)
        if path is None or not self.preferences.hover:
            return None
        return await self.pool.ask(Hover(path, uri, position))

    async def hints(self, uri: str, stretch: types.Range) -> list[types.InlayHint]:
        """The dims beside the lines of a range."""
        path, wanted = self._path_of(uri), self.preferences.hints
        if path is None or not (wanted.assignments or wanted.parameters or wanted.returns):
            return []
        return await self.pool.ask(Hints(path, uri, stretch, wanted))

    async def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """What can be done about the findings of a range."""
        uri = params.text_document.uri
        path = self._path_of(uri)
        if path is None:
            return []
        return await self.pool.ask(CodeActions(path, uri, params.range, params.context.only))

    async def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """What is told of a text that the client asks for."""
        path = self._path_of(uri)
        if path is None:
            return []
        while True:
            worker = self.pool.worker_of(path)
            if worker is not self.pool.shared:
                await self._look(worker, 0.0)
            try:
                # What is found in other files belongs to it: one worker tells of all.
                found = await self.pool.ask(Diagnostics(path, uri), self.pool.shared)
            except Moved:
                continue
            self.pulled[uri] = found
            return found


def _few(keys: tuple[str, ...], most: int = 8) -> str:
    """Some keys for one line, each in a line's part."""
    shown = ", ".join(repr(key[:40]) for key in keys[:most])
    return f"{shown}, ..." if len(keys) > most else shown
