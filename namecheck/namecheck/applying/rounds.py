"""Applying fixes to the files of a run: round after round, until nothing is left to apply.

After every round the whole run is checked again with the new texts in the place of the files, which
are not written meanwhile. A file whose fixes do not hold there is taken back: what one file makes
of its tensors may be wrong in another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.applying.writing import CHANGED, Unwritable, encoded
from namecheck.codes.troubles import is_note
from namecheck.files.documents import Document, read_document
from namecheck.findings import Applicability, Finding, Level
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Apart, Change, applied, changes, moved
from namecheck.running.cache import digest_of

if TYPE_CHECKING:
    from namecheck.running.checking import Checked

__all__ = ["Check", "Fixed", "Rewritten", "fix"]

MOST_ROUNDS: Final = 10

Check = Callable[[Mapping[str, bytes]], "Checked"]
"""A run in which these bytes stand in the place of what is under these paths."""

Read = Callable[[str, "bytes | None"], Document]
"""How the document at a path, or of the bytes under it, is read."""

Part = tuple[str, int | None]
"""A path and, of a notebook, the number of a cell: what places count in."""


Key = tuple[str, int | None, str, Level, int]


class Rewritten(NamedTuple):
    """A file before and after its fixes."""

    before: Document
    after: Document


class Fixed(NamedTuple):
    """What fixing came to: the files with new texts, how many findings are gone, and the run with
    these texts. `refused` says why an edit cannot be written. `removed` counts what is gone by
    file, code and name. `taken_back` are files in which something was not fixed since something
    else would have been wrong then.
    """

    files: Mapping[str, Rewritten]
    gone: int
    left: Checked
    refused: Sequence[str] = ()
    removed: Mapping[tuple[str, str, str], int] = MappingProxyType({})
    taken_back: Collection[str] = ()


class _Round(NamedTuple):
    """The edits of one round by file and cell, the findings that they are for, and the files with
    an edit that is not safe.
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
    """Applies the safe fixes of what was found in some files, with `unsafe` those that are not.

    `given` are the bytes that stand in the place of files to begin with. Writes nothing.
    """
    begun = _counts(checked)
    first: dict[str, Document] = {}  # files that have been edited, as they were
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
        path: Rewritten(before, read(path, texts[path]))
        for path, before in first.items()
        if texts[path] != before.source
    }
    left = _counts(checked)
    gone = max(begun.total() - left.total(), 0)
    return Fixed(rewritten, gone, checked, refused, begun - left, taken_back)


def _counts(checked: Checked) -> Counter[tuple[str, str, str]]:
    """How many findings are reported, by file, code and name."""
    return Counter((one.path, one.code, one.name) for one in _told(checked.reported))


def _changed(checked: Checked, files: Collection[str], parts: _Parts) -> list[str]:
    """The files with a fix whose bytes are others now than those that it was found in."""
    return sorted(
        path
        for path in {f.path for f in checked.reported if f.fix is not None}.intersection(files)
        if checked.digests.get(path, b"") != digest_of(parts.document(path).source)
    )


class _Parts:
    """The documents of a run and the text that places in each cell count in."""

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


def _choose(told: Iterable[Finding], files: set[str], unsafe: bool, parts: _Parts) -> _Round:
    """The first fixes that can be made together."""
    made: dict[Part, Apart] = defaultdict(Apart)
    chosen = []
    risky = set()
    for finding in told:
        if finding.fix is None or finding.path not in files:
            continue
        safe = finding.fix.applicability is Applicability.SAFE
        if not safe and not (unsafe and finding.fix.applicability is Applicability.UNSAFE):
            continue
        part = finding.path, finding.cell
        wanted = changes(parts.code(*part), finding.fix.edits)
        if not wanted or not made[part].add(wanted):
            continue
        chosen.append(finding)
        if not safe:
            risky.add(finding.path)
    ordered = {part: some for part, found in made.items() if (some := tuple(found))}
    return _Round(ordered, chosen, frozenset(risky))


def _rewritten(path: str, chosen: _Round, parts: _Parts) -> bytes:
    """The bytes of a file with the edits of a round.  Raises `Unwritable`."""
    document = parts.document(path)
    texts = {
        cell: applied(parts.code(path, cell).text, made)
        for (where, cell), made in chosen.made.items()
        if where == path
    }
    if document.notebook is None:
        return encoded(path, document.source, texts[None])
    try:
        return document.rewritten(texts)
    except UnicodeEncodeError as fault:
        raise Unwritable(path, str(fault)) from None


def _wrong(
    told: Iterable[Finding],
    now: Iterable[Finding],
    chosen: _Round,
    old: _Parts,
    new: _Parts,
    changed: Iterable[str],
) -> set[str]:
    """The files whose fixes do not hold: a finding is still there, or one has come."""

    def before(finding: Finding) -> Key:
        part = finding.path, finding.cell
        return _key(finding, old.code(*part), chosen.made.get(part, ()))

    here = set(changed)
    expected = Counter(map(before, _told(told)))
    found = Counter(_key(f, new.code(f.path, f.cell)) for f in _told(now))
    # What stood behind a piece that was removed may stand in its place now, and be wrong as well.
    left = expected - Counter(map(before, chosen.chosen))
    wrong = {f.path for f in chosen.chosen if f.path in here and found[before(f)] > left[before(f)]}
    for key in found - expected:
        path = key[0]
        # What comes in a file that was not edited comes from one that was.
        wrong |= {path} & here or (here & chosen.unsafe)
    return wrong | {path for path in here if not _is_python(new.document(path))}


def _told(findings: Iterable[Finding]) -> Iterable[Finding]:
    return (finding for finding in findings if not is_note(finding))


def _is_python(document: Document) -> bool:
    """Whether a file is Python, as far as it was: cells that are not stay what they are, and one
    more of them is found (NC900).
    """
    if document.trouble is not None:
        return False
    if Code(document.text).tree is not None:
        return True
    mended, broken = document.mended()
    return bool(broken) and Code(mended.text).tree is not None


def _key(finding: Finding, code: Code, made: Sequence[Change] = ()) -> Key:
    """What makes a finding the same one: its code, and where it begins."""
    start = moved(code.offset(finding.span.line, finding.span.column), made)
    return finding.path, finding.cell, finding.code, finding.level, start
