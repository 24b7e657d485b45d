"""Suppression comments written for findings: the edits that put `# namecheck: ignore[...]` there.

A comment goes to the end of the line that a finding begins on, and into the one that is there
already. Where that line cannot take one (it ends in a string, or in a backslash) the end of the
statement does. What a comment would silence is not guessed: the edited text is read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from namecheck.findings import Edit, Finding, Span
from namecheck.running import suppressions
from namecheck.running.suppressions import Directive
from namecheck.text.layout import Layout, read_layout

__all__ = ["ignoring", "placed"]


def ignoring(text: str, findings: Iterable[Finding], reason: str = "") -> tuple[Edit, ...]:
    """Edits of a Python text after which these findings are silenced, in order.

    `reason` is written behind the codes. A finding that no comment can silence has none.
    """
    return tuple(sorted(set(placed(text, findings, reason).values())))


def placed(text: str, findings: Iterable[Finding], reason: str = "") -> dict[int, Edit]:
    """The same by the lines on which the findings begin; one edit may serve several of them."""
    wanted: dict[int, dict[str, Finding]] = {}
    for finding in findings:
        wanted.setdefault(finding.span.line, {}).setdefault(finding.code, finding)
    layout = read_layout(text)
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
            for place, some in codes.items()
            if (edit := _edit(layout, pragmas.get(place), place, sorted(some), reason)) is not None
        }
        left = _not_silenced(layout, edits, wanted)
        for line in left & places.keys():
            if second:
                del places[line]
            else:
                places[line] = _end_of_statement(layout, line)
        if not left:
            break
    # What silences a line may stand at the end of its statement, for the sake of another line.
    found = {
        line: edits.get(at, edits.get(_end_of_statement(layout, line)))
        for line, at in places.items()
    }
    return {line: edit for line, edit in found.items() if edit is not None}


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
        return None  # behind the backslash it would be an error
    end = len(bare) + 1
    start = len(bare.rstrip()) + 1
    comment = f"  # namecheck: ignore[{', '.join(codes)}]" + (f" {reason}" if reason else "")
    return Edit(Span(line, start, line, end), comment)


def _not_silenced(
    layout: Layout, edits: Mapping[int, Edit], wanted: Mapping[int, Mapping[str, Finding]]
) -> set[int]:
    """The lines with findings that are still told after the edits."""
    lines = list(layout.lines)
    for line, ((_, column, _, end), content) in edits.items():
        old = lines[line - 1]
        lines[line - 1] = old[: column - 1] + content + old[end - 1 :]
    directives = suppressions.read("".join(lines))
    findings = [f._replace(cell=None) for by_code in wanted.values() for f in by_code.values()]
    paths = {finding.path: directives for finding in findings}
    told = suppressions.apply(findings, paths, lambda path, code: True, ())
    return {finding.span.line for finding in told}
