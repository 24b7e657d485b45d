"""What is found in the files that are open, by the steps that `check` takes.

A desk keeps what it knows from one edit to the next: the modules that were imported, the lowered
chunks, what was found in each file. After an edit it is asked for the file that was edited, and for
those that import from it. It belongs to one thread; texts come to it as they are (`Sheet`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from namecheck import suppressions
from namecheck.analysis import open_program
from namecheck.analysis.watched import Watch
from namecheck.baseline import Baselines
from namecheck.cache import Remembered
from namecheck.checking import Checked, conclude, examine
from namecheck.config import Configuration
from namecheck.consulted import is_inside
from namecheck.coverage import COVERAGE
from namecheck.discovery import is_excluded
from namecheck.documents import Document, read_document
from namecheck.findings import Analysis, Finding, Level, ShapeAt
from namecheck.lsp.texts import Sheet
from namecheck.usage import Trouble

__all__ = ["Desk", "Told"]


class Told(NamedTuple):
    """What is told of the open files, by path; of a path there may be more than one finding.

    `refused` are settings that are not understood, or baselines, and why: what they decide is not
    told.
    """

    findings: Mapping[str, Sequence[Finding]]
    refused: Sequence[Trouble]


class Result(NamedTuple):
    """What was found in a sheet. `fresh`: what it rests on is as it was.

    `left_out`: its settings exclude it. `refused` are settings that are not understood.
    """

    sheet: Sheet
    document: Document
    remembered: Remembered
    fresh: bool
    left_out: bool
    refused: Trouble | None
    asked: dict[str, Any]
    """What else somebody wanted to know: it is kept as long as this is true."""


class Desk:
    """The open files and what is known of them.  `wanted` ends an analysis with `Unwanted`."""

    def __init__(self, folders: Sequence[str], configuration: Configuration) -> None:
        """`folders` are the roots of what the editor works on."""
        self.folders = tuple(folders)
        self.sheets: Mapping[str, Sheet] = {}
        self.results: dict[str, Result] = {}
        self.configuration = configuration
        self._open_program()

    def _open_program(self) -> None:
        self.program = open_program(self.folders, {}, self.configuration.terms_of)

    def move(self, folders: Sequence[str]) -> None:
        """The editor works on other folders now."""
        self.folders = tuple(folders)
        self._begin_anew()

    def forget(self) -> None:
        """Files have come or gone: whatever was imported is looked for again."""
        self.program.forget()
        self._expire(None)

    def take(self, sheets: Mapping[str, Sheet]) -> None:
        """These are open now; what has changed, here or on the disk, is not known any more."""
        self.sheets = sheets
        if not self.configuration.is_current():
            self._begin_anew()
        project = self.program.project
        project.names = {os.path.realpath(path): path for path in sheets}
        project.unsaved = {
            real: text
            for real, path in project.names.items()
            if sheets[path].is_file and (text := sheets[path].text) is not None
        }
        self._expire(self.program.refresh())
        for path in self.results.keys() - sheets.keys():
            del self.results[path]

    def stale(self) -> list[str]:
        """The open files that have to be looked at (again)."""
        return [path for path in self.sheets if not self._is_fresh(path)]

    def look(self, path: str) -> None:
        """Looks at an open file.  Raises `Unwanted`; whatever else goes wrong is a finding."""
        sheet = self.sheets[path]
        document = sheet.document()
        refused: Trouble | None = None
        analysis = Analysis()
        left_out = False
        try:
            left_out = self._is_left_out(sheet)
            if not left_out:
                notes = any(self.configuration.of(path).selects(code) for code in COVERAGE)
                analysis = examine(document, self.program, statistics=notes)
        except Trouble as trouble:
            refused = trouble
        comments = suppressions.of_document(document)
        found = Remembered(analysis, comments)
        self.results[path] = Result(sheet, document, found, True, left_out, refused, {})

    def up_to_date(self, path: str) -> None:
        """Looks at an open file if that has to be."""
        if not self._is_fresh(path):
            self.look(path)

    def _at(self, path: str) -> Result:
        """What was found in an open file as it is now."""
        self.up_to_date(path)
        return self.results[path]

    def shapes(self, path: str) -> Sequence[ShapeAt]:
        """What `namecheck show` prints beside the lines of an open file."""
        result = self._at(path)
        if "shapes" not in result.asked:
            analysis = examine(result.document, self.program, thorough=True)
            result.asked["shapes"] = analysis.shapes
        found: Sequence[ShapeAt] = result.asked["shapes"]
        return found

    def known(self, path: str, cell: int | None, line: int) -> Sequence[Finding]:
        """The tensors among the expressions of the statement on a line, the smallest first.

        Each as a note in its place: the message are its dims, its notes say where they come from.
        """
        document = self._at(path).document
        watch = Watch(document.line(cell, line))
        examine(document, self.program, thorough=True, watch=watch)
        told = tuple(
            Finding(path, one.span, "", "", Level.NOTE, one.dims_text, notes=one.notes)
            for one in watch.found
        )
        return document.restore(Analysis(told)).findings

    def fixes(self, path: str) -> Sequence[Finding]:
        """What is told of an open file, with a fix wherever there is one."""
        result = self._at(path)
        if result.refused is not None or result.left_out:
            return ()
        if "fixes" not in result.asked:
            analysis = examine(result.document, self.program, fixes=True)
            plain = result.remembered
            self.results[path] = result._replace(remembered=Remembered(analysis, plain.directives))
            told = self.told().findings[path]
            self.results[path] = result
            result.asked["fixes"] = told
        found: Sequence[Finding] = result.asked["fixes"]
        return found

    def told(self) -> Told:
        """What is told now. Of what is stale that in the file itself, as it was."""
        refused: dict[str, Trouble] = {}

        def is_told_of(path: str) -> bool:
            try:
                self.configuration.of(path)
            except Trouble as trouble:
                refused[str(trouble)] = trouble
                return False
            return True

        raw: dict[str, Remembered] = {}
        for path, result in self.results.items():
            if result.refused is not None:
                refused[str(result.refused)] = result.refused
            elif not result.left_out and is_told_of(path):
                fresh = self._is_fresh(path)
                analysis, comments = result.remembered
                told = tuple(
                    finding
                    for finding in analysis.findings
                    if finding.path == path or (fresh and is_told_of(finding.path))
                )
                raw[path] = Remembered(analysis._replace(findings=told), comments)
        try:
            checked = self._conclude(raw, Baselines(self.configuration))
        except Trouble as trouble:  # a baseline that cannot be read
            refused[str(trouble)] = trouble
            checked = self._conclude(raw, None)
        findings: dict[str, list[Finding]] = {path: [] for path in self.results}
        for finding in checked.findings:
            path = finding.path if finding.path in self.results else os.path.abspath(finding.path)
            findings.setdefault(path, []).append(finding)
        return Told(findings, tuple(refused.values()))

    def _conclude(self, raw: Mapping[str, Remembered], baselines: Baselines | None) -> Checked:
        return conclude(raw, self.configuration, self._document, baselines)

    def source(self, path: str, cell: int | None) -> str:
        """The text that places of a path, and a notebook's cell, count in."""
        return self._document(path).parts.get(cell, "")

    def _document(self, path: str) -> Document:
        result = self.results.get(path)
        return result.document if result is not None else read_document(path)

    def _is_left_out(self, sheet: Sheet) -> bool:
        """Whether settings exclude a file of the folders."""
        inside = any(is_inside(sheet.path, folder) for folder in self.folders)
        return inside and is_excluded(sheet.path, self.configuration)

    def _is_fresh(self, path: str) -> bool:
        result = self.results.get(path)
        return result is not None and result.fresh and result.sheet.texts == self.sheets[path].texts

    def _begin_anew(self) -> None:
        self.configuration = self.configuration.anew()
        self._open_program()
        self._expire(None)

    def _expire(self, changed: frozenset[str] | None) -> None:
        """What rests on files that have changed is stale; None: all is."""
        for path, result in self.results.items():
            if changed is None or not changed.isdisjoint(result.remembered.analysis.depends):
                self.results[path] = result._replace(fresh=False)
