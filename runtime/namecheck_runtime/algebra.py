"""The moves that rules are made of: look a dim up, require sizes, doubt, make and drop dims.

Pure functions from dims to dims, and the record of an open answer (duties and doubts) that `infer`
opens around a rule.  What two operands do to each other is in `alignment`.  Nothing here knows an
op: a mistake learns from its reader which op it is of.
"""

from __future__ import annotations

from contextvars import ContextVar

from namecheck_runtime import sizes
from namecheck_runtime.duties import Duty as Duty
from namecheck_runtime.lattice import (
    MOST_DIMS,
    UNKNOWN,
    Dim,
    Dims,
    Mark,
    Name,
    Shape,
    Size,
    Symbolic,
    Trace,
    Trailing,
    Truth,
    Unknown,
    known_dims,
    trailing,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame, Mistake
from namecheck_runtime.mistakes.dims import DimOutOfRange, RankMismatch, RepeatedDim
from namecheck_runtime.mistakes.names import (
    DuplicateName,
    UnknownName,
    WildcardLookup,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Final, TypeAlias

DimRef: TypeAlias = "int | str | Symbolic | Unknown"
"""A reference to a dim: its index or its name."""


MOST_PIECES: Final = 256
"""The most pieces of a tensor that a reader follows if it computes nothing: `x.chunk(10**9)` has a
billion, and there is nothing to say about one that is not true of all.
"""


class TooLarge(Exception):
    """The answer of a rule is too large for its reader to follow, so it is UNKNOWN."""


class Record:
    """The duties and doubts of an open answer so far, and whether its size is bounded."""

    __slots__ = ("bounded", "doubts", "duties")

    def __init__(self, duties: list[Duty], doubts: list[Mistake], bounded: bool) -> None:
        self.duties: Final = duties
        self.doubts: Final = doubts
        self.bounded: Final = bounded


_open: ContextVar[Record | None] = ContextVar("namecheck_open_answer", default=None)

begin_answer = _open.set
"""Gather duties and doubts into a record from now on; calls may nest.  Returns the token that
`end_answer` takes.
"""

end_answer = _open.reset


def open_answer() -> Record:
    """The record of the rule that is being asked.  Raises RuntimeError outside `infer`."""
    record = _open.get()
    if record is None:
        raise RuntimeError(
            "a rule was called outside infer(); readers ask infer(op, ...), not the rule"
        )
    return record


def require_pieces(count: int) -> None:
    """Raise TooLarge if the reader does not follow so many pieces of a tensor."""
    if count > MOST_PIECES and open_answer().bounded:
        raise TooLarge(f"has more than the {MOST_PIECES} pieces that namecheck follows")


def require_dims(rank: int) -> None:
    """Raise TooLarge if the reader does not follow a tensor of so many dims."""
    if rank > MOST_DIMS and open_answer().bounded:
        raise TooLarge(f"has more than the {MOST_DIMS} dims that namecheck follows")


def require_equal(left: Size, right: Size, mistake: Mistake) -> None:
    """Raise `mistake` if the sizes differ; leave a duty if that is not known."""
    truth = sizes.compare(left, right)
    if truth is Truth.NO:
        raise mistake
    # Nothing can be learned from an UNKNOWN size, so it makes no duty.
    if truth is Truth.MAYBE and left is not UNKNOWN and right is not UNKNOWN:
        open_answer().duties.append(Duty(left, right, False, mistake))


def allow_one(left: Size, right: Size, mistake: Mistake) -> None:
    """As `require_equal`, but a size of 1 fits any other."""
    if left is UNKNOWN or right is UNKNOWN or left == 1 or right == 1:
        return
    truth = sizes.compare(left, right)
    if truth is Truth.YES:
        return
    if truth is Truth.NO and isinstance(left, int) and isinstance(right, int):
        raise mistake
    either = sizes.possibly_one(left).possible or sizes.possibly_one(right).possible
    if truth is Truth.NO and not either:
        raise mistake
    open_answer().duties.append(Duty(left, right, True, mistake))


def doubt(mistake: Mistake) -> None:
    """Record that the call is legal but suspicious."""
    open_answer().doubts.append(mistake)


# Looking dims up.


def position(
    shape: Dims, dim: DimRef | None, argument: str = "dim", extra: int = 0
) -> int | Unknown:
    """The index of `dim` in `shape`, from 0; UNKNOWN if it depends on something unknown.

    `extra` is 1 if a dim may be inserted after the last one.  Raises DimOutOfRange,
    UnknownName, WildcardLookup. Source: name inference, "dim lookup by name".
    """
    if isinstance(dim, (Unknown, Symbolic)):
        return UNKNOWN
    if dim is None:
        raise WildcardLookup(shape=shape, blame=(Blame(argument),))
    if isinstance(dim, str):
        for index, candidate in enumerate(shape):
            if candidate.name == dim:
                return index
        if any(candidate.name is UNKNOWN for candidate in shape):
            return UNKNOWN
        raise UnknownName(shape=shape, missing=dim, blame=(Blame(argument),))
    rank = len(shape) + extra
    # A 0-d tensor takes 0 and -1 as if it had one dim.
    if not -max(rank, 1) <= dim < max(rank, 1):
        raise DimOutOfRange(shape=shape, dim=dim, rank=rank, blame=(Blame(argument),))
    return dim + max(rank, 1) if dim < 0 else dim


def positions(
    shape: Dims, dims: Sequence[DimRef | None] | Unknown, argument: str = "dim"
) -> tuple[int, ...] | Unknown:
    """The indices of `dims`; UNKNOWN if any of them is.  Raises RepeatedDim."""
    if dims is UNKNOWN:
        return UNKNOWN
    indices: list[int] = []
    unknown = False
    for dim in dims:
        index = position(shape, dim, argument)
        if isinstance(index, Unknown):
            unknown = True
        elif index in indices:
            raise RepeatedDim(shape=shape, dim=index, blame=(Blame(argument),))
        else:
            indices.append(index)
    return UNKNOWN if unknown else tuple(indices)


def require_rank(
    shape: Dims, wanted: Callable[[int], bool], words: str, argument: str, text: str = ""
) -> None:
    """Raise RankMismatch unless the op takes this number of dims; `words` say which it takes."""
    if not wanted(len(shape)):
        raise RankMismatch(shape=shape, wanted=words, text=text, blame=(Blame(argument),))


def of_rank(shape: Shape, rank: int) -> Dims:
    """The dims of a shape that must have `rank` of them for the call to run; unknown ones first.

    The known dims if the shape has another rank for certain, or more known dims than `rank`.
    """
    known = known_dims(shape)
    if isinstance(shape, tuple) or len(known) > rank:
        return known
    return unknown_dims(rank - len(known)) + known


# Names.


def unify_names(left: Name, right: Name) -> Name:
    """The name of two dims that become one.

    That of the named dim, None if both are unnamed, UNKNOWN if that is not known. Two different
    names unify to the left one; the caller has checked whether they may differ.
    """
    if isinstance(left, str):
        return left
    if isinstance(right, str):
        return right
    return None if left is None and right is None else UNKNOWN


def has_names(shape: Dims) -> Truth:
    """Whether any dim is named."""
    if any(isinstance(dim.name, str) for dim in shape):
        return Truth.YES
    return Truth.MAYBE if any(dim.name is UNKNOWN for dim in shape) else Truth.NO


def check_distinct(names: Iterable[Any], argument: str) -> None:
    """Raise DuplicateName if a name appears twice; None may repeat."""
    entries = tuple(names)
    texts = [name for name in entries if isinstance(name, str)]
    if len(set(texts)) != len(texts):
        raise DuplicateName(names=entries, blame=(Blame(argument),))


# Making dims.

_WRITTEN: Final = Trace(marks=frozenset({Mark.INSERTED}))
_STATED: Final = Trace(marks=frozenset({Mark.STATED}))
_FEATURE: Final = Trace(marks=frozenset({Mark.FEATURE}))


def fresh(size: Size) -> Dim:
    """An unnamed dim that comes from no operand."""
    return Dim(None, size)


def stated(size: Size) -> Dim:
    """An unnamed dim of a new tensor, of a size that the caller states."""
    return Dim(None, 1, _STATED) if size == 1 else Dim(None, size)


def feature(size: Size) -> Dim:
    """An unnamed dim of as many features as a layer was built to return."""
    return Dim(None, size, _FEATURE) if size == 1 else Dim(None, size)


def written_one() -> Dim:
    """An unnamed dim of size 1 that a person wrote down, so that broadcasting over it is meant."""
    return Dim(None, 1, _WRITTEN)


def is_written_one(dim: Dim) -> bool:
    """Whether a dim is a 1 that a person wrote down, see `written_one`."""
    return dim.size == 1 and dim.trace is not None and Mark.INSERTED in dim.trace.marks


def is_stated_one(dim: Dim) -> bool:
    """Whether a dim is a 1 that a person wrote down, here or where the tensor was made."""
    marks = dim.trace.marks if dim.size == 1 and dim.trace is not None else frozenset()
    return Mark.INSERTED in marks or Mark.STATED in marks


def merge(dims: Dims, name: Name = None) -> Dim:
    """One dim that merges `dims` in row-major order; its trace has them as factors."""
    if len(dims) == 1:
        return dims[0].rename(name)
    size = sizes.product(dim.size for dim in dims)
    remembered = any(isinstance(dim.size, Symbolic) or dim.word for dim in dims)
    return Dim(name, size, Trace(factors=dims) if remembered else None)


def element_count(shape: Shape) -> Size:
    """The number of elements; UNKNOWN if a size or the rank is."""
    return sizes.product(dim.size for dim in shape) if isinstance(shape, tuple) else UNKNOWN


def names_of(shape: Dims) -> tuple[Name, ...]:
    """The names of all dims."""
    return tuple(dim.name for dim in shape)


def drop(shape: Dims, gone: Iterable[int]) -> Dims:
    """The dims without those at the indices `gone`."""
    dropped = set(gone)
    return tuple(dim for index, dim in enumerate(shape) if index not in dropped)


def replace(shape: Dims, index: int, dim: Dim) -> Dims:
    """The dims with the one at `index` replaced."""
    return (*shape[:index], dim, *shape[index + 1 :])


def insert(shape: Dims, index: int, dim: Dim) -> Dims:
    """The dims with `dim` inserted before `index`."""
    return (*shape[:index], dim, *shape[index:])


def each_dim(shape: Shape, change: Callable[[Dim], Dim]) -> Shape:
    """The shape with every known dim changed."""
    if isinstance(shape, tuple):
        return tuple(map(change, shape))
    return Trailing(tuple(map(change, shape.dims))) if isinstance(shape, Trailing) else UNKNOWN


def common(left: Shape, right: Shape) -> Shape:
    """What is true of a shape that is one of two: the join of two paths of a program."""
    if left is right:
        return left
    ours, theirs = known_dims(left), known_dims(right)
    same_rank = isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right)
    shared: list[Dim] = []
    for back in range(1, min(len(ours), len(theirs)) + 1):
        mine, other = ours[-back], theirs[-back]
        if mine == other:
            shared.append(_of_both(mine, other))
        else:
            shared.append(
                Dim(
                    mine.name if mine.name == other.name else UNKNOWN,
                    mine.size if mine.size == other.size else UNKNOWN,
                    _marks_of_both(mine, other),
                )
            )
    shared.reverse()
    return tuple(shared) if same_rank else trailing(tuple(shared))


def _of_both(left: Dim, right: Dim) -> Dim:
    """What is known about a dim that is one of two equal ones.

    A 1 that a person wrote down on one path stays written, or the other path would cause a doubt.
    """
    if left is right or left.trace == right.trace:
        return left
    if left.size == 1 and (is_written_one(left) or is_written_one(right)):
        return Dim(left.name, left.size, _WRITTEN)
    return Dim(left.name, left.size, common_factors(left.trace, right.trace))


def common_factors(left: Trace | None, right: Trace | None) -> Trace | None:
    """The factors that two dims have in common, in the same order."""
    if left is None or right is None or not left.factors or left.factors != right.factors:
        return None
    return Trace(factors=left.factors)


def _marks_of_both(left: Dim, right: Dim) -> Trace | None:
    """The marks of a dim that is one of two, if both have them."""
    mine, other = left.trace, right.trace
    if mine is None or other is None or not mine.marks:
        return None
    same = mine.marks == other.marks and mine.since == other.since
    return Trace(marks=mine.marks, since=mine.since) if same else None
