"""Statements that raise an error, without the words of its message: these are not evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from namecheck_runtime.light.regexes import regex

__all__ = ["without_message"]


def without_message(statement: str, around: str, is_read: Callable[[str], bool]) -> str:
    """A `raise` or `assert` without the words of its message; as it is if that is not simple.

    No message is evaluated. But it may be read which names are in it, and whether it says something
    of dims. A text without spaces may be a name, and one that stands once more in the text `around`
    it may be compared with that.
    """
    begin = _message_of(statement)
    message = statement[begin:]
    rest = _STRING.sub("", message)
    if '"""' in message or "'''" in message or any(mark in rest for mark in "\"';"):
        return statement
    words: list[str] = []

    def emptied(match: re.Match[str]) -> str:
        prefix, quote, text = match.group("prefix", "quote", "text")
        holes: list[str] = []
        if _FORMATTED.search(prefix) is not None:
            holes = _HOLE.findall(text)
            text = _HOLE.sub("", text)
            if "{" in text or "}" in text:
                words.append(_UNCLEAR)
        words.append(text)
        if not holes and (" " not in text or around.count(text) > 1):
            return match[0]
        return f"{prefix}{quote}{''.join(holes)}{quote}"

    short = _STRING.sub(emptied, message)
    # A text may be written in several pieces.
    text = "".join(words)
    if _SAYS_SOMETHING.search(text) is not None or is_read(text):
        return statement
    return f"{statement[:begin]}{short}"


def _message_of(statement: str) -> int:
    """Where the message of a `raise` or `assert` begins; at the end if that is not clear."""
    if not statement.lstrip().startswith("assert"):
        return 0
    match = _MESSAGE.search(statement)
    return len(statement) if match is None else match.start()


_MESSAGE: Final = regex(
    r"""
      ,\s*
      (?: \(\s*(?:[fF]?(?:"[^"\n]*"|'[^'\n]*')\s*)+\) | [fF]?(?:"[^"\n]*"|'[^'\n]*') )
      \s*\Z
    """,
    re.VERBOSE,
)
"""The message of an assertion: a string at its end, or several between brackets."""

_STRING: Final = regex(
    r"""
      (?P<prefix>[A-Za-z]*) (?P<quote>["'])
      (?P<text>(?:\\[^\n]|(?!(?P=quote))[^\\\n])*)
      (?P=quote)
    """,
    re.VERBOSE,
)
_FORMATTED: Final = regex(r"[fFtT]")
_HOLE: Final = regex(r"\{[^{}]*\}")
_UNCLEAR: Final = "->"
_SAYS_SOMETHING: Final = regex(r"[(\[][^()\[\]]*,[^()\[\]]*[)\]]|->|\\[^nrt\"'\\]")
"""What may be about dims, between brackets or in a pattern; or hidden by an escape."""
