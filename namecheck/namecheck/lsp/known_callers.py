"""What is known of the files that import what is open at a desk, and are not open themselves.

A desk keeps it and says what of it is out of date; `callers` finds it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from namecheck.files.disk import Stamp
from namecheck.findings import Analysis, Finding
from namecheck.lsp.answers import Called
from namecheck.lsp.importers import Importers
from namecheck.lsp.revising import Revision, moves
from namecheck.lsp.texts import Sheet
from namecheck.text.chunks import split

__all__ = ["KnownCaller", "KnownCallers", "as_they_are"]


class KnownCaller(NamedTuple):
    """What the analysis of a caller found in open files, and whether it is true of them now."""

    called: Called
    stamp: Stamp | None
    depends: frozenset[str]
    fresh: bool = True


class KnownCallers:
    """The callers that were looked at, by path, and those that are to be looked at still."""

    def __init__(self) -> None:
        self.importers: Importers | None = None
        """The index in which callers are looked for; None until somebody asks."""
        self.looked: dict[str, KnownCaller] = {}
        self.waiting: list[str] | None = None
        """The files of this round that were not looked at yet; None: they are not known."""
        self.spent = 0.0
        """The seconds that the analyses of this round took."""

    def forget(self) -> None:
        """Files have come or gone, or settings have changed."""
        self.importers = None
        self.looked.clear()

    def expire(self, changed: frozenset[str] | None) -> None:
        """These files have changed, by real path; None: any may have."""
        for path, looked in self.looked.items():
            if changed is None or not changed.isdisjoint(looked.depends):
                self.looked[path] = looked._replace(fresh=False)

    def begin(self) -> None:
        """Something may have changed: all of them are to be looked at again, as far as need be."""
        self.waiting = None
        self.spent = 0.0


def as_they_are(called: Called, sheets: Mapping[str, Sheet]) -> Analysis:
    """What was found in open files, in their texts as they are now.

    After an edit that is moved to where it stands now, but for what stands in the chunks that were
    edited, until the caller has been looked at again.
    """
    found: list[Finding] = []
    for finding in called.findings:
        sheet = sheets.get(finding.path)
        before = called.texts[finding.path]
        if sheet is None or sheet.text is None:
            continue
        if sheet.text == before:
            found.append(finding)
            continue
        moved = _between(before, sheet.text).taken_over(finding)
        if moved is not None:
            found.append(moved)
    return Analysis(tuple(found))


@lru_cache(16)
def _between(before: str, now: str) -> Revision:
    """What has changed between two texts."""
    return moves(split(before), split(now))
