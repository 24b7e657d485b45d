"""The dims in a jaxtyping annotation: the string in `Float[Tensor, "batch *rest 2*c"]`.

This module reads only the string, not the array type and the dtype beside it.  The grammar is
jaxtyping's own, including the strings that jaxtyping refuses, either when the annotation is made or
when it is first checked.
"""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

from .syntax import NotationError, WrittenDim, WrittenShape, read_term, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["read_jaxtyping", "require_parts"]


def require_parts(written: str, parts: int, are_dims: bool) -> None:
    """Check what stands between the brackets of a jaxtyping annotation, which is `written`.

    `are_dims` says that the last of the `parts` may be a string. Raises NotationError for anything
    but the array's type and one string: jaxtyping raises when the annotation is made.
    """
    reason = ""
    if parts != 2:
        reason = f"jaxtyping takes the array's type and one string with all dims, not {parts} parts"
        if parts == 1:
            reason = 'jaxtyping takes a string with the dims, too; `"..."` is any dims'
    elif not are_dims:
        reason = 'jaxtyping takes the dims as a string, such as `"3 n"`'
    if reason:
        raise NotationError(written, 0, len(written), reason)


@lru_cache(maxsize=4096)
def read_jaxtyping(text: str) -> WrittenShape:
    """The shape that a jaxtyping string writes; `""` is a scalar.

    Source: jaxtyping, "Shape annotations".  Raises NotationError if jaxtyping would refuse the
    string; what it notices where the annotation is made comes before what it notices later.  A dim
    that jaxtyping admits and we do not understand (`min(a, b)`, `{self.n}`) has no term.
    """
    dims: list[WrittenDim] = []
    late: NotationError | None = None
    for _, start, end in words_of(text):
        try:
            dims.append(_read_dim(text, start, end))
        except NotationError as error:
            if not error.is_late:
                raise
            late = late or error
    several = [dim for dim in dims if dim.many]
    if len(several) > 1:
        second = several[1]
        raise NotationError(
            text, second.start, second.end, "a second dim that stands for any number of dims"
        )
    if late is not None:
        raise late
    return WrittenShape(tuple(dims), 0, len(text))


_MARKS: Final = {
    "#": "be broadcastable",
    "*": "stand for several dims",
    "_": "be anonymous",
    "?": "depend on the place in a tree",
}


def _read_dim(text: str, start: int, end: int) -> WrittenDim:
    word = text[start:end]

    def refuse(reason: str, is_late: bool = False) -> NotationError:
        return NotationError(text, start, end, reason, is_late)

    if word == "...":
        return WrittenDim(None, start, end, many=True)
    if "..." in word:
        raise refuse("'...' has to stand alone")
    if "," in word and "(" not in word:
        raise refuse("dims are separated by spaces, not by commas")
    if word.endswith("#"):
        raise refuse("'#' goes in front of the dim")

    marks: set[str] = set()
    alias = None
    place = start
    while place < end:
        mark = text[place]
        if mark in _MARKS:
            if mark in marks:
                raise refuse(f"'{mark}' is repeated")
            marks.add(mark)
            place += 1
        elif text.count("=", place, end) == 1:
            equals = text.index("=", place, end)
            alias = text[place:equals] or None
            place = equals + 1
        else:
            break

    broadcastable, many, tree = "#" in marks, "*" in marks, "?" in marks
    rest = text[place:end]
    if not rest or rest.isidentifier():
        if "_" in marks:
            if broadcastable:
                raise refuse("an anonymous dim cannot be broadcastable")
            return WrittenDim(None, start, end, many, tree=tree, alias=rest or alias)
        return WrittenDim(rest or None, start, end, many, broadcastable, tree, alias=alias)

    kind = "a size" if _is_int(rest) else "arithmetic"
    for mark in "*_?":
        if mark in marks:
            raise refuse(f"{kind} cannot {_MARKS[mark]}")
    term = read_term(text, place, end)
    if term is None and "{" not in rest and not _is_python(rest):
        # jaxtyping leaves arithmetic to Python's `eval`, for an array of the right rank.
        raise refuse(f"'{rest}' is neither a name, a size nor arithmetic", is_late=True)
    return WrittenDim(term, start, end, broadcastable=broadcastable, alias=alias)


def _is_int(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _is_python(text: str) -> bool:
    """Whether Python can evaluate a text, as jaxtyping would; we then know nothing of the size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text, mode="eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return False
    return True
