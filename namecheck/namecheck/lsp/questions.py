"""What the server asks of the files that are open, each as a value that goes to a worker process.

An answer is in the protocol's words, and goes back as it is. The server's own process only sends
them: what answers is imported where it is needed.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from lsprotocol import types

from namecheck.findings import Analysis, Finding
from namecheck.lsp.preferences import InlayHints
from namecheck.lsp.texts import Sheet

if TYPE_CHECKING:
    from namecheck.lsp.desk import Desk

__all__ = [
    "EXPLAIN",
    "FIX_ALL",
    "KINDS",
    "Called",
    "Calls",
    "CallsFound",
    "CodeActions",
    "Diagnostics",
    "Drawn",
    "Hints",
    "Hover",
    "Look",
    "Looked",
    "Looks",
    "Reader",
    "Round",
]

log = logging.getLogger(__name__)

EXPLAIN: Final = "namecheck.explain"
"""The command that shows the page of a code."""

FIX_ALL: Final = "source.fixAll.namecheck"
KINDS: Final = (types.CodeActionKind.QuickFix, FIX_ALL)
"""The kinds of code actions that there are."""


class Reader(NamedTuple):
    """How a client reads what it is told.

    `encoding` is that in which it counts columns. `related`: it shows what belongs to a diagnostic
    in places of its own. `versioned`: its edits say which version of a text they are meant for.
    `disabled`: it shows what cannot be done, and why.
    """

    encoding: str
    related: bool
    versioned: bool
    disabled: bool = False


class Looked(NamedTuple):
    """What a look at a sheet found, as one desk tells another.  `token` is like no other's."""

    sheet: Sheet
    analysis: Analysis
    whole: bool = True
    token: str = ""


class Drawn(NamedTuple):
    """What is told after a file was looked at: diagnostics by text, and whether that is all.

    `versions` are those of the open texts; of `unknown` ones nothing is known yet. `failures` are
    bugs of ours, `refused` settings that are not understood. `looked_at` is the file that was
    looked at, if one had to be.
    """

    diagnostics: dict[str, list[types.Diagnostic]]
    versions: dict[str, int | None]
    unknown: frozenset[str]
    failures: list[str]
    refused: list[str]
    looked_at: str | None
    is_last: bool


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


class Looks(NamedTuple):
    """What was found in a file, if one had to be looked at, and whether that is all."""

    looked: Looked | None
    is_last: bool


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


class Called(NamedTuple):
    """What is wrong in open files as a file calls them that is not open: its path, what was found,
    and the `texts`, by path, that this was found in.
    """

    path: str
    findings: tuple[Finding, ...]
    texts: Mapping[str, str]


class CallsFound(NamedTuple):
    """What is known of the callers of open files, and whether that is all."""

    called: tuple[Called, ...]
    is_last: bool


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
        if self.is_first:
            desk.callers.begin()
        return CallsFound(*desk.callers.look(desk, self.without))


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
