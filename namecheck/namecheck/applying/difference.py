"""The changes that fixes make: as a unified diff, or as edits of the old text."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from namecheck.applying.rounds import Rewritten
from namecheck.findings import Edit
from namecheck.fixes.code import Code
from namecheck.printing.escapes import visible
from namecheck.text.layout import split_lines

__all__ = ["difference", "edits_between", "style_of"]

STYLES = {"+": "green", "-": "red", "@": "cyan"}
"""The colours of lines, by their first character; the two lines with the file's name are bold."""


def difference(file: Rewritten) -> Iterator[str]:
    """The lines of the diff of a file, for a notebook cell by cell, with their line breaks."""
    before, after = file.before.parts, file.after.parts
    for cell, text in before.items():
        new = after.get(cell, "")
        if new == text:
            continue
        name = _name(file.before.path if cell is None else f"{file.before.path}:cell {cell}")
        lines = difflib.unified_diff(split_lines(text), split_lines(new), name, name)
        for line in lines:
            yield line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n"


def edits_between(old: Code, new: Code) -> Iterator[Edit]:
    """The edits that turn one text into another: one for each run of changed lines."""
    matcher = difflib.SequenceMatcher(None, old.lines, new.lines, autojunk=False)
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        if tag == "equal":
            continue
        start, end = old.offset(first + 1, 1), old.offset(last + 1, 1)
        before, after = old.text[start:end], "".join(new.lines[new_first:new_last])
        same = _common(before, after)
        before, after, start = before[same:], after[same:], start + same
        same = _common(before[::-1], after[::-1])
        yield Edit(old.span(start, end - same), after[: len(after) - same])


def _common(text: str, other: str) -> int:
    """The length of the common beginning of two texts."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False))
    return sum(1 for _ in pairs)


def style_of(line: str) -> dict[str, Any]:
    """The style of a line of a diff, as arguments of `click.style`."""
    if line.startswith(("--- ", "+++ ")):
        return {"bold": True}
    colour = STYLES.get(line[0])
    return {} if colour is None else {"fg": colour}


def _name(path: str) -> str:
    """A path as git writes and reads it in a diff: in quotes if a character requires them."""
    if visible(path) == path:
        return path
    text = os.fsencode(path).decode("latin-1")
    quoted = "".join(
        f"\\{ord(letter):03o}" if not " " <= letter <= "~" or letter in '\\"' else letter
        for letter in text
    )
    return f'"{quoted}"'
