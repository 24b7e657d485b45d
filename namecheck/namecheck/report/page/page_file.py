"""What a page shows of each file, and the names of places in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from namecheck.findings import Finding, ShapeAt

__all__ = ["PageFile", "anchor"]


class PageFile(NamedTuple):
    """A file on a page.

    `sources` are its text, or those of a notebook's cells by their numbers. `shapes` are dims of
    targets, parameters and returned values; `known` are expressions, each as a note whose message
    is its dims.
    """

    path: str
    sources: Mapping[int | None, str]
    findings: Sequence[Finding] = ()
    shapes: Sequence[ShapeAt] = ()
    known: Sequence[Finding] = ()


def anchor(file: int, cell: int | None, line: int) -> str:
    """The name of a line on the page: files count from 1."""
    return f"f{file}-{line}" if cell is None else f"f{file}-c{cell}-{line}"
