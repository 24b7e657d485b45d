"""The answers of worker processes, and the results that desks pass on: values between processes.

They do not refer to the desk that they come from. Diagnostics, hovers, hints and actions are values
of the protocol's own types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from lsprotocol import types

from namecheck.findings import Analysis, Finding
from namecheck.lsp.texts import Sheet
from namecheck.running.suppressions import Directive

__all__ = [
    "ANNOTATE",
    "EXPLAIN",
    "FIX_ALL",
    "KINDS",
    "Annotated",
    "Called",
    "Definition",
    "CallsFound",
    "Drawn",
    "Driven",
    "DrivesFound",
    "Looked",
    "Looks",
    "Reader",
    "WorkspaceFound",
]

Definition = list[types.LocationLink] | list[types.Location] | None
"""Where the names of dims come from."""

EXPLAIN: Final = "namecheck.explain"
"""The command that shows the page of a code."""

ANNOTATE: Final = "namecheck.annotate"
"""The command that writes the dims of an open file into it."""

FIX_ALL: Final = "source.fixAll.namecheck"
KINDS: Final = (types.CodeActionKind.QuickFix, FIX_ALL)
"""The kinds of code actions that the server offers."""


class Reader(NamedTuple):
    """How a client reads answers.

    `encoding` is the encoding in which it counts columns. `related`: it shows the related
    information of a diagnostic. `versioned`: its edits name the version of the text that they are
    for. `disabled`: it shows actions that are not possible, and why. `links`: it understands the
    place of a definition with the place that was asked about.
    """

    encoding: str
    related: bool
    versioned: bool
    disabled: bool = False
    links: bool = False


class Annotated(NamedTuple):
    """The edit that writes the dims of an open file, None if there are none to write, and a
    sentence about it.
    """

    edit: types.WorkspaceEdit | None
    sentence: str


class Looked(NamedTuple):
    """The result of a look at a sheet, for another desk. Each has a `token` of its own."""

    sheet: Sheet
    analysis: Analysis
    whole: bool = True
    token: str = ""


class Looks(NamedTuple):
    """A result that the shared worker does not have yet, if any, and whether it is the last."""

    looked: Looked | None
    is_last: bool


class Drawn(NamedTuple):
    """What is published after a look at a file: diagnostics by URI, and whether that is final.

    `versions` are those of the open texts; `unknown` are texts without a result yet. `failures`
    describe bugs of ours, `refused` settings that cannot be read. `looked_at` is the file that was
    looked at, if there was one to look at.
    """

    diagnostics: dict[str, list[types.Diagnostic]]
    versions: dict[str, int | None]
    unknown: frozenset[str]
    failures: list[str]
    refused: list[str]
    looked_at: str | None
    is_last: bool


class Called(NamedTuple):
    """Mistakes in open files as a closed file calls them: its path, the findings, and the `texts`
    of the open files, by path, in which they were found.
    """

    path: str
    findings: tuple[Finding, ...]
    texts: Mapping[str, str]


class CallsFound(NamedTuple):
    """The findings of the callers of open files, and whether that is final."""

    called: tuple[Called, ...]
    is_last: bool


class Driven(NamedTuple):
    """What the entry points of a program show: its path, its findings, and its suppression
    comments.

    `texts` are those of the open files, by path, in which there are findings. `own` are the texts
    of the program itself, by cell, if it is open: then the analysis has all its findings.
    """

    path: str
    analysis: Analysis
    directives: tuple[Directive, ...]
    texts: Mapping[str, str]
    own: Mapping[int | None, str] | None


class DrivesFound(NamedTuple):
    """What the drives of open files have shown so far, and how many programs are left to drive."""

    driven: tuple[Driven, ...]
    left: int


class WorkspaceFound(NamedTuple):
    """The diagnostics of all files of the client's folders, by URI, and the versions of open texts.

    `done` of `files` are checked; if that is not all, further findings may follow.
    """

    diagnostics: Mapping[str, list[types.Diagnostic]]
    versions: Mapping[str, int | None]
    done: int
    files: int
