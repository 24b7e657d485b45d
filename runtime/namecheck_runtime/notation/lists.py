"""Lists in brackets that have the form of a shape and are none, and the words that show a shape.

`(x1, y1, x2, y2)` names the columns of boxes, `[t-1, t, t+1]` three moments, `(N, CA, C)` atoms.
`(B, heads, 64)` is a shape whatever the program does; `(k, s, p)` is one only if the program, or
another comment, uses its words as sizes.
"""

from __future__ import annotations

from itertools import pairwise

from namecheck_runtime.light.regexes import regex

from .prose import BRACKET, COMMAS, CROSS, LETTERS, SPACES, Candidate
from .syntax import Arithmetic, WrittenDim, names_of
from .words import counts, sizes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["is_list", "says_shape"]


def is_list(shape: Candidate) -> bool:
    """Whether the dims of a candidate rather name columns, moments or atoms."""
    if shape.form not in (BRACKET, COMMAS, SPACES) or shape.closed:
        return False
    dims = shape.shape.dims
    if _are_neighbours(dims):
        return True
    names = [dim.term for dim in dims if isinstance(dim.term, str)]
    if len(names) < len(dims):
        return False
    if tuple(names) in _PARTS or frozenset(names) in _BACKBONES:
        return True
    return _are_columns(names) or not _OPTIONS.isdisjoint(names)


_COORDINATE: Final = regex(
    r"(?P<before>min|max|delta|center|ctr|start|end|top|bottom|[cdtpfvq])??_?(?P<axis>[xyzuvwh])"
    r"(?P<after>(?:_?(?:min|max|mid|center|ctr|c|tl|br|start|end|\d))*)"
)


def _are_columns(names: list[str]) -> bool:
    """Whether names are coordinates: `(x, y, w, h)`, `(label, x_min, y_min)`, `(cx, cy)`."""
    if not (all(name.islower() for name in names) or all(name[:1].isupper() for name in names)):
        return False
    read = [_COORDINATE.fullmatch(name.lower()) for name in names]
    axes = {one["axis"] for one in read if one}
    for at, (left, right) in enumerate(pairwise(read)):
        if left is None or right is None or {left["axis"], right["axis"]} not in _PAIRS:
            continue
        if (left["before"], left["after"]) != (right["before"], right["after"]):
            continue
        if left["after"] or (left["before"] and len(left["before"]) > 1):
            return True
        if left["before"] and "_" in names[at]:
            continue  # `(t_x, t_y)`: the lengths of two sequences
        # Behind a batch, `(b, x, y)` is a grid.
        whole = None not in read or {"x", "y", "w", "h"} <= axes
        if whole or (at == 0 and left["before"] != "d"):
            return True
    return False


_PAIRS: Final = ({"x", "y"}, {"u", "v"})

_PARTS: Final = frozenset(
    (
        ("h", "c"),
        ("hx", "cx"),
        ("hn", "cn"),
        ("h0", "c0"),
        ("h_n", "c_n"),
        ("h_0", "c_0"),
        ("w", "b"),
        ("a", "b"),
        ("b", "a"),
    )
)
"""The states of a recurrent layer, what a linear one consists of, and two of anything."""

_OPTIONS: Final = frozenset({"stride", "strides", "padding", "dilation"})
"""Arguments of a convolution that are never dims."""

_BACKBONES: Final = frozenset(
    map(frozenset, (("N", "CA", "C"), ("N", "CA", "C", "O"), ("N", "CA", "C", "O", "CB"),
                    ("N", "CA", "C", "CB")))
)  # fmt: skip
"""The atoms of a protein's backbone."""


def _are_neighbours(dims: tuple[WrittenDim, ...]) -> bool:
    """Whether these are steps from one place: `[t-1, t, t+1]`."""
    names = {name for dim in dims for name in names_of(dim.term)}
    return (
        len(dims) > 2
        and len(names) == 1
        and all(isinstance(dim.term, str) or _is_step(dim) for dim in dims)
        and any(_is_step(dim) for dim in dims)
    )


def _is_step(dim: WrittenDim) -> bool:
    term = dim.term
    return (
        isinstance(term, Arithmetic)
        and term.operator in ("+", "-")
        and isinstance(term.left, str)
        and isinstance(term.right, int)
    )


def says_shape(shape: Candidate) -> bool:
    """Whether the words of a candidate alone show that it is a shape."""
    dims = shape.shape.dims
    is_product = shape.form == CROSS and len(dims) > 2  # `m x n` is any matrix
    if is_product or shape.form == LETTERS or shape.closed:
        return True
    if dims[0].many or any(_is_size(dim) for dim in dims):
        return True
    # `(x, y, 1)` are homogeneous coordinates.
    if dims[0].term == 1 or sum(dim.term == 1 for dim in dims) > 1:
        return True
    names = [dim.term if isinstance(dim.term, str) else None for dim in dims]
    first = names[0]
    if first is not None and _leads(first, len(dims)):
        return True
    # `[s, b, h]`: sequence first. `[a, b, c]` is the alphabet.
    if len(dims) > 2 and names[1] in ("b", "B") and first not in ("a", "A"):
        return True
    written = [name for name in names if name is not None and len(name) > 2]
    return any(map(sizes, written)) or sum(map(counts, written)) > 1


def _is_size(dim: WrittenDim) -> bool:
    """Whether a dim is a number above 1, a product or a quotient."""
    term = dim.term
    if isinstance(term, Arithmetic):
        return term.operator not in ("+", "-")
    return (dim.many and term is not None) or (isinstance(term, int) and term > 1)


def _leads(name: str, rank: int) -> bool:
    """Whether a name is that of a batch: `(n, m)` may be two numbers, `(n, c, d)` is a shape."""
    lower = name.lower()
    return name in ("b", "B", "N", "bs", "bsz") or "batch" in lower or (name == "n" and rank > 2)
