"""Sentences on what was not fixed or silenced, and why: a run that fixes nothing says so."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from namecheck.applying.rounds import Fixed
from namecheck.codes.troubles import SYNTAX_ERROR, is_mistake
from namecheck.files.documents import PROSE
from namecheck.findings import Applicability, Finding, Level
from namecheck.fixes.code import Code
from namecheck.printing.counts import counted, plural

__all__ = ["in_cells", "listed", "too_new", "undone", "unparsed"]

MOST: Final = 4
"""The most files or places that one sentence names."""


def undone(fixed: Fixed, unsafe: bool, ignores: bool, reported: bool) -> Iterator[str]:
    """The sentences for a run that applied fixes, with `unsafe` the unsafe ones, too.

    `ignores`: comments took the place of fixes. `reported`: the findings that remain are printed,
    each with its fix if it has one.
    """
    findings = fixed.left.reported
    yield from unparsed(findings)
    if fixed.taken_back:
        which = listed(sorted(fixed.taken_back))
        yield f"Not {_done(ignores)} (other findings would appear): {which}."
    rest = [f for f in findings if is_mistake(f) and f.path not in fixed.taken_back]
    newer = [path for path in sorted({f.path for f in rest}) if _is_newer(fixed, path)]
    if newer:
        yield f"Not {_done(ignores)} ({too_new()}): {listed(newer)}."
        rest = [finding for finding in rest if finding.path not in newer]
    if ignores:
        places = list(dict.fromkeys(_place(finding) for finding in rest if finding.fix is None))
        if places:
            yield f"Not silenced (no comment can go there): {listed(places)}."
    applied = {Applicability.SAFE, *([Applicability.UNSAFE] * unsafe)}
    waiting = [f for f in rest if f.fix is not None and f.fix.applicability in applied]
    if waiting and not fixed.refused:
        yield f"{counted(len(waiting), 'finding')} can be {_done(ignores)} by running this again."
    if not reported and not ignores:
        yield from _without(rest, unsafe)


def _done(ignores: bool) -> str:
    return "silenced" if ignores else "fixed"


def _is_newer(fixed: Fixed, path: str) -> bool:
    """Whether a file was read although the running Python cannot parse it."""
    if path.endswith((".ipynb", *PROSE)) or path not in fixed.left.read:
        return False
    return Code(fixed.left.sources(path, None)).tree is None


def too_new() -> str:
    """Why there is no syntax tree of a file that was read nevertheless."""
    running = ".".join(map(str, sys.version_info[:2]))
    return f"its syntax is newer than Python {running}, which runs namecheck"


def _without(rest: Sequence[Finding], unsafe: bool) -> Iterator[str]:
    """The counts of the remaining findings, which are not printed."""
    kinds = [None if f.fix is None else f.fix.applicability for f in rest]
    more = 0 if unsafe else kinds.count(Applicability.UNSAFE)
    if more:
        yield f"{counted(more, 'finding')} can be fixed with --unsafe-fixes."
    none = kinds.count(None) + kinds.count(Applicability.DISPLAY)
    if none:
        verb = "has" if none == 1 else "have"
        yield f"{counted(none, 'finding')} {verb} no fix that can be applied."


def unparsed(findings: Iterable[Finding]) -> Iterator[str]:
    """The sentence on files and cells that cannot be parsed, if there are any."""
    cells: dict[str, list[int]] = {}
    for finding in findings:
        if finding.code == SYNTAX_ERROR and finding.level is not Level.NOTE:
            cells.setdefault(finding.path, []).extend(
                [finding.cell] if finding.cell is not None else []
            )
    if cells:
        which = [in_cells(path, numbers) for path, numbers in sorted(cells.items())]
        yield f"Not edited (cannot be parsed): {listed(which)}."


def in_cells(path: str, cells: Collection[int]) -> str:
    """`a.ipynb (cells 2, 3)`; the path alone if there are no cells."""
    if not cells:
        return path
    return f"{path} ({plural('cell', len(cells))} {', '.join(map(str, cells))})"


def _place(finding: Finding) -> str:
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    return f"{finding.path}:{cell}{finding.span.line}"


def listed(names: Sequence[str]) -> str:
    """`a, b and 3 more`."""
    shown = ", ".join(names[:MOST])
    return f"{shown} and {len(names) - MOST} more" if len(names) > MOST else shown
