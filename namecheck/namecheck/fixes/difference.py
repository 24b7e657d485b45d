"""What fixes change: as a unified diff, or as edits of the old text."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import takewhile

from namecheck.analysis.layout import split_lines
from namecheck.findings import Edit
from namecheck.fixes.code import Code
from namecheck.fixes.rounds import Rewritten

__all__ = ["difference", "edits_between"]

STYLES = {"+": "green", "-": "red", "@": "cyan"}
"""How lines are painted, by what they begin with; the two names of the file stand out."""


def difference(file: Rewritten, coloured: bool = False) -> Iterator[str]:
    """The lines of the diff of a file, cell by cell for a notebook, with their ends."""
    before, after = file.before.parts, file.after.parts
    for cell, text in before.items():
        new = after.get(cell, "")
        if new == text:
            continue
        name = file.before.path if cell is None else f"{file.before.path}:cell {cell}"
        lines = difflib.unified_diff(split_lines(text), split_lines(new), name, name)
        for line in lines:
            whole = (
                line if line.endswith(("\n", "\r")) else line + "\n\\ No newline at end of file\n"
            )
            yield _painted(whole) if coloured else whole


def edits_between(old: Code, new: Code) -> Iterator[Edit]:
    """The edits that make one text of another: one for lines that follow each other."""
    matcher = difflib.SequenceMatcher(None, old.lines, new.lines, autojunk=False)
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        if tag == "equal":
            continue
        start, end = old.offset(first + 1, 1), old.offset(last + 1, 1)
        before, after = old.text[start:end], "".join(new.lines[new_first:new_last])
        same = _alike(before, after)
        before, after, start = before[same:], after[same:], start + same
        same = _alike(before[::-1], after[::-1])
        yield Edit(old.span(start, end - same), after[: len(after) - same])


def _alike(one: str, other: str) -> int:
    """How many letters are the same from the beginning."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in pairs)


def _painted(line: str) -> str:
    import click

    if line.startswith(("--- ", "+++ ")):
        return click.style(line, bold=True)
    colour = STYLES.get(line[0])
    return line if colour is None else click.style(line, fg=colour)
