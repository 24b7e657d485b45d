"""What fixes change as a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from namecheck.analysis.layout import split_lines
from namecheck.fixes.rounds import Rewritten

__all__ = ["difference"]

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


def _painted(line: str) -> str:
    import click

    if line.startswith(("--- ", "+++ ")):
        return click.style(line, bold=True)
    colour = STYLES.get(line[0])
    return line if colour is None else click.style(line, fg=colour)
