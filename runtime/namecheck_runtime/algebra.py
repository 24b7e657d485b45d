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
"""What a dim is looked up by: its index or its name."""


MOST_PIECES: Final = 256
"""Pieces of a tensor that a reader follows which computes nothing: `x.chunk(10**9)` has a billion,
and all that can be said of them is alike.
"""


class TooLarge(Exception):
    """The answer of a rule is larger than what its reader follows: it is UNKNOWN."""


class Record:
    """What an open answer has gathered so far, and whether its size is bounded."""

    __slots__ = ("bounded", "doubts", "duties")

    def __init__(self, duties: list[Duty], doubts: list[Mistake], bounded: bool) -> None:
        self.duties: Final = duties
        self.doubts: Final = doubts
        self.bounded: Final = bounded


_open: ContextVar[Record | None] = ContextVar("namecheck_open_answer", default=None)

begin_answer = _open.set
"""Gather duties and doubts into a record from now on; nests.  Returns what `end_answer` takes."""

end_answer = _open.reset


def open_answer() -> Record:
    """The record of the rule that is being asked."""
    record = _open.get()
    if record is None:
        raise RuntimeError(
            "a rule was called outside infer(); readers ask infer(op, ...), not the rule"
        )
    return record


def require_pieces(count: int) -> None:
    """Raise TooLarge if the answer's reader does not follow so many pieces of a tensor."""
    if count > MOST_PIECES and open_answer().bounded:
        raise TooLarge(f"has more than the {MOST_PIECES} pieces that are followed")


def require_dims(rank: int) -> None:
    """Raise TooLarge if the answer's reader does not follow a tensor of so many dims."""
    if rank > MOST_DIMS and open_answer().bounded:
        raise TooLarge(f"has more than the {MOST_DIMS} dims that are followed")


def require_equal(left: Size, right: Size, mistake: Mistake) -> None:
    """Raise `mistake` if the sizes differ; leave a duty when that is not known."""
    truth = sizes.compare(left, right)
    if truth is Truth.NO:
        raise mistake
    # Nothing can be learned from a size of which nothing is known, so that is no duty.
    if truth is Truth.MAYBE and left is not UNKNOWN and right is not UNKNOWN:
        open_answer().duties.append(Duty(left, right, False, mistake))


def allow_one(left: Size, right: Size, mistake: Mistake) -> None:
    """As `require_equal`, where a size of 1 fits any other."""
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
    """Say that this is legal, but suspicious."""
    open_answer().doubts.append(mistake)


# Looking dims up.


def position(
    shape: Dims, dim: DimRef | None, argument: str = "dim", extra: int = 0
) -> int | Unknown:
    """The index of `dim` in `shape`, from 0; UNKNOWN when it depends on what we do not know.

    `extra` is 1 where a dim may be inserted behind the last one.  Raises DimOutOfRange,
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
    """The indices of `dims`, each at most once (RepeatedDim); UNKNOWN when any of them is."""
    if dims is UNKNOWN:
        return UNKNOWN
    found: list[int] = []
    unknown = False
    for dim in dims:
        index = position(shape, dim, argument)
        if isinstance(index, Unknown):
            unknown = True
        elif index in found:
            raise RepeatedDim(shape=shape, dim=index, blame=(Blame(argument),))
        else:
            found.append(index)
    return UNKNOWN if unknown else tuple(found)


def require_rank(
    shape: Dims, wanted: Callable[[int], bool], words: str, argument: str, text: str = ""
) -> None:
    """Raise RankMismatch unless the number of dims is one that the op takes."""
    if not wanted(len(shape)):
        raise RankMismatch(shape=shape, wanted=words, text=text, blame=(Blame(argument),))


def of_rank(shape: Shape, rank: int) -> Dims:
    """The dims of a shape that has `rank` of them if this is to run, unknown ones in front.

    A shape known to have another rank, or more dims than that, is given back as it is known.
    """
    known = known_dims(shape)
    if isinstance(shape, tuple) or len(known) > rank:
        return known
    return unknown_dims(rank - len(known)) + known


# Names.


def unify_names(left: Name, right: Name) -> Name:
    """The name of two dims that are one: the named one, None if both are unnamed, UNKNOWN when that
    is not known.

    Two different names unify to the left one; whether that is allowed has been asked before.
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
    """Raise DuplicateName when a name stands twice; None may repeat."""
    listed = tuple(names)
    given = [name for name in listed if isinstance(name, str)]
    if len(set(given)) != len(given):
        raise DuplicateName(names=listed, blame=(Blame(argument),))


# Making dims.

_WRITTEN = Trace(marks=frozenset({Mark.INSERTED}))
_FEATURE = Trace(marks=frozenset({Mark.FEATURE}))


def fresh(size: Size) -> Dim:
    """An unnamed dim that no operand brought along."""
    return Dim(None, size)


def feature(size: Size) -> Dim:
    """An unnamed dim of as many features as a layer was built to give."""
    return Dim(None, size, _FEATURE) if size == 1 else Dim(None, size)


def written_one() -> Dim:
    """An unnamed dim of size 1 that a person wrote down, so that broadcasting over it is meant."""
    return Dim(None, 1, _WRITTEN)


def is_written_one(dim: Dim) -> bool:
    """Whether a dim is a 1 that a person wrote down, see `written_one`."""
    return dim.size == 1 and dim.trace is not None and Mark.INSERTED in dim.trace.marks


def merge(dims: Dims, name: Name = None) -> Dim:
    """One dim made of `dims` in row-major order, remembering them in that order."""
    if len(dims) == 1:
        return dims[0].rename(name)
    size = sizes.product(dim.size for dim in dims)
    return Dim(
        name, size, Trace(factors=dims) if any(isinstance(d.size, Symbolic) for d in dims) else None
    )


def element_count(shape: Shape) -> Size:
    """The number of elements; UNKNOWN when a size or the rank is."""
    return sizes.product(dim.size for dim in shape) if isinstance(shape, tuple) else UNKNOWN


def names_of(shape: Dims) -> tuple[Name, ...]:
    """The names of all dims."""
    return tuple(dim.name for dim in shape)


def drop(shape: Dims, gone: Iterable[int]) -> Dims:
    """The dims that are left when those at `gone` are taken out."""
    out = set(gone)
    return tuple(dim for index, dim in enumerate(shape) if index not in out)


def replace(shape: Dims, index: int, dim: Dim) -> Dims:
    """The dims with the one at `index` replaced."""
    return (*shape[:index], dim, *shape[index + 1 :])


def insert(shape: Dims, index: int, dim: Dim) -> Dims:
    """The dims with one more before `index`."""
    return (*shape[:index], dim, *shape[index:])


def each_dim(shape: Shape, change: Callable[[Dim], Dim]) -> Shape:
    """The shape with every known dim changed."""
    if isinstance(shape, tuple):
        return tuple(map(change, shape))
    return Trailing(tuple(map(change, shape.dims))) if isinstance(shape, Trailing) else UNKNOWN


def common(left: Shape, right: Shape) -> Shape:
    """What holds of a shape that is one of two: the join of two paths of a program."""
    if left is right:
        return left
    ours, theirs = known_dims(left), known_dims(right)
    whole = isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right)
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
    return tuple(shared) if whole else trailing(tuple(shared))


def _of_both(left: Dim, right: Dim) -> Dim:
    """What is known of a dim that is one of two equal ones.  A 1 that one of them wrote down was
    written: to forget that would make us speak.
    """
    if left is right or left.trace == right.trace:
        return left
    if left.size == 1 and (is_written_one(left) or is_written_one(right)):
        return Dim(left.name, left.size, _WRITTEN)
    return Dim(left.name, left.size)


def _marks_of_both(left: Dim, right: Dim) -> Trace | None:
    """What was done along a dim that is one of two, if it was done along both."""
    mine, other = left.trace, right.trace
    if mine is None or other is None or not mine.marks:
        return None
    same = mine.marks == other.marks and mine.since == other.since
    return Trace(marks=mine.marks, since=mine.since) if same else None
