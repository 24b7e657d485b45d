"""Shapes that belong together in a line of prose, and the words around them.

`(B, T, C) -> (B, C, T) or (B, C)` is one group of three shapes.  `judgement.py` decides whether a
group is about a value at all.
"""

from __future__ import annotations

from namecheck_runtime.light.records import NamedTuple

from .phrases import NOTHING, SHAPED, introduction
from .prose import BRACKET, Candidate, bare_shape, bracket_shape, cross_shape
from .syntax import Token
from .tokens import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

__all__ = ["Group", "groups_in"]


class Group(NamedTuple):
    """Shapes joined by arrows, `or` and commas, and the words around them."""

    shapes: tuple[Candidate, ...]
    joints: tuple[str, ...]
    labels: tuple[str, ...]
    explicit: bool
    """The label is joined by a sign (`x: (B, T)`), instead of being just the word in front."""
    keyword: bool
    sure: bool
    """The keyword is `shape`; kernels and windows have a `size` and `dims`, too."""
    alone: bool
    """Only a label and a keyword stand between the previous group (or the start) and this one."""
    before: str
    after: str
    """The text up to the next shape."""
    rest: str
    """The text up to the end."""
    times: int


def groups_in(text: Text) -> Iterator[Group]:
    """The groups of shapes in a text, from left to right."""
    candidates = list(_candidates(text))
    first = 0
    previous_end = text.start
    while first < len(candidates):
        joints: list[str] = []
        stop = first + 1
        while stop < len(candidates):
            joint = _joint(_between(text, candidates, stop))
            if joint is None and not _between(text, candidates, stop):
                # `(A) (B) -> (C)`
                follows = stop + 1 < len(candidates)
                if follows and _joint(_between(text, candidates, stop + 1)) == "chain":
                    joint = "operands"
            if joint is None:
                break
            joints.append(joint)
            stop += 1
        start = text.tokens[candidates[first].first].start
        end = text.tokens[candidates[stop - 1].stop - 1].end
        following = (
            text.tokens[candidates[stop].first].start if stop < len(candidates) else text.end
        )
        before = text.text[max(previous_end, start - 120) : start]
        introduced = introduction(before, previous_end == text.start)
        after = text.text[end:following]
        sure = introduced.sure or _is_called_shape(text, candidates[first])
        if SHAPED.match(after) and (len(candidates[first].weights) > 1 or candidates[first].closed):
            sure = True
        yield Group(
            tuple(candidates[first:stop]),
            tuple(joints),
            introduced.labels,
            introduced.explicit,
            introduced.keyword or sure,
            sure,
            NOTHING.fullmatch(introduced.rest) is not None and start - previous_end <= 120,
            before,
            after,
            text.text[end : min(text.end, end + 80)],
            introduced.times,
        )
        first, previous_end = stop, end


def _candidates(text: Text) -> Iterator[Candidate]:
    """The texts with the form of a shape, from left to right, without overlap."""
    tokens = text.tokens
    at = inside = 0
    may_start = True
    while at < len(tokens):
        token = tokens[at]
        candidate = None
        inside = max(inside, text.match.get(at - 1, 0)) if at else 0
        if may_start:
            candidate = bare_shape(text, at)
        if candidate is None:
            if token.kind in ("(", "[", "<"):
                if not _is_call(text, at) and not (at < inside and _is_item(text, at)):
                    candidate = bracket_shape(text, at)
            elif token.kind == "name" and at + 1 < len(tokens) and tokens[at + 1].kind in "([":
                candidate = bracket_shape(text, at)
        if candidate is None and (at == 0 or not text.glued(at)):
            candidate = cross_shape(text, at)
            if candidate is not None and _is_part(tokens, candidate):
                candidate = None
        if candidate is not None and not _goes_on(text, candidate):
            yield candidate
            at = candidate.stop
            may_start = False
            continue
        may_start = token.kind in ("arrow", ":", "=", "@") or (
            token.kind == "name" and token.text.lower() in _OPENERS
        )
        at += 1


def _is_called_shape(text: Text, candidate: Candidate) -> bool:
    """Whether a word for shapes is glued to the bracket: `torch.Size([B, C])`, `Tensor[N, 4]`."""
    return candidate.form == BRACKET and text.tokens[candidate.first].kind == "name"


_OPENERS: Final = frozenset({"is", "are", "shape", "to", "or", "and"})


def _is_item(text: Text, at: int) -> bool:
    """Whether an inner bracket is an argument or an item: `f((a, b))`, `(a, (b, c))`."""
    before = text.tokens[at - 1]
    return before.kind == "," or (before.kind in ("(", "[") and text.glued(at))


def _is_part(tokens: list[Token], candidate: Candidate) -> bool:
    """Whether a cross continues in a form that is not understood: `d_1 x ... x d_n`."""
    before = tokens[max(0, candidate.first - 3) : candidate.first]
    after = tokens[candidate.stop : candidate.stop + 3]
    for near in (reversed(before), after):
        for token in near:
            if token.kind == "×" or token.text in ("x", "X"):
                return True
            if token.kind not in ("name", "dots", "#"):
                break
    return False


def _is_call(text: Text, at: int) -> bool:
    """Whether the bracket is glued to the token before it: a call, an index, a string."""
    if not text.glued(at):
        return False
    before = text.tokens[at - 1]
    return before.kind in ("name", "int", "real", ")", "]", "}", "'", '"', ".", "_", "^", "**")


def _goes_on(text: Text, candidate: Candidate) -> bool:
    """Whether a seeming shape is the beginning of something longer: `(a, b)[0]`."""
    at = candidate.stop
    if at >= len(text.tokens):
        return False
    after = text.tokens[at]
    if not text.glued(at):
        return after.kind in ("=", "==")
    if after.kind == ".":
        return text.glued(at + 1) and text.tokens[at + 1].kind == "name"
    if after.kind == "?":
        return True
    if after.kind == "-":
        # `(s, t)-path`, but `(B, N)-shaped`.
        following = text.tokens[at + 1].text if at + 1 < len(text.tokens) else ""
        return text.glued(at + 1) and following.lower() not in ("shaped", "shape", "tensor")
    return after.kind in ("name", "int", "real", "(", "[", "{", "'", '"', "=", "**", "_", "*")


def _between(text: Text, candidates: list[Candidate], index: int) -> list[Token]:
    """The tokens between a shape and the one before it."""
    return text.tokens[candidates[index - 1].stop : candidates[index].first]


def _joint(between: list[Token]) -> str | None:
    """How the tokens between two shapes join them, or None if they do not."""
    words = [token.text.lower() for token in between]
    if not 0 < len(words) <= 6:
        return None
    if any(token.kind == "arrow" for token in between):
        # `(A), reshape -> (B)`: words may name the op, but a single letter would be a dim.
        plain = all(
            token.kind in ("arrow", ",", ";") or (token.kind == "name" and len(token.text) > 2)
            for token in between
        )
        return "chain" if plain else None
    if len(words) == 2 and words[0] == ",":
        words = words[1:]
    if all(word == ">" for word in words):  # `B x T > B x T x 1`, `(B, T) >> (T, B)`
        return "chain"
    if len(words) == 1:
        return _JOINTS.get(words[0])
    return None


_JOINTS: Final = {
    "to": "chain",
    "into": "chain",
    "or": "or",
    "/": "or",
    "|": "or",
    ",": "list",
    ";": "list",
    "and": "list",
    "&": "list",
    "x": "operands",
    "×": "operands",
    "@": "operands",
    "*": "operands",
    "+": "operands",
    "-": "operands",
}
