"""Edits as plain moves on text: applying them, which overlap, and where places come to lie."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from namecheck.findings import Edit
from namecheck.fixes.code import Code

__all__ = ["Apart", "Change", "applied", "changes", "collide", "moved"]


class Change(NamedTuple):
    """An edit in offsets: `content` in the place of `text[start:end]`."""

    start: int
    end: int
    content: str


def changes(code: Code, edits: Iterable[Edit]) -> tuple[Change, ...]:
    """Edits as changes, in order and each once: two fixes may want the very same."""
    return tuple(sorted({Change(*code.stretch(edit.span), edit.content) for edit in edits}))


def collide(made: Iterable[Change], others: Iterable[Change]) -> bool:
    """Whether two sets of changes cannot both be made. The very same change can."""
    return any(
        one != other
        and (
            (one.start < other.end and other.start < one.end)
            # Two insertions at one place, or one at the edge of what another replaces: no order
            # of the two is the right one.
            or one.start == other.start
        )
        for one in made
        for other in others
    )


class Apart:
    """Changes that can all be made, to which others are added one by one.

    The same as `collide` with each of them, in time that grows with the logarithm of their number.
    """

    def __init__(self, made: Iterable[Change] = ()) -> None:
        self._changes: list[Change] = []
        self.add(made)

    def add(self, made: Iterable[Change]) -> bool:
        """Adds some changes, or none of them where one of them collides; whether they were."""
        new = [change for change in sorted(set(made)) if not self._has(change)]
        if any(collide([change], self._beside(change)) for change in new):
            return False
        for change in new:
            insort(self._changes, change)
        return True

    def _has(self, change: Change) -> bool:
        at = bisect_left(self._changes, change)
        return self._changes[at : at + 1] == [change]

    def _beside(self, change: Change) -> Sequence[Change]:
        """Those that a change may collide with, as the others are apart."""
        at = bisect_left(self._changes, change)
        return self._changes[max(at - 1, 0) : at + 1]

    def __iter__(self) -> Iterator[Change]:
        """All of them, in order."""
        return iter(self._changes)


def applied(text: str, made: Sequence[Change]) -> str:
    """The text with changes that are in order and do not overlap."""
    pieces: list[str] = []
    done = 0
    for change in made:
        pieces += text[done : change.start], change.content
        done = change.end
    return "".join((*pieces, text[done:]))


def moved(offset: int, made: Sequence[Change]) -> int:
    """Where a place of the old text lies in the new one; what was replaced lies at its beginning.

    What is inserted at a place comes to stand behind it.
    """
    shift = 0
    for change in made:
        if change.start >= offset:
            break
        if change.end > offset:
            return change.start + shift
        shift += len(change.content) - (change.end - change.start)
    return offset + shift
