"""Mistakes in open files as closed files call them, which a `check` of all files finds.

A function may be wrong as one caller calls it. The files that import an open file are searched for
(`importers`) and analysed one by one, in a process of their own (`pool`). What that finds in open
files goes to the shared worker, which reports it. Both the number of files and the time are
bounded: an editor shows what can be known soon, and `check` reports all.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from time import thread_time
from typing import TYPE_CHECKING, Final

from namecheck.analysis import Unwanted
from namecheck.codes.troubles import UNREAD
from namecheck.exit_codes import Trouble
from namecheck.files.disk import Stamp, stamp_of
from namecheck.files.documents import read_document
from namecheck.findings import Analysis, Finding
from namecheck.lsp.answers import Called
from namecheck.lsp.closed_files.importers import Importers
from namecheck.lsp.closed_files.known_callers import KnownCaller
from namecheck.running.examination import examine

if TYPE_CHECKING:
    from namecheck.lsp.desk import Desk

__all__ = ["look_at_next", "with_paths"]

SECONDS: Final = 20.0
"""How long all callers of open files may take together after a change, in seconds."""

EACH: Final = 5.0
"""How long one caller may take, in seconds."""


def look_at_next(desk: Desk, without: Collection[str]) -> tuple[tuple[Called, ...], bool]:
    """Look at one more caller, but at none of those `without`, at which a process has ended.

    Returns what is known about all callers, and whether that is final. Raises `Unwanted`.
    """
    known = desk.callers
    try:
        waiting = _find(desk)
    except Trouble:  # settings that cannot be read, which is reported elsewhere
        return (), True
    while waiting and known.spent < SECONDS:
        path = waiting[0]
        stamp = stamp_of(path)
        looked = known.looked.get(path)
        is_known = looked is not None and looked.fresh and looked.stamp == stamp
        if not is_known and path not in without:
            desk.at(path)
            start = thread_time()
            try:
                known.looked[path] = _examined(desk, path, stamp)
            finally:
                known.spent += thread_time() - start
            del waiting[0]
            break
        del waiting[0]
    called = tuple(caller.called for caller in known.looked.values() if caller.called.findings)
    return called, not waiting or known.spent >= SECONDS


def _find(desk: Desk) -> list[str]:
    """The callers still to look at, those with earlier findings first."""
    known = desk.callers
    if known.waiting is not None:
        return known.waiting
    program = desk.program
    if known.importers is None:
        folders, configuration = desk.folders, desk.configuration
        known.importers = Importers(folders, configuration, lambda: desk.program.check_wanted())
    known.importers.refresh()
    unsaved = program.project.unsaved
    targets = [path for path in unsaved if path.endswith(".py")]
    callers = [path for path in known.importers.of(targets, unsaved) if path not in unsaved]
    for path in known.looked.keys() - set(callers):
        del known.looked[path]
    wrong = {path for path, looked in known.looked.items() if looked.called.findings}
    callers.sort(key=lambda path: path not in wrong)
    known.waiting = callers
    return callers


def _examined(desk: Desk, path: str, stamp: Stamp | None) -> KnownCaller:
    """The mistakes that the analysis of a file shows in open ones; none if it takes too long."""
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
        with_paths(finding)
        for finding in analysis.findings
        if finding.path in names and finding.code not in UNREAD
    )
    texts = {finding.path: desk.sheets[finding.path].text or "" for finding in findings}
    called = Called(path, findings, texts)
    return KnownCaller(called, stamp, analysis.depends, analysis.parts)


def with_paths(finding: Finding) -> Finding:
    """A finding with absolute paths in its notes, as other processes need them."""
    notes = tuple(
        note if note.path is None else note._replace(path=os.path.abspath(note.path))
        for note in finding.notes
    )
    return finding._replace(notes=notes)
