"""Delivering fixed texts: into their files, or as a diff on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from namecheck.applying.difference import difference, style_of
from namecheck.applying.rounds import Rewritten
from namecheck.applying.writing import Unwritable, refused_link, write_bytes
from namecheck.printing.output import pass_on
from namecheck.printing.terminal import in_colour

__all__ = ["print_difference", "refused_links", "write_files"]


def print_difference(files: Iterable[Rewritten]) -> None:
    """Print the changes as a diff, file by file; in colour if a person reads it."""
    coloured = in_colour()
    for file in files:
        for line in difference(file):
            pass_on(line, style_of(line) if coloured else None)


def write_files(files: Iterable[Rewritten], named: Sequence[str]) -> list[str]:
    """Write all files that can be written. Returns the reasons why the others could not be.

    `named` are the paths of the command line.
    """
    refused = []
    for file in files:
        try:
            write_bytes(file.before.path, file.after.source, file.before.source, named)
        except Unwritable as reason:
            refused.append(str(reason))
    return refused


def refused_links(paths: Iterable[str], named: Sequence[str]) -> dict[str, str]:
    """The files that are not written because a link leads to them, each with the reason."""
    refusals = {path: refused_link(path, named) for path in sorted(paths)}
    return {path: str(refusal) for path, refusal in refusals.items() if refusal is not None}
