"""One client and what it has open: after each change, the findings are published to it.

It runs in the event loop and computes nothing itself; other processes do the work.
"""

from __future__ import annotations

import asyncio
import logging
import os
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import to_fs_path

from namecheck.lsp.answers import Definition, Drawn, Reader
from namecheck.lsp.client.abilities import Abilities
from namecheck.lsp.client.long_work import LongWork
from namecheck.lsp.client.preferences import Preferences, read_section
from namecheck.lsp.features.explanation import Explanations
from namecheck.lsp.features.written_dims import written_at
from namecheck.lsp.pool import Moved, Pool, Worker
from namecheck.lsp.questions import (
    Annotate,
    Calls,
    CodeActions,
    Comment,
    Completion,
    DefinitionOf,
    Diagnostics,
    DimsUnder,
    Drives,
    Hints,
    Hover,
    Look,
    Round,
    Settle,
)
from namecheck.lsp.ranges import encoding_of, offset
from namecheck.lsp.texts import Sheet, Texts, meant_path, sheet_of_notebook, sheet_of_text
from namecheck.lsp.workspace_reports import WorkspaceReports

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from namecheck.lsp.features.dims_view import DimsAt
    from namecheck.settings.config import Configuration

__all__ = ["Session"]

log = logging.getLogger(__name__)

QUIET: Final = 0.5
"""Seconds without a change, once every open file has a result, before closed files are read."""


class Session:
    """The files that one client has open, and the diagnostics that it has."""

    def __init__(
        self, server: LanguageServer, configuration: Configuration, client: Abilities
    ) -> None:
        self.server = server
        self.client = client
        self.sheets: dict[str, Sheet] = {}
        self.encoding = encoding_of(server.workspace.position_encoding)
        reader = Reader(
            self.encoding,
            client.related,
            client.versioned_edits,
            client.shows_disabled,
            client.links,
        )
        self.pool = Pool(self.folders(), configuration, reader, self._look_on)
        self._published: dict[str, tuple[list[types.Diagnostic], int | None]] = {}
        self._reported: set[str] = set()
        self.pulled: dict[str, list[types.Diagnostic]] = {}
        """The diagnostics that the client has asked for, by URI."""
        self._hints_are_old = False
        self.preferences = Preferences()
        self._unknown_keys: tuple[str, ...] = ()
        self.explanations = Explanations()
        self.workspace = WorkspaceReports(
            self.pool,
            lambda: self.preferences.workspace,
            lambda: self._checking is not None and not self._checking.done(),
            self._long_work,
            client.watches,
        )
        self._changes = 0
        self._is_news = False
        """Whether there are findings that were not published yet."""
        self._checking: asyncio.Task[None] | None = None
        self._looking: dict[Worker, asyncio.Task[None]] = {}
        self._settling: asyncio.Task[None] | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._heard: int | None = None
        """The number of changes up to which callers were looked at."""
        self._driving: asyncio.Task[None] | None = None
        self._driven: int | None = None
        """The number of changes up to which programs were driven."""

    def folders(self) -> list[str]:
        """The real paths of the folders that the client has open."""
        texts = self.server.workspace
        uris = [folder.uri for folder in texts.folders.values()] or [texts.root_uri]
        paths = [meant_path(path) for uri in uris if uri and (path := to_fs_path(uri))]
        return [os.path.realpath(path) for path in paths if os.path.isdir(path)]

    # Changes

    def edited(self, uri: str) -> None:
        """Take a change of a text; the next one may follow at once."""
        self.changed(uri, self.preferences.debounce / 1000)

    def changed(self, uri: str, pause: float = 0.0) -> None:
        """Take a text that was opened, changed, saved or closed."""
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
        # The file that was edited last comes first.
        self.sheets = {sheet.path: sheet, **sheets}
        self.pool.take(self.sheets)
        self.check(pause, sheet.path)

    def check(self, pause: float = 0.0, path: str | None = None) -> None:
        """Look, after a pause, at what has become stale: `path`, and what depends on it."""
        self._changes += 1
        self.pool.changed(path)
        self.workspace.changed()
        for task in (self._hearing, self._driving, self._settling, self._checking):
            if task is not None:
                task.cancel()
        self._checking = asyncio.get_running_loop().create_task(self._check(pause))
        for worker in self.pool.slow:
            if path is None or path in worker.paths:
                self._look_on(worker, pause)
            elif worker not in self._looking:  # else it looks again when it is done
                self._look_on(worker)

    def forget(self) -> None:
        """Look all imports up again, since files have been added or removed."""
        self.pool.forget()
        self.check()

    def move(self) -> None:
        """Take the folders that the editor has open now."""
        self.pool.move(self.folders())
        self.check()

    async def _check(self, pause: float) -> None:
        await asyncio.sleep(pause)
        edited = next(iter(self.sheets), None)
        try:
            while True:
                self._is_news = False
                done = await self.pool.ask(Round(), self.pool.shared)
                self._publish(done)
                if done.looked_at not in (None, edited):
                    self._hints_are_old = True
                if done.is_last and not self._is_news:
                    self._call_back(done)
                    self._drive()
                    self._hear_callers()
                    self._settle(edited)
                    return
        except JsonRpcException as failure:
            self._report(failure)

    def _look_on(self, worker: Worker, pause: float = 0.0) -> None:
        """Have a worker look at the slow files that it has taken over."""
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
                answer = await self.pool.ask(Look(self.pool.tokens()), worker)
                if answer.looked is not None:
                    self.pool.adopt(answer.looked)
                    self._hints_are_old = True
                    self._publish_soon()
                if answer.is_last and changes == self._changes:
                    return
        except Moved:
            return
        except JsonRpcException as failure:
            self._report(failure)

    def _drive(self) -> None:
        """Have the programs driven that reach open files, unless nothing has changed since."""
        if not self.preferences.drives or not self.sheets:
            self.pool.driven = ()
        elif self._driven != self._changes:
            self._driven = self._changes
            self._driving = asyncio.get_running_loop().create_task(self._have_driven())

    async def _have_driven(self) -> None:
        await asyncio.sleep(QUIET)
        is_first = True
        with self._long_work("Following entry points") as work:
            while True:
                question = Drives(is_first, frozenset(self.pool.ended_at))
                try:
                    answer = await self.pool.ask(question, self.pool.background)
                except JsonRpcException as failure:
                    if question.without == self.pool.ended_at:
                        log.error("the drives of open files: %s", failure.message)
                        return
                    continue
                is_first = False
                if answer.driven != self.pool.driven:
                    self.pool.driven = answer.driven
                    self._publish_soon()
                done, left = len(answer.driven), answer.left
                work.report(f"{done} of {done + left} programs", done, done + left)
                if not left:
                    return

    def _hear_callers(self) -> None:
        """Have the callers of open files looked at, unless that was done since the last change."""
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
                with self._long_work("Reading which files import the open ones"):
                    answer = await self.pool.ask(question, self.pool.background)
            except JsonRpcException as failure:
                if question.without == self.pool.ended_at:
                    log.error("the callers of open files: %s", failure.message)
                    return
                continue
            is_first = False
            if answer.called != self.pool.called:
                self.pool.called = answer.called
                self._publish_soon()
            if answer.is_last:
                return

    def _long_work(self, title: str) -> LongWork:
        return LongWork(self.server, self.client.shows_work, title)

    def _settle(self, path: str | None) -> None:
        """Have the dims that the client shows of an edited file evaluated as a whole, in a while.

        The first answers after the edit rest on what the edit concerns.
        """
        if self._settling is not None:
            self._settling.cancel()
        if path is not None:
            self._settling = asyncio.get_running_loop().create_task(self._have_settled(path))

    async def _have_settled(self, path: str) -> None:
        await asyncio.sleep(QUIET)
        try:
            if await self.pool.ask(Settle(path), gives_way=True) and self.client.refreshes_hints:
                self.server.workspace_inlay_hint_refresh(None)
        except JsonRpcException as failure:
            self._report(failure)

    def _publish_soon(self) -> None:
        """Publish soon: another worker than the shared one has found something."""
        self._is_news = True
        if self._checking is None or self._checking.done():
            self._checking = asyncio.get_running_loop().create_task(self._check(0.0))

    def _report(self, failure: JsonRpcException) -> None:
        """Log that a question failed."""
        log.error(failure.message)
        message = types.LogMessageParams(types.MessageType.Error, failure.message)
        self.server.window_log_message(message)

    def _call_back(self, done: Drawn) -> None:
        """Make the client ask again where its earlier answers are out of date."""
        if self.client.pulls and any(
            self.pulled[uri] != done.diagnostics[uri]
            for uri in self.pulled.keys() & done.diagnostics.keys()
        ):
            self.server.workspace_diagnostic_refresh(None)
        if self.client.refreshes_hints and self._hints_are_old:
            self.server.workspace_inlay_hint_refresh(None)
        self._hints_are_old = False

    def _publish(self, done: Drawn) -> None:
        before: dict[str, list[types.Diagnostic]] = {
            uri: [] for uri in self._published if uri not in done.unknown
        }
        for uri, diagnostics in {**before, **done.diagnostics}.items():
            version = done.versions.get(uri)
            if self.client.pulls and uri in done.versions:
                continue
            if self.pulls_workspace and uri not in done.versions:
                # It asks for the findings of closed files; mistakes in settings are not among them.
                diagnostics = [one for one in diagnostics if one.code is None]
            if self._published.get(uri) == (diagnostics, version):
                continue
            if uri in done.versions:
                self._published[uri] = diagnostics, version
            else:
                self._published.pop(uri, None)
                if diagnostics:
                    self._published[uri] = diagnostics, None
            self.server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, diagnostics, version)
            )
        for failure in done.failures:
            if failure not in self._reported:
                log.error(failure)
                self.server.window_log_message(
                    types.LogMessageParams(types.MessageType.Error, failure)
                )
        for reason in done.refused:
            if reason not in self._reported:
                self.server.window_show_message(
                    types.ShowMessageParams(types.MessageType.Error, f"namecheck: {reason}")
                )
        self._reported = {*done.failures, *done.refused}

    def prefer(self, settings: object) -> None:
        """Take the editor's settings, as the editor sends them."""
        before = self.preferences
        section = read_section(settings)
        self.preferences = section.preferences
        for fault in section.faults:
            self.server.window_show_message(
                types.ShowMessageParams(types.MessageType.Warning, f"namecheck: {fault}")
            )
        if section.unknown not in ((), self._unknown_keys):
            # In most cases these are settings of the extension that has started the server.
            log.warning("unknown settings of the editor are ignored: %s", _few(section.unknown))
            self._unknown_keys = section.unknown
        if self.client.refreshes_hints and self.preferences.hints != before.hints:
            self.server.workspace_inlay_hint_refresh(None)
        if self.preferences.callers != before.callers and self.sheets:
            self.pool.called = ()
            self.check()
        if self.preferences.drives != before.drives and self.sheets:
            self.pool.driven = ()
            self.check()
        if self.preferences.workspace != before.workspace:
            self.workspace.changed()

    @property
    def pulls_workspace(self) -> bool:
        """Whether the client asks for the findings of all files, and gets them."""
        return self.client.pulls and self.preferences.workspace

    def end(self) -> None:
        """End all work: the client goes away."""
        tasks = (self._checking, self._hearing, self._driving, self._settling)
        for task in (*tasks, *self._looking.values()):
            if task is not None:
                task.cancel()
        self.pool.end()
        self.workspace.end()
        self.explanations.end()

    # Questions

    def _path_of(self, uri: str) -> str | None:
        """The path of an open text, or of the notebook that it is a cell of."""
        for path, sheet in self.sheets.items():
            if uri in sheet.uris.values():
                return path
        return None

    async def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        """The hover text of a place; None if there is none."""
        path = self._path_of(uri)
        if path is None or not self.preferences.hover:
            return None
        return await self.pool.ask(Hover(path, uri, position))

    async def dims(self, uri: str, position: types.Position) -> DimsAt | None:
        """The dims of what stands at a place; None if that has none."""
        path = self._path_of(uri)
        return None if path is None else await self.pool.ask(DimsUnder(path, uri, position))

    async def definition(self, uri: str, position: types.Position) -> Definition:
        """The places where the names of the dims at a place come from; None if it has none."""
        path = self._path_of(uri)
        if path is None or not self.preferences.definition:
            return None
        return await self.pool.ask(DefinitionOf(path, uri, position))

    async def completion(self, uri: str, position: types.Position) -> list[types.CompletionItem]:
        """The names of dims that fit at a place; none where no dims are written."""
        path = self._path_of(uri)
        if path is None or not self.preferences.completion:
            return []
        # Clients ask at every letter: what does not concern us is answered here.
        texts = self.server.workspace
        assert isinstance(texts, Texts)
        text = texts.text_of(uri)
        if text is None:
            return []
        if written_at(text.source, offset(text.lines, position, self.encoding)) is None:
            return []
        return await self.pool.ask(Completion(path, uri, position))

    async def hints(self, uri: str, stretch: types.Range) -> list[types.InlayHint]:
        """The inlay hints of a range."""
        path, hints = self._path_of(uri), self.preferences.hints
        if path is None or not (hints.assignments or hints.parameters or hints.returns):
            return []
        return await self.pool.ask(Hints(path, uri, stretch, hints))

    async def commented(self, hint: types.InlayHint) -> types.InlayHint:
        """A hint with the edits that write its dims, if it may have any."""
        uri = str(hint.data.get("uri")) if isinstance(hint.data, dict) else ""
        path = self._path_of(uri)
        return hint if path is None else await self.pool.ask(Comment(path, uri, hint))

    async def annotated(self, uri: str) -> str:
        """Have the client write the dims of an open text into it. Returns a sentence about it."""
        path = self._path_of(uri)
        if path is None:
            return "Not annotated: the file is not open."
        edit, sentence = await self.pool.ask(Annotate(path))
        if edit is not None:
            params = types.ApplyWorkspaceEditParams(edit, "namecheck annotate")
            applied = await self.server.workspace_apply_edit_async(params)
            if not applied.applied:
                return "Not annotated: the text has changed."
        return sentence

    async def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The code actions for the findings in a range."""
        uri = params.text_document.uri
        path = self._path_of(uri)
        if path is None:
            return []
        return await self.pool.ask(CodeActions(path, uri, params.range, params.context.only))

    async def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """The diagnostics of a text that the client asks about."""
        path = self._path_of(uri)
        if path is None:
            return []
        while True:
            worker = self.pool.worker_of(path)
            if worker is not self.pool.shared:
                await self._look(worker, 0.0)
            try:
                # The analysis of other files may find mistakes here: the shared worker has all.
                diagnostics = await self.pool.ask(Diagnostics(path, uri), self.pool.shared)
            except Moved:
                continue
            self.pulled[uri] = diagnostics
            return diagnostics


def _few(keys: tuple[str, ...], most: int = 8) -> str:
    """The first keys on one line, each cut short."""
    shown = ", ".join(repr(key[:40]) for key in keys[:most])
    return f"{shown}, ..." if len(keys) > most else shown
