"""Numbers with their nouns."""

from __future__ import annotations

__all__ = ["counted", "plural"]


def counted(number: int, noun: str) -> str:
    """`1 file`, `2,000 files`."""
    return f"{number:,} {plural(noun, number)}"


def plural(noun: str, number: int) -> str:
    """A noun as it follows a number: `file` after 1, else `files`."""
    return noun if number == 1 else f"{noun}s"
