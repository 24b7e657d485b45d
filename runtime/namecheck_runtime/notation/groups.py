"""Shapes that belong together in a line of prose, and the words around them.

`(B, T, C) -> (B, C, T) or (B, C)` is one group of three shapes.  Whether it speaks of a value at
all is for `judgement.py` to say.
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

__all__ = ["Group", "groups_in"]


class Group(NamedTuple):
    """Shapes that are joined by arrows, `or`, commas; and the words around them."""

    shapes: tuple[Candidate, ...]
    joints: tuple[str, ...]
    labels: tuple[str, ...]
    explicit: bool
    """The label is joined by a sign (`x: (B, T)`), not just the word in front."""
    keyword: bool
    sure: bool
    """The keyword is `shape`; `size` and `dims` are also said of kernels and windows."""
    alone: bool
    """Nothing stands between the group before (or the beginning) and this but label and keyword."""
    before: str
    after: str
    """Up to the next shape."""
    rest: str
    """Up to the end."""
    times: int


def groups_in(text: Text) -> Iterator[Group]:
    found = list(_candidates(text))
    at = 0
    written = text.start
    while at < len(found):
        joints: list[str] = []
        stop = at + 1
        while stop < len(found):
            joint = _joint(text.tokens[found[stop - 1].stop : found[stop].first])
            if joint is None:
                break
            joints.append(joint)
            stop += 1
        start = text.tokens[found[at].first].start
        end = text.tokens[found[stop - 1].stop - 1].end
        following = text.tokens[found[stop].first].start if stop < len(found) else text.end
        before = text.text[max(written, start - 120) : start]
        said = introduction(before, written == text.start)
        after = text.text[end:following]
        sure = said.sure or _is_called_shape(text, found[at])
        if SHAPED.match(after) and (len(found[at].weights) > 1 or found[at].closed):
            sure = True
        yield Group(
            tuple(found[at:stop]),
            tuple(joints),
            said.labels,
            said.explicit,
            said.keyword or sure,
            sure,
            NOTHING.fullmatch(said.rest) is not None and start - written <= 120,
            before,
            after,
            text.text[end : min(text.end, end + 80)],
            said.times,
        )
        at, written = stop, end


def _candidates(text: Text) -> Iterator[Candidate]:
    """What has the form of a shape, from left to right, without overlap."""
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
    """`torch.Size([B, C])`, `Tensor[N, 4]`: what says shape is glued to it."""
    return candidate.form == BRACKET and text.tokens[candidate.first].kind == "name"


_OPENERS = frozenset({"is", "are", "shape", "to", "or", "and"})


def _is_item(text: Text, at: int) -> bool:
    """Whether an inner bracket is an argument or an item: `f((a, b))`, `(a, (b, c))`."""
    before = text.tokens[at - 1]
    return before.kind == "," or (before.kind in ("(", "[") and text.glued(at))


def _is_part(tokens: list[Token], candidate: Candidate) -> bool:
    """Whether a cross goes on where it was not understood: `d_1 x ... x d_n`."""
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
    """Whether the bracket is glued to what stands before: a call, an index, a string."""
    if not text.glued(at):
        return False
    before = text.tokens[at - 1]
    return before.kind in ("name", "int", "real", ")", "]", "}", "'", '"', ".", "_", "^", "**")


def _goes_on(text: Text, candidate: Candidate) -> bool:
    """Whether what looks like a shape is the beginning of something longer: `(a, b)[0]`."""
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


def _joint(between: list[Token]) -> str | None:
    """How the tokens between two shapes join them, or None if they do not."""
    written = [token.text.lower() for token in between]
    if not 0 < len(written) <= 6:
        return None
    if any(token.kind == "arrow" for token in between):
        # `(A), reshape -> (B)`: words may say how, but a letter there is a dim.
        plain = all(
            token.kind in ("arrow", ",", ";") or (token.kind == "name" and len(token.text) > 2)
            for token in between
        )
        return "chain" if plain else None
    if len(written) == 2 and written[0] == ",":
        written = written[1:]
    if len(written) == 1:
        return _JOINTS.get(written[0])
    return None


_JOINTS = {
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
