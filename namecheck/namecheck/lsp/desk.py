"""The findings in the open files, by the steps that `check` takes.

A desk keeps its results from one edit to the next: the imported modules, the lowered chunks, the
findings of each file. After an edit the server asks it for the edited file, and for the files that
import from it. It belongs to one thread of a worker process. Texts come to it as they are now
(`Sheet`), and so do the results of other desks (`Looked`).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from uuid import uuid4

from namecheck.analysis import Kept, Unwanted, Watch, open_program
from namecheck.applying.difference import edits_between
from namecheck.applying.rounds import fix
from namecheck.codes.coverage import COVERAGE
from namecheck.codes.troubles import UNUSED_IGNORE, internal_error
from namecheck.exit_codes import Trouble
from namecheck.files.documents import Document, read_document
from namecheck.files.environment import Environment
from namecheck.files.project import Project
from namecheck.findings import Analysis, Applicability, Edit, Finding, ShapeAt
from namecheck.fixes.code import Code
from namecheck.lsp.answers import Called, Looked
from namecheck.lsp.closed_files.exclusion import is_kept_out
from namecheck.lsp.closed_files.known_callers import KnownCallers, as_they_are
from namecheck.lsp.known_drives import DrivenResults, KnownDrives
from namecheck.lsp.revising import takes_little
from namecheck.lsp.shown_dims import ShownDims, after_edit
from namecheck.lsp.silent_edits import analysis_after, dims_after
from namecheck.lsp.texts import Sheet
from namecheck.running import suppressions
from namecheck.running.baseline import Baselines
from namecheck.running.cache import Remembered
from namecheck.running.checking import Checked, conclude
from namecheck.running.examination import examine, known_dims
from namecheck.running.moved_findings import after_edits
from namecheck.settings.config import Configuration, Misconfigured
from namecheck.source import Undecodable, encoding_of
from namecheck.text.chunks import split
from namecheck.text.file_parts import Edited

__all__ = ["Desk", "Reported", "bytes_of_text"]

log = logging.getLogger(__name__)


class Reported(NamedTuple):
    """The findings to report of the open files, by path.

    `refused` says which settings or baselines cannot be read, and why. Findings that depend on them
    are left out.
    """

    findings: Mapping[str, Sequence[Finding]]
    refused: Sequence[Trouble]


class Result(NamedTuple):
    """The result for a sheet. `fresh`: nothing that it depends on has changed.

    `whole`: all that an edit concerns was evaluated, not only what was edited. `left_out`: the
    settings exclude the file. `refused` says why the settings cannot be read.
    """

    sheet: Sheet
    document: Document
    remembered: Remembered
    fresh: bool
    whole: bool
    left_out: bool = False
    refused: Trouble | None = None
    has_fixes: bool = False
    """Whether the findings have their fixes; they get them once something asks for them."""
    kept: Kept | None = None
    """What the last evaluation of the file has left for the next one."""


class Desk:
    """The open files and their results.

    It looks at its `own` files; other desks look at the rest. An analysis ends with `Unwanted` once
    `unwanted` answers True; `at` is called with the path of each file when its analysis begins.
    """

    def __init__(self, folders: Sequence[str], configuration: Configuration) -> None:
        """`folders` are the folders that the editor has open."""
        self.folders = tuple(folders)
        self.sheets: Mapping[str, Sheet] = {}
        self.results: dict[str, Result] = {}
        self._looked: dict[str, Looked] = {}
        self._shown: dict[str, ShownDims] = {}
        """The dims that the editor has asked for, by the path of the file."""
        self.readable: dict[str, ShownDims] = {}
        """Those of the last text that was Python, for completions."""
        self.callers = KnownCallers()
        self.called: Sequence[Called] = ()
        """Mistakes in open files as other files call them, found at another desk."""
        self.drives = KnownDrives()
        self.driven = DrivenResults()
        """What drives at another desk have shown."""
        self.own: frozenset[str] | None = None
        self.configuration = configuration
        self._unwanted: Callable[[], bool] | None = None
        self.at: Callable[[str], None] = lambda path: None
        self.tell: Callable[[object], None] = lambda partial: None
        """Called with a part of the answer to the current question, before there is all of it."""
        self._open_program()

    def _environment(self) -> Environment | None:
        """The environment whose packages are followed; None while the settings are wrong."""
        try:
            folder = self.folders[0] if self.folders else os.getcwd()
            return self.configuration.environment_of(os.path.abspath(folder))
        except Misconfigured:
            return None  # the settings file has a finding of its own

    def _open_program(self) -> None:
        project = Project(self.folders, environment=self._environment())
        self.program = open_program(project, self.configuration.terms_of)
        self.program.drives = False  # they take long: `driving` does them in the background
        self.program.unwanted = self._unwanted

    @property
    def unwanted(self) -> Callable[[], bool] | None:
        """Whether the editor no longer waits for the current analysis; asked now and then."""
        return self._unwanted

    @unwanted.setter
    def unwanted(self, unwanted: Callable[[], bool] | None) -> None:
        self._unwanted = self.program.unwanted = unwanted

    def move(self, folders: Sequence[str]) -> None:
        """Take other folders: the editor has them open now."""
        self.folders = tuple(folders)
        self._begin_anew()

    def forget(self) -> None:
        """Look all imports up again, since files have been added or removed."""
        self.program.forget()
        self.callers.forget()
        self.drives.forget()
        self._expire(None)

    def take(self, sheets: Mapping[str, Sheet], own: frozenset[str] | None = None) -> None:
        """Take the files that are open now, and expire results that changes have made stale.

        `own` are the paths that this desk looks at; None: all of them.
        """
        self.sheets, self.own = sheets, own
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
            self._looked.pop(path, None)
        for dims in (self._shown, self.readable):
            for path in dims.keys() - sheets.keys():
                del dims[path]

    def stale(self) -> list[str]:
        """Those of the desk's own files that have no result, or a stale one."""
        return [path for path in self.sheets if self.is_own(path) and not self._is_fresh(path)]

    def is_driven(self, path: str) -> bool:
        """Whether the entry points of an open file are followed. Raises `Misconfigured`."""
        sheet = self.sheets[path]
        return self.configuration.of(path).settings.drive and not self._is_left_out(sheet)

    def is_own(self, path: str) -> bool:
        """Whether this desk looks at a file."""
        return self.own is None or path in self.own

    def look(self, path: str) -> None:
        """Look at an open file. Raises `Unwanted`; any other failure becomes a finding.

        After an edit in a slow file, the desk looks only at the edited definitions if the edit
        concerns many others, and the file stays stale. An edit that says nothing to the checker
        leaves nothing to look at.
        """
        self.at(path)
        before = self.results.get(path)
        kept = (before.kept if before is not None and before.fresh else None) or Kept()

        def look(document: Document) -> tuple[Analysis, bool]:
            analysis = None if before is None else _unmoved(before, document)
            if analysis is not None:
                return analysis, True
            if self.has_notes(path):
                kept.last = None
                return examine(document, self.program, statistics=True), True
            is_edited = before is not None and before.document.text != document.text
            kept.is_hasty = is_edited and not takes_little(kept, split(document.text))
            return examine(document, self.program, kept=kept), not kept.is_hasty

        self.results[path] = self._result(self.sheets[path], look)._replace(kept=kept)

    def adopt(self, looked: Looked) -> None:
        """Take over the result of another desk for an open file."""
        sheet, analysis, whole, _ = looked
        if sheet.path in self.sheets:
            self.results[sheet.path] = self._result(sheet, lambda _: (analysis, whole))

    def looked(self, path: str) -> Looked:
        """The result for a file, as another desk takes it over."""
        result = self.results[path]
        before = self._looked.get(path)
        if before is None or before.analysis is not result.remembered.analysis:
            analysis = result.remembered.analysis
            before = Looked(result.sheet, analysis, result.whole, uuid4().hex)
            self._looked[path] = before
        return before

    def _result(self, sheet: Sheet, look: Callable[[Document], tuple[Analysis, bool]]) -> Result:
        """The result for a sheet. `look` gives its analysis, and whether that is whole."""
        document = sheet.document()
        comments = suppressions.of_document(document)
        result = Result(sheet, document, Remembered(Analysis(), comments), True, True)
        try:
            if self._is_left_out(sheet):
                return result._replace(left_out=True)
            analysis, whole = look(document)
        except Trouble as trouble:
            return result._replace(refused=trouble)
        except Unwanted:
            raise
        except Exception as failure:  # a bug of ours must not keep the server from serving
            log.exception("namecheck failed at %s", sheet.path)
            analysis, whole = Analysis((internal_error(sheet.path, failure),)), True
        remembered = Remembered(analysis, comments)
        return result._replace(remembered=remembered, whole=whole)

    def has_notes(self, path: str) -> bool:
        """Whether notes on what is not understood are wanted of a file."""
        return any(self.configuration.of(path).selects(code) for code in COVERAGE)

    def look_once(self, path: str) -> None:
        """Look at an open file unless it has findings: its own, or those of the edited part."""
        if not self._is_looked_at(path):
            self.look(path)

    def up_to_date(self, path: str) -> None:
        """Look at an open file unless its result is fresh."""
        while not self._is_fresh(path):
            self.look(path)

    def _at(self, path: str) -> Result:
        """The result for an open file as it is now."""
        self.up_to_date(path)
        return self.results[path]

    def shapes(self, path: str) -> Sequence[ShapeAt]:
        """The dims that `namecheck show` prints beside the lines of an open file."""
        return self.shown(path).shapes

    def known(self, path: str) -> Sequence[Finding]:
        """The expressions of an open file that are tensors, the smallest first.

        Each is a note as `known_dims` makes it.
        """
        return self._dims(path, is_pointed_at=True).known or ()

    def _dims(self, path: str, is_pointed_at: bool) -> ShownDims:
        """The dims to show of an open file as it is now; those of its expressions if the user
        points at one.
        """
        document = self.document(path)
        before = self._shown.get(path)
        if before is not None and is_pointed_at and before.known is None:
            before = None
        if before is not None and before.text == document.text:
            return before
        self.at(path)
        shown = None
        is_pointed_at = is_pointed_at or (before is not None and before.known is not None)
        evaluate = partial(self.evaluated_dims, document, is_pointed_at)
        if before is not None and document.notebook is None and document.examples is None:
            shown = dims_after(before, document) or after_edit(before, document.text, evaluate)
        shown = self._shown[path] = shown or evaluate(None)
        if document.is_python:
            self.readable[path] = shown
        return shown

    def evaluated_dims(
        self, document: Document, is_pointed_at: bool, only: Collection[int] | None
    ) -> ShownDims:
        """The dims of the definitions in some chunks (None: all) and of the statements."""
        watch = Watch() if is_pointed_at else None
        analysis = examine(document, self.program, thorough=True, watch=watch, only=only)
        known = None if watch is None else known_dims(document, watch)
        return ShownDims(document.text, analysis.shapes, known, only is None)

    def settle(self, path: str) -> bool:
        """Evaluate the whole file if the dims that the editor shows are those of edited parts and
        older ones. Returns whether the dims beside lines are others now.
        """
        before, document = self._shown.get(path), self.document(path)
        if before is None or before.is_whole or before.text != document.text:
            return False
        shown = self._shown[path] = self.evaluated_dims(document, before.known is not None, None)
        return set(shown.shapes) != set(before.shapes)

    def shown(self, path: str) -> ShownDims:
        """The dims to show beside the lines of an open file."""
        return self._dims(path, is_pointed_at=False)

    def document(self, path: str) -> Document:
        """An open file as it is now."""
        result, sheet = self.results.get(path), self.sheets[path]
        if result is not None and result.sheet.texts == sheet.texts:
            return result.document
        return sheet.document()

    def fixes(self, path: str) -> Sequence[Finding]:
        """The findings to report of an open file, each with its fix if it has one."""
        result = self._at(path)
        if result.refused is not None or result.left_out:
            return ()
        if not result.has_fixes:
            analysis = examine(result.document, self.program, fixes=True, kept=result.kept)
            remembered = result.remembered._replace(analysis=analysis)
            self.results[path] = result = result._replace(remembered=remembered, has_fixes=True)
        fixes = {_place(f): f.fix for f in result.remembered.analysis.findings}
        return [
            finding if finding.fix else finding._replace(fix=fixes.get(_place(finding)))
            for finding in self.reported().findings[path]
        ]

    def fixed(self, path: str, cell: int | None) -> tuple[Sequence[Edit], str]:
        """The edits of all safe fixes of an open file, or of a cell of it, made as `check --fix`
        makes them: round after round, until none is left. If there are none, the reason.

        Unused suppressions are left alone: a file that is not open may call the code there, and
        then they silence something.
        """
        if not any(_is_made(finding, cell) for finding in self.fixes(path)):
            return (), ""
        old = self.results[path].document
        read = partial(read_document, is_cells_text=self.sheets[path].is_cells_text)
        source = old.source or bytes_of_text(old.text)
        if read(path, source).text != old.text:
            return (), "the text is not in the encoding that it declares"

        def check(texts: Mapping[str, bytes]) -> Checked:
            document = read(path, texts[path])
            analysis = examine(document, self.program, fixes=True)
            raw = {path: Remembered(analysis, suppressions.of_document(document))}
            now, _ = self._conclude(raw, {path: document})
            return now.with_fixes(lambda finding: finding.fix if _is_made(finding, cell) else None)

        given = {path: source}
        fixed = fix(check(given), [path], False, check, given, read)
        rewritten = fixed.files.get(path)
        if rewritten is None:
            return (), "; ".join(fixed.refused) or "other findings would appear"
        before, after = Code(old.parts[cell]), Code(rewritten.after.parts[cell])
        return list(edits_between(before, after)), ""

    def reported(self) -> Reported:
        """The findings to report now; of a stale result, those in its own file."""
        refused: dict[str, Trouble] = {}

        def is_reported(path: str) -> bool:
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
            elif not result.left_out and is_reported(path):
                fresh = self._is_fresh(path)
                driven = self.driven.of(path) if fresh else None
                analysis, comments = driven or result.remembered
                findings = tuple(
                    finding
                    for finding in analysis.findings
                    if finding.path == path or (fresh and is_reported(finding.path))
                )
                raw[path] = Remembered(analysis._replace(findings=findings), comments)
        for driver, shown in self.driven.drivers(self.sheets):
            _add(raw, driver, self._of_open_files(shown, is_reported, True))
        for called in self.called:
            if called.path not in self.real_paths:
                shown = Remembered(as_they_are(called, self.sheets))
                _add(raw, called.path, self._of_open_files(shown, is_reported, False))
        checked, trouble = self._conclude(raw, {})
        if trouble is not None:
            refused[str(trouble)] = trouble
        by_path: dict[str, list[Finding]] = {path: [] for path in self.results}
        for finding in checked.reported:
            path = finding.path if finding.path in self.results else os.path.abspath(finding.path)
            by_path.setdefault(path, []).append(finding)
        return Reported(by_path, tuple(refused.values()))

    def _of_open_files(
        self, shown: Remembered, is_reported: Callable[[str], bool], and_others: bool
    ) -> Remembered:
        """What another file has shown in open ones, `and_others`: and what it drives them with."""
        analysis = shown.analysis
        findings = tuple(
            finding
            for finding in analysis.findings
            if (
                not self.results[finding.path].left_out
                if finding.path in self.results
                else and_others
            )
            and is_reported(finding.path)
        )
        return shown._replace(analysis=analysis._replace(findings=findings))

    @property
    def real_paths(self) -> Collection[str]:
        """The real paths of the open files."""
        return self.program.project.names

    def _conclude(
        self, raw: Mapping[str, Remembered], documents: Mapping[str, Document]
    ) -> tuple[Checked, Trouble | None]:
        """The findings to report of some results, and the trouble with a baseline if it cannot be
        read. `documents` replace open ones, by path.
        """

        def document(path: str) -> Document:
            return documents.get(path) or self._document(path)

        try:
            baselines = Baselines(self.configuration)
            drivers = self.driven.incomplete
            return conclude(raw, self.configuration, document, baselines, drivers=drivers), None
        except Trouble as trouble:
            return conclude(raw, self.configuration, document), trouble

    def source(self, path: str, cell: int | None) -> str:
        """The text that the places of a path, and of a notebook's cell, refer to."""
        return self._document(path).parts.get(cell, "")

    def _document(self, path: str) -> Document:
        result = self.results.get(path)
        return result.document if result is not None else read_document(path)

    def _is_left_out(self, sheet: Sheet) -> bool:
        """Whether the settings exclude a file."""
        return any(is_kept_out(sheet.path, f, self.configuration) for f in self.folders)

    def _is_looked_at(self, path: str) -> bool:
        """Whether a file has a result that holds, of the whole file or of the edited part."""
        result = self.results.get(path)
        if result is None or not result.fresh:
            return False
        return result.sheet.texts == self.sheets[path].texts

    def _is_fresh(self, path: str) -> bool:
        return self._is_looked_at(path) and self.results[path].whole

    def _begin_anew(self) -> None:
        self.configuration = self.configuration.anew()
        self._open_program()
        self.callers.forget()
        self.drives.forget()
        self._expire(None)

    def _expire(self, edits: Mapping[str, Edited] | None) -> None:
        """Mark results stale that depend on what was edited; None: all results.

        `edits` are those of other files, by real path. The results that hold cite lines of now.
        """
        shown = self.program.project.shown
        for kept in (self.callers, self.drives, self.driven):
            kept.expire(edits, shown, self.sheets)
        if edits is None:
            self._shown.clear()
        for path in self._shown.keys() - self.results.keys():
            del self._shown[path]  # nothing says what they depend on
        for path, result in self.results.items():
            if result.kept is not None and (edits is None or result.kept.rests_on(edits)):
                result.kept.last = None
            old = result.remembered.analysis
            now = None if edits is None else after_edits(old, edits, shown)
            if now is None:
                self.results[path] = result._replace(fresh=False)
                self._shown.pop(path, None)
            elif now is not old:
                remembered = result.remembered._replace(analysis=now)
                self.results[path] = result._replace(remembered=remembered, has_fixes=False)
                self._shown.pop(path, None)


def _unmoved(before: Result, document: Document) -> Analysis | None:
    """The result for a document from that for its text before, if an edit has left it as it was."""
    if not (before.fresh and before.whole) or before.left_out or before.refused is not None:
        return None
    if before.document.text == document.text:
        return None
    return analysis_after(before.remembered.analysis, before.document, document)


def _add(raw: dict[str, Remembered], path: str, shown: Remembered) -> None:
    """Add what a file has shown to the results, where it may have one already."""
    before = raw.get(path)
    if before is None:
        raw[path] = shown
    else:
        findings = (*before.analysis.findings, *shown.analysis.findings)
        raw[path] = before._replace(analysis=before.analysis._replace(findings=findings))


def _place(finding: Finding) -> tuple[object, ...]:
    return finding.path, finding.cell, finding.span, finding.code


def bytes_of_text(text: str) -> bytes:
    """The bytes of a text, in the encoding that it declares."""
    plain = text.encode("utf-8", "surrogatepass")
    try:
        return text.encode(encoding_of(plain))
    except (UnicodeEncodeError, Undecodable):
        return plain


def _is_made(finding: Finding, cell: int | None) -> bool:
    """Whether `fixed` applies the fix of a finding."""
    return (
        finding.fix is not None
        and finding.fix.applicability is Applicability.SAFE
        and finding.cell == cell
        and finding.code != UNUSED_IGNORE
    )
