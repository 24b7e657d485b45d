r"""What a text may not do to those who read it: one form for every output, and where it is written.

File names, source text, settings and arguments come from strangers, and all of them are shown.  A
terminal obeys control characters, a reader is deceived by what turns the direction of a line or is
not seen at all, and a CI service takes a line for a command (`::error::`, `##[group]`, `##vso[`,
`##teamcity[`).  `visible` writes each such character as Python would: `\x1b`, `\u202e`.  JSON, XML
and TOML have escapes of their own, which mean the character itself: a program that reads them gets
the real name.

What is kept: joiners and variation selectors behind a letter that is not ASCII, where scripts and
emoji need them.  A name that only looks like another one (`а` for `a`) is shown as it is.
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
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but for the two that lay out lines
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # invisible
    r"\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"  # invisible, ends of lines, directions
    r"\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U00013430-\U00013442\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SEEN: Final = rf"[^\x00-\x7f{_CHARACTERS}\u200c\u200d\ufe0e\ufe0f]"
_JOINERS: Final = rf"(?<!{_SEEN})(?<!{_SEEN}\ufe0f)[\u200c\u200d\ufe0e\ufe0f]"
_COMMANDS: Final = r"\#(?=\#(?:\[|vso\[|teamcity\[))"
"""Services look for these anywhere in a line."""

_UNSAFE: Final = regex(rf"[{_CHARACTERS}]|{_JOINERS}|{_COMMANDS}")
_UNSAFE_IN_LINE: Final = regex(rf"[{_CHARACTERS}\t\n]|{_JOINERS}|{_COMMANDS}")
_STARTS: Final = regex(r"^([^\S\n]*):(?=:)", 8)  # re.MULTILINE
"""A workflow command of GitHub's stands at the beginning of a line, behind blanks or not."""

_BELOW: Final = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def visible(text: str) -> str:
    """A text that stands within a line, and stays there: its ends of lines are escaped, too."""
    return _UNSAFE_IN_LINE.sub(lambda found: _spelled(found[0]), text)


def visible_lines(text: str, commands: bool = False) -> str:
    """A text of several lines. Those may be commands to a CI service if `commands` says so."""
    shown = _UNSAFE.sub(lambda found: _spelled(found[0]), text)
    return shown if commands else _STARTS.sub(lambda found: found[1] + _spelled(":"), shown)


def substitutes(line: str) -> Iterator[tuple[int, str]]:
    """Where `visible` writes something else into a line, and what: for who counts its columns.

    A tab is none of these.
    """
    for found in _UNSAFE.finditer(line):
        yield found.start(), _spelled(found[0])


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON: what it holds, in characters that do nothing to who looks at them."""
    return _UNSAFE.sub(_in_json, json.dumps(value, indent=indent, ensure_ascii=False))


def toml_text(text: str) -> str:
    """A text as a string of TOML."""
    return _UNSAFE.sub(_in_toml, json.dumps(text, ensure_ascii=False))


def xml_text(markup: str) -> str:
    """XML with references in the place of what its texts and attributes may not show.

    What XML 1.0 cannot hold, not even so, has been made `visible` before.
    """
    shown = _UNSAFE.sub(_in_xml, markup)
    return _STARTS.sub(lambda found: f"{found[1]}&#58;", shown)


def _spelled(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return _BELOW.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_json(found: Any) -> str:
    return json.dumps(found[0])[1:-1] if ord(found[0]) > 0x7F else f"\\u{ord(found[0]):04x}"


def _in_toml(found: Any) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_xml(found: Any) -> str:
    return f"&#{ord(found[0])};"
