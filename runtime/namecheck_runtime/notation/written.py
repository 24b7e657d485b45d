"""The sizes of written dims; the caller looks up what a name stands for.

The readers of annotations and of comments share this module.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Size
from namecheck_runtime.notation.syntax import Arithmetic, Term, WrittenDim, WrittenShape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

Lookup: TypeAlias = "Callable[[str], Size]"


def size_of_term(term: Term | None, look_up: Lookup) -> Size:
    """The size of a term; UNKNOWN if it says none, or one that cannot be computed."""
    match term:
        case int():
            return term if term >= 0 else UNKNOWN
        case str():
            return look_up(term)
        case Arithmetic("**", left, int() as power) if 0 <= power <= 4:
            return sizes.product([size_of_term(left, look_up)] * power)
        case Arithmetic(symbol, left, right) if symbol in sizes.ARITHMETIC:
            compute = sizes.ARITHMETIC[symbol]
            return compute(size_of_term(left, look_up), size_of_term(right, look_up))
    return UNKNOWN


def plain_name(dim: WrittenDim) -> str | None:
    """The name of a dim that is written as a plain name; else None."""
    if dim.many or dim.broadcastable or dim.tree or not isinstance(dim.term, str):
        return None
    return dim.term


def many_name(dim: WrittenDim) -> str | None:
    """The name that stands for several dims, always for the same ones: `*batch`; else None."""
    if not dim.many or dim.broadcastable or dim.tree or not isinstance(dim.term, str):
        return None
    return dim.term


def ending(shape: WrittenShape) -> tuple[tuple[WrittenDim, ...], bool]:
    """The dims that can be counted from the right, and whether these are all the dims."""
    many = [k for k, dim in enumerate(shape.dims) if dim.many]
    if not many:
        return shape.dims, True
    return shape.dims[many[-1] + 1 :], False


def beginning(shape: WrittenShape) -> tuple[WrittenDim, ...]:
    """The dims before the first `...`."""
    many = next((k for k, dim in enumerate(shape.dims) if dim.many), len(shape.dims))
    return shape.dims[:many]
