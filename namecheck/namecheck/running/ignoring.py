"""Suppression comments for findings: the edits that add `# namecheck: ignore[...]`.

A comment goes to the end of the line on which a finding begins, or its codes go into the comment
that is already there. If that line cannot have one (it ends in a string, or in a backslash), the
comment goes to the end of the statement. Its effect is not guessed: the edited text is read again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from namecheck.findings import Edit, Finding, Span
from namecheck.running import suppressions
from namecheck.running.suppressions import Directive
from namecheck.text.chunks import whole_layout
from namecheck.text.layout import Layout

__all__ = ["ignoring", "placed"]


def ignoring(text: str, findings: Iterable[Finding], reason: str = "") -> tuple[Edit, ...]:
    """The edits of a Python text that silence these findings, in order.

    `reason` is written after the codes. A finding that no comment can silence has no edit.
    """
    return tuple(sorted(set(placed(text, findings, reason).values())))


def placed(text: str, findings: Iterable[Finding], reason: str = "") -> dict[int, Edit]:
    """The same edits, by the lines on which the findings begin; several may share one edit."""
    wanted: dict[int, dict[str, Finding]] = {}
    for finding in findings:
        wanted.setdefault(finding.span.line, {}).setdefault(finding.code, finding)
    layout = whole_layout(text)
    pragmas = {
        directive.span.line: directive
        for directive in suppressions.read(text)
        if directive.kind == "ignore" and directive.words
    }
    places = {line: line for line in wanted}
    for second in (False, True):
        codes: dict[int, set[str]] = {}
        for line, place in places.items():
            codes.setdefault(place, set()).update(wanted[line])
        edits = {
            place: edit
            for place, here in codes.items()
            if (edit := _edit(layout, pragmas.get(place), place, sorted(here), reason)) is not None
        }
        left = _not_silenced(layout, edits, wanted, places)
        for line in left & places.keys():
            if second:
                del places[line]
            else:
                places[line] = _end_of_statement(layout, line)
        if not left:
            break
    # The comment that silences a line may be at the end of its statement, for another line.
    by_line = {
        line: edits.get(at, edits.get(_end_of_statement(layout, line)))
        for line, at in places.items()
    }
    return {line: edit for line, edit in by_line.items() if edit is not None}


def _end_of_statement(layout: Layout, line: int) -> int:
    """The last line of the statement that a line is part of."""
    at = bisect_right(layout.starts, line) - 1
    return layout.ends[at] if at >= 0 and layout.ends[at] >= line else line


def _edit(
    layout: Layout, pragma: Directive | None, line: int, codes: Sequence[str], reason: str
) -> Edit | None:
    """The codes in the pragma that ends a line, or in a new one."""
    if line > len(layout.lines):
        return None
    if pragma is not None:
        listed = [word.text for word in pragma.words]
        more = [code for code in codes if code not in listed]
        end = pragma.words[-1].end_column
        return Edit(Span(line, end, line, end), "".join(f", {code}" for code in more))
    bare = layout.lines[line - 1].rstrip("\r\n")
    if bare.endswith("\\"):
        return None  # after the backslash it would be an error
    end = len(bare) + 1
    start = len(bare.rstrip()) + 1
    comment = f"  # namecheck: ignore[{', '.join(codes)}]" + (f" {reason}" if reason else "")
    return Edit(Span(line, start, line, end), comment)


def _not_silenced(
    layout: Layout,
    edits: Mapping[int, Edit],
    wanted: Mapping[int, Mapping[str, Finding]],
    places: Mapping[int, int],
) -> set[int]:
    """The lines with findings that are still reported after the edits, or whose edit is no comment.

    An edit that is inside a string is none, even if another line's comment silences the finding.
    """
    lines = list(layout.lines)
    for line, ((_, column, _, end), content) in edits.items():
        old = lines[line - 1]
        lines[line - 1] = old[: column - 1] + content + old[end - 1 :]
    directives = suppressions.read("".join(lines))
    findings = [f._replace(cell=None) for by_code in wanted.values() for f in by_code.values()]
    paths = {finding.path: directives for finding in findings}
    left = suppressions.apply(findings, paths, lambda path, code: True, ())
    read = {directive.span.line for directive in directives}
    inside = {line for line, place in places.items() if place in edits and place not in read}
    return {finding.span.line for finding in left} | inside
