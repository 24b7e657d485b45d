"""Equations and patterns: einsum letters, einops patterns, and the signature strings of our rules.

This module checks only the grammar.  The rule of the op decides whether a pattern fits its
operands, and whether `rearrange` may drop a name.
"""

from __future__ import annotations

from functools import lru_cache

from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.light.regexes import regex

from .syntax import NotationError, WrittenDim, WrittenShape, read_term, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

__all__ = [
    "Equation",
    "Group",
    "Pattern",
    "Signature",
    "Side",
    "read_einops",
    "read_einops_einsum",
    "read_einops_pack",
    "read_einops_shape",
    "read_einsum",
    "read_signature",
]


class Equation(NamedTuple):
    """An einsum equation: the names of each operand's dims, and those of the result."""

    operands: tuple[WrittenShape, ...]
    result: WrittenShape
    implicit: bool
    """No `->` was written: `result` follows NumPy's rule, with the places where its dims first
    occur.
    """


class Group(NamedTuple):
    """Dims written as one: `(h d)`.  A dim without parentheses is a group of one, `()` an empty
    one.
    """

    dims: tuple[WrittenDim, ...]
    start: int
    end: int


class Side(NamedTuple):
    """One side of an einops pattern.  A group that is just `...` stands for any number of dims."""

    groups: tuple[Group, ...]
    start: int
    end: int


class Pattern(NamedTuple):
    """An einops pattern: `left -> right`."""

    left: Side
    right: Side


class Signature(NamedTuple):
    """The dims that a contraction-like op takes and returns: `"*b m k', *b k' n -> *b m n"`."""

    operands: tuple[WrittenShape, ...]
    results: tuple[WrittenShape, ...]


# --------------------------------------------------------------------------------------- einsum


@lru_cache(maxsize=1024)
def read_einsum(equation: str) -> Equation:
    """The equation of `numpy.einsum` and `torch.einsum`: `"bij,bjk->bik"`.

    Without `->` the result is the ellipsis (if there is one) and then, sorted, the letters that
    occur once.  Source: numpy.einsum, "implicit mode".
    """
    sides = _split_arrow(equation, required=False)
    operands = tuple(
        WrittenShape(_read_letters(equation, start, end), start, end)
        for start, end in _split(equation, ",", *sides[0])
    )
    if len(sides) == 2:
        start, end = sides[1]
        result = WrittenShape(_read_letters(equation, start, end), start, end)
        _check_result(equation, operands, result)
        return Equation(operands, result, False)

    counts: dict[str, list[WrittenDim]] = {}
    ellipses = []
    for dim in (dim for operand in operands for dim in operand.dims):
        if isinstance(dim.term, str):
            counts.setdefault(dim.term, []).append(dim)
        else:
            ellipses.append(dim)
    once = sorted(name for name, dims in counts.items() if len(dims) == 1)
    result_dims = (*ellipses[:1], *(counts[name][0] for name in once))
    return Equation(operands, WrittenShape(result_dims, len(equation), len(equation)), True)


@lru_cache(maxsize=1024)
def read_einops_einsum(pattern: str) -> Equation:
    """The pattern of `einops.einsum`: names between spaces, `"b i d, b j d -> b i j"`."""
    left, right = _split_arrow(pattern)
    sides = [
        _read_side(pattern, start, end, anonymous=True, repeated=True)
        for start, end in _split(pattern, ",", *left)
    ]
    sides.append(_read_side(pattern, *right, anonymous=True))
    shapes = []
    for side in sides:
        for group in side.groups:
            if len(group.dims) != 1 or isinstance(group.dims[0].term, int):
                raise NotationError(
                    pattern, group.start, group.end, "einsum takes names, not groups or sizes"
                )
        dims = tuple(group.dims[0] for group in side.groups)
        shapes.append(WrittenShape(dims, side.start, side.end))
    *operands, result = shapes
    _check_result(pattern, operands, result)
    return Equation(tuple(operands), result, False)


def _read_letters(text: str, start: int, end: int) -> tuple[WrittenDim, ...]:
    dims: list[WrittenDim] = []
    place = start
    while place < end:
        letter = text[place]
        if letter.isalpha():
            dims.append(WrittenDim(letter, place, place + 1))
            place += 1
        elif text.startswith("...", place, end):
            if any(dim.many for dim in dims):
                raise NotationError(text, place, place + 3, "a second '...' in one operand")
            dims.append(WrittenDim(None, place, place + 3, many=True))
            place += 3
        elif letter.isspace():
            place += 1
        else:
            raise NotationError(text, place, place + 1, f"'{letter}' is not a letter")
    return tuple(dims)


def _check_result(text: str, operands: Iterable[WrittenShape], result: WrittenShape) -> None:
    names = {dim.term for operand in operands for dim in operand.dims}
    seen = set()
    for dim in result.dims:
        if dim.many:
            continue
        if dim.term not in names:
            raise NotationError(
                text, dim.start, dim.end, f"'{dim.term}' is in the result but in no operand"
            )
        if dim.term in seen:
            raise NotationError(
                text, dim.start, dim.end, f"'{dim.term}' occurs twice in the result"
            )
        seen.add(dim.term)


# --------------------------------------------------------------------------------------- einops


@lru_cache(maxsize=2048)
def read_einops(pattern: str) -> Pattern:
    """The pattern of rearrange, reduce and repeat: `"b (h w) c -> b c h w"`.

    Raises NotationError where einops refuses the pattern for every op: unbalanced or nested
    parentheses, a name twice on one side, a word that is neither a name nor a size, a second `...`,
    a `...` on the right only or inside parentheses on the left.
    """
    (left_start, left_end), (right_start, right_end) = _split_arrow(pattern)
    left = _read_side(pattern, left_start, left_end)
    right = _read_side(pattern, right_start, right_end)
    ellipsis = _ellipsis(left)
    if ellipsis is not None:
        group, dim = ellipsis
        if group.start != dim.start:
            raise NotationError(
                pattern, dim.start, dim.end, "'...' is inside parentheses on the left side"
            )
    elif (on_the_right := _ellipsis(right)) is not None:
        raise NotationError(
            pattern, on_the_right[1].start, on_the_right[1].end, "'...' is on the right side only"
        )
    return Pattern(left, right)


@lru_cache(maxsize=256)
def read_einops_shape(pattern: str) -> Side:
    """The pattern of `einops.parse_shape`, one side in which `_` skips a dim: `"b _ h w"`."""
    side = _read_side(pattern, 0, len(pattern), anonymous=True)
    for group in side.groups:
        if len(group.dims) > 1:
            raise NotationError(pattern, group.start, group.end, "a group has no single size")
    return side


@lru_cache(maxsize=256)
def read_einops_pack(pattern: str) -> WrittenShape:
    """The pattern of `einops.pack` and `unpack`: names and one `*`, `"b * d"`."""
    dims: list[WrittenDim] = []
    seen: set[str] = set()
    for word, start, end in words_of(pattern):
        if word in seen:
            raise NotationError(pattern, start, end, f"'{word}' occurs twice")
        seen.add(word)
        if word == "*":
            dims.append(WrittenDim(None, start, end, many=True))
        else:
            _check_axis(pattern, start, end, False)
            dims.append(WrittenDim(word, start, end))
    if "*" not in seen:
        raise NotationError(pattern, 0, len(pattern), "no '*' marks the dims to pack")
    return WrittenShape(tuple(dims), 0, len(pattern))


# `...` comes first, because einops splits a pattern at spaces and parentheses only.
_PIECE: Final = regex(r"\.\.\.|[()]|\w+|\S")


def _read_side(
    text: str, start: int, end: int, *, anonymous: bool = False, repeated: bool = False
) -> Side:
    groups: list[Group] = []
    inside: list[WrittenDim] | None = None
    opened = ellipsis_end = -1
    seen: set[str] = set()
    for match in _PIECE.finditer(text, start, end):
        piece, at, stop = match.group(), match.start(), match.end()
        if piece == "(":
            if inside is not None:
                raise NotationError(text, at, stop, "parentheses inside parentheses")
            inside, opened = [], at
            continue
        if piece == ")":
            if inside is None:
                raise NotationError(text, at, stop, "')' has no matching '('")
            groups.append(Group(tuple(inside), opened, stop))
            inside = None
            continue
        if piece == "...":
            if ellipsis_end >= 0:
                raise NotationError(text, at, stop, "a second '...' on one side")
            ellipsis_end = stop
            dim = WrittenDim(None, at, stop, many=True)
        elif piece.isdecimal() and len(piece) < 19:
            dim = WrittenDim(int(piece), at, stop)
        else:
            _check_axis(text, at, stop, anonymous)
            if piece == "_":
                dim = WrittenDim(None, at, stop)
            else:
                if piece in seen and not repeated:
                    raise NotationError(text, at, stop, f"'{piece}' occurs twice on one side")
                seen.add(piece)
                dim = WrittenDim(piece, at, stop)
        if inside is None:
            groups.append(Group((dim,), at, stop))
        else:
            inside.append(dim)
    if inside is not None:
        raise NotationError(text, opened, opened + 1, "'(' is not closed")
    return Side(tuple(groups), start, end)


def _ellipsis(side: Side) -> tuple[Group, WrittenDim] | None:
    for group in side.groups:
        for dim in group.dims:
            if dim.many:
                return group, dim
    return None


def _check_axis(text: str, start: int, end: int, anonymous: bool) -> None:
    name = text[start:end]
    if not name.isidentifier():
        raise NotationError(text, start, end, f"'{name}' is neither a name nor a size")
    if (name[0] == "_" or name[-1] == "_") and not (anonymous and name == "_"):
        raise NotationError(
            text, start, end, f"'{name}' starts or ends with '_', which einops refuses"
        )


# ----------------------------------------------------------------------------------- signatures


@lru_cache(maxsize=1024)
def read_signature(text: str) -> Signature:
    """A signature string of the rulebook: `"*b in_features -> *b out_features"`.

    Commas separate operands and results, spaces separate dims.  A dim is a name, a name with a
    prime (a dim of the same size, whose own name is not compared), an int, `*name`, `...`, `_`,
    arithmetic without spaces, or `n=P`: dim `n` has the size of the argument `P` (alias `n`, term
    `P`).
    """
    left, right = _split_arrow(text)
    operands, results = (
        tuple(
            WrittenShape(_read_signature_dims(text, start, end), start, end)
            for start, end in _split(text, ",", *side)
        )
        for side in (left, right)
    )
    return Signature(operands, results)


def _read_signature_dims(text: str, start: int, end: int) -> tuple[WrittenDim, ...]:
    dims: list[WrittenDim] = []
    for word, at, stop in words_of(text[start:end]):
        dim = _read_signature_dim(text, word, start + at, start + stop)
        if dim.many and any(other.many for other in dims):
            raise NotationError(
                text, dim.start, dim.end, "a second dim that stands for any number of dims"
            )
        dims.append(dim)
    return tuple(dims)


def _read_signature_dim(text: str, word: str, start: int, end: int) -> WrittenDim:
    if word == "...":
        return WrittenDim(None, start, end, many=True)
    if word == "_":
        return WrittenDim(None, start, end)
    if word[0] == "*" and word[1:].isidentifier():
        return WrittenDim(word[1:], start, end, many=True)
    if word[-1] == "'" and word[:-1].isidentifier():
        return WrittenDim(word[:-1], start, end, primed=True)
    alias, equals, _ = word.partition("=")
    at = start
    if equals:
        if not alias.isidentifier():
            raise NotationError(text, start, end, f"'{alias}' is not a name")
        at += len(alias) + 1
    term = read_term(text, at, end)
    if term is None:
        raise NotationError(text, start, end, f"'{word}' is neither a name, a size nor arithmetic")
    return WrittenDim(term, start, end, alias=alias if equals else None)


# ------------------------------------------------------------------------------------- splitting


def _split_arrow(text: str, *, required: bool = True) -> list[tuple[int, int]]:
    """The spans of the sides of `->`: two, or one if no arrow is required."""
    sides = _split(text, "->", 0, len(text))
    if len(sides) > 2:
        raise NotationError(text, sides[2][0] - 2, sides[2][0], "a second '->'")
    if len(sides) == 1 and required:
        raise NotationError(text, 0, len(text), "there is no '->' between the two sides")
    return sides


def _split(text: str, separator: str, start: int, end: int) -> list[tuple[int, int]]:
    places = []
    while (place := text.find(separator, start, end)) >= 0:
        places.append((start, place))
        start = place + len(separator)
    places.append((start, end))
    return places
