"""What an edit has to do with what was found before it: the short way from a keystroke to findings.

A file is evaluated class by class and function by function, which takes most of the time. After an
edit in one of them, that one is evaluated, and what was found in the others is taken over, moved to
where they stand now. If something was found in it that only a call may have shown, those that speak
of it by name are evaluated, too. That is what the whole file gives in nearly every case, and not in
all (other functions may be wrong as they call it now): so it is told first, and the whole file is
looked at next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from namecheck.analysis import defined_name
from namecheck.findings import Finding, Span
from namecheck.text.chunks import SourceChunk

__all__ = ["Revision", "moves", "revision"]

SHARE: Final = 0.5
"""The part of a file of which it is no longer worthwhile to spare the rest."""


class Revision(NamedTuple):
    """What has changed between two texts of a file.

    `lines` are the first lines of the chunks that have to be evaluated, `stretches` where these
    begin and end. Lines of the old text before `first` are the same, those from `last` on have
    moved by `shift`.
    """

    lines: frozenset[int]
    stretches: tuple[tuple[int, int], ...]
    first: int
    last: int
    shift: int

    def taken_over(self, finding: Finding) -> Finding | None:
        """A finding of the old text where it stands now; None if that is to be found anew."""
        span = self._moved(finding.span)
        if span is None or any(begin <= span.line < end for begin, end in self.stretches):
            return None
        labels = tuple(
            label._replace(span=moved)
            for label in finding.labels
            if (moved := self._moved(label.span)) is not None
        )
        notes = tuple(
            note
            if note.span is None or note.path not in (None, finding.path)
            else note._replace(span=self._moved(note.span))
            for note in finding.notes
        )
        return finding._replace(span=span, labels=labels, notes=notes, fix=None)

    def _moved(self, span: Span) -> Span | None:
        if span.end_line < self.first:
            return span
        if span.line < self.last:
            return None
        return span._replace(line=span.line + self.shift, end_line=span.end_line + self.shift)


def moves(before: Sequence[SourceChunk], now: Sequence[SourceChunk]) -> Revision:
    """Where things stand now, whatever an edit has to do with them; nothing is to be evaluated."""
    same, alike = _unchanged(before, now)
    return Revision(frozenset(), (), *_edited(before, same, alike), _end(now) - _end(before))


def _unchanged(before: Sequence[SourceChunk], now: Sequence[SourceChunk]) -> tuple[int, int]:
    """How many chunks at the beginning, and how many at the end, are the same."""
    least = min(len(before), len(now))
    same = 0
    while same < least and before[same].digest == now[same].digest:
        same += 1
    alike = 0
    while alike < least - same and before[-1 - alike].digest == now[-1 - alike].digest:
        alike += 1
    return same, alike


def _edited(before: Sequence[SourceChunk], same: int, alike: int) -> tuple[int, int]:
    """The first line of what an edit has exchanged, and the line behind it."""
    first = before[same].line if same < len(before) else _end(before)
    return first, before[len(before) - alike].line if alike else _end(before)


def revision(
    before: Sequence[SourceChunk], now: Sequence[SourceChunk], found: Iterable[Finding]
) -> Revision | None:
    """What has changed; None if that concerns too much of the file, or who knows what.

    `found` are the findings of the old text.
    """
    same, alike = _unchanged(before, now)
    old, new = before[same : len(before) - alike], now[same : len(now) - alike]
    names = {defined_name(chunk) for chunk in (*old, *new)}
    if "" in names:
        return None
    first, last = _edited(before, same, alike)
    if not any(first <= finding.span.line < last for finding in found):
        names.clear()
    speaks = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b") if names else None
    concerned = [
        place
        for place, chunk in enumerate(now)
        if same <= place < len(now) - alike or (speaks and speaks.search(chunk.text))
    ]
    ends = [*(chunk.line for chunk in now[1:]), _end(now)]
    stretches = tuple((now[place].line, ends[place]) for place in concerned)
    if sum(end - begin for begin, end in stretches) > SHARE * _end(now):
        return None
    shift = _end(now) - _end(before)
    return Revision(frozenset(now[p].line for p in concerned), stretches, first, last, shift)


def _end(chunks: Sequence[SourceChunk]) -> int:
    """The line behind the last chunk."""
    return chunks[-1].line + len(chunks[-1].layout.lines)
