"""The answers to `workspace/diagnostic`: what has changed in the findings of all files.

A client asks again after each answer. So a request waits if there is nothing to say, until
something changes or a while has passed. Results have ids, so that an answer does not repeat what
the client has.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from namecheck.lsp.answers import WorkspaceFound
from namecheck.lsp.questions import Workspace

if TYPE_CHECKING:
    from namecheck.lsp.client.long_work import LongWork
    from namecheck.lsp.pool import Pool

__all__ = ["WorkspaceReports", "result_id"]

HELD: Final = 30.0
"""Seconds that a request waits if there is nothing to say."""

PAUSE: Final = 1.0
"""Seconds without a change after which all files are checked again."""

Reports = list[types.WorkspaceDocumentDiagnosticReport]
Send = Callable[[Reports], None]


class _Result(NamedTuple):
    """The diagnostics of a text, their id, and the version of the text if it is open."""

    diagnostics: Sequence[types.Diagnostic]
    number: str
    version: int | None


class WorkspaceReports:
    """What is known of all files, and the requests that wait for news."""

    def __init__(
        self,
        pool: Pool,
        is_wanted: Callable[[], bool],
        is_busy: Callable[[], bool],
        long_work: Callable[[str], LongWork],
        is_told: bool,
    ) -> None:
        """`is_wanted`: the user wants these findings. `is_busy`: open files are being checked.

        `is_told`: the client reports changes of files on the disk.
        """
        self._pool = pool
        self._is_wanted = is_wanted
        self._is_busy = is_busy
        self._long_work = long_work
        self._is_told = is_told
        self._results: dict[str, _Result] = {}
        self._is_stale = True
        self._is_first = True
        self._changed = asyncio.Event()
        self._last_change = 0.0
        self._turn = asyncio.Lock()
        self._is_over = False

    def changed(self) -> None:
        """Note that a text, a file or a setting has changed."""
        self._is_stale = True
        self._last_change = asyncio.get_running_loop().time()
        self._changed.set()

    def end(self) -> None:
        """Let no request wait any longer: the client goes away."""
        self._is_over = True
        self._changed.set()

    async def report(self, previous: Mapping[str, str], send: Send | None) -> Reports:
        """The reports for a client that has the results with the `previous` ids, by URI.

        `send` takes a part of them before all are known; the rest is returned. Raises
        `JsonRpcRequestCancelled` if the client goes away.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + HELD
        answer = _Answer(previous, send)
        while True:
            self._changed.clear()
            await self._bring_up_to_date(answer)
            reports = answer.rest(self._results)
            is_first, self._is_first = self._is_first, False
            if is_first or answer.has_news:
                return reports
            try:
                async with asyncio.timeout_at(end):
                    await self._changed.wait()
                    if self._is_over:
                        raise JsonRpcRequestCancelled("the server was shut down")
            except TimeoutError:
                self._is_stale = self._is_stale or not self._is_told
                return reports

    async def _quiet(self) -> None:
        """Wait until nothing has changed for a while."""
        loop = asyncio.get_running_loop()
        while (left := self._last_change + PAUSE - loop.time()) > 0:
            await asyncio.sleep(left)

    async def _bring_up_to_date(self, answer: _Answer) -> None:
        """Check all files, unless nothing has changed since."""
        async with self._turn:
            if not self._is_wanted():
                self._results, self._is_stale = {}, True
                return
            if not self._is_stale:
                return
            if not self._is_first:
                await self._quiet()
            while self._is_busy():  # open files come first
                await asyncio.sleep(0.1)
            self._is_stale = False
            try:
                with self._long_work("Checking all files") as work:
                    found = await self._ask(answer, work)
            except BaseException:
                self._is_stale = True
                raise
            if found is not None:
                self._results = _results(found)
            self._pool.workspace.rest()

    async def _ask(self, answer: _Answer, work: LongWork) -> WorkspaceFound | None:
        def hear(found: WorkspaceFound | None) -> None:
            if found is not None:
                work.report(f"{found.done} of {found.files} files", found.done, found.files)
                answer.send_news(_results(found))

        return await self._pool.ask(Workspace(), self._pool.workspace, hear=hear)


class _Answer:
    """One answer: what the client has, and what it was sent before the rest is known."""

    def __init__(self, previous: Mapping[str, str], send: Send | None) -> None:
        self._known = dict(previous)
        self._had = frozenset(previous)
        self._send = send
        self._sent: set[str] = set()
        self.has_news = False
        """Whether the client learns something."""

    def send_news(self, results: Mapping[str, _Result]) -> None:
        """Send results of texts of which the client has none, if it takes parts of an answer.

        Other texts wait for the end: they may lack findings until then.
        """
        if self._send is None:
            return
        news = [
            _full(uri, result)
            for uri, result in results.items()
            if uri not in self._had and self._known.get(uri) != result.number
        ]
        if news:
            self._send(list(news))
            self._known |= {report.uri: report.result_id or "" for report in news}
            self._sent |= {report.uri for report in news}
            self.has_news = True

    def rest(self, results: Mapping[str, _Result]) -> Reports:
        """All that is left to report. A text without findings is reported if it had some."""
        reports: Reports = []
        gone = {uri: NOTHING for uri in self._known if uri not in results}
        for uri, result in {**results, **gone}.items():
            if self._known.get(uri) != result.number:
                reports.append(_full(uri, result))
                self.has_news = True
            elif uri not in self._sent:
                reports.append(
                    types.WorkspaceUnchangedDocumentDiagnosticReport(
                        uri, result.number, result.version
                    )
                )
        return reports


def result_id(diagnostics: Sequence[types.Diagnostic]) -> str:
    """The id of a result: the same for the same diagnostics."""
    return hashlib.blake2b(repr(diagnostics).encode(), digest_size=8).hexdigest()


NOTHING: Final = _Result((), result_id([]), None)


def _results(found: WorkspaceFound) -> dict[str, _Result]:
    return {
        uri: _Result(diagnostics, result_id(diagnostics), found.versions.get(uri))
        for uri, diagnostics in found.diagnostics.items()
    }


def _full(uri: str, result: _Result) -> types.WorkspaceFullDocumentDiagnosticReport:
    return types.WorkspaceFullDocumentDiagnosticReport(
        uri, list(result.diagnostics), result.version, result_id=result.number
    )
