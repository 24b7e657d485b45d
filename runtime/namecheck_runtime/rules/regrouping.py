"""Elements in row-major order under other sizes: what becomes of each dim.

A dim that stays whole and in order keeps its name; a dim made by merging or splitting others has
none.  `regroup` decides what a reshape does to each dim, and `scrambling` whether it puts elements
into dims they do not belong to (NC205).
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    doubt,
    element_count,
    fresh,
    merge,
    require_equal,
    written_one,
)
from namecheck_runtime.declare import (
    Dims,
    Shape,
    Size,
    Sizes,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Name,
)
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import ReshapeSize, ScrambledReshape
from namecheck_runtime.rules.scrambling import factors_of, scrambled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


# Where each dim of a target comes from.


class Group(NamedTuple):
    """Neighbours in the source and in the target that hold the same elements."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    decided: bool = True
    """False: the sizes do not say whether smaller groups in it hold the same elements."""


def groups(source: Sequence[Size], target: Sequence[Size]) -> list[Group]:
    """The smallest groups into which a row-major reshape divides dims that are not 1.

    They are found from the left and from the right, by equal products; the dims left in between are
    one undecided group.  Dims of size 1 belong to no group.
    """
    empty = max(sum(s == 0 or s is UNKNOWN for s in side) for side in (source, target))
    if empty > 1 and 0 in source and list(source) != list(target):
        source = [UNKNOWN if size == 0 else size for size in source]  # either may be the 0
    ours = [k for k, size in enumerate(source) if size != 1]
    theirs = [k for k, size in enumerate(target) if size != 1]
    front = _matched([source[k] for k in ours], [target[k] for k in theirs])
    i, j = sum(k for k, _ in front), sum(k for _, k in front)
    rest, other = ours[i:], theirs[j:]
    back = _matched([source[k] for k in rest[::-1]], [target[k] for k in other[::-1]])
    divided: list[Group] = []
    i = j = 0
    for source_count, target_count in front:
        divided.append(
            Group(tuple(ours[i : i + source_count]), tuple(theirs[j : j + target_count]))
        )
        i, j = i + source_count, j + target_count
    end, stop = len(ours) - sum(k for k, _ in back), len(theirs) - sum(k for _, k in back)
    if i < end or j < stop:
        divided.append(Group(tuple(ours[i:end]), tuple(theirs[j:stop]), decided=False))
    for source_count, target_count in reversed(back):
        divided.append(
            Group(tuple(ours[end : end + source_count]), tuple(theirs[stop : stop + target_count]))
        )
        end, stop = end + source_count, stop + target_count
    return divided


def _matched(source: Sequence[Size], target: Sequence[Size]) -> list[tuple[int, int]]:
    """How many of each are the first, second, ... smallest group with equal products."""
    if all(isinstance(size, int) and size > 1 for size in (*source, *target)):
        return _matched_numbers(source, target)
    steps: list[tuple[int, int]] = []
    i = j = 0
    while True:
        step = next(
            (
                (many, total - many)
                for total in range(2, len(source) - i + len(target) - j + 1)
                for many in range(max(1, total - (len(target) - j)), total)
                if many <= len(source) - i
                and _same(source[i : i + many], target[j : j + total - many])
            ),
            None,
        )
        if step is None:
            return steps
        steps.append(step)
        i, j = i + step[0], j + step[1]


def _matched_numbers(source: Sequence[Any], target: Sequence[Any]) -> list[tuple[int, int]]:
    """As `_matched`, of numbers above 1: their products grow with each of them."""
    steps: list[tuple[int, int]] = []
    i = j = begin = start = 0
    left = right = 1
    while True:
        if left == right != 1:
            steps.append((i - begin, j - start))
            begin, start = i, j
            left = right = 1
        elif left <= right and i < len(source):
            left *= source[i]
            i += 1
        elif right < left and j < len(target):
            right *= target[j]
            j += 1
        else:
            return steps


def _same(left: Sequence[Size], right: Sequence[Size]) -> bool:
    if len(left) == len(right) == 1:
        return left[0] is not UNKNOWN and left[0] == right[0]
    product = sizes.product(left)
    if product is UNKNOWN or product != sizes.product(right):
        return False
    return product != 0  # which says nothing about the other sizes in it


def regroup(source: Dims, target: Sequence[Size], grouped: list[Group] | None = None) -> Dims:
    """The dims of a row-major reshape of `source` to sizes that multiply to its element count.

    UNKNOWN in `target` is a size that is not known, or one that is solved for.  A dim that is alone
    in its group on both sides stays; a 1 is the source's own if both sides have as many 1s at that
    place, else a new one.  `grouped` are the groups, if the caller has them already.
    """
    if grouped is None:
        grouped = groups([dim.size for dim in source], target)
    empty = any(dim.size == 0 for dim in source) or 0 in target
    result: list[Dim | None] = [None] * len(target)
    starts = _starts([group.source for group in grouped], len(source))
    places = _starts([group.target for group in grouped], len(target))
    for index, group in enumerate(grouped):
        if group.decided:
            dims = tuple(source[k] for k in group.source)
            regrouped = _regrouped(dims, [target[k] for k in group.target])
            for place, dim in zip(group.target, regrouped, strict=True):
                result[place] = dim
        else:
            around = (index, index + 1)
            ones = [
                (
                    [k for k in starts[gap] if source[k].size == 1],
                    [k for k in places[gap] if target[k] == 1],
                )
                for gap in around
            ]
            single = len(group.source) == len(group.target) == 1 and not empty
            if single and all(len(ours) == len(theirs) for ours, theirs in ones):
                result[group.target[0]] = _stays(source[group.source[0]], target[group.target[0]])
                continue
            involved = [*group.source, *ones[0][0], *ones[1][0]]
            # Two lists of numbers that have no group in common hold no elements at all.
            numbers = all(isinstance(source[k].size, int) for k in involved) and all(
                isinstance(target[k], int) for k in group.target
            )
            unnamed = numbers or all(source[k].name is None for k in involved)
            name: Name = None if unnamed else UNKNOWN
            for place in (*group.target, *ones[0][1], *ones[1][1]):
                result[place] = Dim(name, target[place])
            if group.source and group.target:
                # A 1 between them may be one that was between them, or a new one.
                between = source[group.source[0] : group.source[-1]]
                for place in range(group.target[0], group.target[-1]):
                    if result[place] is None and any(d.name is not None for d in between):
                        result[place] = Dim(UNKNOWN, target[place])
    for gap in range(len(grouped) + 1):
        ours = [k for k in starts[gap] if source[k].size == 1]
        theirs = [k for k in places[gap] if target[k] == 1]
        for number, place in enumerate(theirs):
            if result[place] is None:
                result[place] = source[ours[number]] if len(ours) == len(theirs) else written_one()
    return tuple(
        dim if dim is not None else (written_one() if size == 1 else Dim(None, size))
        for dim, size in zip(result, target, strict=True)
    )


def _starts(sides: Sequence[tuple[int, ...]], count: int) -> list[range]:
    """The places before, between and after groups, each as the indices that are there."""
    # A group with no dim on this side is where the one before it ended.
    gaps: list[range] = []
    end = 0
    for group in sides:
        start = group[0] if group else end
        gaps.append(range(end, start))
        end = group[-1] + 1 if group else end
    gaps.append(range(end, count))
    return gaps


def _stays(dim: Dim, size: Size) -> Dim:
    return dim if size is UNKNOWN or size == dim.size else dim.resize(size)


def _regrouped(dims: Dims, target: Sequence[Size]) -> Dims:
    """The dims of one group: kept, merged, or split along what they were merged from."""
    if len(target) == 1:
        return dims if len(dims) == 1 else (merge(dims),)
    factors = tuple(factor for dim in dims for factor in factors_of(dim))
    if len(factors) > len(dims):
        return tuple(dim.rename(None) for dim in regroup(factors, target))
    if any(dim.name is not None for dim in dims) and any(map(sizes.is_quotient, target)):
        return tuple(Dim(UNKNOWN, size) for size in target)  # a divisor may be one of the dims
    return tuple(map(fresh, target))


# Reshaping to sizes.


def reshaped(input: Shape, target: Sizes, tensor: str = "input", argument: str = "shape") -> Shape:
    """The shape of `input` after a row-major reshape to `target`, where one size may be -1.

    Raises ReshapeSize; doubts ScrambledReshape.
    """
    wanted = tuple(target)
    blame = (Blame(tensor), Blame(argument))
    check_written(input, wanted, blame)
    if not isinstance(input, tuple):
        return tuple(Dim(UNKNOWN, UNKNOWN if size == -1 else size) for size in wanted)
    solved = solved_sizes(input, wanted, blame)
    if 1 not in solved and _are_numbers(input, solved):
        return tuple(Dim(None, size) for size in solved)
    grouped = groups([dim.size for dim in input], solved)
    result = regroup(input, solved, grouped)
    if any(_may_scramble(group, input) for group in grouped):
        doubt_order(input, wanted, solved, result, blame)
    return result


def doubt_order(
    source: Dims,
    wanted: Sequence[Size],
    solved: Sequence[Size],
    result: Dims,
    blame: tuple[Blame, ...],
) -> None:
    """Doubt a reshape that scrambles a size.

    `wanted` are the sizes as they are written, `solved` those without a -1.
    """
    moved = scrambled(source, solved, frozenset().union(*map(sizes.symbols, wanted)))
    if moved is not None:
        doubt(ScrambledReshape(source=source, target=result, moved=moved, blame=blame))


def _are_numbers(source: Dims, target: Sequence[Size]) -> bool:
    """Whether nothing but numbers is known of both sides: no name, and no trace of a dim's past."""
    return all(isinstance(size, int) for size in target) and all(
        dim.name is None is dim.trace and isinstance(dim.size, int) for dim in source
    )


def _may_scramble(group: Group, source: Dims) -> bool:
    """Whether a group does more than keep, merge or split dims that were not merged before."""
    if not group.decided or min(len(group.source), len(group.target)) > 1:
        return True
    return any(factor is not source[k] for k in group.source for factor in factors_of(source[k]))


def check_written(input: Shape, wanted: tuple[Size, ...], blame: tuple[Blame, ...]) -> None:
    text = ""
    if wanted.count(-1) > 1:
        text = "only one dimension can be inferred"
    for place, size in enumerate(wanted):
        if isinstance(size, int) and size < -1:
            listed = ", ".join(map(str, wanted))
            text = f"invalid shape dimension {size} at index {place} of shape [{listed}]"
            break
    if text:
        raise ReshapeSize(
            source=input, target=wanted, count=element_count(input), text=text, blame=blame
        )


def solved_sizes(
    input: Dims, wanted: tuple[Size, ...], blame: tuple[Blame, ...]
) -> tuple[Size, ...]:
    """The sizes with a -1 solved for; requires the numbers of elements to be equal."""
    left, right = _without_common(input, wanted)
    if not left and not right and -1 not in wanted:
        return wanted
    count = element_count(input)
    mistake = ReshapeSize(source=input, target=wanted, count=count, blame=blame)
    if -1 not in wanted:
        if UNKNOWN not in left and UNKNOWN not in right and not _same(left, right):
            known = count is not UNKNOWN and UNKNOWN not in wanted
            pair = (count, sizes.product(wanted)) if known else _products(left, right)
            require_equal(*pair, mistake)
        return wanted
    place = wanted.index(-1)
    inferred: Size = UNKNOWN
    if UNKNOWN not in left and UNKNOWN not in right:
        total, known_part = _products(left, right)
        if isinstance(total, int) and isinstance(known_part, int):
            if known_part == 0 == total:
                listed = ", ".join(map(str, wanted))
                raise mistake.but(
                    text=(
                        f"cannot reshape tensor of 0 elements into shape [{listed}] because the "
                        "unspecified dimension size -1 can be any value and is ambiguous"
                    )
                )
            if known_part == 0 or total % known_part:
                raise mistake
        inferred = sizes.divide_exactly(total, known_part)
    return (*wanted[:place], inferred, *wanted[place + 1 :])


def _products(left: Sequence[Size], right: Sequence[Size]) -> tuple[Size, Size]:
    return sizes.product(left), sizes.product(right)


def _without_common(source: Dims, target: Sequence[Size]) -> tuple[list[Size], list[Size]]:
    """The sizes of both sides without those that both have; a 0 stays, and a -1 goes."""
    right = [size for size in target if size != -1]
    left: list[Size] = []
    for dim in source:
        size = dim.size
        if size is not UNKNOWN and size != 0 and size in right:
            right.remove(size)
        else:
            left.append(size)
    return left, right
