"""Edits as plain moves on text: applying them, which overlap, and where places come to lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from namecheck.findings import Edit
from namecheck.fixes.code import Code

__all__ = ["Change", "applied", "changes", "collide", "moved"]


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
