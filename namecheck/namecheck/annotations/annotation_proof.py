"""Proving annotations: with them the program has the same dims, and no new findings.

The edited text is Python, and if only comments were added, it is the same program. All dims that
could be written into the old text could also be written into the new one, in the same words. There
are no new findings: since that costs as much again, and all files are checked again in the end
(`files`), it is tested here only for files that did not pass that check. `search` chooses which
annotations to try.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from namecheck.annotations.changes import Annotation, KnownAt
from namecheck.findings import Finding, Level
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change, applied, moved
from namecheck.fixes.proof import key_of
from namecheck.fixes.words import agree, spelled
from namecheck.text.chunks import split

__all__ = ["Examine", "Joined", "State", "Trial", "counting"]


class State(NamedTuple):
    """A text, the dims in it, and a function that returns its findings."""

    code: Code
    known: KnownAt
    found: Callable[[], Sequence[Finding]]


Examine = Callable[[Code, Collection[int] | None], State]
"""Analyses a text; if lines are given, only the chunks that begin on them."""

Joined = Callable[[Sequence[Annotation]], tuple[Change, ...]]
"""The changes of some annotations, with the imports that they need."""


class Trial:
    """Tries annotations on a text.

    `whole` is the text without any of them. `silent`: they must not change the program. `strict`:
    there may be no new findings; otherwise the caller tests that. A trial of some `chunks`, by
    number, evaluates and compares only these: it costs less, and proves less.
    """

    def __init__(
        self,
        path: str,
        whole: State,
        examine: Examine,
        joined: Joined,
        silent: bool,
        strict: bool,
        chunks: frozenset[int] | None = None,
    ) -> None:
        self.path = path
        self.whole = whole
        self.code = whole.code
        self.examine = examine
        self.joined = joined
        self.silent = silent
        self.strict = strict
        self.chunks = chunks

    @cached_property
    def before(self) -> State:
        """The text without annotations, within the chunks of the trial."""
        if self.chunks is None:
            return self.whole
        return self.examine(self.code, self._begins(self.code, ()))

    @cached_property
    def lines(self) -> int:
        """How many lines the trial evaluates."""
        sizes = [end - begin + 1 for begin, end in self.stretches]
        return sum(sizes if self.chunks is None else (sizes[number] for number in self.chunks))

    @cached_property
    def stretches(self) -> list[tuple[int, int]]:
        """The first and the last line of every chunk."""
        begins = [chunk.line for chunk in split(self.code.text)]
        ends = [*(line - 1 for line in begins[1:]), len(self.code.lines)]
        return list(zip(begins, ends, strict=True))

    def chunks_of(self, lines: Iterable[int]) -> frozenset[int]:
        """The numbers of the chunks that contain lines."""
        begins = [begin for begin, _ in self.stretches]
        return frozenset(max(bisect_right(begins, line) - 1, 0) for line in lines)

    def within(self, chunks: frozenset[int]) -> Trial:
        """A trial of these chunks only."""
        options = self.silent, self.strict, chunks
        return Trial(self.path, self.whole, self.examine, self.joined, *options)

    def of(self, annotations: Sequence[Annotation]) -> State | frozenset[int]:
        """The text with some annotations, or the lines of the old text on which they fail."""
        changes = self.joined(annotations)
        new = Code(applied(self.code.text, changes))
        if self.code.tree is None or new.tree is None:
            return frozenset()
        if self.silent and self._program != new.program:
            return frozenset()
        after = self.examine(new, self._begins(new, changes))
        lines = frozenset(self._changed(after, changes, annotations))
        if lines or not self.strict:
            return lines or after
        more = self._more(after, changes)
        return after if more is None else more

    @cached_property
    def _program(self) -> object:
        return self.code.program

    def _begins(self, new: Code, made: Sequence[Change]) -> frozenset[int] | None:
        """The lines on which the chunks of the trial begin in the new text; None for all chunks."""
        if self.chunks is None:
            return None
        begins = [chunk.line for chunk in split(new.text)]
        lines = set()
        for number in self.chunks:
            # By its last line: a comment above a chunk may have become a chunk of its own.
            line = self._line(self.stretches[number][1], new, made)
            lines.add(begins[bisect_right(begins, line) - 1])
        return frozenset(lines)

    def _line(self, line: int, new: Code, made: Sequence[Change]) -> int:
        """The number of an old line in the new text."""
        # A place inside the line: an insertion at its beginning moves it.
        return new.place(moved(self.code.offset(line, 2), made))[0]

    def _changed(
        self, after: State, made: Sequence[Change], annotations: Sequence[Annotation]
    ) -> Iterator[int]:
        """The lines whose dims had words before, or were written now, and are not the same."""
        written = {key for annotation in annotations for key in annotation.keys}
        for key, known in self.before.known.items():
            before = spelled(known.shape)
            if before is None or (key not in written and not any(before)):
                continue
            line = self._line(key[0], after.code, made)
            now = after.known.get((line, key[1], key[2]))
            again = None if now is None else spelled(now.shape)
            if again is None or not agree(before, again):
                yield key[0]

    def _more(self, after: State, made: Sequence[Change]) -> frozenset[int] | None:
        """The old lines of new findings; None if there are none."""
        path, old = self.path, self.code
        expected = Counter(key_of(f, path, old, made) for f in counting(self.before.found()))
        actual = Counter(key_of(f, path, after.code) for f in counting(after.found()))
        more = actual - expected
        if not more:
            return None
        places = {
            finding.span.line
            for finding in counting(after.found())
            if finding.path == path and key_of(finding, path, after.code) in more
        }
        lines = range(1, len(old.lines) + 1)
        return frozenset(line for line in lines if self._line(line, after.code, made) in places)


def counting(findings: Iterable[Finding]) -> Iterable[Finding]:
    """The findings that annotations may not add to: all but notes."""
    return (finding for finding in findings if finding.level is not Level.NOTE)
