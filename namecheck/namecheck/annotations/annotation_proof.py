"""What makes annotations hold: with them the program says what it said, and nothing else is found.

The edited text is Python; with comments alone it is the same program. Everything that could be
written into the old text could be written into the new one, in the same words, whether it was or
not. Nothing is found that was not found before: that costs as much again, and since all files are
checked once more in the end (`files`) it is looked at here only where they did not pass. Which
annotations to try is `search`'s business.
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
    """A text, what is known in it, and what tells what is found in it."""

    code: Code
    known: KnownAt
    found: Callable[[], Sequence[Finding]]


Examine = Callable[[Code, Collection[int] | None], State]
"""What is known and found in a text; where lines are given, in the chunks that begin on them."""

Joined = Callable[[Sequence[Annotation]], tuple[Change, ...]]
"""Which changes some annotations come to, with the imports that they need."""


class Trial:
    """Tries annotations on a text.

    `whole` is the text without any of them. `silent`: they must not change what the program does.
    `strict`: nothing may be found that was not found before; otherwise somebody else looks at that.
    Of a trial of some `chunks`, by their numbers, all else is neither evaluated by itself nor
    compared: it costs less, and proves less.
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
        """The text without any of them."""
        if self.chunks is None:
            return self.whole
        return self.examine(self.code, self._begun(self.code, ()))

    @cached_property
    def lines(self) -> int:
        """How many lines it evaluates."""
        sizes = [end - begin + 1 for begin, end in self.stretches]
        return sum(sizes if self.chunks is None else (sizes[number] for number in self.chunks))

    @cached_property
    def stretches(self) -> list[tuple[int, int]]:
        """The first and the last line of every chunk."""
        begun = [chunk.line for chunk in split(self.code.text)]
        ended = [*(line - 1 for line in begun[1:]), len(self.code.lines)]
        return list(zip(begun, ended, strict=True))

    def chunks_of(self, lines: Iterable[int]) -> frozenset[int]:
        """The numbers of the chunks in which lines stand."""
        begun = [begin for begin, _ in self.stretches]
        return frozenset(max(bisect_right(begun, line) - 1, 0) for line in lines)

    def within(self, chunks: frozenset[int]) -> Trial:
        """The same with these chunks alone."""
        options = self.silent, self.strict, chunks
        return Trial(self.path, self.whole, self.examine, self.joined, *options)

    def of(self, some: Sequence[Annotation]) -> State | frozenset[int]:
        """The text with some annotations, or the lines of the old one that they do not hold on."""
        made = self.joined(some)
        new = Code(applied(self.code.text, made))
        if self.code.tree is None or new.tree is None:
            return frozenset()
        if self.silent and self._program != new.program:
            return frozenset()
        after = self.examine(new, self._begun(new, made))
        lines = frozenset(self._changed(after, made, some))
        if lines or not self.strict:
            return lines or after
        more = self._more(after, made)
        return after if more is None else more

    @cached_property
    def _program(self) -> object:
        return self.code.program

    def _begun(self, new: Code, made: Sequence[Change]) -> frozenset[int] | None:
        """On which lines the chunks begin in the new text."""
        if self.chunks is None:
            return None
        begun = [chunk.line for chunk in split(new.text)]
        found = set()
        for number in self.chunks:
            # Its last line: what is written above a chunk may have become one by itself.
            line = self._line(self.stretches[number][1], new, made)
            found.add(begun[bisect_right(begun, line) - 1])
        return frozenset(found)

    def _line(self, line: int, new: Code, made: Sequence[Change]) -> int:
        """Where a line has come to lie."""
        # A place within the line: what is inserted at its beginning moves it.
        return new.place(moved(self.code.offset(line, 2), made))[0]

    def _changed(
        self, after: State, made: Sequence[Change], some: Sequence[Annotation]
    ) -> Iterator[int]:
        """The lines of what had words before, or was written for certain, and is not the same."""
        written = {key for one in some for key in one.keys}
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
        """The lines of what is found that was not found before; None if there is nothing."""
        path, old = self.path, self.code
        expected = Counter(key_of(f, path, old, made) for f in counting(self.before.found()))
        found = Counter(key_of(f, path, after.code) for f in counting(after.found()))
        more = found - expected
        if not more:
            return None
        places = {
            finding.span.line
            for finding in counting(after.found())
            if finding.path == path and key_of(finding, path, after.code) in more
        }
        lines = range(1, len(old.lines) + 1)
        return frozenset(line for line in lines if self._line(line, after.code, made) in places)


def counting(found: Iterable[Finding]) -> Iterable[Finding]:
    """The findings that there may not be more of: notes are information."""
    return (finding for finding in found if finding.level is not Level.NOTE)
