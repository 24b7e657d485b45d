"""The server's questions about open files: values that go to a worker process.

An answer (`answers`, or a type of the protocol) goes back as it is. The server's own process only
sends questions, so the code that answers them is imported in the methods.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from namecheck.lsp.answers import (
    Annotated,
    CallsFound,
    Definition,
    Drawn,
    DrivesFound,
    Looks,
    Reader,
    WorkspaceFound,
)
from namecheck.lsp.client.preferences import InlayHints
from namecheck.lsp.texts import Sheet

if TYPE_CHECKING:
    from namecheck.lsp.desk import Desk
    from namecheck.lsp.features.dims_view import DimsAt

__all__ = [
    "Annotate",
    "Calls",
    "CodeActions",
    "Comment",
    "Completion",
    "DefinitionOf",
    "Diagnostics",
    "DimsUnder",
    "Drives",
    "Hints",
    "Hover",
    "Look",
    "Round",
    "Settle",
    "Workspace",
]

log = logging.getLogger(__name__)


class Round(NamedTuple):
    """Look at one file without a fresh result, and report on all files."""

    path: None = None

    def answer(self, desk: Desk, reader: Reader) -> Drawn:
        """What is to be published."""
        from namecheck.lsp.features.diagnostics import drawn, failed

        try:
            stale = desk.stale()
            if stale:
                desk.look(stale[0])
            return drawn(desk, reader, stale)
        except Exception as failure:  # a bug of ours must not keep the server from serving
            log.exception("namecheck failed")
            return failed(desk, reader, failure)


class Look(NamedTuple):
    """Look at one file without a fresh result, for the shared worker.

    `known` are the tokens of the results that it has: a hover may have led to further ones.
    """

    known: frozenset[str]
    path: None = None

    def answer(self, desk: Desk, reader: Reader) -> Looks:
        """A result that the shared worker does not have, if there is one."""
        stale = desk.stale()
        if stale:
            desk.look(stale[0])
        paths = [path for path in desk.results if desk.is_own(path)]
        new = [looked for looked in map(desk.looked, paths) if looked.token not in self.known]
        return Looks(new[0] if new else None, len(new) < 2 and not desk.stale())


class Calls(NamedTuple):
    """Look at one file that imports an open one, for the shared worker.

    `is_first`: something may have changed since the last question. `without` are files at which a
    process has ended.
    """

    is_first: bool
    without: frozenset[str]
    path: None = None

    def answer(self, desk: Desk, reader: Reader) -> CallsFound:
        """The findings so far."""
        from namecheck.lsp.closed_files.callers import look_at_next

        if self.is_first:
            desk.callers.begin()
        return CallsFound(*look_at_next(desk, self.without))


class Drives(NamedTuple):
    """Drive one more program that reaches an open file, for the shared worker.

    `is_first`: something may have changed since the last question. `without` are files at which a
    process has ended.
    """

    is_first: bool
    without: frozenset[str]
    path: None = None

    def answer(self, desk: Desk, reader: Reader) -> DrivesFound:
        """What drives have shown so far."""
        from namecheck.lsp.driving import drive_next

        if self.is_first:
            desk.drives.begin()
        return drive_next(desk, self.without)


class Workspace(NamedTuple):
    """Check all files of the client's folders; partial answers are told meanwhile."""

    path: None = None

    def answer(self, desk: Desk, reader: Reader) -> WorkspaceFound | None:
        """The diagnostics; None while settings or a baseline cannot be read."""
        from namecheck.exit_codes import Trouble
        from namecheck.lsp.closed_files.workspace_findings import workspace_findings

        try:
            return workspace_findings(desk, reader, desk.tell)
        except Trouble:  # reported elsewhere, in its file
            return None


class Hover(NamedTuple):
    """The hover text of a place."""

    path: str
    uri: str
    position: types.Position

    def answer(self, desk: Desk, reader: Reader) -> types.Hover | None:
        """The answer to `textDocument/hover`."""
        from namecheck.lsp.features.diagnostics import drawing
        from namecheck.lsp.features.hover import hover

        where = _where(desk, self.path, self.uri)
        if where is None:
            return None
        return hover(desk, self.path, where[1], self.position, drawing(desk, reader))


class DimsUnder(NamedTuple):
    """The dims of what stands at a place."""

    path: str
    uri: str
    position: types.Position

    def answer(self, desk: Desk, reader: Reader) -> DimsAt | None:
        """The answer to `namecheck/dims`."""
        from namecheck.lsp.features.diagnostics import drawing
        from namecheck.lsp.features.dims_view import dims_at

        where = _where(desk, self.path, self.uri)
        if where is None:
            return None
        return dims_at(desk, self.path, where[1], self.position, drawing(desk, reader))


class DefinitionOf(NamedTuple):
    """The places where the names of the dims at a place come from."""

    path: str
    uri: str
    position: types.Position

    def answer(self, desk: Desk, reader: Reader) -> Definition:
        """The answer to `textDocument/definition`."""
        from namecheck.lsp.features.definition import definition
        from namecheck.lsp.features.diagnostics import drawing

        where = _where(desk, self.path, self.uri)
        if where is None:
            return None
        shown = drawing(desk, reader)
        return definition(desk, self.path, where[1], self.position, shown, reader.links)


class Completion(NamedTuple):
    """The names of dims that fit at a place where names of dims are written."""

    path: str
    uri: str
    position: types.Position

    def answer(self, desk: Desk, reader: Reader) -> list[types.CompletionItem]:
        """The items of the answer to `textDocument/completion`."""
        from namecheck.lsp.features.diagnostics import drawing
        from namecheck.lsp.features.name_completion import completion

        where = _where(desk, self.path, self.uri)
        if where is None:
            return []
        return completion(desk, self.path, where[1], self.position, drawing(desk, reader))


class Hints(NamedTuple):
    """The inlay hints of a range."""

    path: str
    uri: str
    stretch: types.Range
    wanted: InlayHints

    def answer(self, desk: Desk, reader: Reader) -> list[types.InlayHint]:
        """The answer to `textDocument/inlayHint`."""
        from namecheck.lsp.features.diagnostics import drawing
        from namecheck.lsp.features.hints import hints

        where = _where(desk, self.path, self.uri)
        if where is None:
            return []
        sheet, cell = where
        places = drawing(desk, reader).places(self.path, cell)
        shapes, version = desk.shapes(self.path), sheet.versions[cell]
        return list(hints(shapes, cell, self.uri, self.stretch, places, self.wanted, version))


class Comment(NamedTuple):
    """A hint with the edits that write its dims into the text."""

    path: str
    uri: str
    hint: types.InlayHint

    def answer(self, desk: Desk, reader: Reader) -> types.InlayHint:
        """The answer to `inlayHint/resolve`."""
        from namecheck.lsp.features.annotating import with_comment
        from namecheck.lsp.features.diagnostics import drawing

        where = _where(desk, self.path, self.uri)
        if where is None:
            return self.hint
        return with_comment(self.hint, desk, *where, drawing(desk, reader))


class Annotate(NamedTuple):
    """The dims of a file as comments in it."""

    path: str

    def answer(self, desk: Desk, reader: Reader) -> Annotated:
        """The edit, and a sentence about it."""
        from namecheck.lsp.features.annotating import annotated
        from namecheck.lsp.features.diagnostics import drawing

        return annotated(desk, desk.sheets[self.path], drawing(desk, reader), reader.versioned)


class Settle(NamedTuple):
    """Evaluate a file as a whole for the dims to show, if an edit of a part has left that out.

    The answer says whether hints are others now.
    """

    path: str

    def answer(self, desk: Desk, reader: Reader) -> bool:
        """Whether the client should ask for hints again."""
        return self.path in desk.sheets and desk.settle(self.path)


class CodeActions(NamedTuple):
    """The code actions for the findings in a range."""

    path: str
    uri: str
    stretch: types.Range
    only: Sequence[str | types.CodeActionKind] | None

    def answer(self, desk: Desk, reader: Reader) -> list[types.CodeAction]:
        """The answer to `textDocument/codeAction`."""
        from namecheck.lsp.features.actions import Actions
        from namecheck.lsp.features.diagnostics import drawing

        where = _where(desk, self.path, self.uri)
        if where is None:
            return []
        desk.up_to_date(self.path)
        actions = Actions(desk, *where, drawing(desk, reader), reader.versioned, reader.disabled)
        return actions.all(self.stretch, self.only)


class Diagnostics(NamedTuple):
    """The diagnostics of a text that the client asks about."""

    path: str
    uri: str

    def answer(self, desk: Desk, reader: Reader) -> list[types.Diagnostic]:
        """The items of the answer to `textDocument/diagnostic`."""
        from namecheck.lsp.features.diagnostics import drawn

        if _where(desk, self.path, self.uri) is None:
            return []
        if desk.is_own(self.path):
            desk.up_to_date(self.path)
        return drawn(desk, reader, ()).diagnostics.get(self.uri, [])


def _where(desk: Desk, path: str, uri: str) -> tuple[Sheet, int | None] | None:
    """The sheet and the notebook's cell of a text; None if it is no longer open."""
    sheet = desk.sheets.get(path)
    if sheet is not None:
        for cell, uri_of_cell in sheet.uris.items():
            if uri_of_cell == uri:
                return sheet, cell
    return None
