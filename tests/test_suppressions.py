"""Suppression comments: the lines they silence, the findings about them, and their removal."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from namecheck.codes.selection import known_codes
from namecheck.codes.troubles import INTERNAL_ERROR
from namecheck.findings import Edit, Finding, Level, Span
from namecheck.main import main
from namecheck.running.suppressions import Directive, apply, codes_of, read
from namecheck.text.layout import split_lines

PATH = "model.py"


def finding(line: int, code: str = "NC202", end: int | None = None, column: int = 1) -> Finding:
    span = Span(line, column, end or line, column + 1)
    return Finding(PATH, span, code, "some-name", Level.ERROR, "something")


def reported(
    text: str, *findings: Finding, unselected: Sequence[str] = (), checked: bool = True
) -> list[Finding]:
    """The findings that are reported for a file with these findings."""
    return apply(
        findings,
        {PATH: read(text)},
        lambda _path, code: code not in unselected,
        {PATH} if checked else (),
    )


def silenced(text: str, code: str = "NC202") -> set[int]:
    """The lines on which a code is silenced."""
    lines = range(1, text.count("\n") + 2)
    findings = reported(text, *(finding(line, code) for line in lines))
    return set(lines) - {f.span.line for f in findings if f.code == code}


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text after some edits, which do not overlap."""
    starts = [0]
    for line in split_lines(text):
        starts.append(starts[-1] + len(line))
    for (line, column, end_line, end_column), content in sorted(edits, reverse=True):
        begin = starts[line - 1] + column - 1
        end = starts[end_line - 1] + end_column - 1
        text = text[:begin] + content + text[end:]
    return text


def mended(text: str, *findings: Finding) -> str:
    """The text after fixing all findings about its comments, one after the other."""
    for _ in range(20):
        fixes = [f.fix for f in reported(text, *findings) if f.code in ("NC901", "NC902")]
        if not fixes:
            return text
        assert fixes[0] is not None
        text = edited(text, fixes[0].edits)
    raise AssertionError("the fixes do not come to an end")


# Which lines they cover


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("x\ny  # namecheck: ignore[NC202]\nz", {2}, id="end of line"),
        pytest.param("x\ny  #namecheck:ignore[ NC202,]why\nz", {2}, id="tight"),
        pytest.param("x\ny  # (B, T)  # namecheck: ignore[NC202] ok\nz", {2}, id="second comment"),
        pytest.param("y  # namecheck: ignore[nc202]", {1}, id="lower case"),
        pytest.param("y  # namecheck: ignore[misaligned-broadcast]", {1}, id="name"),
        pytest.param("y  # namecheck: ignore[NC2]", {1}, id="prefix"),
        pytest.param("y  # namecheck: ignore[NC20]", {1}, id="longer prefix"),
        pytest.param("y  # namecheck: ignore[NC101, NC202]", {1}, id="several"),
        pytest.param("y  # namecheck: ignore[NC101]", set(), id="another code"),
        pytest.param("y  # see namecheck: ignore[NC202]", set(), id="prose before it"),
        pytest.param("'''\n# namecheck: ignore[NC202]\n'''", set(), id="in a string"),
        pytest.param("f(\n 1,\n 2)  # namecheck: ignore[NC202]", {1, 2, 3}, id="last line"),
        pytest.param("f(  # namecheck: ignore[NC202]\n 1,\n 2)", {1, 2, 3}, id="first line"),
        pytest.param("f(\n 1,  # namecheck: ignore[NC202]\n 2)", {2}, id="a line within"),
        pytest.param("f(\n # namecheck: ignore[NC202]\n\n # x\n 2,\n 3)", {5}, id="above within"),
        pytest.param("f(\n 1\n # namecheck: ignore[NC202]\n)", {4}, id="before the bracket"),
        pytest.param("a = 1 + \\\n 2  # namecheck: ignore[NC202]", {1, 2}, id="backslash"),
        pytest.param("a = '''\n'''  # namecheck: ignore[NC202]", {1, 2}, id="long string"),
        pytest.param("# namecheck: ignore[NC202] so\nx\ny", {2}, id="own line"),
        pytest.param("# namecheck: ignore[NC202]\n\n# more\n\nx = (\n1)\ny", {5, 6}, id="gap"),
        pytest.param(
            "# namecheck: ignore[NC202]\ndef f(\n  a):\n  x\ny", {2, 3}, id="header without body"
        ),
        pytest.param(
            "# namecheck: ignore[NC202]\n@a\n@b(\n1)\nclass A:\n  x", {2, 3, 4, 5}, id="decorated"
        ),
        pytest.param("if 1:\n  x\n  # namecheck: ignore[NC202]\ny", {4}, id="end of a block"),
        pytest.param("# namecheck: ignore[NC202]\nif x: y = 1\nz", {2}, id="short if"),
        pytest.param("x\n# namecheck: ignore[NC202]\n", set(), id="nothing below"),
        pytest.param("x\n# namecheck: file-ignore[NC202]\ny", {1, 2, 3}, id="file"),
        pytest.param("x  # namecheck: file-ignore[NC202]\ny", {1, 2}, id="file, beside code"),
        pytest.param("x\ny  # noqa: NC202\nz", {2}, id="noqa"),
        pytest.param("x\ny  # NOQA:F401,NC202 E501 and why\nz", {2}, id="noqa with others"),
        pytest.param("y  # noqa : F401 NC202", {1}, id="noqa with a space"),
        pytest.param("y  # noqa", set(), id="bare noqa"),
        pytest.param("y  # noqa: F401", set(), id="noqa for others"),
        pytest.param("y  # noqa: F401 NC202b", set(), id="noqa of something longer"),
        pytest.param("# noqa: NC202\ny", set(), id="noqa above"),
        pytest.param("# ruff: noqa: NC202\ny", set(), id="ruff's for files"),
        pytest.param("f(\n 1,\n 2)  # noqa: NC202", {1, 2, 3}, id="noqa on the last line"),
        pytest.param("y  # type: ignore # namecheck: ignore[NC202] # noqa: E501", {1}, id="three"),
        pytest.param("y  # namecheck: ignore[NC101]  # namecheck: ignore[NC202]", {1}, id="two"),
        pytest.param("é = '∑'  # namecheck: ignore[NC202] große Tensoren\n", {1}, id="letters"),
        pytest.param(
            "\fif 1:\n\tx\n\t# namecheck: ignore[NC202]\n\ty\n", {4}, id="tabs, form feed"
        ),
        pytest.param("x = (1 +  # namecheck: ignore[NC202]", {1}, id="not Python"),
        pytest.param("x = '''\n", set(), id="not Python, without comments"),
    ],
)
def test_which_lines_a_comment_covers(text: str, lines: set[int]) -> None:
    assert silenced(text) == lines
    assert silenced(text.replace("\n", "\r\n")) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x\n#D\ny\n#E\nz", {2, 3, 4}),
        ("x\n#D\ny\nz", {2, 3, 4}),
        ("def f():\n  #D\n  x\n  if 1:\n    y\nz", {2, 3, 4, 5}),
        ("def f():\n  if 1:\n    #D\n    x\n  y\nz", {3, 4}),
        ("#D\ndef f():\n  x\n  #E\n  y\nz", {1, 2, 3, 4}),
        ("#D\nx\n#E\ny\n#D\nz", {1, 2, 3, 5, 6}),
        ("def f():\n\t#D\n\tx\n        y\nz", {2, 3, 4}),
        ("f(\n  #D\n  x,\n  #E\n  y)", {2, 3, 4}),
    ],
)
def test_ranges(text: str, lines: set[int]) -> None:
    disable, enable = "# namecheck: disable[NC202]", "# namecheck: enable[NC202]"
    text = text.replace("#D", disable).replace("#E", enable)
    assert silenced(text) == lines
    wider = text.replace(enable, "# namecheck: enable[NC2]")
    assert silenced(wider) == lines


def test_an_enable_ends_only_the_codes_it_names() -> None:
    text = "# namecheck: disable[NC202, NC101]\nx\n# namecheck: enable[NC202]\ny"
    assert (silenced(text, "NC202"), silenced(text, "NC101")) == ({1, 2, 3}, {1, 2, 3, 4})


def test_a_finding_of_several_lines_can_be_silenced_from_each_of_them() -> None:
    text = "f(\n 1,\n g(  # a\n 2), # namecheck: ignore[NC202]\n 3)"
    assert [f.code for f in reported(text, finding(3, end=4, column=2))] == []
    assert [f.code for f in reported(text, finding(3, end=3))] == ["NC202", "NC901"]
    # The end is exclusive: a finding up to the beginning of line 4 ends on line 3.
    assert [f.code for f in reported(text, finding(3)._replace(span=Span(3, 1, 4, 1)))] == [
        "NC202",
        "NC901",
    ]


def test_ignore_covers_one_cell_and_file_ignore_the_whole_notebook() -> None:
    (local,) = read("x  # namecheck: ignore[NC202]")
    (of_file,) = read("# namecheck: file-ignore[NC101]")
    directives = {PATH: (local._replace(cell=2), of_file._replace(cell=2))}
    findings = [
        finding(1, code)._replace(cell=cell) for code in ("NC202", "NC101") for cell in (1, 2, 3)
    ]
    reported = apply(findings, directives, lambda *_: True, {PATH})
    assert [(f.code, f.cell) for f in reported] == [("NC202", 1), ("NC202", 3)]


def test_findings_of_other_files_are_silenced_by_the_comments_there() -> None:
    other = finding(1)._replace(path="other.py")
    directives = {"other.py": read("x  # namecheck: ignore[NC202]\ny  # namecheck: ignore[NC101]")}
    assert apply([other, finding(1)], directives, lambda *_: True, {PATH}) == [finding(1)]


# Findings about comments


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x  # namecheck: ignore[NC202]", "nothing here is reported as NC202"),
        ("x  # namecheck: ignore[NC101, NC202]", "nothing here is reported as NC101 or NC202"),
        ("x  # noqa: NC202", "nothing here is reported as NC202"),
        ("# noqa: NC202\nx", "nothing here is reported as NC202"),
        ("# namecheck: disable[NC20]", "nothing here is reported as NC20"),
        ("# namecheck: file-ignore[size-mismatch]", "nothing here is reported as size-mismatch"),
    ],
)
def test_unused(text: str, message: str) -> None:
    (unused,) = reported(text)
    assert (unused.code, unused.name) == ("NC901", "unused-ignore")
    assert unused.level is Level.WARNING
    assert unused.message == f"unused suppression: {message}"


def test_the_unused_codes_of_a_list_are_named() -> None:
    text = "x  # namecheck: ignore[NC101, NC202, NC301] why\n"
    (unused,) = reported(text, finding(1))
    assert unused.message == "unused suppression: nothing here is reported as NC101 or NC301"
    assert mended(text, finding(1)) == "x  # namecheck: ignore[NC202] why\n"


def test_codes_that_are_off_are_not_unused() -> None:
    text = "x  # namecheck: ignore[NC101]\n# namecheck: file-ignore[NC2]\n"
    assert [f.span.line for f in reported(text)] == [1, 2]
    assert [f.span.line for f in reported(text, unselected=["NC101"])] == [2]
    assert [f.span.line for f in reported(text, unselected=["NC202"])] == [1]
    assert [f.span.line for f in reported(text, unselected=["NC209"])] == [1, 2]
    assert reported(text, unselected=["NC901"]) == []
    assert reported(text, checked=False) == []


def test_all_comments_that_silence_one_finding_are_used() -> None:
    text = "# namecheck: file-ignore[NC202]\nx  # namecheck: ignore[NC202]  # noqa: NC202\n"
    assert reported(text, finding(2)) == []


def test_unused_comments_may_be_silenced() -> None:
    for text in (
        "x  # namecheck: ignore[NC202, NC901]",
        "# namecheck: file-ignore[NC901]\nx  # namecheck: ignore[NC202]",
        "# namecheck: file-ignore[NC901]",
        "# namecheck: file-ignore[unused-ignore]",
    ):
        assert reported(text) == []


def test_unknown_codes_may_be_silenced() -> None:
    assert reported("# namecheck: file-ignore[NC902]\nx  # namecheck: ignore[NC298]") == []
    assert [f.code for f in reported("# namecheck: file-ignore[NC902]\n")] == ["NC901"]


@pytest.mark.parametrize(
    ("comment", "message", "after"),
    [
        ("# namecheck: ignore", "'namecheck: ignore' names no codes, so it does nothing", ""),
        ("# namecheck: ignore[]", "'namecheck: ignore[]' names no codes, so it does nothing", ""),
        ("# namecheck: ignore this", "'namecheck: ignore' names no codes, so it does nothing", ""),
        (
            "# namecheck: ignore NC202, NC101: why",
            "'namecheck: ignore' has no brackets around its codes, so it does nothing",
            "# namecheck: ignore[NC202, NC101]: why",
        ),
        (
            "# namecheck: ignore[NC202",
            "'namecheck: ignore[' has no closing bracket, so it does nothing",
            "",
        ),
        (
            "# namecheck: ignroe[NC202] why",
            "unknown pragma 'namecheck: ignroe'; did you mean ignore?",
            "# namecheck: ignore[NC202] why",
        ),
        (
            "# namecheck: skip-file[NC202]",
            "unknown pragma 'namecheck: skip-file'; did you mean file-ignore?",
            "# namecheck: file-ignore[NC202]",
        ),
        ("# namecheck: ignroe", "unknown pragma 'namecheck: ignroe'; did you mean ignore?", ""),
        ("# namecheck: frobnicate[NC202]", "unknown pragma 'namecheck: frobnicate'", ""),
        (
            "# namecheck: disable[NC202]",
            "'namecheck: disable' must be on a line of its own, so it does nothing",
            "",
        ),
        (
            "# namecheck: ignore[NC2O2]",
            "unknown code 'NC2O2' in a suppression; did you mean NC202?",
            "",
        ),
        (
            "# namecheck: ignore[NC202, misaligned-brodcast] a",
            "unknown code 'misaligned-brodcast' in a suppression; did you mean misaligned-b",
            "# namecheck: ignore[NC202] a",
        ),
        ("# namecheck: ignore[E501]", "unknown code 'E501' in a suppression", ""),
        ("# namecheck: ignore[NC]", "unknown code 'NC' in a suppression", ""),
        ("# namecheck: ignore[NC202 NC101]", "unknown code 'NC202 NC101' in a suppression", ""),
        (
            "# namecheck: ignore[NC999]",
            "NC999 cannot be suppressed: it is a bug in namecheck",
            "",
        ),
    ],
)
def test_comments_without_effect_are_reported(comment: str, message: str, after: str) -> None:
    text = f"x = 1  {comment}\n"
    unknown = [f for f in reported(text, finding(1), finding(1, "NC101")) if f.code[:3] == "NC9"]
    assert [(f.code, f.name) for f in unknown] == [("NC902", "unknown-code")]
    assert unknown[0].level is Level.WARNING
    assert unknown[0].message.startswith(message)
    assert mended(text, finding(1), finding(1, "NC101")) == f"x = 1  {after}".rstrip() + "\n"


@pytest.mark.parametrize(
    "comment",
    [
        "# namecheck: see the guide",
        "# namecheck: ignoring what follows",
        "# about namecheck: ignore",
        "# namecheck finds this",
        "# see https://example.com/namecheck:latest",
        "# noqa: XY12",
        "# noqa: F401 because NC298",
        "# noqa: F401, NC298",
        "# noqa:NC",
        "# noqa",
    ],
)
def test_comments_for_other_tools_are_left_alone(comment: str) -> None:
    assert read(f"x = 1  {comment}\n{comment}\n") == ()


def test_an_enable_must_end_something() -> None:
    text = "# namecheck: disable[NC202]\nx\n# namecheck: enable[NC202, NC101]\ny\n"
    (idle,) = reported(text, finding(2))
    assert idle.message == "enable[NC101] ends nothing: no disable[NC101] is open here"
    assert mended(text, finding(2)) == text.replace(", NC101", "")
    twice = text.replace(", NC101", "") + "# namecheck: enable[NC202]\n"
    assert [f.span.line for f in reported(twice, finding(2))] == [5]


def test_an_internal_error_is_never_silenced() -> None:
    text = "# namecheck: file-ignore[NC9]\n"
    assert [f.code for f in reported(text, finding(1, "NC999"))] == ["NC999"]
    assert reported(text, finding(1, "NC900")) == []


# How they are removed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x  # namecheck: ignore[NC202] why\ny\n", "x\ny\n"),
        ("x\t#namecheck: ignore[NC202]   \ny\n", "x\ny\n"),
        ("x  # namecheck: ignore[NC202]", "x"),
        ("x\n  # namecheck: file-ignore[NC202] why\ny\n", "x\ny\n"),
        ("x\n# namecheck: file-ignore[NC202]", "x\n"),
        ("x  # (B, T)  # namecheck: ignore[NC202] why\n", "x  # (B, T)\n"),
        ("x  # namecheck: ignore[NC202] why  # noqa: F401\n", "x  # noqa: F401\n"),
        ("x  # namecheck: ignore[NC202] see #12\n", "x\n"),
        ("# (B, T)  # namecheck: ignore[NC202]\nx\n", "# (B, T)\nx\n"),
        ("# namecheck: ignore[NC202]  # (B, T)\nx\n", "# (B, T)\nx\n"),
        ("x  # noqa: NC202\n", "x\n"),
        ("x  # noqa: F401,NC202  # because\n", "x  # noqa: F401  # because\n"),
        ("x  # noqa: NC202 F401 why\n", "x  # noqa: F401 why\n"),
        ("x  # namecheck: ignore[NC202, NC298, NC101]\n", "x\n"),
        ("# namecheck: ignore[NC202]\n# namecheck: ignore[NC101]\nx\n", "x\n"),
        ("x = 'é∑'  # namecheck: ignore[NC202] ü\ny\n", "x = 'é∑'\ny\n"),
    ],
)
def test_removal(before: str, after: str) -> None:
    assert mended(before) == after
    assert mended(before.replace("\n", "\r\n")) == after.replace("\n", "\r\n")


PIECES = [
    "x = 1",
    "f(",
    "2,",
    ")",
    "if x:",
    "    y = '''",
    "'''",
    "  ",
    "\t",
    "\\",
    "# a",
    "# namecheck: ignore[NC202]",
    "# namecheck: ignore[NC202, NC7, NC101] why",
    "# namecheck: disable[NC2]",
    "# namecheck: enable[NC202]",
    "# namecheck: file-ignore[NC901]",
    "# noqa: NC101, F401",
    "# namecheck: ignore",
    "\n",
    "\r\n",
    "\f",
    "é∑",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("\\\n# namecheck: ignore[NC202]")
def test_reading_and_removing_comments_never_fails(text: str) -> None:
    directives = read(text)
    lines = split_lines(text)
    for directive in directives:
        assert lines[directive.span.line - 1][directive.span.column - 1] == "#"
    after = mended(text)
    try:
        tree = ast.dump(ast.parse(text))
    except (SyntaxError, ValueError):
        return
    assert ast.dump(ast.parse(after)) == tree


@given(st.text(alphabet=st.sampled_from("#namecheck:ignore[NC202],noqa \n'\"\\()")))
def test_any_text_can_be_read(text: str) -> None:
    read(text)
    read("# namecheck:" + text)


# Their values


def test_directives_are_plain_values() -> None:
    """Plain values can be stored beside the findings, in any format."""
    text = "x  # namecheck: ignore[NC202, NC2O2]\n# namecheck: disable[NC2]\n"
    again = json.loads(json.dumps(read(text)))
    assert json.dumps(again) == json.dumps(read(text))
    assert all(isinstance(directive, Directive) for directive in read(text))


def test_every_code_but_one_can_be_silenced() -> None:
    assert {code for code in known_codes() if codes_of(code) != (code,)} == {INTERNAL_ERROR}


# Through the command

CLAIMS = """import torch
def f(x):
    B, T, C = x.shape
    y = x.transpose(1, 2)  # (B, T, C)  # namecheck: ignore[NC402] (B, C, T) is wanted
    # (T, B, C)
    # namecheck: ignore[NC402] wanted
    y = x.transpose(1, 2)
    # namecheck: ignore[NC402] wanted
    # (T, B, C)
    y = x.transpose(1, 2)
    y = x.transpose(1, 2)  # noqa: NC402  # (B, T, C)
    return y
"""


def checked(*arguments: str) -> list[tuple[int, str]]:
    """The lines and codes that `namecheck check` reports."""
    result = CliRunner().invoke(main, ["check", "--output-format", "json", *arguments])
    assert result.exit_code in (0, 1), result.output
    return [(finding["location"]["row"], finding["code"]) for finding in json.loads(result.stdout)]


def test_suppression_comments_are_not_read_as_shapes(here: Path) -> None:
    """They do not separate a shape from its statement, either."""
    (here / PATH).write_text(CLAIMS)
    assert checked(PATH) == []
    (here / PATH).write_text(CLAIMS.replace("[NC402]", "[NC101]").replace("NC402", "NC101"))
    assert [line for line, code in checked(PATH) if code == "NC402"] == [4, 7, 10, 11]


SIZES = """import torch
x = torch.zeros(3) + torch.zeros(4){}
"""


def test_silenced_findings_do_not_count(here: Path) -> None:
    (here / PATH).write_text(SIZES.format(""))
    assert checked(PATH) == [(2, "NC201")]
    (here / PATH).write_text(SIZES.format("  # namecheck: ignore[NC201]"))
    assert checked(PATH) == []
    assert CliRunner().invoke(main, ["check", PATH]).exit_code == 0


def test_unselected_codes_are_not_unused(here: Path) -> None:
    (here / PATH).write_text(SIZES.format("  # namecheck: ignore[NC201, NC101]"))
    assert checked(PATH) == [(2, "NC901")]
    assert checked(PATH, "--ignore", "NC101") == []
    assert checked(PATH, "--select", "NC2,NC9") == []
    assert checked(PATH, "--ignore", "NC901") == []


def test_comments_of_a_file_that_is_not_python_are_not_unused(here: Path) -> None:
    (here / PATH).write_text("x = (  # namecheck: ignore[NC201, NC298]\n")
    assert checked(PATH) == [(1, "NC900")]


def test_findings_in_a_file_that_was_not_named(here: Path) -> None:
    (here / "part.py").write_text(
        "def add(a, b):\n"
        "    return a + b  # namecheck: ignore[NC201]\n"
        "x = 1  # namecheck: ignore[NC201]\n"
    )
    text = "import torch\nfrom part import add\nadd(torch.zeros(3), torch.zeros(4))\n"
    (here / "whole.py").write_text(text)
    assert checked("whole.py") == []
