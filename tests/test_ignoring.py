"""Edits that put suppression comments where findings are: what they write, and that it silences."""

from __future__ import annotations

import pytest

from namecheck import suppressions
from namecheck.analysis.layout import split_lines
from namecheck.findings import Edit, Finding, Level, Span
from namecheck.ignoring import ignoring


def finding(line: int, column: int, code: str = "NC202", end_line: int | None = None) -> Finding:
    span = Span(line, column, end_line or line, column + 1)
    return Finding("a.py", span, code, "a-name", Level.WARNING, "something is wrong")


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    lines = split_lines(text)
    for edit in reversed(edits):
        line, column, _, end = edit.span
        old = lines[line - 1]
        lines[line - 1] = old[: column - 1] + edit.content + old[end - 1 :]
    return "".join(lines)


@pytest.mark.parametrize(
    ("text", "findings", "edited"),
    [
        ("x = a - b\n", [finding(1, 5)], "x = a - b  # namecheck: ignore[NC202]\n"),
        ("x = a - b", [finding(1, 5)], "x = a - b  # namecheck: ignore[NC202]"),
        ("x = a - b\r\n", [finding(1, 5)], "x = a - b  # namecheck: ignore[NC202]\r\n"),
        ("x = a - b   \n", [finding(1, 5)], "x = a - b  # namecheck: ignore[NC202]\n"),
        (
            "x = a - b  # why not\n",
            [finding(1, 5)],
            "x = a - b  # why not  # namecheck: ignore[NC202]\n",
        ),
        (
            "x = a - b  # namecheck: ignore[NC402] because\n",
            [finding(1, 5)],
            "x = a - b  # namecheck: ignore[NC402, NC202] because\n",
        ),
        (
            "x = a - b\n",
            [finding(1, 5), finding(1, 7, "NC101"), finding(1, 9)],
            "x = a - b  # namecheck: ignore[NC101, NC202]\n",
        ),
        ("x = a \\\n  - b\n", [finding(1, 5)], "x = a \\\n  - b  # namecheck: ignore[NC202]\n"),
        (
            'f("""\n""", a - b)\n',
            [finding(1, 1)],
            'f("""\n""", a - b)  # namecheck: ignore[NC202]\n',
        ),
        (
            "f(\n  a - b,\n  c)\n",
            [finding(2, 3)],
            "f(\n  a - b,  # namecheck: ignore[NC202]\n  c)\n",
        ),
        (
            "f(\n  a - b,\n  c - d)\n",
            [finding(2, 3), finding(3, 3, "NC201")],
            "f(\n  a - b,  # namecheck: ignore[NC202]\n  c - d)  # namecheck: ignore[NC201]\n",
        ),
        ("s = '😀'; a - b\n", [finding(1, 10)], "s = '😀'; a - b  # namecheck: ignore[NC202]\n"),
    ],
)
def test_what_is_written_silences(text: str, findings: list[Finding], edited: str) -> None:
    edits = ignoring(text, findings)
    assert applied(text, edits) == edited
    directives = {"a.py": suppressions.read(edited)}
    assert not suppressions.apply(findings, directives, lambda path, code: code != "NC901", ())


def test_a_reason_follows_the_codes() -> None:
    (edit,) = ignoring("x = a - b\n", [finding(1, 5)], "it is meant")
    assert edit.content == "  # namecheck: ignore[NC202] it is meant"


def test_what_cannot_be_silenced_is_left() -> None:
    assert ignoring("x = a - b\n", [finding(1, 5, "NC999")]) == ()
    assert ignoring("x = a - b\n", [finding(9, 1)]) == ()
