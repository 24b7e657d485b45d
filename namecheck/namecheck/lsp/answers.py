"""What a worker process answers, and what one desk tells another: values that go between processes.

They know nothing of the desk that they come from. Diagnostics, hovers, hints and actions are in the
protocol's own types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from lsprotocol import types

from namecheck.findings import Analysis, Finding
from namecheck.lsp.texts import Sheet

__all__ = [
    "EXPLAIN",
    "FIX_ALL",
    "KINDS",
    "Called",
    "CallsFound",
    "Drawn",
    "Looked",
    "Looks",
    "Reader",
]

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


class Looks(NamedTuple):
    """What was found in a file, if one had to be looked at, and whether that is all."""

    looked: Looked | None
    is_last: bool


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
