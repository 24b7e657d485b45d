"""The values of string literals, without prefixes, quotes and escapes."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from namecheck_runtime.light.regexes import regex

_ESCAPE: Final = regex(
    r"\\(?:(?P<line>\r\n?|\n)|(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]{2})"
    r"|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>[0-9a-fA-F]{8})|N\{(?P<name>[^}]*)\}|(?P<one>.))",
    re.DOTALL,
)
_ONE: Final = dict(zip("\\'\"abfnrtv", "\\'\"\a\b\f\n\r\t\v", strict=True))


def unescaped(text: str, in_bytes: bool = False) -> str:
    """The value of the text between the quotes. An unknown escape stays as it is.

    `ast.literal_eval` warns about unknown escapes and cannot read a piece of a formatted string.
    """

    def meaning(escape: re.Match[str]) -> str:
        kind = escape.lastgroup
        if kind is None or (in_bytes and kind in {"four", "eight", "name"}):
            return escape[0]
        written = escape[kind]
        match kind:
            case "line":
                return ""
            case "one":
                return _ONE.get(written, escape[0])
            case "octal":
                return chr(int(written, 8))
            case "name":
                try:
                    return unicodedata.lookup(written)
                except KeyError:
                    return escape[0]
        code = int(written, 16)
        # Halves of a surrogate pair are not characters: they cannot be written to a file.
        return chr(code) if code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"

    return _ESCAPE.sub(meaning, text)


def string_value(written: str) -> str | bytes:
    """The value of a string literal with its prefix and quotes."""
    if "\r" in written:  # Python reads every end of line as \n
        written = written.replace("\r\n", "\n").replace("\r", "\n")
    if written[0] in "\"'":
        prefix = ""
    else:
        start = min(place for quote in "\"'" if (place := written.find(quote)) >= 0)
        prefix, written = written[:start].lower(), written[start:]
    quotes = 3 if len(written) >= 6 and written[:3] in {'"""', "'''"} else 1
    text = written[quotes:-quotes]
    if "\\" in text and "r" not in prefix:
        text = unescaped(text, "b" in prefix)
    return text.encode("latin-1", "replace") if "b" in prefix else text
