"""Where elements lie (`Geometry`: sizes, strides and an offset), and the questions about extents.

An extent may be a symbol, or UNKNOWN: a question without a certain answer then raises `Undecided`,
so that no caller goes on with a guess.  A symbol counts as at least 2 here: if it is 1, all layouts
are equal, and no program is written for that case alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from types import EllipsisType

from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Size, Truth, Unknown
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes.dims import DimOutOfRange, IndexOutOfRange, RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, ReshapeSize
from namecheck_runtime.sizes import above_one, product, subtract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, TypeAlias


Extent: TypeAlias = "Size"
Extents: TypeAlias = "tuple[Extent, ...]"


class Geometry(NamedTuple):
    """Where the elements lie: `x[i, j]` is at place `offset + i*strides[0] + j*strides[1]`."""

    sizes: Extents
    strides: Extents
    offset: Extent = 0


class RowMajor(Enum):
    """The type of `ROW_MAJOR`: contiguous strides, whatever the sizes are."""

    ROW_MAJOR = "ROW_MAJOR"


ROW_MAJOR: Final = RowMajor.ROW_MAJOR

Strides: TypeAlias = "Extents | RowMajor | Unknown"
"""What a reader knows about the memory of a tensor; single strides may be UNKNOWN."""


class Copy(Enum):
    """The type of `COPY`: no view of this memory has this shape, so the elements must be copied."""

    COPY = "COPY"


COPY: Final = Copy.COPY

Item: TypeAlias = "int | slice | EllipsisType | None"
"""One entry of a subscript: a bool is an int to the type checker, and a mask to `index`."""

Key: TypeAlias = "Item | tuple[Item, ...]"

LARGEST: Final = 2**63 - 1


# -- questions about extents -----------------------------------------------------------------------


class Undecided(Exception):
    """The extents do not give a certain answer."""


def sure(truth: Truth) -> bool:
    """A three-valued answer as a two-valued one.  Raises Undecided for MAYBE."""
    if truth is Truth.MAYBE:
        raise Undecided
    return truth is Truth.YES


def compare(a: Extent, b: Extent) -> Truth:
    """Whether two extents are equal."""
    if isinstance(a, int) and isinstance(b, int):
        return Truth.YES if a == b else Truth.NO
    if a is UNKNOWN or b is UNKNOWN:
        return Truth.MAYBE
    if a == b:
        return Truth.YES
    return Truth.MAYBE if above_one(subtract(a, b)) is Truth.MAYBE else Truth.NO


def same(a: Extent, b: Extent) -> bool:
    """Whether two extents are equal.  Raises Undecided."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return sure(compare(a, b))


def alike(a: Extents, b: Extents) -> bool:
    """Whether two lists of extents are equal, item by item.  Raises Undecided."""
    return len(a) == len(b) and all(map(same, a, b))


def less(a: Extent, b: Extent) -> bool:
    """Whether `a < b`.  Raises Undecided."""
    if isinstance(a, int) and isinstance(b, int):
        return a < b
    return a != b and sure(above_one(subtract(b, a)))


def is_one(a: Extent) -> bool:
    """Whether an extent is 1: the stride of a dim of size 1 does not matter.  Raises Undecided."""
    return same(a, 1)


def is_zero(a: Extent) -> bool:
    """Whether an extent is 0: no elements, or all elements of a dim in one place.

    Raises Undecided for an unknown stride; an unknown size is at least 1.
    """
    return same(a, 0)


def is_empty(size: Extent) -> bool:
    """Whether a size is 0; a symbol and UNKNOWN are not."""
    return size == 0


def count_of(extent: Extent) -> int:
    """An extent that must be an int, such as a number of pieces.  Raises Undecided."""
    if not isinstance(extent, int):
        raise Undecided
    return extent


def numel(sizes: Extents) -> Extent:
    """The number of elements of a tensor of these sizes."""
    return product(sizes)


# -- positions, and mistakes -----------------------------------------------------------------------


def position_of(g: Geometry, dim: int, inserted: int = 0) -> int:
    """The dim counted from the left; a 0-dim tensor takes 0 and -1, as in PyTorch."""
    if not isinstance(dim, int):
        raise Undecided
    rank = max(len(g.sizes) + inserted, 1)
    if not -rank <= dim < rank:
        raise DimOutOfRange(shape=unnamed_dims(g.sizes), dim=dim, rank=rank)
    return dim + rank if dim < 0 else dim


def require_countable(g: Geometry, sizes: Sequence[Extent]) -> None:
    """Raises BadExtent if a size is negative, or if there are more elements than an int64."""
    count = numel(tuple(sizes))
    if any(isinstance(size, int) and size < 0 for size in sizes) or (
        isinstance(count, int) and count > LARGEST
    ):
        text = "numel: integer multiplication overflow"
        raise bad_extent(g, text, f"no tensor has sizes {listed(sizes)}")


def bad_index(g: Geometry, index: int, text: str, size: Extent = 0) -> IndexOutOfRange:
    return IndexOutOfRange(
        shape=unnamed_dims(g.sizes), dim=index, rank=len(g.sizes), size=size, text=text
    )


def bad_rank(g: Geometry, wanted: str, text: str) -> RankMismatch:
    return RankMismatch(shape=unnamed_dims(g.sizes), wanted=wanted, text=text)


def bad_extent(g: Geometry, text: str, reason: str = "") -> BadExtent:
    return BadExtent(shape=unnamed_dims(g.sizes), reason=reason or text, text=text)


def bad_reshape(sizes: Extents, shape: Sequence[Extent], text: str = "") -> ReshapeSize:
    return ReshapeSize(
        source=unnamed_dims(sizes), target=tuple(shape), count=numel(sizes), text=text
    )


def unnamed_dims(sizes: Sequence[Extent]) -> Dims:
    """Dims of these sizes, for messages."""
    return tuple(Dim(None, size) for size in sizes)


def listed(sizes: Sequence[Extent]) -> str:
    """Sizes as PyTorch's sentences print them: `[2, 3]`."""
    return "[" + ", ".join(map(str, sizes)) + "]"
