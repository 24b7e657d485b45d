"""The part of YAML in which configurations are written, read without a library.

Mappings and sequences in blocks or on one line, plain and quoted scalars, comments. Whatever goes
beyond that makes the file unreadable (anchors, tags, several documents, text over several lines),
or, where it is clear how far it goes, a value that is not known: readers of YAML differ there.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from namecheck_runtime.light.regexes import regex

__all__ = ["UNCLEAR", "Unreadable", "read_yaml"]


class Unreadable(Exception):
    """A file has more than the part of YAML that is read here."""


UNCLEAR: Final = object()
"""A value that readers of YAML take for different things, or text over several lines."""

DEEPEST: Final = 24

_KEY: Final = regex(r"""([A-Za-z_][\w.\-/ ]*?|[0-9]+|"[^"\\]*"|'[^']*')[ ]*:(?:[ ]+|$)""")
_INT: Final = regex(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT: Final = regex(r"[-+]?[0-9]+\.[0-9]*(?:[eE][-+][0-9]+)?")
_LIKE_NUMBER: Final = regex(
    r"[-+.]?[0-9][0-9_eExXoO+\-.:a-fA-FT ]*|[-+]?\.(?:inf|nan|Inf|NaN|INF|NAN)"
)
_DOUBTFUL_WORDS: Final = frozenset({"yes", "no", "on", "off"})
_WORDS: Final = {
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_COMMENT: Final = regex(
    r"""^((?:[^'"#]|(?<=[^\s\[{,:])['"]|"(?:[^"\\]|\\.)*"|'[^']*'|(?<=\S)#)*)"""
)
_SPECIAL: Final = tuple("&*!%@`?|>,]}\"'#")
"""How plain scalars do not begin."""


class _Line(NamedTuple):
    indent: int
    text: str


def read_yaml(text: str) -> Any:
    """What a file holds, with `UNCLEAR` for what is not known. Raises `Unreadable`."""
    lines = _lines(text)
    if not lines:
        return None
    value, end = _block(lines, 0, lines[0].indent, 0)
    if end < len(lines):
        raise Unreadable
    return value


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    hidden = -1
    for written in text.splitlines():
        if "\t" in written:
            raise Unreadable
        indent = len(written) - len(written.lstrip(" "))
        if hidden >= 0 and (indent > hidden or not written.strip()):
            continue  # of a text over several lines
        hidden = -1
        shown = _COMMENT.match(written)
        content = (written if shown is None else shown[1]).strip()
        if shown is not None and shown.end() < len(written) and written[shown.end()] != "#":
            raise Unreadable  # a quote that is not closed
        if not content:
            continue
        if content == "---" and not lines:
            continue
        if content in ("---", "...") or content.startswith("%"):
            raise Unreadable
        lines.append(_Line(indent, content))
        if re.search(r"(?:^|[:\-] )[|>][-+]?$", content):
            hidden = indent
    return lines


def _block(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[Any, int]:
    """The value of a block, and the line behind it."""
    if depth > DEEPEST:
        raise Unreadable
    text = lines[at].text
    if text == "-" or text.startswith("- "):
        return _sequence(lines, at, indent, depth)
    if _KEY.match(text) is not None:
        return _mapping(lines, at, indent, depth)
    return _value(text), at + 1


def _sequence(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[list[Any], int]:
    row: list[Any] = []
    while at < len(lines) and lines[at].indent == indent:
        text = lines[at].text
        if text != "-" and not text.startswith("- "):
            break
        inner = text[1:].lstrip()
        if not inner:
            value, at = _below(lines, at, indent, depth)
        elif _KEY.match(inner) is not None or inner.startswith("- "):
            # The block begins behind the dash.
            column = indent + len(text) - len(inner)
            lines[at] = _Line(column, inner)
            value, at = _block(lines, at, column, depth + 1)
        else:
            value, at = _value(inner), at + 1
            if at < len(lines) and lines[at].indent > indent:
                raise Unreadable
        row.append(value)
    return row, at


def _mapping(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[dict[Any, Any], int]:
    table: dict[Any, Any] = {}
    while at < len(lines) and lines[at].indent == indent:
        match = _KEY.match(lines[at].text)
        if match is None:
            raise Unreadable
        key = _value(match[1])
        if key in table or key is UNCLEAR or isinstance(key, (dict, list)):
            raise Unreadable
        rest = lines[at].text[match.end() :]
        if not rest:
            table[key], at = _below(lines, at, indent, depth)
            continue
        table[key], at = _value(rest), at + 1
        if at < len(lines) and lines[at].indent > indent:
            raise Unreadable
    if at < len(lines) and lines[at].indent > indent:
        raise Unreadable
    return table, at


def _below(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[Any, int]:
    """The block below a line, which is empty if the next line is not further to the right."""
    at += 1
    if at == len(lines) or lines[at].indent < indent:
        return None, at
    below = lines[at]
    if below.indent == indent:
        is_row = below.text == "-" or below.text.startswith("- ")
        before = lines[at - 1].text
        if is_row and not (before == "-" or before.startswith("- ")):
            return _sequence(lines, at, indent, depth + 1)
        return None, at
    return _block(lines, at, below.indent, depth + 1)


def _value(text: str) -> Any:
    """The value of a text on one line."""
    if text[:1] in ("[", "{"):
        value, rest = _flow(text, 0)
        if rest.strip():
            raise Unreadable
        return value
    if text[:1] in ("'", '"'):
        value, rest = _quoted(text)
        if rest.strip():
            raise Unreadable
        return value
    if re.fullmatch(r"[|>][-+]?", text):
        return UNCLEAR
    if text.startswith((*_SPECIAL, "- ")) or ": " in text or text.endswith(":"):
        raise Unreadable
    return _plain(text)


def _plain(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text) if len(text) < 20 else UNCLEAR
    if _FLOAT.fullmatch(text):
        return float(text)
    if text.lower() in _DOUBTFUL_WORDS or _LIKE_NUMBER.fullmatch(text) or "${" in text:
        return UNCLEAR
    return text


def _quoted(text: str) -> tuple[Any, str]:
    """A quoted text, and what is behind it."""
    end = text.find(text[0], 1)
    if end < 0 or text[end + 1 : end + 2] == text[0]:
        raise Unreadable
    inner = text[1:end]
    if text[0] == '"' and "\\" in inner:
        raise Unreadable
    return (UNCLEAR if "${" in inner else inner), text[end + 1 :]


def _flow(text: str, depth: int) -> tuple[Any, str]:
    """`[1, 2]` or `{a: 1}`, and what is behind it."""
    if depth > DEEPEST:
        raise Unreadable
    closing = "]" if text[0] == "[" else "}"
    row: list[Any] = []
    table: dict[Any, Any] = {}
    rest = text[1:].lstrip()
    while not rest.startswith(closing):
        if closing == "}":
            match = _KEY.match(rest)
            if match is None:
                raise Unreadable
            key = _value(match[1])
            if key in table or key is UNCLEAR:
                raise Unreadable
            table[key], rest = _part(rest[match.end() :], depth)
        else:
            value, rest = _part(rest, depth)
            row.append(value)
        rest = rest.lstrip()
        if rest.startswith(","):
            rest = rest[1:].lstrip()
        elif not rest.startswith(closing):
            raise Unreadable
    return (row if closing == "]" else table), rest[1:]


def _part(text: str, depth: int) -> tuple[Any, str]:
    if text[:1] in ("[", "{"):
        return _flow(text, depth + 1)
    if text[:1] in ("'", '"'):
        return _quoted(text)
    end = re.search(r"[,\[\]{}]", text)
    if end is None or end[0] in "[{":
        raise Unreadable
    inner = text[: end.start()].strip()
    if not inner:
        raise Unreadable
    return _value(inner), text[end.start() :]
