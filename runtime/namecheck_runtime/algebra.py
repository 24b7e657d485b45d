"""The moves that rules are made of: look a dim up, unify names, broadcast, contract, require,
doubt.

Pure functions from dims to dims, and the record of an open answer (duties and doubts) that `infer`
opens around a rule.  Nothing here knows an op; every function that needs to name one takes it from
the mistake's reader.
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
    BatchNameMismatch,
    DuplicateName,
    MisalignedBatchNames,
    MisalignedNames,
    NameMismatch,
    UnknownName,
    WildcardLookup,
)
from namecheck_runtime.mistakes.sizes import MisalignedBroadcast, RankPromotion, SizeMismatch

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


def check_names(
    left: Shape,
    right: Shape,
    action: str = "broadcast",
    arguments: tuple[str, str] = ("input", "other"),
) -> None:
    """Check that the names of two operands unify from the right; the right-most problem is the one
    raised.

    Raises NameMismatch and MisalignedNames.  Source: name inference, "unifies names", rules 1 and
    2.
    """
    ours, theirs = known_dims(left), known_dims(right)
    if not (_any_named(ours) or _any_named(theirs)):
        return
    for back in range(1, max(len(ours), len(theirs)) + 1):
        mine = _name_at(left, back)
        other = _name_at(right, back)
        if isinstance(mine, str) and isinstance(other, str):
            if mine != other:
                raise NameMismatch(
                    left=left,
                    right=right,
                    position=-back,
                    left_name=mine,
                    right_name=other,
                    action=action,
                    blame=_blame(arguments, left, right, back),
                )
            continue
        for name, partner, owner, holder, order in (
            (mine, other, left, right, arguments),
            (other, mine, right, left, arguments[::-1]),
        ):
            if (
                isinstance(name, str)
                and partner is None
                and any(d.name == name for d in known_dims(holder))
            ):
                raise MisalignedNames(
                    owner=owner,
                    other=holder,
                    misaligned=name,
                    action=action,
                    blame=_blame((order[0], order[1]), owner, holder, back),
                )


def _any_named(dims: Dims) -> bool:
    return any(isinstance(dim.name, str) for dim in dims)


def _name_at(shape: Shape, back: int) -> Name:
    """The name of the dim `back` from the right; a dim that is certainly missing counts as
    unnamed.
    """
    dims = known_dims(shape)
    if back <= len(dims):
        return dims[-back].name
    return None if isinstance(shape, tuple) else UNKNOWN


def _blame(arguments: tuple[str, str], left: Shape, right: Shape, back: int) -> tuple[Blame, ...]:
    return tuple(
        Blame(argument, -back if back <= len(known_dims(shape)) else None)
        for argument, shape in zip(arguments, (left, right), strict=True)
    )


# Broadcasting.

_NOTHING_KNOWN = Dim(UNKNOWN, UNKNOWN)


def broadcast(
    left: Shape,
    right: Shape,
    arguments: tuple[str, str] = ("input", "other"),
    names: bool = True,
    suspicious: bool = True,
) -> Shape:
    """The shape of an elementwise combination: names unify from the right, sizes are equal or 1.

    Raises NameMismatch, MisalignedNames, SizeMismatch; doubts MisalignedBroadcast and
    RankPromotion. Source: name inference, "unifies names"; NumPy's broadcasting.
    """
    if type(left) is tuple and type(right) is tuple and _are_same(left, right):
        return left
    if names:
        check_names(left, right, arguments=arguments)
    ours, theirs = known_dims(left), known_dims(right)
    result: list[Dim] = []
    for back in range(1, max(len(ours), len(theirs)) + 1):
        mine = _dim_at(left, back)
        other = _dim_at(right, back)
        if mine is None or other is None:
            result.append(mine or other or _NOTHING_KNOWN)
            continue
        sizes_known = mine.size is not UNKNOWN and other.size is not UNKNOWN
        if sizes_known and mine.size != other.size and mine.size != 1 and other.size != 1:
            allow_one(
                mine.size,
                other.size,
                SizeMismatch(
                    left=left,
                    right=right,
                    position=-back,
                    left_size=mine.size,
                    right_size=other.size,
                    blame=_blame(arguments, left, right, back),
                ),
            )
        result.append(unify(mine, other))
    result.reverse()
    whole = isinstance(left, tuple) and isinstance(right, tuple)
    combined = tuple(result) if whole else trailing(tuple(result))
    if suspicious:
        doubt_broadcast(left, right, combined, arguments)
    return combined


def _are_same(left: Dims, right: Dims) -> bool:
    """Whether two operands are alike dim by dim: the usual case, in which nothing is asked."""
    if len(left) != len(right):
        return False
    for mine, other in zip(left, right, strict=True):
        if mine is not other and (
            mine.size != other.size or mine.name != other.name or mine.trace != other.trace
        ):
            return False
    return True


def _dim_at(shape: Shape, back: int) -> Dim | None:
    """The dim `back` from the right; None when there is certainly none."""
    dims = known_dims(shape)
    if back <= len(dims):
        return dims[-back]
    return None if isinstance(shape, tuple) else _NOTHING_KNOWN


def unify(left: Dim, right: Dim) -> Dim:
    """The dim that two dims lined up in a broadcast become.  A trace survives if both carry the
    same one, or if the other dim has none or is a 1.
    """
    name = unify_names(left.name, right.name)
    size = broadcast_size(left.size, right.size)
    mine, other = left.trace, right.trace
    if left.name == name and left.size == size:
        if other is None or right.size == 1 or mine == other:
            return left
    if right.name == name and right.size == size and (mine is None or left.size == 1):
        return right
    kept = left if right.size == 1 else right if left.size == 1 else None
    return Dim(name, size, kept.trace if kept is not None else None)


def broadcast_size(left: Size, right: Size) -> Size:
    """The size of two sizes lined up: either if equal, the other if one is 1, an int above 1, the
    larger if one is the minimum of the other and something; else UNKNOWN.
    """
    if left == 1:
        return right
    if right == 1 or left == right:
        return left
    if isinstance(left, int) and left != 1:
        return left
    if isinstance(right, int) and right != 1:
        return right
    # `T` beside `min(T, n)`: if these fit, either both are T or the smaller one is 1.
    if left in sizes.operands_of_minimum(right):
        return left
    if right in sizes.operands_of_minimum(left):
        return right
    return UNKNOWN


def doubt_broadcast(left: Shape, right: Shape, result: Shape, arguments: tuple[str, str]) -> None:
    """Doubt a broadcast that lines a size up with something else while its twin stands elsewhere
    (NC202), and any rank promotion (NC209, which readers report only when asked).  Source: the
    policy of NC202.
    """
    if not isinstance(left, tuple) or not isinstance(right, tuple) or not left or not right:
        return
    if len(left) != len(right):
        doubt(
            RankPromotion(left=left, right=right, blame=(Blame(arguments[0]), Blame(arguments[1])))
        )
    for ours, theirs, order in ((left, right, arguments), (right, left, arguments[::-1])):
        size = _misaligned(ours, theirs)
        if size is not None:
            doubt(
                MisalignedBroadcast(
                    left=left,
                    right=right,
                    result=result,
                    size=size,
                    blame=(Blame(order[0]), Blame(order[1])),
                )
            )
            return


def _misaligned(ours: Dims, theirs: Dims) -> Size | None:
    """A size of `theirs` that meets a stranger in `ours` although `ours` has it elsewhere.

    The stranger is another named size, or, when `theirs` has fewer dims, a 1 that nobody wrote
    down. A literal size is told only where it meets the one feature that a layer gives.
    """
    for back, dim in enumerate(reversed(theirs), 1):
        if back > len(ours):
            continue
        met = ours[-back]
        if met.size == dim.size or not (
            _is_telling(dim.size) or (isinstance(dim.size, int) and _is_feature(met))
        ):
            continue
        elsewhere = [k for k, d in enumerate(reversed(ours), 1) if d.size == dim.size and k != back]
        if not elsewhere:
            continue
        if all(k <= len(theirs) and theirs[-k].size in (dim.size, UNKNOWN) for k in elsewhere):
            continue  # its twin is lined up with a twin of its own: a square
        written = any(k <= len(theirs) and _is_written_one(theirs[-k]) for k in elsewhere)
        if written and (met.size == 1 or not isinstance(met.size, int)):
            continue  # who wrote a 1 below its twin means the other dim: `d[:, None, :]`
        if met.size == 1:
            silent = met.trace is None or Mark.INSERTED not in met.trace.marks
            if silent and len(theirs) < len(ours) and all(k > len(theirs) for k in elsewhere):
                return dim.size
        elif _is_telling(met.size) and sizes.compare(met.size, dim.size) is not Truth.YES:
            return dim.size
        elif isinstance(met.size, int) and isinstance(dim.size, sizes.Polynomial):
            # A number: `[N, 3]` beside `[N]`, which fits for one N only.
            return dim.size
    return None


def _is_feature(dim: Dim) -> bool:
    return dim.size == 1 and dim.trace is not None and Mark.FEATURE in dim.trace.marks


def _is_written_one(dim: Dim) -> bool:
    return dim.size == 1 and dim.trace is not None and Mark.INSERTED in dim.trace.marks


def _is_telling(size: Size) -> bool:
    """Whether meeting another such size tells something: a symbolic size whose form is fully
    known.
    """
    return isinstance(size, sizes.Polynomial) and not size.opaque


def unify_batch(
    left: Dims, right: Dims, whole: tuple[Dims, Dims], action: str, arguments: tuple[str, str]
) -> Dims:
    """Unify batch dims of a product position by position; extra leading dims of the longer are
    taken as they are.

    `whole` are the full operands, whose names a batch name may not repeat elsewhere.  Sizes are
    equal or 1. Raises BatchNameMismatch, MisalignedBatchNames, SizeMismatch.  Source: name
    inference, batch dims of matmul.
    """
    result: list[Dim] = []
    for back in range(1, max(len(left), len(right)) + 1):
        if back > len(left) or back > len(right):
            result.append((left if back <= len(left) else right)[-back])
            continue
        mine, other = left[-back], right[-back]
        indices = (len(left) - back, len(right) - back)
        _check_batch_names(mine.name, other.name, whole, indices, action, arguments)
        if mine.size != other.size:
            mistake = SizeMismatch(
                left=whole[0],
                right=whole[1],
                position=-back - 2,
                left_size=mine.size,
                right_size=other.size,
                blame=(Blame(arguments[0], indices[0]), Blame(arguments[1], indices[1])),
            )
            allow_one(mine.size, other.size, mistake)
        result.append(unify(mine, other))
    result.reverse()
    return tuple(result)


def _check_batch_names(
    mine: Name,
    other: Name,
    whole: tuple[Dims, Dims],
    indices: tuple[int, int],
    action: str,
    arguments: tuple[str, str],
) -> None:
    if isinstance(mine, str) and isinstance(other, str):
        if mine != other:
            raise BatchNameMismatch(
                left=whole[0],
                right=whole[1],
                position=indices[0] - len(whole[0]),
                left_name=mine,
                right_name=other,
                left_index=indices[0],
                right_index=indices[1],
                action=action,
                blame=(Blame(arguments[0], indices[0]), Blame(arguments[1], indices[1])),
            )
        return
    for name, partner, own, against in ((mine, other, 0, 1), (other, mine, 1, 0)):
        if (
            isinstance(name, str)
            and partner is None
            and any(d.name == name for d in whole[against])
        ):
            raise MisalignedBatchNames(
                owner=whole[own],
                other=whole[against],
                misaligned=name,
                owner_index=indices[own],
                other_index=indices[against],
                action=action,
                blame=(
                    Blame(arguments[own], indices[own]),
                    Blame(arguments[against], indices[against]),
                ),
            )


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
    if left.size == 1 and (_is_written_one(left) or _is_written_one(right)):
        return Dim(left.name, left.size, _WRITTEN)
    return Dim(left.name, left.size)


def _marks_of_both(left: Dim, right: Dim) -> Trace | None:
    """What was done along a dim that is one of two, if it was done along both."""
    mine, other = left.trace, right.trace
    if mine is None or other is None or not mine.marks:
        return None
    same = mine.marks == other.marks and mine.since == other.since
    return Trace(marks=mine.marks, since=mine.since) if same else None
