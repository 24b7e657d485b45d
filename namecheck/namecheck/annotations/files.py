"""Annotating the files of a run: each until nothing more can be written, then all of them together.

Annotations of one file may give another one more dims: files that import an edited file are
annotated again. At the end the whole run is checked with the new texts. A file with new findings is
done again with a test for findings, and taken back if that does not help. No file is written here.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.annotations.annotation_proof import Trial, counting
from namecheck.annotations.examining import examining
from namecheck.annotations.search import accepted
from namecheck.annotations.styles import STYLES, Style
from namecheck.applying.rounds import Rewritten
from namecheck.applying.undone import in_cells, listed, too_new
from namecheck.applying.writing import Unwritable, encoded
from namecheck.files.documents import Document, read_document
from namecheck.findings import Finding, Level
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change, applied
from namecheck.printing.counts import counted
from namecheck.text.layout import split_lines

if TYPE_CHECKING:
    from namecheck.analysis import Program
    from namecheck.applying.rounds import Check
    from namecheck.running.cache import Task
    from namecheck.running.checking import Checked
    from namecheck.running.workers import Worker

__all__ = ["Annotated", "Edited", "annotate", "edit", "edit_open"]

MOST_ROUNDS: Final = 8


class Annotated(NamedTuple):
    """The files with new texts, and the number of annotations. `refused` are errors that kept some
    from being written, `undone` sentences on what else was not written, and why.
    """

    files: Mapping[str, Rewritten]
    written: int
    refused: Sequence[str]
    undone: Sequence[str] = ()


class Edited(NamedTuple):
    """The result for a file: its new bytes (`source`) and those `before`, the number of annotations
    `written`, and the real paths of the files that it `depends` on.

    `refused` says why the file cannot be written, `why` why it has no annotations or, with
    `cells`, why these have none. `doubtful` is the number of annotations that failed when tried.
    """

    path: str
    source: bytes = b""
    written: int = 0
    depends: frozenset[str] = frozenset()
    refused: str = ""
    before: bytes = b""
    why: str = ""
    cells: tuple[int, ...] = ()
    doubtful: int = 0


Place = tuple[str, int | None, str, Level, str, str]

Edit = Callable[[Sequence[str], Mapping[str, bytes], bool], Iterable[Edited]]
"""Annotates some files, in any order. The arguments are their paths, bytes that replace those on
the disk, and whether each trial also tests for new findings (`Trial.strict`).
"""


def annotate(
    files: Sequence[str], edit: Edit, check: Check, given: Mapping[str, bytes]
) -> Annotated:
    """The files with their dims written into them.

    `check` checks the run with bytes in the place of those on the disk; `given` are those to begin
    with.
    """
    run = _Run(files, edit, given)
    run.go(files, strict=False)
    after = check(run.texts) if +run.counts else None
    if after is not None and any(counting(after.findings)):
        before = check(given)
        doubtful = {place[0] for place in _places(after) - _places(before)} & run.texts.keys()
        if doubtful:
            run.take_back(doubtful)
            run.go([path for path in files if path in doubtful], strict=True)
            after = check(run.texts)
        _take_back_failures(run, before, after, check)
    rewritten = {}
    for path in files:
        if run.counts[path]:
            old = read_document(path, run.before[path])
            rewritten[path] = Rewritten(old, read_document(path, run.texts[path]))
    reasons = [run.refused[path] for path in files if path in run.refused]
    return Annotated(rewritten, run.counts.total(), reasons, list(run.undone()))


class _Run:
    """The texts so far, and what was written into them."""

    def __init__(self, files: Sequence[str], edit: Edit, given: Mapping[str, bytes]) -> None:
        self.files = files
        self.edit = edit
        self.given = given
        self.texts = dict(given)
        self.before: dict[str, bytes] = {}
        """The first bytes of the files that have new texts."""
        self.counts: Counter[str] = Counter()
        self.refused: dict[str, str] = {}
        self.depends: dict[str, frozenset[str]] = {}
        self.last: dict[str, Edited] = {}
        """The last result for each file."""
        self.taken_back: set[str] = set()

    def go(self, waiting: Sequence[str], strict: bool) -> None:
        """Annotate these files, and those that import them, until nothing more can be written."""
        for _ in range(MOST_ROUNDS):
            changed: dict[str, bytes] = {}
            for edited in self.edit(waiting, self.texts, strict):
                path = edited.path
                self.depends[path], self.last[path] = edited.depends, edited
                if edited.refused:
                    self.refused[path] = edited.refused
                elif edited.written:
                    changed[path] = edited.source
                    self.before.setdefault(path, edited.before)
                    self.counts[path] += edited.written
            if not changed:
                break
            self.texts.update(changed)
            new = {os.path.realpath(path) for path in changed}
            waiting = [
                path
                for path in self.files
                if path not in self.refused and self.depends.get(path, frozenset()) & new
            ]

    def take_back(self, paths: Iterable[str]) -> None:
        """Drop what was written into some files."""
        for path in paths:
            self.taken_back.add(path)
            self.counts.pop(path, None)
            self.before.pop(path, None)
            if path in self.given:
                self.texts[path] = self.given[path]
            else:
                self.texts.pop(path, None)

    def undone(self) -> Iterator[str]:
        """The sentences on what was not written, and why."""
        by_reason: dict[str, list[str]] = {}
        doubtful = 0
        for path in self.files:
            edited = self.last.get(path)
            if path in self.refused or edited is None:
                continue
            if edited.why:
                by_reason.setdefault(edited.why, []).append(in_cells(path, edited.cells))
            if path in self.taken_back and not self.counts[path]:
                by_reason.setdefault(TAKEN_BACK, []).append(path)
            else:
                doubtful += edited.doubtful
        for reason, names in by_reason.items():
            yield f"Not annotated ({reason}): {listed(names)}."
        if doubtful:
            verb = "does" if doubtful == 1 else "do"
            yield f"{counted(doubtful, 'more annotation')} {verb} not hold when tried."


TAKEN_BACK: Final = "other findings would appear"
UNPARSED: Final = "cannot be parsed"


def edit(
    style: str,
    line_length: int | None,
    strict: bool,
    links: Mapping[str, str],
    worker: Worker,
    task: Task,
) -> Edited:
    """Annotate one file. Raises nothing.

    `links` says why some files cannot be written.
    """
    path = task.path
    try:
        document = read_document(path, worker.given.get(path))
        edited = _edited(document, STYLES[style](line_length), strict, worker.program)
        return Edited(path, refused=links[path]) if edited.written and path in links else edited
    except Unwritable as reason:
        return Edited(path, refused=str(reason))
    except RecursionError:
        return Edited(path, why="nested too deeply")
    except Exception as failure:  # a bug of ours must not stop the other files
        raised = f"{type(failure).__name__}: {failure}"
        return Edited(path, refused=f"namecheck failed on {path}: {raised}")


def edit_open(document: Document, program: Program) -> Edited:
    """Annotate one file with comments, for an editor. Raises `Unwritable`.

    No other file is looked at again, so that each trial also tests for new findings.
    """
    return _edited(document, STYLES["comment"](None), True, program)


def _edited(document: Document, style: Style, strict: bool, program: Program) -> Edited:
    """A file with all annotations that hold."""
    path, before = document.path, document.source
    if document.passed is not None:
        return Edited(path)  # nothing to annotate in it
    if document.trouble is not None:
        return Edited(path, why="cannot be read")
    document, faults = document.mended()
    cells = tuple(fault.cell for fault in faults if fault.cell is not None)
    looked_into: set[str] = set()

    examine = examining(path, program, looked_into)
    code = Code(document.text)
    why = style.refuses(code) if code.tree is not None else _why_not_parsed(document)
    if why:
        return Edited(path, why=why)
    state = examine(code, None)
    count = doubtful = 0
    blamed: set[int] = set()
    for _ in range(MOST_ROUNDS):
        code = state.code
        options = list(style.options(path, code, state.known))
        doubtful = len(options)
        if not options:
            break
        joined = partial(style.joined, code)
        trial = Trial(path, state, examine, joined, style.silent, strict)
        taken, after = accepted(trial, options, blamed)
        if after is None:
            break
        new = _rewritten(document, code, joined(taken))
        if new.text != after.code.text:
            break
        document, state = new, after
        count += len(taken)
    return Edited(
        path,
        document.source,
        count,
        frozenset(looked_into),
        before=before,
        why=UNPARSED if cells else "",
        cells=cells,
        doubtful=doubtful,
    )


def _why_not_parsed(document: Document) -> str:
    """Why a file's text has no syntax tree."""
    from namecheck.analysis import SourceError, TooDeep, lower

    try:
        lower(document.text)
    except TooDeep:
        return "nested too deeply"
    except SourceError:
        return UNPARSED
    return too_new()


def _rewritten(document: Document, code: Code, made: Sequence[Change]) -> Document:
    """The document with changes to its text. Raises `Unwritable`."""
    path = document.path
    if document.notebook is None:
        source = encoded(path, document.source, applied(code.text, made))
        return read_document(path, source)
    texts: dict[int | None, str] = {}
    cells: dict[int | None, list[Change]] = {}
    for change in made:
        span = code.span(change.start, change.end)
        cell, line = document.place(span.line)
        part = Code(document.parts[cell])
        start = part.offset(line, span.column)
        end = start + change.end - change.start
        cells.setdefault(cell, []).append(Change(start, end, change.content))
    for cell, in_cell in cells.items():
        texts[cell] = applied(document.parts[cell], sorted(in_cell))
    try:
        new = read_document(path, document.rewritten(texts))
    except UnicodeEncodeError as fault:
        raise Unwritable(path, str(fault)) from None
    return new.mended()[0]


def _places(checked: Checked) -> Counter[Place]:
    """The findings, counted by place: with their first lines, without comments."""
    texts: dict[tuple[str, int | None], list[str]] = {}
    places: Counter[Place] = Counter()
    for finding in counting(checked.findings):
        part = finding.path, finding.cell
        if part not in texts:
            texts[part] = split_lines(checked.sources(*part))
        line = "".join(texts[part][finding.span.line - 1 : finding.span.line])
        statement = line.partition("#")[0].strip()
        place = *part, finding.code, finding.level, finding.message, statement
        places[place] += 1
    return places


def _take_back_failures(run: _Run, before: Checked, after: Checked, check: Check) -> None:
    """Take back files until there are no new findings."""
    expected = Counter(map(_key, counting(before.findings)))
    while +run.counts:
        more = Counter(map(_key, counting(after.findings))) - expected
        if not more:
            return
        written = {path for path in run.counts if run.counts[path]}
        run.take_back({path for path, *_ in more} & written or written)
        after = check(run.texts)


def _key(finding: Finding) -> tuple[str, int | None, str, Level]:
    """The key by which findings are counted: without lines, which edits move."""
    return finding.path, finding.cell, finding.code, finding.level
