"""Annotating the files of a run: each until nothing more can be written, then all of them together.

What one file says of its functions may tell another one more: whoever imports a file that was
edited is looked at again. At the end the whole run is checked with the new texts; a file whose
annotations make something be found, there or elsewhere, is taken back. Writes nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.annotations.proof import State, Trial, accepted, counting
from namecheck.annotations.styles import Style
from namecheck.documents import Document, read_document
from namecheck.findings import Finding, Level
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change, applied
from namecheck.fixes.rounds import Rewritten
from namecheck.fixes.writing import Unwritable, encoded

if TYPE_CHECKING:
    from namecheck.analysis.imports import Program
    from namecheck.analysis.inlays import Key, Known
    from namecheck.fixes.rounds import Check

__all__ = ["Annotated", "annotate"]

MOST_ROUNDS: Final = 8


class Annotated(NamedTuple):
    """The files with new texts, how many annotations were written, and why some were not."""

    files: Mapping[str, Rewritten]
    written: int
    refused: Sequence[str]


class _Edited(NamedTuple):
    document: Document
    written: int
    depends: frozenset[str]


def annotate(
    files: Sequence[str],
    style: Style,
    opened: Callable[[Mapping[str, bytes]], Program],
    check: Check,
    given: Mapping[str, bytes],
    advance: Callable[[int, int], None],
) -> Annotated:
    """The files with what is known of their dims.

    `opened` gives what imports are followed in, and `check` a run over all files, with bytes in the
    place of some; `given` are those to begin with.
    """
    texts = dict(given)
    counts: Counter[str] = Counter()
    refused: dict[str, str] = {}
    depends: dict[str, frozenset[str]] = {}
    waiting = list(files)
    for number in range(MOST_ROUNDS):
        program = opened(texts)
        changed: dict[str, bytes] = {}
        for done, path in enumerate(waiting, 1):
            try:
                edited = _file(read_document(path, texts.get(path)), style, program)
                if edited is not None:
                    depends[path] = edited.depends
                    if edited.written:
                        changed[path] = edited.document.source
                        counts[path] += edited.written
            except Unwritable as reason:
                refused[path] = str(reason)
            except RecursionError:
                pass  # nested too deeply for us: nothing is said of such code elsewhere, either
            except Exception as failure:  # a bug of ours must not keep the other files back
                refused[path] = f"namecheck failed on {path}: {type(failure).__name__}: {failure}"
            if number == 0:
                advance(done, len(waiting))
        if not changed:
            break
        texts.update(changed)
        new = {os.path.realpath(path) for path in changed}
        waiting = [
            path for path in files if path not in refused and depends.get(path, frozenset()) & new
        ]
    _take_back_what_is_wrong(texts, given, counts, check)
    rewritten = {}
    for path in files:
        if counts[path]:
            before = read_document(path, given.get(path))
            rewritten[path] = Rewritten(before, read_document(path, texts[path]))
    return Annotated(rewritten, counts.total(), list(refused.values()))


def _file(document: Document, style: Style, program: Program) -> _Edited | None:
    """A file with all that can be written into it; None if it is not to be read."""
    from namecheck.analysis.file import analyze_text

    if document.trouble is not None or document.passed is not None:
        return None
    document, _ = document.mended()
    path = document.path
    looked_into: set[str] = set()

    def examine(text: str) -> State:
        known: dict[Key, Known] = {}
        analysis = analyze_text(path, text, program=program, certain=known)
        looked_into.update(analysis.depends)

        @cache
        def found() -> Sequence[Finding]:
            return analyze_text(path, text, program=program, shapes=False).findings

        return State(Code(text), known, found)

    state = examine(document.text)
    count = 0
    for _ in range(MOST_ROUNDS):
        options = list(style.options(path, state.code, state.known))
        if not options or state.code.tree is None:
            break
        joined = partial(style.joined, state.code)
        trial = Trial(path, state, examine, joined, style.silent)
        taken, after = accepted(trial, options)
        if not taken:
            break
        new = _rewritten(document, state.code, joined(taken))
        if new.text != after.code.text:
            break
        document, state = new, after
        count += len(taken)
    return _Edited(document, count, frozenset(looked_into))


def _rewritten(document: Document, code: Code, made: Sequence[Change]) -> Document:
    """The document with changes to its text.  Raises `Unwritable`."""
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
    for cell, some in cells.items():
        texts[cell] = applied(document.parts[cell], sorted(some))
    try:
        new = read_document(path, document.rewritten(texts))
    except UnicodeEncodeError as fault:
        raise Unwritable(path, str(fault)) from None
    return new.mended()[0]


def _take_back_what_is_wrong(
    texts: dict[str, bytes], given: Mapping[str, bytes], counts: Counter[str], check: Check
) -> None:
    """Take back files until the run finds nothing that it did not find before."""
    if not +counts:
        return
    before = Counter(map(_key, counting(check(given).findings)))
    while +counts:
        more = Counter(map(_key, counting(check(texts).findings))) - before
        if not more:
            return
        wrong = {path for path, *_ in more} & {path for path in counts if counts[path]}
        for path in wrong or [path for path in counts if counts[path]]:
            del counts[path]
            if path in given:
                texts[path] = given[path]
            else:
                del texts[path]


def _key(finding: Finding) -> tuple[str, int | None, str, Level]:
    """What findings are counted by: edits move their lines."""
    return finding.path, finding.cell, finding.code, finding.level
