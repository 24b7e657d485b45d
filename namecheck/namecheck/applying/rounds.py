"""Applying fixes to the files of a run: round after round, until nothing is left to apply.

After every round the whole run is checked again with the new texts; the files are not written yet.
The fixes of a file are taken back if they do not hold in that check: a changed tensor of one file
may be a mistake in another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.applying.writing import CHANGED, Unwritable, encoded
from namecheck.codes.troubles import is_note
from namecheck.files.disk import digest_of
from namecheck.files.documents import Document, read_document
from namecheck.findings import Applicability, Finding, Level
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Apart, Change, applied, changes, moved

if TYPE_CHECKING:
    from namecheck.running.checking import Checked

__all__ = ["Check", "Fixed", "Rewritten", "fix"]

MOST_ROUNDS: Final = 10

Check = Callable[[Mapping[str, bytes]], "Checked"]
"""Checks the run again, with these bytes in the place of those on the disk, by path."""

Read = Callable[[str, "bytes | None"], Document]
"""Reads the document at a path, from these bytes if they are not None."""

Part = tuple[str, int | None]
"""A path and, for a notebook, the number of a cell: the text that places refer to."""


Key = tuple[str, int | None, str, Level, int]


class Rewritten(NamedTuple):
    """A file before and after its fixes."""

    before: Document
    after: Document


class Fixed(NamedTuple):
    """The outcome of fixing: the files with new texts, how many findings are gone, and the run with
    these texts (`left`).

    `refused` says why edits cannot be written. `removed` counts the findings that are gone, by
    file, code and name. `taken_back` are the files whose fixes caused other findings.
    """

    files: Mapping[str, Rewritten]
    gone: int
    left: Checked
    refused: Sequence[str] = ()
    removed: Mapping[tuple[str, str, str], int] = MappingProxyType({})
    taken_back: Collection[str] = ()


class _Round(NamedTuple):
    """The edits of one round by file and cell, the findings that they are for, and the files with
    an unsafe edit.
    """

    made: Mapping[Part, tuple[Change, ...]]
    chosen: Sequence[Finding]
    unsafe: frozenset[str]


def fix(
    checked: Checked,
    files: Sequence[str],
    unsafe: bool,
    check: Check,
    given: Mapping[str, bytes],
    read: Read = read_document,
) -> Fixed:
    """Apply the safe fixes of the findings in some files, with `unsafe` the unsafe ones, too.

    `given` maps paths to bytes that replace those on the disk. No file is written.
    """
    before = _counts(checked)
    first: dict[str, Document] = {}  # the documents of edited files before the edits
    texts = dict(given)
    open_files = set(files)
    refused = []
    taken_back: set[str] = set()
    for _ in range(MOST_ROUNDS):
        old = _Parts(texts, read)
        for path in _changed(checked, open_files.difference(texts), old):
            refused.append(str(Unwritable(path, CHANGED)))
            open_files.discard(path)
        chosen = _choose(checked.reported, open_files, unsafe, old)
        changed: dict[str, bytes] = {}
        for path in sorted({path for path, _ in chosen.made}):
            try:
                changed[path] = _rewritten(path, chosen, old)
            except Unwritable as reason:
                refused.append(str(reason))
                open_files.discard(path)
        if not changed:
            break
        now = check({**texts, **changed})
        new = _Parts({**texts, **changed}, read)
        wrong = _wrong(checked.findings, now.findings, chosen, old, new, changed.keys())
        open_files -= wrong
        taken_back |= wrong
        changed = {path: source for path, source in changed.items() if path not in wrong}
        for path in changed:
            first.setdefault(path, old.document(path))
        texts.update(changed)
        if not wrong:
            checked = now
        elif changed:
            checked = check(texts)
    rewritten = {
        path: Rewritten(document, read(path, texts[path]))
        for path, document in first.items()
        if texts[path] != document.source
    }
    left = _counts(checked)
    gone = max(before.total() - left.total(), 0)
    return Fixed(rewritten, gone, checked, refused, before - left, taken_back)


def _counts(checked: Checked) -> Counter[tuple[str, str, str]]:
    """How many findings other than notes are reported, by file, code and name."""
    return Counter((f.path, f.code, f.name) for f in _without_notes(checked.reported))


def _changed(checked: Checked, files: Collection[str], parts: _Parts) -> list[str]:
    """The files with a fix whose bytes have changed since they were checked."""
    return sorted(
        path
        for path in {f.path for f in checked.reported if f.fix is not None}.intersection(files)
        if checked.digests.get(path, b"") != digest_of(parts.document(path).source)
    )


class _Parts:
    """The documents of a run, and the code of each file or cell, read when they are needed."""

    def __init__(self, texts: Mapping[str, bytes], read: Read) -> None:
        self._texts = texts
        self._read = read
        self._documents: dict[str, Document] = {}
        self._codes: dict[Part, Code] = {}

    def document(self, path: str) -> Document:
        if path not in self._documents:
            self._documents[path] = self._read(path, self._texts.get(path))
        return self._documents[path]

    def code(self, path: str, cell: int | None) -> Code:
        if (path, cell) not in self._codes:
            self._codes[path, cell] = Code(self.document(path).parts.get(cell, ""))
        return self._codes[path, cell]


def _choose(findings: Iterable[Finding], files: set[str], unsafe: bool, parts: _Parts) -> _Round:
    """The first fixes that can be made together."""
    by_part: dict[Part, Apart] = defaultdict(Apart)
    chosen = []
    risky = set()
    for finding in findings:
        if finding.fix is None or finding.path not in files:
            continue
        safe = finding.fix.applicability is Applicability.SAFE
        if not safe and not (unsafe and finding.fix.applicability is Applicability.UNSAFE):
            continue
        part = finding.path, finding.cell
        edits = changes(parts.code(*part), finding.fix.edits)
        if not edits or not by_part[part].add(edits):
            continue
        chosen.append(finding)
        if not safe:
            risky.add(finding.path)
    ordered = {part: edits for part, apart in by_part.items() if (edits := tuple(apart))}
    return _Round(ordered, chosen, frozenset(risky))


def _rewritten(path: str, chosen: _Round, parts: _Parts) -> bytes:
    """The bytes of a file with the edits of a round. Raises `Unwritable`."""
    document = parts.document(path)
    texts = {
        cell: applied(parts.code(path, cell).text, edits)
        for (other, cell), edits in chosen.made.items()
        if other == path
    }
    if document.notebook is None:
        return encoded(path, document.source, texts[None])
    try:
        return document.rewritten(texts)
    except UnicodeEncodeError as fault:
        raise Unwritable(path, str(fault)) from None


def _wrong(
    old_findings: Iterable[Finding],
    new_findings: Iterable[Finding],
    chosen: _Round,
    old: _Parts,
    new: _Parts,
    changed: Iterable[str],
) -> set[str]:
    """The files whose fixes do not hold: a finding is still there, or there is a new one."""

    def before(finding: Finding) -> Key:
        part = finding.path, finding.cell
        return _key(finding, old.code(*part), chosen.made.get(part, ()))

    here = set(changed)
    expected = Counter(map(before, _without_notes(old_findings)))
    actual = Counter(_key(f, new.code(f.path, f.cell)) for f in _without_notes(new_findings))
    # Code after a removed piece may be in its place now, with a finding of its own.
    left = expected - Counter(map(before, chosen.chosen))
    wrong = {
        f.path for f in chosen.chosen if f.path in here and actual[before(f)] > left[before(f)]
    }
    for key in actual - expected:
        path = key[0]
        # A new finding in a file that was not edited comes from one that was.
        wrong |= {path} & here or (here & chosen.unsafe)
    return wrong | {path for path in here if not _is_python(new.document(path))}


def _without_notes(findings: Iterable[Finding]) -> Iterable[Finding]:
    return (finding for finding in findings if not is_note(finding))


def _is_python(document: Document) -> bool:
    """Whether a file is Python, apart from cells of a notebook: a new broken one is a finding
    (NC900).
    """
    if document.trouble is not None:
        return False
    if Code(document.text).tree is not None:
        return True
    mended, broken = document.mended()
    return bool(broken) and Code(mended.text).tree is not None


def _key(finding: Finding, code: Code, made: Sequence[Change] = ()) -> Key:
    """The key of a finding across edits: its code, its level and where it begins."""
    start = moved(code.offset(finding.span.line, finding.span.column), made)
    return finding.path, finding.cell, finding.code, finding.level, start
