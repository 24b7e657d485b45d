"""Which note says where the name of a dim comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from namecheck.findings import Finding, Note
from namecheck.text.chunks import split
from namecheck_runtime.light.regexes import regex

__all__ = ["explains", "notes_nearby"]

_NAMES = regex(r"'([^']+)'")
"""The names that a note explains: those in quotes before its reason."""


def explains(note: Note, label: str) -> bool:
    """Whether a note says where a name in the label of a dim comes from."""
    return any(
        re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", label)
        for name in _NAMES.findall(note.text.partition(" since ")[0])
    )


def notes_nearby(
    known: Sequence[Finding], cell: int | None, line: int, lines: Sequence[str]
) -> Iterator[tuple[Finding, Note]]:
    """The notes of the expressions in the definition around a line, the nearest ones first."""
    first, last = 1, len(lines)
    for chunk in split("".join(lines)):
        if chunk.line <= line < chunk.line + len(chunk.layout.lines):
            first, last = chunk.line, chunk.line + len(chunk.layout.lines) - 1
    inside = [one for one in known if one.cell == cell and first <= one.span.line <= last]
    for one in sorted(inside, key=lambda one: (abs(one.span.line - line), one.span)):
        for note in one.notes:
            yield one, note
