"""Edits as changes of a text: applying them, overlaps, and where places move to."""

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
    """Edits as changes, in order and each once: two fixes may have the same edit."""
    return tuple(sorted({Change(*code.stretch(edit.span), edit.content) for edit in edits}))


def collide(made: Iterable[Change], others: Iterable[Change]) -> bool:
    """Whether two sets of changes cannot both be made. Equal changes count as one."""
    return any(
        change != other
        and (
            (change.start < other.end and other.start < change.end)
            # Two insertions at one place, or one at the edge of a replacement: neither order of the
            # two is right.
            or change.start == other.start
        )
        for change in made
        for other in others
    )


class Apart:
    """Changes that do not collide, to which others are added one by one.

    It checks each new change as `collide` does, in logarithmic time.
    """

    def __init__(self, made: Iterable[Change] = ()) -> None:
        self._changes: list[Change] = []
        self.add(made)

    def add(self, made: Iterable[Change]) -> bool:
        """Add some changes, or none of them if one collides. Returns whether they were added."""
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
        """The neighbours of a change: it can collide with no others."""
        at = bisect_left(self._changes, change)
        return self._changes[max(at - 1, 0) : at + 1]

    def __iter__(self) -> Iterator[Change]:
        """The changes, in order."""
        return iter(self._changes)


def applied(text: str, made: Sequence[Change]) -> str:
    """The text with changes applied, which are in order and do not overlap."""
    pieces: list[str] = []
    done = 0
    for change in made:
        pieces += text[done : change.start], change.content
        done = change.end
    return "".join((*pieces, text[done:]))


def moved(offset: int, made: Sequence[Change]) -> int:
    """The offset in the new text of an offset in the old one; inside a replacement, its beginning.

    An insertion at the offset comes after it.
    """
    shift = 0
    for change in made:
        if change.start >= offset:
            break
        if change.end > offset:
            return change.start + shift
        shift += len(change.content) - (change.end - change.start)
    return offset + shift
