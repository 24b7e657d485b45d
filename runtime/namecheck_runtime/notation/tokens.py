"""Running text as tokens: words, numbers and signs, with the brackets that match."""

from __future__ import annotations

import re

from namecheck_runtime.light.regexes import regex

from .syntax import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["Text"]

_TOKEN: Final = regex(
    r"""
      (?P<space>`|:math:)
    | (?P<arrow>[-=]{1,2}>|→|⟶|⇒)
    | (?P<real>\d+\.\d+|\d+e-?\d+|\d{12,})
    | (?P<int>\d+)
    | (?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*|\[\d+\])*'*(?![a-z'"]))
    | (?P<part>[^\W\d]\w*)
    | (?P<dots>\.\.\.|…)
    | (?P<power>\*\*|\^)
    | (?P<times>[×·⋅∗])
    | (?P<sign>==|//|\S)
    """,
    re.VERBOSE,
)
_HYPHENATED: Final = regex(r"[a-z]+-[a-z]{3,}(?:-[a-z]+)*(?![\w(])")
_PAIRS: Final = {"(": ")", "[": "]", "<": ">"}


class Text:
    """A stretch of text as tokens, with the brackets that match.

    Token kinds are "name", "int", "real", "arrow", "dots", and for the rest the sign itself.
    Backticks and `:math:` count as white space.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end
        tokens = _tokenize(text, start, end)
        self.tokens: list[Token] = tokens
        self.match: dict[int, int] = {}
        """The index of the closing bracket, by that of the opening one."""
        opened: list[int] = []
        for at, token in enumerate(tokens):
            if token.kind in ("(", "[", "<"):
                opened.append(at)
            elif token.kind in (")", "]", ">"):
                # A "<" without its ">" is usually a comparison.
                while opened and tokens[opened[-1]].kind == "<" and token.kind != ">":
                    opened.pop()
                if opened and _PAIRS[tokens[opened[-1]].kind] == token.kind:
                    self.match[opened.pop()] = at
                elif token.kind != ">":
                    opened.clear()

    def glued(self, at: int) -> bool:
        """Whether no space stands between token `at` and the one before it."""
        return 0 < at < len(self.tokens) and self.tokens[at - 1].end == self.tokens[at].start


def _tokenize(text: str, start: int, end: int) -> list[Token]:
    tokens = []
    at = start
    while (match := _TOKEN.search(text, at, end)) is not None:
        kind, at = str(match.lastgroup), match.end()
        written = match.group()
        if kind == "space":
            continue
        if kind == "sign":
            kind = written
        elif kind == "power":
            kind = "**"
        elif kind == "times":
            kind = "*" if written != "×" else "×"
        elif kind == "part":
            kind = "name"
        elif kind == "name" and text.startswith("-", at, end):
            # `seq-len` is one word; `T-1` and `n-m` are arithmetic.
            hyphenated = _HYPHENATED.match(text, match.start(), end)
            if hyphenated is not None:
                at = hyphenated.end()
                written = hyphenated.group().replace("-", "_")
        tokens.append(Token(kind, written, match.start(), at))
    return tokens
