"""The invariants of every file, whatever its contents.

A check raises nothing and reports no internal error. Its findings are the same a second time, with
the cache and without it, from the disk and from standard input. Places are inside the text, every
format can report the findings, and fixes do what they say. A failure is an `AssertionError` (or the
exception that was raised).
"""

from __future__ import annotations

import ast
import os
import time
import tokenize
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from namecheck.applying.difference import difference
from namecheck.applying.ignores import ignored_instead, with_ignores
from namecheck.applying.rounds import Check, Fixed, fix
from namecheck.codes.troubles import INTERNAL_ERROR, SYNTAX_ERROR
from namecheck.files.documents import Document, read_document
from namecheck.findings import Finding, Level, Span
from namecheck.report import FORMATS, Report, text_of_report
from namecheck.report.shapes import beside
from namecheck.report.statistics import tally
from namecheck.running.checking import Checked, check_files
from namecheck.running.discovery import Discovered
from namecheck.running.examination import examine, program_of
from namecheck.running.run_options import Means
from namecheck.settings.config import Configuration

__all__ = ["CACHE", "SLOW", "check_one", "holds", "is_sane"]

CACHE: Final = ".namecheck_cache"

SLOW: Final = 20.0
"""Seconds of CPU that no case may take: cases are small, so something would not be linear."""


def check_one(
    paths: Sequence[str], given: Mapping[str, bytes] | None = None, cache: bool = False
) -> Checked:
    """A run over some files in the working folder, with all codes."""
    overrides = Configuration(isolated=True)
    means = Means(os.path.abspath(CACHE) if cache else None)
    return check_files(paths, Discovered(tuple(paths)), overrides, means=means, given=given or {})


def holds(paths: Sequence[str]) -> None:
    """Check all invariants for some files in the working folder, which must not change."""
    begun = time.process_time()
    before = {path: _bytes(path) for path in paths}
    plain = check_one(paths)
    is_sane(plain)
    for _ in range(2):
        assert check_one(paths, cache=True).findings == plain.findings, (
            "the cache gives other findings"
        )
    typed = check_one(paths, given={paths[0]: before[paths[0]]})
    assert typed.findings == plain.findings, "standard input gives other findings"
    _can_be_reported(plain, len(paths))
    for path in paths:
        document = read_document(path)
        _is_no_alarm(path, before[path], plain.findings)
        _can_be_shown(path, document)
    _fixes_do_what_they_say(plain, paths)
    assert before == {path: _bytes(path) for path in paths}, "a file was written"
    seconds = time.process_time() - begun
    assert seconds < SLOW, f"it took {seconds:.0f} s"


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def is_sane(checked: Checked) -> None:
    """Check that no finding is a bug of ours, and that all places are inside their texts."""
    for finding in checked.findings:
        notes = [f"  {note.text}" for note in finding.notes]
        assert finding.code != INTERNAL_ERROR, "\n".join([finding.message, *notes])
        assert finding.message
        assert "\n" not in finding.message
        text = checked.sources(finding.path, finding.cell)
        for span in _spans(finding):
            assert _is_inside(span, text), f"{span} is not inside the text: {finding}"
        for note in finding.notes:
            if note.span is not None:
                where = note.path or finding.path
                assert _is_inside(note.span, checked.sources(where, note.cell)), f"{note}"


def _spans(finding: Finding) -> Iterator[Span]:
    yield finding.span
    yield from (label.span for label in finding.labels)
    if finding.fix is not None:
        yield from (edit.span for edit in finding.fix.edits)


def _is_inside(span: Span, text: str) -> bool:
    lines = _lines(text)
    if not (1 <= span.line <= span.end_line and span.column >= 1 and span.end_column >= 1):
        return False
    if (span.end_line, span.end_column) < (span.line, span.column):
        return False
    # The place just behind the end counts, too: something may be missing there.
    if span.end_line > len(lines):
        return span.end_line <= len(lines) + 1 and span.end_column <= 2
    room = len(lines[span.line - 1].rstrip("\r\n")), len(lines[span.end_line - 1].rstrip("\r\n"))
    return span.column <= room[0] + 1 and span.end_column <= room[1] + 2


def _lines(text: str) -> list[str]:
    from namecheck.text.layout import split_lines

    return split_lines(text)


def _can_be_reported(checked: Checked, files: int) -> None:
    report = Report(checked.findings, checked.sources, files)
    for name in FORMATS:
        text_of_report(report, name).encode("utf-8", "backslashreplace")
    tally(checked.findings, checked.counts, checked.unknown_calls)


def _can_be_shown(path: str, document: Document) -> None:
    analysis = examine(document, program_of((path,), (path,)), thorough=True, statistics=True)
    assert not [f.message for f in analysis.findings if f.code == INTERNAL_ERROR]
    for cell, text in document.parts.items():
        list(beside(text, [shape for shape in analysis.shapes if shape.cell == cell], 80))


def _is_no_alarm(path: str, source: bytes, findings: Sequence[Finding]) -> None:
    """Check that Python cannot read the file either, if we cannot."""
    unread = [f for f in findings if f.path == path and f.code == SYNTAX_ERROR]
    if unread and path.endswith(".py"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                # Python decodes the comments of a file, but not those of bytes.
                with tokenize.open(path) as file:
                    file.read()
                compile(source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        raise AssertionError(f"Python reads it: {unread[0].message}")


def _fixes_do_what_they_say(checked: Checked, paths: Sequence[str]) -> None:
    def again(texts: Mapping[str, bytes]) -> Checked:
        return check_one(paths, given=texts)

    safe = fix(checked, paths, False, again, {})
    _is_fixed(checked, safe, again)
    _is_fixed(checked, fix(checked, paths, True, again, {}), again)
    silent = ignored_instead(again, "")
    quiet = fix(with_ignores(checked, {}, ""), paths, False, silent, {})
    _is_fixed(checked, quiet, silent)
    for path, file in quiet.files.items():
        if path.endswith(".py"):
            assert _tree(file.before.text) == _tree(file.after.text), (
                "a comment changed the program"
            )


def _is_fixed(checked: Checked, fixed: Fixed, again: Check) -> None:
    """Check that the new texts are Python, and that as many findings are gone as reported."""
    is_sane(fixed.left)
    now = again({path: file.after.source for path, file in fixed.files.items()})
    assert now.findings == fixed.left.findings, "the remaining findings differ"
    was, left = (sum(f.level is not Level.NOTE for f in some.findings) for some in (checked, now))
    assert fixed.gone == was - left, f"{fixed.gone} of {was} are reported as gone, {left} are left"
    assert bool(fixed.files) <= bool(fixed.gone), "a file changed, but no finding is gone"
    for file in fixed.files.values():
        assert file.after.trouble is None, "the written file cannot be read"
        assert file.before.path.endswith(".ipynb") or _tree(file.after.text) is not None
        list(difference(file))


def _tree(text: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
