"""Findings that get a suppression comment instead of a fix: `check --add-ignore`.

For `rounds` a comment is a fix like any other: it is applied to all files at once, the run is
checked again with them, and a file where that does not come out as it should is left alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from namecheck.applying.rounds import Check
from namecheck.applying.undone import too_new
from namecheck.codes.troubles import is_mistake
from namecheck.files.documents import Document, read_document
from namecheck.findings import Applicability, Edit, Finding, Fix
from namecheck.fixes.code import Code
from namecheck.fixes.edits import applied, changes
from namecheck.running.ignoring import placed

if TYPE_CHECKING:
    from namecheck.running.checking import Checked

__all__ = ["ignored_instead", "silencing", "why_not", "with_ignores"]


def ignored_instead(check: Check, reason: str) -> Check:
    """A check whose findings have comments for fixes."""
    return lambda given: with_ignores(check(given), given, reason)


def with_ignores(checked: Checked, given: Mapping[str, bytes], reason: str) -> Checked:
    """The run with a comment as the fix of every reported mistake, and no other fixes.

    `given` are the bytes that it was checked with in the place of files.
    """
    by_part: dict[tuple[str, int | None], list[Finding]] = defaultdict(list)
    for finding in checked.reported:
        if is_mistake(finding):
            by_part[finding.path, finding.cell].append(finding)
    edits = {}
    for (path, cell), findings in by_part.items():
        found = silencing(read_document(path, given.get(path)), cell, findings, reason)
        edits.update({(path, cell, line): edit for line, edit in found.items()})

    def fix(finding: Finding) -> Fix | None:
        edit = edits.get((finding.path, finding.cell, finding.span.line))
        if edit is None or not is_mistake(finding):
            return None
        return Fix(Applicability.SAFE, f"Ignore {finding.code} here", (edit,))

    return checked.with_fixes(fix)


def silencing(
    document: Document, cell: int | None, findings: Iterable[Finding], reason: str = ""
) -> dict[int, Edit]:
    """Comments that silence findings of a file, or of a notebook's cell, by their first lines.

    None at all if they would be more than comments.
    """
    text = _python(document, cell)
    found = placed(text, findings, reason)
    return found if _is_the_same_program(text, found) else {}


def why_not(document: Document, cell: int | None) -> str:
    """Why no comment can silence what is found in a file, or in a notebook's cell."""
    if Code(_python(document, cell)).tree is None:
        return too_new()
    return "no comment can stand there"


def _python(document: Document, cell: int | None) -> str:
    """The Python of a file, or of a notebook's cell without its magics."""
    if document.notebook is None or cell is None:
        if Code(document.text).tree is None:
            document, _ = document.mended()
        return document.text
    found = document.notebook.cell(cell)
    return found.python if found is not None else ""


def _is_the_same_program(text: str, edits: Mapping[int, Edit]) -> bool:
    """Whether the edits add nothing but comments."""
    before = Code(text)
    after = Code(applied(text, changes(before, edits.values())))
    return before.program is not None and before.program == after.program
