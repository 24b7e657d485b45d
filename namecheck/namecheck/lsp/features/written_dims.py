"""Where in a text names of dims are written: shape comments, jaxtyping's strings, `names=`, the
patterns of einops, and the shapes in docstrings.

Only the text up to the place is read, and it need not be Python: the user is typing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from namecheck.frameworks.einops import PATTERNED
from namecheck.frameworks.jaxtyping import DTYPES
from namecheck_runtime.light.regexes import regex

__all__ = ["WrittenDims", "in_comments", "written_at"]


class WrittenDims(NamedTuple):
    """Written dims around a place in a text: the word there, and where it begins and ends.

    `subject` is the code of the tensor that has the dims, "" if it is not named beside them.
    `before` is how many dims stand before the word; `opening` is where the dims begin. Places are
    numbers of characters.
    """

    kind: str
    word: str
    start: int
    end: int
    subject: str
    before: int
    opening: int


class _Inside(NamedTuple):
    """What a place is inside of: a comment or a string (or "", code) that begins at `start`, and
    the brackets that are open there. `quote` is that of a string.
    """

    kind: str
    start: int
    quote: str
    brackets: tuple[int, ...]


_TOKEN = regex(
    r"""
      (?P<comment>\#[^\r\n]*)
    | (?P<triple>\"{3}|'{3})
    | (?P<quote>["'])
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | ^(?P<top>(?:async|class|def|from|import)\b|@)  # an older bracket was never closed
    """,
    re.VERBOSE | re.MULTILINE,
)
_REST_OF_STRING = {
    '"': regex(r'(?:[^"\\\r\n]|\\(?:.|\r?\n))*'),
    "'": regex(r"(?:[^'\\\r\n]|\\(?:.|\r?\n))*"),
}
_WORD_BEFORE = regex(r"(?:[^\W\d]\w*)?\Z")
_WORD_AFTER = regex(r"\w*")

_DIM: Final = r"(?:[^\W\d]\w*|\d+)(?:\s*(?://|[-+*/])\s*(?:[^\W\d]\w*|\d+))*"
_SHAPE = regex(rf"(?P<dims>(?:\s*(?:{_DIM}|\.\.\.|\*\w*|\?)\s*,)*)\s*(?:{_DIM}\s*[-+*/]\s*|\*)?\Z")
"""The dims of a comment or docstring between a bracket and the word at the end."""

_BRACKETS = regex(r"[(\[]([^()\[\]]*)[)\]]")

_GOES_ON = regex(r"[ \t]*(?:[-+*/,`)\]\r\n]|\Z)")
"""What stands behind a dim in a comment; not another word."""

_SAYS_SHAPE = regex(
    r"(?:^|[:=,;>→`]|\b(?:dims?|shape|shaped|size|tensor)(?:\s+(?:is|of))?)\s*`?\Z", re.IGNORECASE
)
"""What stands before a bracket with dims, and not before one in prose or code."""

_NAMED = regex(
    r"([^\W\d][\w.]*)\s*(?:\([^()]*\)\s*)?[:=](?:[^()\[\]]*\bshape\s*)?\s*`?\Z", re.IGNORECASE
)
"""`x: (`, `x = [`, and in docstrings `x (Tensor): of shape (`."""

_ANNOTATED = regex(r"([^\W\d]\w*)\s*:\s*(?:[\w.]*\.)?\Z")
_LAST_NAME = regex(r"([^\W\d]\w*)\s*\Z")
_NAMES = regex(r"\bnames\s*=\s*\Z")
_FIRST_ARGUMENT = regex(r"\s*([^\W\d][\w.]*)\s*,")
_PATTERN = regex(r"[\w\s().\->…+]*\Z")


def written_at(text: str, place: int) -> WrittenDims | None:
    """The written dims around a place; None if no dims are written there."""
    inside = _inside(text, place)
    if not inside.kind:
        return None
    word = _WORD_BEFORE.search(text, inside.start, place)
    after = _WORD_AFTER.match(text, place)
    if word is None or after is None:
        return None
    start, end = word.start(), after.end()
    if inside.kind == "comment" or len(inside.quote) == 3:
        return _in_prose(text, inside, start, end)
    return _in_string(text, inside, start, end)


def in_comments(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """The dims in the comments of a text: their line, the subject or "", and `[B, T]`."""
    for number, line in enumerate(lines, 1):
        comment = line.find("#")
        if comment < 0:
            continue
        for bracket in _BRACKETS.finditer(line, comment):
            head = line[comment + 1 : bracket.start()].strip()
            shape = _SHAPE.match(f"{bracket[1]},")
            if shape is not None and _SAYS_SHAPE.search(head) is not None:
                named = _NAMED.search(head)
                dims = [part.strip() for part in bracket[1].split(",")]
                yield number, "" if named is None else named[1], f"[{', '.join(dims)}]"


def _inside(text: str, place: int) -> _Inside:
    """What a place is inside of."""
    brackets: list[int] = []
    at = 0
    while (token := _TOKEN.search(text, at, place)) is not None:
        at = token.end()
        quote = token["triple"] or token["quote"]
        if token["comment"] is not None:
            if at == place:
                return _Inside("comment", token.start() + 1, "", tuple(brackets))
        elif token["triple"] is not None:
            closed = text.find(quote, at, place)
            if closed < 0:
                return _Inside("string", at, quote, tuple(brackets))
            at = closed + 3
        elif token["quote"] is not None:
            rest = _REST_OF_STRING[quote].match(text, at, place)
            assert rest is not None
            if rest.end() == place:
                return _Inside("string", at, quote, tuple(brackets))
            at = rest.end() + (text[rest.end()] == quote)
        elif token["open"] is not None:
            brackets.append(token.start())
        elif token["close"] is not None:
            del brackets[-1:]
        else:
            brackets.clear()
    return _Inside("", 0, "", tuple(brackets))


def _in_prose(text: str, inside: _Inside, start: int, end: int) -> WrittenDims | None:
    """Dims in brackets, in a comment or a docstring: `# x: (B, T`."""
    first = max(inside.start, text.rfind("\n", 0, start) + 1)
    opening = max(text.rfind("(", first, start), text.rfind("[", first, start))
    if opening < 0:
        return None
    head = text[first:opening].strip()
    if inside.kind == "string" and not _is_docstring(text, inside):
        return None
    shape = _SHAPE.match(text, opening + 1, start)
    if shape is None or _SAYS_SHAPE.search(head) is None or _GOES_ON.match(text, end) is None:
        return None
    named = _NAMED.search(head)
    subject = "" if named is None else named[1]
    kind = "comment" if inside.kind == "comment" else "docstring"
    before = shape["dims"].count(",")
    return WrittenDims(kind, text[start:end], start, end, subject, before, opening + 1)


def _is_docstring(text: str, inside: _Inside) -> bool:
    """Whether a string is a statement by itself."""
    opened = inside.start - len(inside.quote)
    line = text[text.rfind("\n", 0, opened) + 1 : opened]
    return not inside.brackets and line.strip(" \t\frRuU") == ""


def _in_string(text: str, inside: _Inside, start: int, end: int) -> WrittenDims | None:
    """Dims in an argument, a list of names or an annotation."""
    if not inside.brackets:
        return None
    bracket = inside.brackets[-1]
    opened = inside.start - 1
    while opened > bracket and text[opened - 1].isalpha():  # a prefix: r"..."
        opened -= 1
    head = text[text.rfind("\n", 0, bracket) + 1 : bracket]
    content = text[inside.start : start]
    name = _LAST_NAME.search(head)

    def written(kind: str, subject: str = "") -> WrittenDims:
        before = len(content.split())
        word = text[start:end]
        return WrittenDims(kind, word, start, end, subject, before, inside.start)

    if _NAMES.search(head) is not None or _NAMES.search(text, bracket, opened) is not None:
        listed = text[bracket:opened].count(",") if _NAMES.search(head) is not None else 0
        return written("names")._replace(before=listed + len(content.split()))
    if text[bracket] == "[" and name is not None and name[1] in DTYPES:
        annotated = _ANNOTATED.search(head[: name.start()])
        return written("annotation", "" if annotated is None else annotated[1])
    if text[bracket] == "(" and name is not None and name[1] in PATTERNED:
        if _PATTERN.match(content) is None:
            return None
        operand = _FIRST_ARGUMENT.match(text, bracket + 1, opened)
        return written("pattern", "" if operand is None else operand[1])
    return None
