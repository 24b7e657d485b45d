"""The results for closed files that import files that are open at a desk.

A desk keeps them and marks them stale; `callers` computes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from namecheck.files.disk import Stamp
from namecheck.findings import Analysis, Finding
from namecheck.lsp.answers import Called
from namecheck.lsp.closed_files.importers import Importers
from namecheck.lsp.revising import Revision, moves
from namecheck.lsp.texts import Sheet
from namecheck.running.moved_findings import after_edits
from namecheck.text.chunks import split
from namecheck.text.file_parts import Edited

__all__ = ["KnownCaller", "KnownCallers", "as_they_are"]


class KnownCaller(NamedTuple):
    """The findings of a caller in open files, and whether they are up to date."""

    called: Called
    stamp: Stamp | None
    depends: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    fresh: bool = True

    def after(
        self,
        edits: Mapping[str, Edited],
        shown: Callable[[str], str],
        sheets: Mapping[str, Sheet],
    ) -> KnownCaller:
        """The findings after edits of files that it imports; stale if they may be others."""
        called = self.called
        old = Analysis(called.findings, depends=self.depends, parts=self.parts)
        now = after_edits(old, edits, shown)
        if now is None:
            return self._replace(fresh=False)
        if now is old:
            return self
        texts = {
            path: sheets[path].text or "" if path in sheets else text
            for path, text in called.texts.items()
        }
        return self._replace(called=called._replace(findings=now.findings, texts=texts))


class KnownCallers:
    """The callers that were looked at, by path, and those still to look at."""

    def __init__(self) -> None:
        self.importers: Importers | None = None
        """The index of imports; None until the first question."""
        self.looked: dict[str, KnownCaller] = {}
        self.waiting: list[str] | None = None
        """The callers still to look at in this round; None: they were not searched for yet."""
        self.spent = 0.0
        """The seconds that this round has taken."""

    def forget(self) -> None:
        """Drop all: files have been added or removed, or settings have changed."""
        self.importers = None
        self.looked.clear()

    def expire(
        self,
        edits: Mapping[str, Edited] | None,
        shown: Callable[[str], str],
        sheets: Mapping[str, Sheet],
    ) -> None:
        """Mark callers stale that depend on what was edited (None: anything may have been).

        `edits` are by real path, `shown` is the path of a file in reports, `sheets` are the open
        files as they are now.
        """
        for path, looked in self.looked.items():
            if edits is None or not looked.fresh:
                self.looked[path] = looked._replace(fresh=False)
            else:
                self.looked[path] = looked.after(edits, shown, sheets)

    def begin(self) -> None:
        """Begin a round: look at all callers again that are not up to date."""
        self.waiting = None
        self.spent = 0.0


def as_they_are(called: Called, sheets: Mapping[str, Sheet]) -> Analysis:
    """The findings of a caller in open files, in their texts as they are now.

    Until the caller is looked at again, findings outside the edited chunks are moved to their new
    places, and those in the edited chunks are dropped.
    """
    findings: list[Finding] = []
    for finding in called.findings:
        sheet = sheets.get(finding.path)
        before = called.texts[finding.path]
        if sheet is None or sheet.text is None:
            continue
        if sheet.text == before:
            findings.append(finding)
            continue
        moved = _between(before, sheet.text).taken_over(finding)
        if moved is not None:
            findings.append(moved)
    return Analysis(tuple(findings))


@lru_cache(16)
def _between(before: str, now: str) -> Revision:
    """The difference between two texts."""
    return moves(split(before), split(now))
