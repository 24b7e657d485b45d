"""What is found in the files that are open, by the steps that `check` takes.

A desk keeps what it knows from one edit to the next: the modules that were imported, the lowered
chunks, what was found in each file. After an edit it is asked for the file that was edited, and for
those that import from it. It belongs to one thread of a worker process; texts come to it as they
are (`Sheet`), and so does what another desk found (`Looked`).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from time import thread_time
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from uuid import uuid4

from namecheck.analysis import Unwanted, Watch, open_program
from namecheck.applying.difference import edits_between
from namecheck.applying.rounds import fix
from namecheck.codes.coverage import COVERAGE
from namecheck.codes.troubles import UNREAD, UNUSED_IGNORE, internal_error
from namecheck.exit_codes import Trouble
from namecheck.files.documents import Document, read_document
from namecheck.files.project import Project
from namecheck.findings import Analysis, Applicability, Edit, Finding, Level, ShapeAt
from namecheck.fixes.code import Code
from namecheck.lsp.answers import Called, Looked
from namecheck.lsp.exclusion import is_kept_out
from namecheck.lsp.known_callers import KnownCallers, as_they_are
from namecheck.lsp.revising import revision
from namecheck.lsp.texts import Sheet
from namecheck.running import suppressions
from namecheck.running.baseline import Baselines
from namecheck.running.cache import Remembered
from namecheck.running.checking import Checked, conclude
from namecheck.running.examination import examine
from namecheck.settings.config import Configuration
from namecheck.source import Undecodable, encoding_of
from namecheck.text.chunks import split

__all__ = ["Desk", "Told"]

log = logging.getLogger(__name__)

WORTHWHILE: Final = 0.02
"""Seconds that the evaluation of a file has to take for less of it to be looked at first."""


class Told(NamedTuple):
    """What is told of the open files, by path; of a path there may be more than one finding.

    `refused` are settings that are not understood, or baselines, and why: what they decide is not
    told.
    """

    findings: Mapping[str, Sequence[Finding]]
    refused: Sequence[Trouble]


class Result(NamedTuple):
    """What was found in a sheet. `fresh`: what it rests on is as it was.

    `whole`: all of the file was evaluated, and not only what an edit concerns; `seconds` is how
    long that took the last time. `left_out`: its settings exclude it. `refused` are settings that
    are not understood.
    """

    sheet: Sheet
    document: Document
    remembered: Remembered
    fresh: bool
    whole: bool
    seconds: float
    left_out: bool = False
    refused: Trouble | None = None
    asked: Mapping[str, Any] = MappingProxyType({})
    """What else somebody wanted to know: it is kept as long as this is true."""


class Desk:
    """The open files and what is known of them.

    It looks at its `own` files; the others are looked at elsewhere. `unwanted` ends an analysis,
    with `Unwanted`, once it is true; `at` hears which file an analysis is of, when one begins.
    """

    def __init__(self, folders: Sequence[str], configuration: Configuration) -> None:
        """`folders` are the roots of what the editor works on."""
        self.folders = tuple(folders)
        self.sheets: Mapping[str, Sheet] = {}
        self.results: dict[str, Result] = {}
        self._looked: dict[str, Looked] = {}
        self.callers = KnownCallers()
        self.called: Sequence[Called] = ()
        """What is wrong in open files as others call them, which was found at another desk."""
        self.own: frozenset[str] | None = None
        self.configuration = configuration
        self._unwanted: Callable[[], bool] | None = None
        self.at: Callable[[str], None] = lambda path: None
        self._open_program()

    def _open_program(self) -> None:
        self.program = open_program(Project(self.folders), self.configuration.terms_of)
        self.program.unwanted = self._unwanted

    @property
    def unwanted(self) -> Callable[[], bool] | None:
        """Whether nobody waits any longer for what is being analysed; asked now and then."""
        return self._unwanted

    @unwanted.setter
    def unwanted(self, unwanted: Callable[[], bool] | None) -> None:
        self._unwanted = self.program.unwanted = unwanted

    def move(self, folders: Sequence[str]) -> None:
        """The editor works on other folders now."""
        self.folders = tuple(folders)
        self._begin_anew()

    def forget(self) -> None:
        """Files have come or gone: whatever was imported is looked for again."""
        self.program.forget()
        self.callers.forget()
        self._expire(None)

    def take(self, sheets: Mapping[str, Sheet], own: frozenset[str] | None = None) -> None:
        """These are open now; what has changed, here or on the disk, is not known any more.

        `own` are those that are looked at here; None: all of them.
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

    def stale(self) -> list[str]:
        """The own files that have to be looked at (again)."""
        return [path for path in self.sheets if self.is_own(path) and not self._is_fresh(path)]

    def is_own(self, path: str) -> bool:
        """Whether a file is looked at here."""
        return self.own is None or path in self.own

    def look(self, path: str) -> None:
        """Looks at an open file.  Raises `Unwanted`; whatever else goes wrong is a finding.

        After an edit in a file that takes its time only at what the edit concerns; then it has to
        be looked at again.
        """
        self.at(path)
        before = self.results.get(path)

        def look(document: Document) -> tuple[Analysis, bool, float]:
            analysis = None if before is None else self._revised(before, document)
            if before is not None and analysis is not None:
                return analysis, False, before.seconds
            start = thread_time()
            analysis = examine(document, self.program, statistics=self._has_notes(path))
            return analysis, True, thread_time() - start

        self.results[path] = self._result(self.sheets[path], look)

    def adopt(self, looked: Looked) -> None:
        """Takes over what another desk found in a file that is open."""
        sheet, analysis, whole, _ = looked
        if sheet.path in self.sheets:
            self.results[sheet.path] = self._result(sheet, lambda _: (analysis, whole, 0.0))

    def looked(self, path: str) -> Looked:
        """What was found in a file, for another desk."""
        result = self.results[path]
        before = self._looked.get(path)
        if before is None or before.analysis is not result.remembered.analysis:
            analysis = result.remembered.analysis
            before = Looked(result.sheet, analysis, result.whole, uuid4().hex)
            self._looked[path] = before
        return before

    def _result(
        self, sheet: Sheet, look: Callable[[Document], tuple[Analysis, bool, float]]
    ) -> Result:
        """What a look at a sheet comes to: what it found, whether that is all, and its seconds."""
        document = sheet.document()
        comments = suppressions.of_document(document)
        result = Result(sheet, document, Remembered(Analysis(), comments), True, True, 0.0)
        try:
            if self._is_left_out(sheet):
                return result._replace(left_out=True)
            analysis, whole, seconds = look(document)
        except Trouble as trouble:
            return result._replace(refused=trouble)
        except Unwanted:
            raise
        except Exception as failure:  # a bug of ours must not keep the server from serving
            log.exception("namecheck failed at %s", sheet.path)
            analysis, whole, seconds = Analysis((internal_error(sheet.path, failure),)), True, 0.0
        found = Remembered(analysis, comments)
        return result._replace(remembered=found, whole=whole, seconds=seconds)

    def _has_notes(self, path: str) -> bool:
        return any(self.configuration.of(path).selects(code) for code in COVERAGE)

    def _revised(self, before: Result, document: Document) -> Analysis | None:
        """What an edit makes of what was found before; None if the whole file is to be looked at.

        What is told is that of `examine`, but for what only the evaluation of the rest shows.
        """
        found = before.remembered.analysis
        if (
            not before.fresh
            or before.seconds < WORTHWHILE
            or before.refused is not None
            or before.left_out
            or before.document.notebook is not None
            or before.document.text == document.text
            or self._has_notes(document.path)
            or any(finding.code in UNREAD for finding in found.findings)
        ):
            return None
        here = document.path
        own = [finding for finding in found.findings if finding.path == here]
        changed = revision(split(before.document.text), split(document.text), own)
        if changed is None:
            return None
        new = examine(document, self.program, only=changed.lines)
        if any(finding.code in UNREAD for finding in new.findings):
            return new
        kept = [
            moved
            for finding in found.findings
            if (moved := changed.taken_over(finding) if finding.path == here else finding)
        ]
        depends = tuple(sorted({*found.depends, *new.depends}))
        return found._replace(findings=(*kept, *new.findings), depends=depends)

    def up_to_date(self, path: str) -> None:
        """Looks at an open file if that has to be."""
        while not self._is_fresh(path):
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
            result = self._keep(path, "shapes", analysis.shapes)
        found: Sequence[ShapeAt] = result.asked["shapes"]
        return found

    def _keep(self, path: str, name: str, found: object) -> Result:
        """Keeps an answer with the result that it belongs to."""
        result = self.results[path]
        kept = result._replace(asked={**result.asked, name: found})
        self.results[path] = kept
        return kept

    def known(self, path: str) -> Sequence[Finding]:
        """The tensors among the expressions of an open file, the smallest first.

        Each as a note in its place: the message are its dims, its notes say where they come from.
        One analysis finds all of them, and what is shown beside the lines with it.
        """
        result = self._at(path)
        if "known" not in result.asked:
            watch = Watch()
            analysis = examine(result.document, self.program, thorough=True, watch=watch)
            told = tuple(
                Finding(path, one.span, "", "", Level.NOTE, one.dims_text, notes=one.notes)
                for one in watch.found
            )
            self._keep(path, "shapes", analysis.shapes)
            result = self._keep(path, "known", result.document.restore(Analysis(told)).findings)
        found: Sequence[Finding] = result.asked["known"]
        return found

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
            result = self._keep(path, "fixes", told)
        found: Sequence[Finding] = result.asked["fixes"]
        return found

    def fixed(self, path: str, cell: int | None) -> tuple[Sequence[Edit], str]:
        """The edits of an open file, or a cell of it, that all safe fixes come to, as `check --fix`
        makes them: round after round, until nothing is left. If there are none, why.

        Of suppressions that silence nothing we are not sure enough: a file that is not open may
        call what stands there, and then they silence something.
        """
        told = self.fixes(path)
        if not any(_is_made(finding, cell) for finding in told):
            return (), ""
        old = self.results[path].document
        read = partial(read_document, is_cells_text=self.sheets[path].is_cells_text)
        source = old.source or _bytes_of(old.text)
        if read(path, source).text != old.text:
            return (), "the text is not in the encoding that it says it is in"

        def check(texts: Mapping[str, bytes]) -> Checked:
            document = read(path, texts[path])
            analysis = examine(document, self.program, fixes=True)
            raw = {path: Remembered(analysis, suppressions.of_document(document))}
            now, _ = self._conclude(raw, {path: document})
            return now.with_fixes(lambda finding: finding.fix if _is_made(finding, cell) else None)

        given = {path: source}
        fixed = fix(check(given), [path], False, check, given, read)
        made = fixed.files.get(path)
        if made is None:
            return (), "; ".join(fixed.refused) or "something else would be wrong then"
        return list(edits_between(Code(old.parts[cell]), Code(made.after.parts[cell]))), ""

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
        for called in self.called:
            if called.path not in self.real_paths:
                raw[called.path] = Remembered(self._called(called, is_told_of), ())
        checked, trouble = self._conclude(raw, {})
        if trouble is not None:
            refused[str(trouble)] = trouble
        findings: dict[str, list[Finding]] = {path: [] for path in self.results}
        for finding in checked.reported:
            path = finding.path if finding.path in self.results else os.path.abspath(finding.path)
            findings.setdefault(path, []).append(finding)
        return Told(findings, tuple(refused.values()))

    def _called(self, called: Called, is_told_of: Callable[[str], bool]) -> Analysis:
        """What a caller that is not open shows of those open files that are told of."""
        analysis = as_they_are(called, self.sheets)
        told = tuple(
            finding
            for finding in analysis.findings
            if finding.path in self.results
            and not self.results[finding.path].left_out
            and is_told_of(finding.path)
        )
        return analysis._replace(findings=told)

    @property
    def real_paths(self) -> Collection[str]:
        """The real paths of what is open."""
        return self.program.project.names

    def _conclude(
        self, raw: Mapping[str, Remembered], documents: Mapping[str, Document]
    ) -> tuple[Checked, Trouble | None]:
        """What is told of what was found, with `documents` in the place of some that are open; and
        why a baseline cannot be read, if it cannot.
        """

        def document(path: str) -> Document:
            return documents.get(path) or self._document(path)

        try:
            baselines = Baselines(self.configuration)
            return conclude(raw, self.configuration, document, baselines), None
        except Trouble as trouble:
            return conclude(raw, self.configuration, document), trouble

    def source(self, path: str, cell: int | None) -> str:
        """The text that places of a path, and a notebook's cell, count in."""
        return self._document(path).parts.get(cell, "")

    def _document(self, path: str) -> Document:
        result = self.results.get(path)
        return result.document if result is not None else read_document(path)

    def _is_left_out(self, sheet: Sheet) -> bool:
        """Whether settings exclude a file of the folders."""
        return any(is_kept_out(sheet.path, one, self.configuration) for one in self.folders)

    def _is_fresh(self, path: str) -> bool:
        result = self.results.get(path)
        if result is None or not result.fresh or not result.whole:
            return False
        return result.sheet.texts == self.sheets[path].texts

    def _begin_anew(self) -> None:
        self.configuration = self.configuration.anew()
        self._open_program()
        self.callers.forget()
        self._expire(None)

    def _expire(self, changed: frozenset[str] | None) -> None:
        """What rests on files that have changed is stale; None: all is."""
        self.callers.expire(changed)
        for path, result in self.results.items():
            if changed is None or not changed.isdisjoint(result.remembered.analysis.depends):
                self.results[path] = result._replace(fresh=False)


def _bytes_of(text: str) -> bytes:
    """A text as a file would hold it, in the encoding that it names itself."""
    plain = text.encode("utf-8", "surrogatepass")
    try:
        return text.encode(encoding_of(plain))
    except (UnicodeEncodeError, Undecodable):
        return plain


def _is_made(finding: Finding, cell: int | None) -> bool:
    """Whether a fix is among those that are made together."""
    return (
        finding.fix is not None
        and finding.fix.applicability is Applicability.SAFE
        and finding.cell == cell
        and finding.code != UNUSED_IGNORE
    )
