"""Dims in words that a person would write; None for a dim that only inference has a name for.

Words are names of the program: of variables, parameters, patterns, comments. The names that
inference gives to an unnamed dim (`x.0`), or to a second one of the same name (`n'`), are not
words; neither is a formula that is hard to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeGuard

from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Trailing
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.notation.comments import Claim
from namecheck_runtime.notation.syntax import WrittenDim, render_term

__all__ = ["ELLIPSIS", "agree", "said", "same", "spelled", "word", "words"]

ELLIPSIS: Final = "..."

_NAME = r"(?:[A-Za-z]|_+[A-Za-z])\w*(?:\.(?:[A-Za-z]|_+[A-Za-z])\w*)*"
_PLAIN = regex(rf"{_NAME}|\d+")
_ATOM = rf"(?:{_NAME}|\d+)"
_PRODUCT = rf"{_ATOM}(?:\*{_ATOM}){{1,2}}"
_READABLE = regex(rf"{_PRODUCT}|{_ATOM}(?://?| [-+] ){_ATOM}")
"""`heads*dim_head`, `T - 1`, `dim/heads`: one kind of operation, not two."""

LONGEST_NAME: Final = 32
LONGEST_FORMULA: Final = 32


def words(shape: Shape) -> tuple[str, ...] | None:
    """The dims of a shape, `...` first if there may be more; None if one has no word."""
    dims = spelled(shape)
    return dims if dims and all_words(dims) else None


def all_words(dims: Sequence[str | None]) -> TypeGuard[tuple[str, ...]]:
    """Whether every dim has a word."""
    return None not in dims


def spelled(shape: Shape) -> tuple[str | None, ...] | None:
    """As `words`, with None for each dim without a word; None for an unknown shape."""
    if isinstance(shape, Trailing):
        return ELLIPSIS, *map(word, shape.dims)
    return tuple(map(word, shape)) if isinstance(shape, tuple) else None


def agree(before: Sequence[str | None], after: Sequence[str | None]) -> bool:
    """Whether the words before are the same after; there may be more of them."""
    if before[:1] == (ELLIPSIS,):
        before = before[1:]
        after = after[max(len(after) - len(before), 0) :]
    return len(before) == len(after) and all(
        old is None or old == new for old, new in zip(before, after, strict=True)
    )


def word(dim: Dim) -> str | None:
    """The word for a dim; None if there is none."""
    if isinstance(dim.name, str):
        return dim.name if _PLAIN.fullmatch(dim.name) else None
    if dim.size is UNKNOWN:
        return None
    text = str(dim.size)
    if _PLAIN.fullmatch(text):
        return text if len(text) <= LONGEST_NAME else None
    return text if len(text) <= LONGEST_FORMULA and _READABLE.fullmatch(text) else None


def said(claim: Claim) -> tuple[str, ...] | None:
    """The dims that a comment claims, in the form of `words` without spaces; None if it has
    alternatives.
    """
    if len(claim.alternatives) != 1:
        return None
    return tuple(map(_written, claim.alternatives[0].dims))


def _written(dim: WrittenDim) -> str:
    if dim.many:
        return ELLIPSIS
    return "_" if dim.term is None else render_term(dim.term)


def same(dims: Sequence[str] | None, others: Sequence[str] | None) -> bool:
    """Whether dims are the same except for spaces."""
    if dims is None or others is None:
        return False
    return [w.replace(" ", "") for w in dims] == [w.replace(" ", "") for w in others]
