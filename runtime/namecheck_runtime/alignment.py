"""Two operands lined up from the right: their names unify, their sizes are equal or 1.

What elementwise ops and the batch dims of products do to dims.  Pure functions, which raise or
doubt the mistakes of NC101, NC102, NC201, NC202 and NC209.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    allow_one,
    common_factors,
    doubt,
    is_stated_one,
    is_written_one,
    unify_names,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Mark,
    Name,
    Shape,
    Size,
    Truth,
    known_dims,
    trailing,
)
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.broadcasts import MisalignedBroadcast, RankPromotion, SizeMismatch
from namecheck_runtime.mistakes.names import (
    BatchNameMismatch,
    MisalignedBatchNames,
    MisalignedNames,
    NameMismatch,
)


def check_names(
    left: Shape,
    right: Shape,
    action: str = "broadcast",
    arguments: tuple[str, str] = ("input", "other"),
) -> None:
    """Check that the names of two operands unify from the right.

    Raises NameMismatch or MisalignedNames for the right-most problem.  Source: name inference,
    "unifies names", rules 1 and 2.
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
    """The name of the dim `back` from the right; None also if there is certainly no such dim."""
    dims = known_dims(shape)
    if back <= len(dims):
        return dims[-back].name
    return None if isinstance(shape, tuple) else UNKNOWN


def _blame(arguments: tuple[str, str], left: Shape, right: Shape, back: int) -> tuple[Blame, ...]:
    return tuple(
        Blame(argument, -back if back <= len(known_dims(shape)) else None)
        for argument, shape in zip(arguments, (left, right), strict=True)
    )


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
    if type(left) is tuple and type(right) is tuple:
        if not right or _are_same(left, right):
            return left
        if not left:
            return right
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
    known_rank = isinstance(left, tuple) and isinstance(right, tuple)
    combined = tuple(result) if known_rank else trailing(tuple(result))
    if suspicious:
        doubt_broadcast(left, right, combined, arguments)
    return combined


def _are_same(left: Dims, right: Dims) -> bool:
    """Whether two operands have the same dims: the usual case, which needs no further checks."""
    if len(left) != len(right):
        return False
    for mine, other in zip(left, right, strict=True):
        if mine is not other and (
            mine.size != other.size or mine.name != other.name or mine.trace != other.trace
        ):
            return False
    return True


def _dim_at(shape: Shape, back: int) -> Dim | None:
    """The dim `back` from the right; None if there is certainly none."""
    dims = known_dims(shape)
    if back <= len(dims):
        return dims[-back]
    return None if isinstance(shape, tuple) else _NOTHING_KNOWN


def unify(left: Dim, right: Dim) -> Dim:
    """The dim that two dims become in a broadcast.

    A trace survives if both dims have the same one, or if the other dim has none or is a 1; of two
    that differ, the factors survive that both have.
    """
    name = unify_names(left.name, right.name)
    size = broadcast_size(left.size, right.size)
    mine, other = left.trace, right.trace
    if left.name == name and left.size == size:
        if other is None or right.size == 1 or mine == other:
            return left
    if right.name == name and right.size == size and (mine is None or left.size == 1):
        return right
    if right.size == 1 or (other is None and left.size != 1):
        return Dim(name, size, mine)
    if left.size == 1 or mine is None:
        return Dim(name, size, other)
    return Dim(name, size, common_factors(mine, other))


def broadcast_size(left: Size, right: Size) -> Size:
    """The size that two sizes become in a broadcast.

    It is either if they are equal, the other if one is 1, an int above 1, or the larger if one is
    the minimum of the other and something; else UNKNOWN.
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
    """Doubt a broadcast that is probably not meant (NC202), and any rank promotion (NC209).

    NC202 is a size that meets a different one although the other operand has it elsewhere. Readers
    report NC209 only if the user turns it on. Source: the policy of NC202.
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
    """A size of `theirs` that meets a different one in `ours` although `ours` has it elsewhere.

    The different one is another symbolic size or, if `theirs` has fewer dims, a 1 that no person
    wrote down. A literal size is doubted only if it meets the single feature of a layer.
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
            continue  # both operands have the size twice, lined up: a square
        written = any(k <= len(theirs) and is_written_one(theirs[-k]) for k in elsewhere)
        if written and (met.size == 1 or not isinstance(met.size, int)):
            continue  # a 1 written below the same size means the other dim: `d[:, None, :]`
        if met.size == 1:
            if (
                not is_stated_one(met)
                and len(theirs) < len(ours)
                and all(k > len(theirs) for k in elsewhere)
            ):
                return dim.size
        elif _is_telling(met.size) and sizes.compare(met.size, dim.size) is not Truth.YES:
            return dim.size
        elif isinstance(met.size, int) and isinstance(dim.size, sizes.Polynomial):
            # A number: `[N, 3]` and `[N]`, which fit for just one N.
            return dim.size
    return None


def _is_feature(dim: Dim) -> bool:
    return dim.size == 1 and dim.trace is not None and Mark.FEATURE in dim.trace.marks


def _is_telling(size: Size) -> bool:
    """Whether meeting another such size is suspicious: a symbolic size of fully known form."""
    return isinstance(size, sizes.Polynomial) and not size.opaque


def unify_batch(
    left: Dims, right: Dims, operands: tuple[Dims, Dims], action: str, arguments: tuple[str, str]
) -> Dims:
    """Unify the batch dims of a product from the right; extra leading dims of one side are kept.

    `operands` have all dims: a batch name of one may not be elsewhere in the other.  Sizes are
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
        _check_batch_names(mine.name, other.name, operands, indices, action, arguments)
        if mine.size != other.size:
            mistake = SizeMismatch(
                left=operands[0],
                right=operands[1],
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
    operands: tuple[Dims, Dims],
    indices: tuple[int, int],
    action: str,
    arguments: tuple[str, str],
) -> None:
    if isinstance(mine, str) and isinstance(other, str):
        if mine != other:
            raise BatchNameMismatch(
                left=operands[0],
                right=operands[1],
                position=indices[0] - len(operands[0]),
                left_name=mine,
                right_name=other,
                left_index=indices[0],
                right_index=indices[1],
                action=action,
                blame=(Blame(arguments[0], indices[0]), Blame(arguments[1], indices[1])),
            )
        return
    for name, partner, owner, against in ((mine, other, 0, 1), (other, mine, 1, 0)):
        if (
            isinstance(name, str)
            and partner is None
            and any(d.name == name for d in operands[against])
        ):
            raise MisalignedBatchNames(
                owner=operands[owner],
                other=operands[against],
                misaligned=name,
                owner_index=indices[owner],
                other_index=indices[against],
                action=action,
                blame=(
                    Blame(arguments[owner], indices[owner]),
                    Blame(arguments[against], indices[against]),
                ),
            )
