"""Which parts of a file an edit concerns, by its text: the short way from a keystroke to an answer.

What is shown of the parts that an edit does not concern moves to where they are now. Findings come
from what the evaluation itself knows of an edit (`analysis/runs/kept_outcomes.py`). If all that it
concerns takes long, the findings of the edited definitions are published first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from namecheck.analysis import Kept
from namecheck.findings import Finding, Span
from namecheck.text.chunks import SourceChunk, defined_name, unchanged

__all__ = ["Revision", "moves", "revision", "takes_little"]

SHARE: Final = 0.5
"""The share of a file from which on evaluating the whole file is as good."""

LITTLE: Final = 0.01
"""Seconds for which nobody has to see a part of the findings first."""


class Revision(NamedTuple):
    """The difference between two texts of a file.

    `lines` are the first lines of the chunks to evaluate, `stretches` the first lines of these
    chunks and the lines after them. Lines of the old text before `first` are the same; those from
    `last` on have moved by `shift`.
    """

    lines: frozenset[int]
    stretches: tuple[tuple[int, int], ...]
    first: int
    last: int
    shift: int

    def taken_over(self, finding: Finding) -> Finding | None:
        """An old finding at its place in the new text; None if it has to be found again."""
        span = self._moved(finding.span)
        if span is None or self.is_evaluated(span.line):
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

    def is_evaluated(self, line: int) -> bool:
        """Whether a line of the new text is in a chunk that is evaluated again."""
        return any(begin <= line < end for begin, end in self.stretches)

    def moved_line(self, line: int) -> int | None:
        """A line of the old text in the new one; None if the edit has replaced it."""
        span = self._moved(Span(line, 1, line, 1))
        return None if span is None else span.line

    def _moved(self, span: Span) -> Span | None:
        if span.end_line < self.first:
            return span
        if span.line < self.last:
            return None
        return span._replace(line=span.line + self.shift, end_line=span.end_line + self.shift)


def moves(before: Sequence[SourceChunk], now: Sequence[SourceChunk]) -> Revision:
    """The difference between two texts, with nothing to evaluate again."""
    head, tail = unchanged(before, now)
    return Revision(frozenset(), (), *_edited(before, head, tail), _end(now) - _end(before))


def _edited(before: Sequence[SourceChunk], head: int, tail: int) -> tuple[int, int]:
    """The first line of the text that an edit replaced, and the line after it."""
    first = before[head].line if head < len(before) else _end(before)
    return first, before[len(before) - tail].line if tail else _end(before)


def revision(before: Sequence[SourceChunk], now: Sequence[SourceChunk]) -> Revision | None:
    """The difference between two texts; None if it concerns too much of the file, or may concern
    all of it. It concerns everything that mentions a definition that it has changed.
    """
    head, tail = unchanged(before, now)
    old, new = before[head : len(before) - tail], now[head : len(now) - tail]
    names = {defined_name(chunk) for chunk in (*old, *new)}
    if "" in names:
        return None
    first, last = _edited(before, head, tail)
    mention = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b") if names else None
    concerned = [
        place
        for place, chunk in enumerate(now)
        if head <= place < len(now) - tail or (mention and mention.search(chunk.text))
    ]
    ends = [*(chunk.line for chunk in now[1:]), _end(now)]
    stretches = tuple((now[place].line, ends[place]) for place in concerned)
    if sum(end - begin for begin, end in stretches) > SHARE * _end(now):
        return None
    shift = _end(now) - _end(before)
    return Revision(frozenset(now[p].line for p in concerned), stretches, first, last, shift)


def takes_little(kept: Kept, chunks: Sequence[SourceChunk]) -> bool:
    """Whether all that an edit concerns is evaluated nearly as soon as what is edited."""
    if kept.last is None or len(kept.last.chunks) != len(chunks):
        return False
    first, whole = kept.last.takes(chunks)
    return whole <= max(2 * first, LITTLE)


def _end(chunks: Sequence[SourceChunk]) -> int:
    """The line after the last chunk."""
    return chunks[-1].line + len(chunks[-1].layout.lines)
