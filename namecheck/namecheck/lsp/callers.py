"""What is wrong in open files as files call them that are not open, which `check` of all finds.

A function may be wrong as a caller calls it. The files that import what is open are looked for
(`importers`) and analysed, one after the other, in a process of their own (`pool`); what is found
in open files goes to the worker that tells of them. Both how many they are and how long that takes
is bounded: an editor says what it can know at once, and `check` says all.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from functools import lru_cache
from time import thread_time
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.analysis.chunks import split
from namecheck.analysis.imports import Unwanted
from namecheck.checking import UNREAD, examine
from namecheck.documents import read_document
from namecheck.findings import Analysis, Finding
from namecheck.lsp.importers import Importers
from namecheck.lsp.questions import Called
from namecheck.lsp.revising import Revision, moves
from namecheck.usage import Trouble

if TYPE_CHECKING:
    from namecheck.lsp.desk import Desk
    from namecheck.lsp.texts import Sheet

__all__ = ["Callers", "as_they_are"]

SECONDS: Final = 20.0
"""How long the callers of what is open may take together, each time that something has changed."""

EACH: Final = 5.0
"""How long one of them may take."""


class _Looked(NamedTuple):
    """What the analysis of a caller found in open files, and whether it is true of them now."""

    called: Called
    stamp: tuple[int, int]
    depends: frozenset[str]
    fresh: bool = True


class Callers:
    """The files that import what is open at a desk, and are not open themselves."""

    def __init__(self) -> None:
        self._importers: Importers | None = None
        self._looked: dict[str, _Looked] = {}
        self._waiting: list[str] | None = None
        self._spent = 0.0

    def forget(self) -> None:
        """Files have come or gone, or settings have changed."""
        self._importers = None
        self._looked.clear()

    def expire(self, changed: frozenset[str] | None) -> None:
        """These files have changed, by real path; None: any may have."""
        for path, looked in self._looked.items():
            if changed is None or not changed.isdisjoint(looked.depends):
                self._looked[path] = looked._replace(fresh=False)

    def begin(self) -> None:
        """Something may have changed: all of them are to be looked at again, as far as need be."""
        self._waiting = None
        self._spent = 0.0

    def look(self, desk: Desk, without: Collection[str]) -> tuple[tuple[Called, ...], bool]:
        """Looks at one more file, `without` those at which a process has ended.

        Gives what is known then, and whether that is all.  Raises `Unwanted`.
        """
        try:
            waiting = self._find(desk)
        except Trouble:  # settings that are not understood, which is told where they are read
            return (), True
        while waiting and self._spent < SECONDS:
            path = waiting[0]
            stamp = _stamp(path)
            looked = self._looked.get(path)
            is_known = looked is not None and looked.fresh and looked.stamp == stamp
            if not is_known and path not in without:
                desk.at(path)
                start = thread_time()
                try:
                    self._looked[path] = self._examined(desk, path, stamp)
                finally:
                    self._spent += thread_time() - start
                del waiting[0]
                break
            del waiting[0]
        found = tuple(one.called for one in self._looked.values() if one.called.findings)
        return found, not waiting or self._spent >= SECONDS

    def _find(self, desk: Desk) -> list[str]:
        """The files that are to be looked at still: first those in which something was found."""
        if self._waiting is not None:
            return self._waiting
        program = desk.program
        if self._importers is None:
            folders, configuration = desk.folders, desk.configuration
            self._importers = Importers(folders, configuration, lambda: desk.program.check_wanted())
        self._importers.refresh()
        unsaved = program.project.unsaved
        targets = [path for path in unsaved if path.endswith(".py")]
        found = [path for path in self._importers.of(targets, unsaved) if path not in unsaved]
        for path in self._looked.keys() - set(found):
            del self._looked[path]
        told = {path for path, looked in self._looked.items() if looked.called.findings}
        found.sort(key=lambda path: path not in told)
        self._waiting = found
        return found

    def _examined(self, desk: Desk, path: str, stamp: tuple[int, int]) -> _Looked:
        """What the analysis of a file finds in open ones; nothing if it takes too long."""
        program = desk.program
        unwanted, end = program.unwanted, thread_time() + EACH
        is_late = False

        def is_enough() -> bool:
            nonlocal is_late
            is_late = is_late or thread_time() > end
            return is_late or (unwanted is not None and unwanted())

        program.unwanted = is_enough
        try:
            analysis = examine(read_document(path), program)
        except Unwanted:
            if not is_late:
                raise
            analysis = Analysis()
        finally:
            program.unwanted = unwanted
        names = {name: real for real, name in program.project.names.items()}
        findings = tuple(
            _with_paths(finding)
            for finding in analysis.findings
            if finding.path in names and finding.code not in UNREAD
        )
        texts = {finding.path: desk.sheets[finding.path].text or "" for finding in findings}
        return _Looked(Called(path, findings, texts), stamp, frozenset(analysis.depends))


def _with_paths(finding: Finding) -> Finding:
    """A finding whose notes say their paths from the root on, as other processes need them."""
    notes = tuple(
        note if note.path is None else note._replace(path=os.path.abspath(note.path))
        for note in finding.notes
    )
    return finding._replace(notes=notes)


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


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
