"""Which annotations hold: with them the program says what it said, and nothing else is found.

The edited text is Python; with comments alone it is the same program. Everything that could be
written into the old text could be written into the new one, in the same words, whether it was or
not. Nothing is found that was not found before.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from namecheck.annotations.changes import Annotation, KnownAt
from namecheck.findings import Finding, Level
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change, applied, moved
from namecheck.fixes.proof import key_of
from namecheck.fixes.words import agree, spelled

__all__ = ["State", "Trial", "accepted", "counting"]

MOST_TRIALS: Final = 24
"""Edited texts that are analysed in one round of one file; fewer of a long one."""

MOST_LINES: Final = 40_000
"""Lines that all trials of a round may come to, after the first few."""


class State(NamedTuple):
    """A text, what is known in it, and what tells what is found in it."""

    code: Code
    known: KnownAt
    found: Callable[[], Sequence[Finding]]


class Trial:
    """Tries annotations on a text.

    `examine` says what is known and found in a text, `joined` which changes some annotations come
    to, with the imports that they need. `silent`: they must not change what the program does.
    """

    def __init__(
        self,
        path: str,
        before: State,
        examine: Callable[[str], State],
        joined: Callable[[Sequence[Annotation]], tuple[Change, ...]],
        silent: bool,
    ) -> None:
        self.path = path
        self.before = before
        self.examine = examine
        self.joined = joined
        self.silent = silent
        self.left = max(6, min(MOST_TRIALS, MOST_LINES // (len(before.code.lines) + 1)))

    def of(self, some: Sequence[Annotation]) -> State | None:
        """The text with some annotations, None if they do not hold together."""
        self.left -= 1
        made = self.joined(some)
        old = self.before.code
        new = Code(applied(old.text, made))
        if old.tree is None or new.tree is None:
            return None
        if self.silent and ast.dump(old.tree) != ast.dump(new.tree):
            return None
        after = self.examine(new.text)
        if not self._says_the_same(after, made, some) or self._is_more(after, made):
            return None
        return after

    def _is_more(self, after: State, made: Sequence[Change]) -> bool:
        """Whether something is found that was not found before."""
        path, old = self.path, self.before
        expected = Counter(key_of(f, path, old.code, made) for f in counting(old.found()))
        found = Counter(key_of(f, path, after.code) for f in counting(after.found()))
        return bool(found - expected)

    def _says_the_same(
        self, after: State, made: Sequence[Change], some: Sequence[Annotation]
    ) -> bool:
        """Whether all that had words before has the same ones, and those that were written for
        certain.
        """
        written = {key for one in some for key in one.keys}
        old, new = self.before.code, after.code
        for key, known in self.before.known.items():
            before = spelled(known.shape)
            if before is None or (key not in written and not any(before)):
                continue
            # A place within the line: what is inserted at its beginning moves it.
            line, _ = new.place(moved(old.offset(key[0], 2), made))
            now = after.known.get((line, key[1], key[2]))
            again = None if now is None else spelled(now.shape)
            if again is None or not agree(before, again):
                return False
        return True


def counting(found: Iterable[Finding]) -> Iterable[Finding]:
    """The findings that there may not be more of: notes are information."""
    return (finding for finding in found if finding.level is not Level.NOTE)


def accepted(trial: Trial, options: Iterable[Annotation]) -> tuple[list[Annotation], State]:
    """The annotations that hold together, and the text with them."""
    taken: list[Annotation] = []
    state = trial.before
    waiting = [list(options)]
    while waiting and trial.left > 0:
        some = waiting.pop()
        if not some:
            continue
        after = trial.of([*taken, *some])
        if after is not None:
            taken += some
            state = after
        elif len(some) > 1:
            middle = len(some) // 2
            waiting += [some[middle:], some[:middle]]
    return taken, state
