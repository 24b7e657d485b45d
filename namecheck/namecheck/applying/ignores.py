"""Findings that get a suppression comment instead of a fix: `check --add-ignore`.

For `rounds` a comment is a fix like any other: comments are applied to all files at once, the run
is checked again with them, and a file in which they do not have the intended effect is left alone.
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
    """A check whose findings have comments as fixes."""
    return lambda given: with_ignores(check(given), given, reason)


def with_ignores(checked: Checked, given: Mapping[str, bytes], reason: str) -> Checked:
    """The run with a comment as the fix of every reported mistake, and no other fixes.

    `given` maps paths to the bytes that replaced those on the disk.
    """
    by_part: dict[tuple[str, int | None], list[Finding]] = defaultdict(list)
    for finding in checked.reported:
        if is_mistake(finding):
            by_part[finding.path, finding.cell].append(finding)
    edits = {}
    for (path, cell), findings in by_part.items():
        comments = silencing(read_document(path, given.get(path)), cell, findings, reason)
        edits.update({(path, cell, line): edit for line, edit in comments.items()})

    def fix(finding: Finding) -> Fix | None:
        edit = edits.get((finding.path, finding.cell, finding.span.line))
        if edit is None or not is_mistake(finding):
            return None
        return Fix(Applicability.SAFE, f"Ignore {finding.code} here", (edit,))

    return checked.with_fixes(fix)


def silencing(
    document: Document, cell: int | None, findings: Iterable[Finding], reason: str = ""
) -> dict[int, Edit]:
    """The edits with comments that silence findings of a file, or of a notebook's cell, by the
    first lines of the findings.

    There are none if one of them would change more than a comment.
    """
    text = _python(document, cell)
    comments = placed(text, findings, reason)
    return comments if _is_the_same_program(text, comments) else {}


def why_not(document: Document, cell: int | None) -> str:
    """Why no comment can silence a finding in a file, or in a notebook's cell."""
    if Code(_python(document, cell)).tree is None:
        return too_new()
    return "no comment can go there"


def _python(document: Document, cell: int | None) -> str:
    """The Python of a file, or of a notebook's cell without its magics."""
    if document.notebook is None or cell is None:
        if Code(document.text).tree is None:
            document, _ = document.mended()
        return document.text
    code_cell = document.notebook.cell(cell)
    return code_cell.python if code_cell is not None else ""


def _is_the_same_program(text: str, edits: Mapping[int, Edit]) -> bool:
    """Whether the edits change only comments."""
    before = Code(text)
    after = Code(applied(text, changes(before, edits.values())))
    return before.program is not None and before.program == after.program
