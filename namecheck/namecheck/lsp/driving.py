"""Drives of open files: their own entry points, and the tests, READMEs and pages that import them.

`check FILE` follows the same programs. They are driven one by one, in the background process.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from time import thread_time
from typing import TYPE_CHECKING, Final

from namecheck.analysis import Unwanted
from namecheck.exit_codes import Trouble
from namecheck.files.disk import stamp_of
from namecheck.files.documents import Document, read_document
from namecheck.findings import Analysis
from namecheck.lsp.answers import Driven, DrivesFound
from namecheck.lsp.closed_files.callers import with_paths
from namecheck.lsp.known_drives import DrivenProgram
from namecheck.running import suppressions
from namecheck.running.drivers import drivers_of
from namecheck.running.examination import examine

if TYPE_CHECKING:
    from namecheck.lsp.desk import Desk

__all__ = ["drive_next"]

SECONDS: Final = 60.0
"""How long all drives may take together after a change, in seconds of work."""

EACH: Final = 20.0
"""How long the drives of one program may take, in seconds of work."""


def drive_next(desk: Desk, without: Collection[str]) -> DrivesFound:
    """Drive one more program, but none of those `without`, at which a process has ended.

    Returns what is known about all programs. Raises `Unwanted`.
    """
    known = desk.drives
    try:
        if known.waiting is None:
            known.waiting = _programs(desk)
            for gone in known.looked.keys() - set(known.waiting):
                del known.looked[gone]
    except Trouble:  # settings that cannot be read, which is reported elsewhere
        return DrivesFound((), 0)
    waiting = known.waiting
    while waiting and known.spent < SECONDS:
        path = waiting[0]
        before = known.looked.get(path)
        stamp = None if path in desk.sheets else stamp_of(path)
        is_known = before is not None and before.fresh and before.stamp == stamp
        if not is_known and path not in without:
            desk.at(path)
            start = thread_time()
            try:
                known.looked[path] = DrivenProgram(_driven(desk, path), stamp)
            except Trouble:  # its settings cannot be read
                known.looked.pop(path, None)
            finally:
                known.spent += thread_time() - start
            del waiting[0]
            break
        del waiting[0]
    left = len(waiting) if known.spent < SECONDS else 0
    return DrivesFound(tuple(one.driven for one in known.looked.values()), left)


def _programs(desk: Desk) -> list[str]:
    """The open files, the one edited last first, and then the programs that import them."""
    configuration = desk.configuration
    own = [path for path in desk.sheets if desk.is_driven(path)]
    files = [os.path.realpath(path) for path in own if desk.sheets[path].is_file]
    known = desk.drives.drivers
    if known is None or known[0] != frozenset(files):
        names = tuple(map(os.path.abspath, drivers_of(files, configuration)))
        known = desk.drives.drivers = frozenset(files), names
    real = desk.real_paths
    return [*own, *(path for path in known[1] if os.path.realpath(path) not in real)]


def _driven(desk: Desk, path: str) -> Driven:
    """What the drives of a program show; nothing if they take too long."""
    sheet = desk.sheets.get(path)
    document = read_document(path) if sheet is None else sheet.document()
    analysis = _analysis(desk, document)
    findings = tuple(map(with_paths, analysis.findings))
    texts = {
        finding.path: desk.sheets[finding.path].text or ""
        for finding in findings
        if finding.path in desk.sheets
    }
    analysis = analysis._replace(findings=findings, shapes=())
    own = None if sheet is None else sheet.texts
    return Driven(path, analysis, suppressions.of_document(document), texts, own)


def _analysis(desk: Desk, document: Document) -> Analysis:
    program = desk.program
    unwanted, end = program.unwanted, thread_time() + EACH
    is_late = False

    def is_enough() -> bool:
        nonlocal is_late
        is_late = is_late or thread_time() > end
        return is_late or (unwanted is not None and unwanted())

    program.unwanted, program.drives = is_enough, True
    try:
        return examine(document, program, statistics=desk.has_notes(document.path))
    except Unwanted:
        if not is_late:
            raise
        return Analysis()
    finally:
        program.unwanted, program.drives = unwanted, False
