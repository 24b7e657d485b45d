"""Suppression comments written for findings: the edits that put `# namecheck: ignore[...]` there.

A comment goes to the end of the line that a finding begins on, and into the one that is there
already. Where that line cannot take one (it ends in a string, or in a backslash) the end of the
statement does. What a comment would silence is not guessed: the edited text is read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from namecheck import suppressions
from namecheck.analysis.layout import Layout, read_layout
from namecheck.findings import Edit, Finding, Span

__all__ = ["ignoring"]


def ignoring(text: str, findings: Iterable[Finding], reason: str = "") -> tuple[Edit, ...]:
    """Edits of a Python text after which these findings are silenced, in order.

    `reason` is written behind the codes. A finding that no comment can silence has none.
    """
    layout = read_layout(text)
    wanted: dict[int, dict[str, Finding]] = {}
    for finding in findings:
        wanted.setdefault(finding.span.line, {}).setdefault(finding.code, finding)
    by_line: dict[int, set[str]] = {}
    for line, by_code in wanted.items():
        for place in dict.fromkeys((line, _end_of_statement(layout, line))):
            some = by_code.values()
            edit = _edit(text, layout, place, sorted(by_code), reason)
            if edit is not None and _silences(text, layout, edit, some):
                by_line.setdefault(place, set()).update(by_code)
                break
    found = (_edit(text, layout, line, sorted(by_line[line]), reason) for line in sorted(by_line))
    return tuple(edit for edit in found if edit is not None)


def _end_of_statement(layout: Layout, line: int) -> int:
    """The last line of the statement that a line is part of."""
    at = bisect_right(layout.starts, line) - 1
    return layout.ends[at] if at >= 0 and layout.ends[at] >= line else line


def _edit(text: str, layout: Layout, line: int, codes: Sequence[str], reason: str) -> Edit | None:
    """The codes in the pragma that ends a line, or in a new one."""
    if line > len(layout.lines):
        return None
    for directive in suppressions.read(text) if "namecheck:" in layout.lines[line - 1] else ():
        if directive.kind == "ignore" and directive.span.line == line and directive.words:
            listed = [word.text for word in directive.words]
            more = [code for code in codes if code not in listed]
            end = directive.words[-1].end_column
            return Edit(Span(line, end, line, end), "".join(f", {code}" for code in more))
    bare = layout.lines[line - 1].rstrip("\r\n")
    if bare.endswith("\\"):
        return None  # behind the backslash it would be an error
    end = len(bare) + 1
    start = len(bare.rstrip()) + 1
    pragma = f"  # namecheck: ignore[{', '.join(codes)}]" + (f" {reason}" if reason else "")
    return Edit(Span(line, start, line, end), pragma)


def _silences(text: str, layout: Layout, edit: Edit, findings: Iterable[Finding]) -> bool:
    """Whether findings are silenced by what is written there after the edit."""
    line, column, _, end = edit.span
    lines = list(layout.lines)
    old = lines[line - 1]
    lines[line - 1] = old[: column - 1] + edit.content + old[end - 1 :]
    directives = suppressions.read("".join(lines))
    one_cell = [finding._replace(cell=None) for finding in findings]
    paths = {finding.path: directives for finding in one_cell}
    return not suppressions.apply(one_cell, paths, lambda path, code: True, ())
