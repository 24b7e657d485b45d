"""Reports of handmade findings: the exact text that users see."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from namecheck.documentation.addresses import SITE
from namecheck.findings import WHOLE_FILE, Counts, Finding, Label, Level, Note, ShapeAt, Span
from namecheck.printing.screen import Piece, lay_out, plain, split_lines, width_of, wrap
from namecheck.printing.terminal import can_link
from namecheck.report import Report
from namecheck.report.colour import STYLES
from namecheck.report.concise import concise
from namecheck.report.json import array
from namecheck.report.shapes import beside
from namecheck.report.text import full_pieces, summary

MODEL = """\
import torch

def loss(pred, target):
    # pred: (B, 1)
    return ((pred - target) ** 2).mean()

def f(x, q, k):
    h = x + x.transpose("T", "C")
    s = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
\tt = q @ k
    名前 = "寸法" + (q @ k)
    z = torch.einsum(
        "b t c, b c d -> b t d",
        q,
        k,
        x,
    )
"""
LINES = MODEL.split("\n")


def at(line: int, text: str) -> Span:
    start = LINES[line - 1].index(text) + 1
    return Span(line, start, line, start + len(text))


def finding(span: Span, message: str = "message", **rest: object) -> Finding:
    result = Finding("model.py", span, "NC203", "contraction-size", Level.ERROR, message)
    return result._replace(**rest)  # type: ignore[arg-type]


def report(*findings: Finding, checked: int = 1, source: str | None = MODEL) -> Report:
    return Report(findings, lambda path, cell: source or "", checked)


def pieces(
    example: Finding, source: str | None = MODEL, width: int | None = None
) -> Iterator[Piece]:
    return full_pieces(report(example, source=source), width)


def full(*findings: Finding, checked: int = 1, source: str | None = MODEL) -> str:
    return plain(full_pieces(report(*findings, checked=checked, source=source)))


def frame(example: Finding, width: int | None = None, source: str = MODEL, context: int = 0) -> str:
    """The frame of a finding, without the lines `   |` around it."""
    with patch("namecheck.report.text.CONTEXT", context):
        text = plain(pieces(example, source, width))
    lines = text.split("\n")[2:]
    rules = [k for k, line in enumerate(lines) if line.strip() == "|"]
    return "\n".join(lines[rules[0] + 1 : rules[-1]])


TRANSPOSED = Finding(
    "model.py",
    at(8, 'x.transpose("T", "C")'),
    "NC101",
    "name-mismatch",
    Level.ERROR,
    "cannot add [N, T, C] and [N, C, T]: 'T' and 'C' meet at position -2",
    (Label(at(8, 'x.transpose("T", "C")'), "[N, C, T]"),),
    (Note("x is [N, T, C], from its annotation", None, Span(7, 7, 7, 8)),),
    "transpose back, or add `x.align_as(...)`",
)


def test_a_whole_report() -> None:
    assert full(TRANSPOSED, checked=12) == (
        "error[NC101]: cannot add [N, T, C] and [N, C, T]: 'T' and 'C' meet at position -2\n"
        "  --> model.py:8:13\n"
        "   |\n"
        " 7 | def f(x, q, k):\n"
        ' 8 |     h = x + x.transpose("T", "C")\n'
        "   |             ^^^^^^^^^^^^^^^^^^^^^ [N, C, T]\n"
        " 9 |     s = torch.softmax(q @ k.transpose(-2, -1), dim=-1)\n"
        "10 |     t = q @ k\n"
        "   |\n"
        "   = x is [N, T, C], from its annotation at 7:7\n"
        "   = hint: transpose back, or add `x.align_as(...)`\n"
        "\n"
        "Found 1 finding in 1 file (12 checked).\n"
    )


def test_both_operands_inside_the_underlined_operation() -> None:
    operands = (Label(at(5, "pred"), "[B, 1]"), Label(at(5, "target"), "[B]"))
    assert frame(finding(at(5, "pred - target"), labels=operands)) == (
        "5 |     return ((pred - target) ** 2).mean()\n"
        "  |              ----^^^------ [B]\n"
        "  |              |\n"
        "  |              [B, 1]"
    )


def test_the_operation_has_dims_of_its_own() -> None:
    result = Label(at(5, "pred - target"), "gives [B, B]")
    operands = (Label(at(5, "pred"), "[B, 1]"), Label(at(5, "target"), "[B]"))
    assert frame(finding(at(5, "pred - target"), labels=(*operands, result))) == (
        "5 |     return ((pred - target) ** 2).mean()\n"
        "  |              ----^^^------ [B]\n"
        "  |              |    |\n"
        "  |              |    gives [B, B]\n"
        "  |              [B, 1]"
    )


def test_hanging_words_share_a_row_when_they_fit() -> None:
    labels = (
        Label(at(9, "torch"), "(1)"),
        Label(at(9, "k.transpose"), "(2)"),
        Label(at(9, "-1"), "(3)"),
    )
    assert frame(finding(at(9, "dim=-1"), labels=labels)) == (
        "9 |     s = torch.softmax(q @ k.transpose(-2, -1), dim=-1)\n"
        "  |         -----             -----------     --   ^^^^^^\n"
        "  |         |                 |               |\n"
        "  |         (1)               (2)             (3)"
    )


def test_a_label_on_another_line_shows_that_line() -> None:
    labels = (Label(at(4, "(B, 1)"), "said here"), Label(at(1, "torch"), "this torch"))
    assert frame(finding(at(5, "target"), labels=labels)) == (
        "1 | import torch\n"
        "  |        ----- this torch\n"
        "...\n"
        "4 |     # pred: (B, 1)\n"
        "  |             ------ said here\n"
        "5 |     return ((pred - target) ** 2).mean()\n"
        "  |                     ^^^^^^"
    )


def test_two_lines_of_context_without_empty_ones_at_the_edges() -> None:
    assert frame(finding(at(5, "target")), context=2) == (
        "3 | def loss(pred, target):\n"
        "4 |     # pred: (B, 1)\n"
        "5 |     return ((pred - target) ** 2).mean()\n"
        "  |                     ^^^^^^\n"
        "6 |\n"
        "7 | def f(x, q, k):"
    )
    assert frame(finding(at(4, "pred")), context=2).startswith("3 | def loss")
    assert frame(finding(at(17, ")")), context=2).startswith("15 |         k,\n16 |")
    assert frame(finding(at(17, ")")), context=2).endswith("17 |     )\n   |     ^")


def test_context_fills_a_gap_of_one_line_and_says_where_lines_are_left_out() -> None:
    near = (Label(at(1, "torch"), "this"),)
    assert "..." not in frame(finding(at(7, "x"), labels=near), context=2)
    far = frame(finding(at(8, "x"), labels=near), context=2).splitlines()
    assert far.index("...") == 4
    assert far[3].startswith(" 3 |")
    assert far[5].startswith(" 6 |")


def test_a_tab_is_as_wide_above_as_below() -> None:
    assert frame(finding(at(10, "q @ k"))) == "10 |     t = q @ k\n   |         ^^^^^"


def test_wide_characters_take_two_cells() -> None:
    assert frame(finding(at(11, "q @ k"))) == (
        '11 |     名前 = "寸法" + (q @ k)\n   |                      ^^^^^'
    )


def test_a_span_of_many_lines() -> None:
    span = Span(12, 9, 17, 6)
    assert frame(finding(span, labels=(Label(span, "[B, T]"), Label(at(15, "k"), "[B, C]")))) == (
        "12 |     z = torch.einsum(\n"
        "   |         ^^^^^^^^^^^^^\n"
        '13 |         "b t c, b c d -> b t d",\n'
        "   |         ^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "14 |         q,\n"
        "15 |         k,\n"
        "   |         - [B, C]\n"
        "16 |         x,\n"
        "17 |     )\n"
        "   |     ^ [B, T]"
    )


def test_a_long_line_is_cut_around_the_underline() -> None:
    source = "a" * 200 + " + wrong + " + "b" * 200
    example = finding(Span(1, 204, 1, 209), labels=(Label(Span(1, 204, 1, 209), "[B]"),))
    top, bottom = frame(example, 80, source).split("\n")
    assert width_of(top) <= 80
    assert top.startswith("1 | ...a")
    assert top.endswith("b...")
    start = bottom.index("^")
    assert top[start : start + 5] == "wrong"
    assert bottom.endswith("^^^^^ [B]")


def test_the_finding_itself_is_shown_when_an_operand_is_too_far_away() -> None:
    source = "near + " + "a" * 200 + " + wrong"
    example = finding(Span(1, 211, 1, 216), labels=(Label(Span(1, 1, 1, 5), "[B]"),))
    top, bottom = frame(example, 80, source).split("\n")
    assert top.endswith("wrong")
    assert top.index("wrong") == bottom.index("^^^^^")


def test_an_underline_wider_than_the_screen() -> None:
    source = "x = " + "a" * 300
    top, bottom = frame(finding(Span(1, 5, 1, 305)), 80, source).split("\n")
    assert width_of(top) <= 80
    assert width_of(bottom) <= 81
    assert "^" * 60 in bottom


def test_no_source_no_frame() -> None:
    example = finding(Span(1, 1, 1, 1), "cannot read gone.py: Permission denied", path="gone.py")
    assert full(example, source=None).split("\n")[:3] == [
        "error[NC203]: cannot read gone.py: Permission denied",
        " --> gone.py:1:1",
        "",
    ]


def test_a_finding_about_the_whole_file_needs_no_frame() -> None:
    text = full(finding(WHOLE_FILE))
    assert text.startswith("error[NC203]: message\n --> model.py:1:1\n\n")


def test_a_place_in_another_file() -> None:
    example = finding(
        at(5, "pred"), notes=(Note("called", "other.py", Span(3, 4, 3, 9)), Note("so"))
    )
    text = full(example)
    assert "\n  = called at other.py:3:4\n  = so\n" in text


def test_no_source_can_move_the_cursor() -> None:
    text = full(finding(Span(1, 1, 1, 5)), source="x = '\x1b[2J\x9b2J'")
    assert "\x1b" not in text
    assert "\x9b" not in text
    assert r"x = '\x1b[2J\x9b2J'" in text


def test_texts_are_wrapped_to_the_terminal_but_dims_stay_whole() -> None:
    example = TRANSPOSED._replace(message=("very long " * 8) + "[batch, time, channels] and more")
    text = plain(pieces(example, width=80))
    assert max(map(width_of, text.split("\n"))) <= 80
    assert "[batch, time, channels]" in text
    assert wrap("a [b, c]", None, 4) == ["a [b, c]"]


@pytest.mark.parametrize(
    ("paths", "checked", "text"),
    [
        ([], 1, "No findings (1 file checked)."),
        ([], 1200, "No findings (1,200 files checked)."),
        (["a"], 1, "Found 1 finding in 1 file (1 checked)."),
        (["a", "a", "b"], 12, "Found 3 findings in 2 files (12 checked)."),
    ],
)
def test_the_summary(paths: list[str], checked: int, text: str) -> None:
    findings = [TRANSPOSED._replace(path=path) for path in paths]
    assert summary(report(*findings, checked=checked)) == text
    beside = report(*findings, checked=checked)._replace(beside=("4 known", "2 unchanged"))
    assert summary(beside) == text.replace(").", "; 4 known; 2 unchanged).")


places = st.integers(min_value=-2, max_value=40)
spans = st.builds(Span, places, places, places, places)
labels = st.builds(Label, spans, st.text(max_size=12))


@example(span=Span(5, 2, 0, 0), labels=(), source="\r\r\r\r ", width=None)
@given(
    span=spans,
    labels=st.lists(labels, max_size=4).map(tuple),
    source=st.text(st.sampled_from("ab (\t\n\r名\u0301\u200d\x1b[é"), max_size=120),
    width=st.none() | st.integers(min_value=1, max_value=90),
)
def test_every_place_has_a_frame(
    span: Span, labels: tuple[Label, ...], source: str, width: int | None
) -> None:
    drawn = finding(span, labels=labels)
    text = plain(pieces(drawn, source, width))
    assert text.startswith("error[NC203]: message\n")
    assert "\x1b" not in text
    if labels == () and span != WHOLE_FILE and 1 <= span.line <= len(split_lines(source)):
        assert "^" in text


@given(st.text())
def test_cells_and_characters(text: str) -> None:
    laid = lay_out(text)
    assert len(laid.starts) == len(text) + 1
    assert laid.starts == sorted(laid.starts)
    assert laid.starts[-1] == len(laid.cells)


def test_lines_are_split_as_python_splits_them() -> None:
    assert split_lines("a\r\nb\rc\x0cd\u2028e\n") == ["a", "b", "c\x0cd\u2028e", ""]


# The other formats


def test_concise() -> None:
    second = TRANSPOSED._replace(level=Level.WARNING, message="two\nlines")
    assert concise([TRANSPOSED, second]) == (
        "model.py:8:13: NC101 [error] cannot add [N, T, C] and [N, C, T]: "
        "'T' and 'C' meet at position -2\n"
        "model.py:8:13: NC101 [warning] two lines\n"
    )
    assert concise([]) == ""


def test_json() -> None:
    assert json.loads(array([TRANSPOSED])) == [
        {
            "code": "NC101",
            "name": "name-mismatch",
            "level": "error",
            "message": TRANSPOSED.message,
            "filename": "model.py",
            "cell": None,
            "location": {"row": 8, "column": 13},
            "end_location": {"row": 8, "column": 34},
            "hint": TRANSPOSED.hint,
            "notes": [
                {
                    "message": "x is [N, T, C], from its annotation",
                    "filename": "model.py",
                    "cell": None,
                    "location": {"row": 7, "column": 7},
                    "end_location": {"row": 7, "column": 8},
                }
            ],
            "labels": [
                {
                    "message": "[N, C, T]",
                    "location": {"row": 8, "column": 13},
                    "end_location": {"row": 8, "column": 34},
                }
            ],
            "fix": None,
            "url": None,
        }
    ]
    assert json.loads(array([])) == []
    assert json.loads(array([finding(at(5, "pred"), notes=(Note("no place"),))]))[0]["notes"] == [
        {
            "message": "no place",
            "filename": "model.py",
            "cell": None,
            "location": None,
            "end_location": None,
        }
    ]


def test_counts_add_up() -> None:
    assert sum([Counts(1, 10, 4, 3, 2, 1), Counts(files=1, lines=5)], Counts()) == Counts(
        2, 15, 4, 3, 2, 1
    )


# The source with its dims


def shown(source: str, *shapes: tuple[int, str, str, str], width: int | None = None) -> list[str]:
    text = plain(beside(source, [ShapeAt(*shape) for shape in shapes], width))
    return text.removesuffix("\n").split("\n")


def test_dims_are_in_one_column() -> None:
    source = "def f(x):\n    q, k = g(x)\n    long_name = q\n    return k\n\n\n"
    assert shown(
        source,
        (1, "x", "[B, T]", "parameter"),
        (2, "q", "[B]", "assign"),
        (2, "k", "[B]", "assign"),
        (3, "long_name", "[B]", "assign"),
        (4, "", "[B]", "return"),
    ) == [
        "1 | def f(x):          x: [B, T]",
        "2 |     q, k = g(x)    q, k: [B]",
        "3 |     long_name = q  [B]",
        "4 |     return k       return: [B]",
    ]


def test_different_dims_on_one_line() -> None:
    assert shown("a, b = f()", (1, "a", "[N]", "assign"), (1, "b", "[M]", "assign")) == [
        "1 | a, b = f()  a: [N]  b: [M]"
    ]


def test_dims_below_code_that_leaves_no_room() -> None:
    source = "x = f(" + "a" * 68 + ")\ny = x"
    assert shown(source, (1, "x", "[N]", "assign"), (2, "y", "[N, M]", "assign"), width=80) == [
        f"1 | x = f({'a' * 68})",
        f"  | {' ' * 70}[N]",
        f"2 | y = x{' ' * 65}[N, M]",
    ]


def test_one_long_line_does_not_move_the_column() -> None:
    source = "x = 1\n" + "y = " + "a" * 150
    first, second = shown(source, (1, "x", "[N]", "assign"), (2, "y", "[M]", "assign"))
    assert first == "1 | x = 1  [N]"
    assert second.endswith("a  [M]")


@example(source="名" * 30, lines=[], width=25)
@given(
    source=st.lists(st.sampled_from("ab =\t\n名"), max_size=200).map("".join),
    lines=st.lists(st.integers(min_value=1, max_value=9), max_size=4),
    width=st.integers(min_value=24, max_value=60),
)
def test_no_row_is_wider_than_the_screen_and_no_code_is_lost(
    source: str, lines: list[int], width: int
) -> None:
    text = shown(source, *((line, "x", "[N, M]", "assign") for line in lines), width=width)
    assert max(map(width_of, text)) <= width
    code = re.sub(r"\s", "", "".join(line.partition("|")[2] for line in text))
    assert code.replace("[N,M]", "") == re.sub(r"\s", "", source)


# Colour


def painted(script: str, **environment: str) -> str:
    roots = [str(Path(__file__).parent.parent / root) for root in ("runtime", "namecheck")]
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(roots), "TERM": "xterm"} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_colour_changes_no_character() -> None:
    styled = list(pieces(TRANSPOSED, width=80))
    script = (
        "from namecheck.report.colour import paint\n"
        "from namecheck.printing.screen import Piece\n"
        f"paint([Piece(*piece) for piece in {[(text, str(style)) for text, style, _ in styled]!r}])"
    )
    text = painted(script)
    assert "\x1b[1;91merror[" in text
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == plain(styled)


def test_colours_are_readable_on_black() -> None:
    """Plain blue and red are too dark there, in the themes of most terminals."""
    dark = {"blue", "red", "black"}
    assert not [name for name, style in STYLES.items() if dark.intersection(style.split())]


LINKED = (
    "from namecheck.documentation import addresses\n"
    "addresses.SITE = 'https://docs.example/'\n"
    "from namecheck.report.colour import paint\n"
    "from namecheck.printing.screen import Piece\n"
    "from namecheck.documentation.addresses import url_of\n"
    "paint([Piece('NC201', 'error', url_of('NC201')), Piece(' x')])"
)


def test_a_code_is_a_link_if_the_terminal_supports_links() -> None:
    linked = painted(LINKED, FORCE_HYPERLINK="1")
    assert re.search(r"\x1b\]8;[^;]*;https://docs\.example/rules/NC201/\x1b\\", linked)
    assert "\x1b]8" not in painted(LINKED, FORCE_HYPERLINK="0")
    assert "\x1b]8" not in painted(LINKED, FORCE_HYPERLINK="")  # no terminal
    silent = LINKED.replace("addresses.SITE =", "addresses.OTHER =")
    if SITE is None:
        assert "\x1b]8" not in painted(silent, FORCE_HYPERLINK="1")


@pytest.mark.parametrize(
    ("environment", "can"),
    [
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM_PROGRAM": "vscode"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"VTE_VERSION": "7200"}, True),
        ({"VTE_VERSION": "4601"}, False),
        ({"VTE_VERSION": "odd"}, False),
        ({"WT_SESSION": "1"}, True),
        ({"TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4a"}, True),
        ({"TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"}, False),
        ({"TERM_PROGRAM": "tmux"}, False),
        ({"TERM": "screen-256color", "VTE_VERSION": "7200"}, False),
        ({"TERM_PROGRAM": "vscode", "FORCE_HYPERLINK": "0"}, False),
    ],
)
def test_which_terminals_show_links(
    environment: dict[str, str], can: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "TERM_PROGRAM", "VTE_VERSION", "WT_SESSION", "FORCE_HYPERLINK"):
        monkeypatch.delenv(name, raising=False)
    for name in ("TERM_PROGRAM_VERSION", "KONSOLE_VERSION", "DOMTERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert can_link() is can


def test_coloured_code_keeps_its_characters_and_its_dims() -> None:
    source = MODEL + "\n" + "y = " + "名" * 60 + " + x\n"
    shape = (ShapeAt(8, "h", "[N, T, C]", "assign"), ShapeAt(19, "y", "[N]", "assign"))
    script = (
        "from namecheck.findings import ShapeAt\n"
        "from namecheck.report.colour import paint_beside\n"
        f"paint_beside({source!r}, [ShapeAt(*s) for s in {[tuple(s) for s in shape]!r}], 80)"
    )
    text = painted(script)
    assert "\x1b[1;36m" in text
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == plain(beside(source, shape, 80))
