"""Terminal blocks (`console`) in the colours of the terminal.

The tests type the commands of a block and compare its text, so the text has no colours.  `pieces`
finds them again from the layout of a report (`namecheck.report.text`), and a test compares its
pieces with those of the report itself.  The stylesheet gives each style its colour, in light and
dark; the button beside a block copies only the commands.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from namecheck.applying.difference import style_of
from namecheck.printing.screen import Piece

if TYPE_CHECKING:
    from markdown import Markdown
    from mkdocs.config.defaults import MkDocsConfig

PROMPT = "$ "

HEAD = re.compile(r"(error|warning|note)\[NC\d{3}\]")
ARROW = re.compile(r" *--> ")
REMARK = re.compile(r" +(?:=) ")
GUTTER = re.compile(r" *\d+ \| ?| +\| ?|\.\.\.+$")
MARKS = re.compile(r" *[-^](?:[-^ ]*[-^])?")
LABELS = re.compile(r"\||\[[^]]*\](?:, \[[^]]*\])*|\S+")
DIMS = re.compile(r"(?<=\S)  +(?:(?:return|[\w.*]+(?:, [\w.*]+)*): )?\[.*$|^ +[\w.]+: \[.*$")
PYCON = re.compile(r'(<div class="language-pycon highlight")>(.*?</div>)', re.DOTALL)
DIFF_FIRST = re.compile(r"--- .")
DIFF = re.compile(r"[-+ @\\]|$")  # an empty line of a diff has lost its blank


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make `block` the formatter of blocks in the language `console`."""
    fence = {"name": "console", "class": "console", "format": block}
    fences = config.mdx_configs.setdefault("pymdownx.superfences", {})
    fences.setdefault("custom_fences", []).append(fence)
    return config


def block(
    source: str,
    language: str,
    css_class: str,
    options: dict[str, Any],
    md: Markdown,
    **others: Any,
) -> str:
    """A terminal block as HTML, in the theme's elements for code."""
    code = "".join(markup(piece) for piece in pieces(source))
    typed = "\n".join(commands(source))
    copied = f' data-copy="{html.escape(typed)}"' if typed else ""
    return (
        f'<div class="language-{language} highlight"{copied}>'
        f"<pre><span></span><code>{code}\n</code></pre></div>"
    )


def on_page_content(content: str, **_: object) -> str:
    """Make the button beside a block with Python's prompt copy only the input, without prompts and
    output.
    """
    return PYCON.sub(_with_copy, content)


def _with_copy(block: re.Match[str]) -> str:
    text = html.unescape(re.sub(r"<[^>]+>", "", block[2]))
    typed = [line[4:] for line in text.splitlines() if line.startswith((">>> ", "... "))]
    return f'{block[1]} data-copy="{html.escape(chr(10).join(typed))}">{block[2]}'


def markup(piece: Piece) -> str:
    text = html.escape(piece.text, quote=False)
    if not piece.style or not piece.text.strip():
        return text
    return f'<span class="nc-{piece.style}">{text}</span>'


def commands(source: str) -> Iterator[str]:
    """The commands in a block, without the prompts."""
    for line in source.splitlines():
        if line.startswith(PROMPT):
            yield line.removeprefix(PROMPT)


def pieces(source: str) -> Iterator[Piece]:
    """The text in the styles of `namecheck.report.colour`, and of prompts and diffs; neighbours of
    one style are one piece.
    """
    for style, same in groupby(
        (piece for piece in _pieces(source) if piece.text), key=lambda piece: piece.style
    ):
        yield Piece("".join(piece.text for piece in same), style)


def _pieces(source: str) -> Iterator[Piece]:
    command = ""
    level = ""  # of the finding of the current line
    above: dict[int, str] = {}  # the style of each underlined column above
    is_head = is_diff = False
    for number, line in enumerate(source.split("\n")):
        if number:
            yield Piece("\n")
        is_diff = bool(DIFF_FIRST.match(line) or (is_diff and DIFF.match(line)))
        if line.startswith(PROMPT):
            command = line.removeprefix(PROMPT)
            level, is_head, is_diff = "", False, False
            yield from (Piece(PROMPT, "prompt"), Piece(command, "command"))
        elif head := HEAD.match(line):
            level, is_head, above = head[1], True, {}
            yield from (Piece(head[0], level), Piece(line[head.end() :], "message"))
        elif not line:
            level = ""
        elif is_diff:
            yield Piece(line, _style_in_diff(line))
        elif line.startswith("Found ") or " can be fixed with --" in line:
            yield Piece(line, "summary")
        elif line.startswith("No findings"):
            yield Piece(line, "clean")
        elif command.startswith("namecheck show ") and (gutter := GUTTER.match(line)):
            yield Piece(gutter[0], "gutter")
            yield from _beside(line[gutter.end() :])
        elif not level:
            yield Piece(line)
        elif arrow := ARROW.match(line):
            is_head = False
            yield from (Piece(arrow[0], "gutter"), Piece(line[arrow.end() :]))
        elif is_head:
            yield Piece(line, "message")
        elif remark := REMARK.match(line):
            text = line[remark.end() :]
            style = "hint" if text.startswith(("hint: ", "fix: ")) else ""
            yield from (Piece(remark[0], "gutter"), Piece(text, style))
        elif gutter := GUTTER.match(line):
            yield Piece(gutter[0], "gutter")
            rest = line[gutter.end() :]
            if gutter[0].strip() != "|":
                above = {}
                yield Piece(rest)
            elif not above and (marks := MARKS.match(rest)):
                above = _styles(marks[0], level)
                yield from _in_styles(marks[0], above)
                yield Piece(rest[marks.end() :], above[marks.end() - 1])
            else:
                yield from _hanging(rest, above)
        else:
            yield Piece(line)


def _style_in_diff(line: str) -> str:
    style = style_of(line)
    return "message" if style.get("bold") else f"diff-{style['fg']}" if "fg" in style else ""


def _beside(code: str) -> Iterator[Piece]:
    """A line of `namecheck show`: the code, and the dims on its right."""
    dims = DIMS.search(code)
    end = dims.start() if dims else len(code)
    yield from (Piece(code[:end]), Piece(code[end:], "dims"))


def _styles(marks: str, level: str) -> dict[int, str]:
    """The style of each column of a row of underlines."""
    styles = {"^": level, "-": "label"}
    return {column: styles[mark] for column, mark in enumerate(marks) if mark in styles}


def _in_styles(text: str, styles: dict[int, str]) -> Iterator[Piece]:
    for column, character in enumerate(text):
        yield Piece(character, styles.get(column, ""))


def _hanging(row: str, above: dict[int, str]) -> Iterator[Piece]:
    """A row of labels below their underlines, or of the strokes that lead to them."""
    end = 0
    for label in LABELS.finditer(row):
        yield Piece(row[end : label.start()])
        yield Piece(label[0], above.get(label.start(), ""))
        end = label.end()
    yield Piece(row[end:])
