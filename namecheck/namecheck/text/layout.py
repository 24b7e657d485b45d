"""The lines of a source text: where logical lines begin and end, and where comments are.

They are read from the text alone, line by line, without a parser: LibCST's nodes have no line
numbers, and every way to get them costs as much as the parse; this costs a fiftieth. The meaning of
the lines is not known here: `from_libcst.py` joins the two, notices if they disagree, and then asks
LibCST after all.
"""

from __future__ import annotations

import io
import re
from typing import Final, NamedTuple

from namecheck_runtime.light.regexes import regex


class CommentLine(NamedTuple):
    """A comment: its text from the `#`, its line and column (from 1, in characters).

    `alone`: it is alone on its line. `logical` is the index of the logical line that the comment is
    part of or, if it is between two, of the next one. `inside`: that logical line begins before the
    comment and continues after it.
    """

    text: str
    line: int
    column: int
    alone: bool
    inside: bool
    logical: int


class Layout(NamedTuple):
    """The logical lines of a text in order: first and last line (from 1) and indentation.

    A logical line is one that Python's tokenizer ends with NEWLINE: a simple statement (or several
    between semicolons), the header of a compound one, `else:`, a decorator. Indentation counts
    columns from 0, with tabs to the next multiple of eight.

    `lines` are the text's lines with their line breaks; joined they are the text. `doubtful`: the
    text has a string that only a parser can delimit (a formatted string that contains its own
    quotes), so that everything after it is a guess. `depths` has how deep brackets are nested in
    each logical line.
    """

    starts: list[int]
    ends: list[int]
    indents: list[int]
    comments: list[CommentLine]
    lines: list[str]
    doubtful: bool
    depths: list[int]


_BLANK: Final = frozenset({"", "\n", "\r\n", "\r"})
# Strings, comments and continuations: they hide brackets, or the end of a logical line.
_TOKEN: Final = regex(
    r"""
      (?P<comment>\#[^\r\n]*)
    | (?P<triple>\"{3}|'{3})
    | (?P<string>"(?:[^"\\\r\n]|\\[^\r\n])*" | '(?:[^'\\\r\n]|\\[^\r\n])*')
    | (?P<open>["'])
    | (?P<continued>\\(?:\r\n?|\n|\Z))
    """,
    re.VERBOSE,
)
_CLOSING: Final = {
    '"""': regex(r'(?:[^\\"]|\\.|"(?!""))*"""', re.DOTALL),
    "'''": regex(r"(?:[^\\']|\\.|'(?!''))*'''", re.DOTALL),
    '"': regex(r'(?:[^\\"\r\n]|\\[^\r\n])*"'),
    "'": regex(r"(?:[^\\'\r\n]|\\[^\r\n])*'"),
}
_BRACKETS: Final = regex(r"[()\[\]{}]")
_MARKS: Final = regex(r"[#\"'\\]")
"""How what `_TOKEN` matches may begin."""
_FORMATTED: Final = regex(r"(?<!\w)[rR]?[fFtT][rR]?\Z")


def split_lines(text: str) -> list[str]:
    r"""The lines of `text` with their line breaks, which are those of Python: \n, \r and \r\n."""
    # str.splitlines also splits at form feeds, \x1c, U+2028 and others, which may be in strings.
    return list(io.StringIO(text, newline=""))


def line_count(text: str) -> int:
    """How many lines a text has, the last one included if it has no line break."""
    return text.count("\n") + (not text.endswith("\n") and text != "")


def indentation(line: str) -> int:
    """The columns of white space in front of a line, as Python's tokenizer counts them."""
    column = 0
    for character in line:
        if character == " ":
            column += 1
        elif character == "\t":
            column += 8 - column % 8
        elif character == "\f":
            column = 0
        else:
            break
    return column


def read_layout(text: str) -> Layout:
    """The layout of a text. Never raises: for a text that does not parse it is a guess."""
    lines = split_lines(text)
    starts: list[int] = []
    ends: list[int] = []
    indents: list[int] = []
    comments: list[CommentLine] = []
    depths: list[int] = []
    doubtful = False
    going_on = False  # the line continues a logical line
    depth = deepest = 0  # of open brackets
    quotes = ""  # of the string that is open at the line's start
    for number, line in enumerate(lines, 1):
        if not going_on:
            bare = line.lstrip(" \t\f")
            if bare in _BLANK:
                continue
            if bare[0] == "#":
                column = len(line) - len(bare) + 1
                remark = bare.rstrip("\r\n")
                comments.append(CommentLine(remark, number, column, True, False, len(starts)))
                continue
            starts.append(number)
            indents.append(0 if len(bare) == len(line) else indentation(line))
            deepest = 0
        elif len(quotes) == 3 and quotes not in line:
            # Inside a long string: most lines of documented code.
            continue
        continued = False
        if quotes or '"' in line or "'" in line or "#" in line or "\\" in line:
            code, quotes, comment, continued, doubt = _blank_out(line, quotes)
            doubtful = doubtful or doubt
        else:
            code, comment = line, 0
        opened = code.count("(") + code.count("[") + code.count("{")
        if depth + opened > deepest:
            deepest = max(deepest, _deepest(code, depth))
        depth += opened
        depth -= code.count(")") + code.count("]") + code.count("}")
        going_on = continued or depth > 0 or quotes != ""
        if comment:
            comments.append(
                CommentLine(
                    line[comment - 1 :].rstrip("\r\n"),
                    number,
                    comment,
                    going_on and not line[: comment - 1].strip(),
                    going_on,
                    len(starts) - 1,
                )
            )
        if not going_on:
            depth = 0
            ends.append(number)
            depths.append(deepest)
    if going_on:  # the text ends inside a logical line
        ends.append(len(lines))
        depths.append(deepest)
    return Layout(starts, ends, indents, comments, lines, doubtful, depths)


def _next_token(line: str, at: int) -> re.Match[str] | None:
    """The first match of `_TOKEN` from a position on, which takes long where none can begin."""
    while mark := _MARKS.search(line, at):
        token = _TOKEN.match(line, mark.start())
        if token is not None:
            return token
        at = mark.end()
    return None


def _deepest(code: str, depth: int) -> int:
    """The deepest nesting on a line that begins inside `depth` brackets."""
    deepest = depth
    for character in _BRACKETS.findall(code):
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
    return deepest


def _blank_out(line: str, quotes: str) -> tuple[str, str, int, bool, bool]:
    """The line without its strings and comment, for a line that has some.

    `quotes` are those of the string open at its start. Returns the remaining code; the quotes of
    the string open at its end; the column of its comment, or 0; whether it ends with a backslash;
    and whether it has a string that cannot be delimited without parsing.
    """
    code: list[str] = []
    doubtful = False
    at = 0
    if quotes:
        closing = _CLOSING[quotes].match(line) if quotes in line else None
        if closing is None:
            # A string in single quotes continues only after a backslash.
            return "", quotes, 0, False, len(quotes) == 1 and not _ends_with_backslash(line)
        at = closing.end()
    while token := _next_token(line, at):
        start, end = token.span()
        code.append(line[at:start])
        at = end
        match token.lastgroup:
            case "comment":
                return "".join(code), "", start + 1, False, doubtful
            case "continued":
                return "".join(code), "", 0, True, doubtful
            case "string":
                if start and line[start - 1] in "fFtTrR" and _holds_quotes(line, start, end):
                    doubtful = True
            case "triple":
                quotes = token.group()
                closing = _CLOSING[quotes].match(line, end)
                if closing is None:
                    return "".join(code), quotes, 0, False, doubtful
                at = closing.end()
            case _:
                doubtful = doubtful or not _ends_with_backslash(line)
                return "".join(code), token.group(), 0, False, doubtful
    code.append(line[at:])
    return "".join(code), "", 0, False, doubtful


def _ends_with_backslash(line: str) -> bool:
    return line.rstrip("\r\n").endswith("\\")


def _holds_quotes(line: str, start: int, end: int) -> bool:
    """Whether the string at `start` is a formatted one that ends inside its braces."""
    text = line[start:end]
    if "{" not in text or text.count("{") == text.count("}"):
        return False
    if _FORMATTED.search(line, 0, start) is None:
        return False
    text = text.replace("{{", "").replace("}}", "")
    return text.count("{") > text.count("}")
