"""What the server asks of the files that are open, each as a value that goes to a worker process.

An answer (`answers`, or a type of the protocol) goes back as it is. The server's own process only
sends questions: what answers them is imported where it is needed.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from namecheck.lsp.answers import CallsFound, Drawn, Looks, Reader
from namecheck.lsp.preferences import InlayHints
from namecheck.lsp.texts import Sheet

if TYPE_CHECKING:
    from namecheck.lsp.desk import Desk

__all__ = [
    "Calls",
    "CodeActions",
    "Diagnostics",
    "Hints",
    "Hover",
    "Look",
    "Round",
]

log = logging.getLogger(__name__)


class Round(NamedTuple):
    """Look at one file that is not known, and tell of all."""

    path: None = None

    def answer(self, desk: Desk, reader: Reader) -> Drawn:
        """What is told."""
        from namecheck.lsp.diagnostics import drawn, failed

        try:
            stale = desk.stale()
            if stale:
                desk.look(stale[0])
            return drawn(desk, reader, stale)
        except Exception as failure:  # a bug of ours must not keep the server from serving
            log.exception("namecheck failed")
            return failed(desk, reader, failure)


class Look(NamedTuple):
    """Look at one file that is not known, for the worker that tells of all.

    `known` are the tokens of what it knows: what a hover has found out has to be told, too.
    """

    known: frozenset[str]
    path: None = None

    def answer(self, desk: Desk, reader: Reader) -> Looks:
        """What was found."""
        stale = desk.stale()
        if stale:
            desk.look(stale[0])
        own = [path for path in desk.results if desk.is_own(path)]
        news = [one for one in map(desk.looked, own) if one.token not in self.known]
        return Looks(news[0] if news else None, len(news) < 2 and not desk.stale())


class Calls(NamedTuple):
    """Look at one file that imports what is open, for the worker that tells of all.

    `is_first`: something may have changed since the last question. `without` are files at which a
    process has ended.
    """

    is_first: bool
    without: frozenset[str]
    path: None = None

    def answer(self, desk: Desk, reader: Reader) -> CallsFound:
        """What was found."""
        from namecheck.lsp.callers import look_at_next

        if self.is_first:
            desk.callers.begin()
        return CallsFound(*look_at_next(desk, self.without))


class Hover(NamedTuple):
    """What there is to say of a place."""

    path: str
    uri: str
    position: types.Position

    def answer(self, desk: Desk, reader: Reader) -> types.Hover | None:
        """The answer to `textDocument/hover`."""
        from namecheck.lsp.diagnostics import drawing
        from namecheck.lsp.hover import hover

        where = _where(desk, self.path, self.uri)
        if where is None:
            return None
        return hover(desk, self.path, where[1], self.position, drawing(desk, reader))


class Hints(NamedTuple):
    """The dims beside the lines of a range."""

    path: str
    uri: str
    stretch: types.Range
    wanted: InlayHints

    def answer(self, desk: Desk, reader: Reader) -> list[types.InlayHint]:
        """The answer to `textDocument/inlayHint`."""
        from namecheck.lsp.diagnostics import drawing
        from namecheck.lsp.hints import hints

        where = _where(desk, self.path, self.uri)
        if where is None:
            return []
        places = drawing(desk, reader).places(self.path, where[1])
        return list(hints(desk.shapes(self.path), where[1], self.stretch, places, self.wanted))


class CodeActions(NamedTuple):
    """What can be done about the findings of a range."""

    path: str
    uri: str
    stretch: types.Range
    only: Sequence[str | types.CodeActionKind] | None

    def answer(self, desk: Desk, reader: Reader) -> list[types.CodeAction]:
        """The answer to `textDocument/codeAction`."""
        from namecheck.lsp.actions import Actions
        from namecheck.lsp.diagnostics import drawing

        where = _where(desk, self.path, self.uri)
        if where is None:
            return []
        desk.up_to_date(self.path)
        actions = Actions(desk, *where, drawing(desk, reader), reader.versioned, reader.disabled)
        return actions.all(self.stretch, self.only)


class Diagnostics(NamedTuple):
    """What is told of a text that the client asks for."""

    path: str
    uri: str

    def answer(self, desk: Desk, reader: Reader) -> list[types.Diagnostic]:
        """The items of the answer to `textDocument/diagnostic`."""
        from namecheck.lsp.diagnostics import drawn

        if _where(desk, self.path, self.uri) is None:
            return []
        if desk.is_own(self.path):
            desk.up_to_date(self.path)
        return drawn(desk, reader, ()).diagnostics.get(self.uri, [])


def _where(desk: Desk, path: str, uri: str) -> tuple[Sheet, int | None] | None:
    """The file, and the cell of a notebook, that a text is; None if it is not open any more."""
    sheet = desk.sheets.get(path)
    if sheet is not None:
        for cell, own in sheet.uris.items():
            if own == uri:
                return sheet, cell
    return None
