"""Work that may take long, as a client shows it to the user: `window/workDoneProgress`."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from lsprotocol import types

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

__all__ = ["LongWork"]

SLOW: Final = 1.0
"""Seconds after which the user sees that there is work."""


class LongWork:
    """Work with a title; the client shows it once it has taken a while, and until it ends.

    A client that cannot show it hears nothing. It is a context: the work is what is inside.
    """

    def __init__(self, server: LanguageServer, is_shown: bool, title: str) -> None:
        """`is_shown`: the client can show it."""
        self._server = server
        self._is_shown = is_shown
        self._title = title
        self._timer: asyncio.TimerHandle | None = None
        self._token: str | None = None
        self._is_begun = False
        self._is_over = False
        self._last: types.WorkDoneProgressReport | None = None

    def __enter__(self) -> LongWork:
        if self._is_shown:
            self._timer = asyncio.get_running_loop().call_later(SLOW, self._create)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self._is_over = True
        if self._timer is not None:
            self._timer.cancel()
        if self._is_begun:
            self._send(types.WorkDoneProgressEnd())

    def report(self, message: str, done: int, of: int) -> None:
        """Say how far the work has come: how much is done, of how much."""
        self._last = types.WorkDoneProgressReport(
            message=message, percentage=100 * done // of if of else None
        )
        if self._is_begun and not self._is_over:
            self._send(self._last)

    def _create(self) -> None:
        self._token = f"namecheck-{uuid4().hex}"
        params = types.WorkDoneProgressCreateParams(self._token)
        created = self._server.window_work_done_progress_create(params)
        created.add_done_callback(self._begin)

    def _begin(self, created: Future[None]) -> None:
        """Begin to show it, if the client has taken the token."""
        if created.cancelled() or created.exception() is not None:
            return
        last = self._last
        self._is_begun = True
        self._send(
            types.WorkDoneProgressBegin(
                self._title,
                cancellable=False,
                message=None if last is None else last.message,
                percentage=0 if last is None else last.percentage,
            )
        )
        if self._is_over:
            self._send(types.WorkDoneProgressEnd())

    def _send(self, value: object) -> None:
        assert self._token is not None
        self._server.progress(types.ProgressParams(self._token, value))
