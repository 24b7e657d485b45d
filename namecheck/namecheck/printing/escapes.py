r"""Escaping characters that could harm or deceive a reader, in one form for all output.

File names, source text, settings and arguments may come from strangers, and all of them are shown.
A terminal obeys control characters, a reader is deceived by invisible characters and by those that
change the direction of a line, and a CI service takes a line for a command (`::error::`,
`##[group]`, `##vso[`, `##teamcity[`). `visible` writes each such character as Python would: `\x1b`,
`\u202e`. JSON, XML and TOML have escapes of their own, which mean the character itself: a program
that reads them gets the real name.

Joiners and variation selectors after a letter that is not ASCII are kept, since scripts and emoji
need them. A name that only looks like another one (`а` for `a`) is shown as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from namecheck_runtime.light.regexes import regex

__all__ = [
    "json_text",
    "substitutes",
    "toml_text",
    "visible",
    "visible_lines",
    "xml_text",
]

_CHARACTERS: Final = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters except tab and newline
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # invisible
    r"\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"  # invisible, line breaks, directions
    r"\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U00013430-\U00013442\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SEEN: Final = rf"[^\x00-\x7f{_CHARACTERS}\u200c\u200d\ufe0e\ufe0f]"
_JOINERS: Final = rf"(?<!{_SEEN})(?<!{_SEEN}\ufe0f)[\u200c\u200d\ufe0e\ufe0f]"
_COMMANDS: Final = r"\#(?=\#(?:\[|vso\[|teamcity\[))"
"""Commands that services look for anywhere in a line."""

_UNSAFE: Final = regex(rf"[{_CHARACTERS}]|{_JOINERS}|{_COMMANDS}")
_UNSAFE_IN_LINE: Final = regex(rf"[{_CHARACTERS}\t\n]|{_JOINERS}|{_COMMANDS}")
_STARTS: Final = regex(r"^([^\S\n]*):(?=:)", 8)  # re.MULTILINE
"""The beginning of a GitHub workflow command: at the beginning of a line, after blanks or not."""

_BELOW: Final = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def visible(text: str) -> str:
    """A text for the inside of a line: tabs and line breaks are escaped, too."""
    return _UNSAFE_IN_LINE.sub(lambda match: _spelled(match[0]), text)


def visible_lines(text: str, commands: bool = False) -> str:
    """A text of several lines. With `commands`, they may be commands to a CI service."""
    shown = _UNSAFE.sub(lambda match: _spelled(match[0]), text)
    return shown if commands else _STARTS.sub(lambda match: match[1] + _spelled(":"), shown)


def substitutes(line: str) -> Iterator[tuple[int, str]]:
    """The indices of characters that `visible` escapes in a line, with their escapes. Tabs are not
    among them. This is for counting columns.
    """
    for match in _UNSAFE.finditer(line):
        yield match.start(), _spelled(match[0])


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON, in which unsafe characters are escaped."""
    return _UNSAFE.sub(_in_json, json.dumps(value, indent=indent, ensure_ascii=False))


def toml_text(text: str) -> str:
    """A text as a string of TOML."""
    return _UNSAFE.sub(_in_toml, json.dumps(text, ensure_ascii=False))


def xml_text(markup: str) -> str:
    """XML with references in the place of unsafe characters in its texts and attributes.

    Characters that XML 1.0 does not allow even as references must be made `visible` before.
    """
    shown = _UNSAFE.sub(_in_xml, markup)
    return _STARTS.sub(lambda match: f"{match[1]}&#58;", shown)


def _spelled(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return _BELOW.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_json(match: Any) -> str:
    return json.dumps(match[0])[1:-1] if ord(match[0]) > 0x7F else f"\\u{ord(match[0]):04x}"


def _in_toml(match: Any) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_xml(match: Any) -> str:
    return f"&#{ord(match[0])};"
