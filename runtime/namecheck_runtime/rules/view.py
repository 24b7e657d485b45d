"""Ops that regroup the elements in row-major order: reshape, flatten, squeeze, unfold and the like.

A dim that stays whole and in order keeps its name, a dim made by merging or splitting others has
none.  What a reshape does to each dim is decided by `regroup`; whether it puts elements into dims
they do not belong to (NC205) by `scrambled`.
"""

from __future__ import annotations

from collections import Counter

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    doubt,
    drop,
    element_count,
    fresh,
    has_names,
    insert,
    merge,
    position,
    positions,
    replace,
    require_equal,
    written_one,
)
from namecheck_runtime.binding import size_of
from namecheck_runtime.declare import (
    DimRef,
    DimRefs,
    Dims,
    Memory,
    Shape,
    Shapes,
    Size,
    Sizes,
    op,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Name,
    Trailing,
    Truth,
    Unknown,
    known_dims,
    trailing,
    unknown_dims,
)
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes.base import Blame, name_text, named_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.names import BadNames
from namecheck_runtime.mistakes.sizes import BadExtent, ReshapeSize, ScrambledReshape
from namecheck_runtime.rules.naming import check_identifiers
from namecheck_runtime.rules.permute import as_refs
from namecheck_runtime.sizes import Opaque, Origin, Polynomial, Symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Where each dim of a target comes from.


class Group(NamedTuple):
    """Neighbours in the source and in the target that hold the same elements."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    decided: bool = True
    """False: the sizes do not say whether smaller groups in it hold the same elements."""


def groups(source: Sequence[Size], target: Sequence[Size]) -> list[Group]:
    """The smallest groups into which a row-major reshape divides dims that are not 1.

    Found from the left and from the right by equal products; what is left between is one group that
    is not decided.  Dims of size 1 belong to no group.
    """
    empty = max(sum(s == 0 or s is UNKNOWN for s in side) for side in (source, target))
    if empty > 1 and 0 in source and list(source) != list(target):
        source = [UNKNOWN if size == 0 else size for size in source]  # which is which is open
    ours = [k for k, size in enumerate(source) if size != 1]
    theirs = [k for k, size in enumerate(target) if size != 1]
    front = _matched([source[k] for k in ours], [target[k] for k in theirs])
    i, j = sum(k for k, _ in front), sum(k for _, k in front)
    rest, other = ours[i:], theirs[j:]
    back = _matched([source[k] for k in rest[::-1]], [target[k] for k in other[::-1]])
    found: list[Group] = []
    i = j = 0
    for many, much in front:
        found.append(Group(tuple(ours[i : i + many]), tuple(theirs[j : j + much])))
        i, j = i + many, j + much
    end, stop = len(ours) - sum(k for k, _ in back), len(theirs) - sum(k for _, k in back)
    if i < end or j < stop:
        found.append(Group(tuple(ours[i:end]), tuple(theirs[j:stop]), decided=False))
    for many, much in reversed(back):
        found.append(Group(tuple(ours[end : end + many]), tuple(theirs[stop : stop + much])))
        end, stop = end + many, stop + much
    return found


def _matched(source: Sequence[Size], target: Sequence[Size]) -> list[tuple[int, int]]:
    """How many of each are the first, second, ... smallest group with equal products."""
    found: list[tuple[int, int]] = []
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
            return found
        found.append(step)
        i, j = i + step[0], j + step[1]


def _same(left: Sequence[Size], right: Sequence[Size]) -> bool:
    if len(left) == len(right) == 1:
        return left[0] is not UNKNOWN and left[0] == right[0]
    product = sizes.product(left)
    if product is UNKNOWN or product != sizes.product(right):
        return False
    return product != 0  # which says nothing about the other sizes in it


def regroup(source: Dims, target: Sequence[Size], found: list[Group] | None = None) -> Dims:
    """The dims of a row-major reshape of `source` to sizes that multiply to its element count.

    UNKNOWN in `target` is a size that is not known, also one that is solved for.  A dim that a
    group holds alone on both sides is passed on; a 1 is the source's own if as many 1s stand at
    that place on both sides, else a new one.  `found` are the groups, if they are known already.
    """
    if found is None:
        found = groups([dim.size for dim in source], target)
    empty = any(dim.size == 0 for dim in source) or 0 in target
    result: list[Dim | None] = [None] * len(target)
    starts = _starts([group.source for group in found], len(source))
    places = _starts([group.target for group in found], len(target))
    for index, group in enumerate(found):
        if group.decided:
            dims = tuple(source[k] for k in group.source)
            made = _regrouped(dims, [target[k] for k in group.target])
            for place, dim in zip(group.target, made, strict=True):
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
                # A 1 between them may be one that stood between them, or a new one.
                between = source[group.source[0] : group.source[-1]]
                for place in range(group.target[0], group.target[-1]):
                    if result[place] is None and any(d.name is not None for d in between):
                        result[place] = Dim(UNKNOWN, target[place])
    for gap in range(len(found) + 1):
        ours = [k for k in starts[gap] if source[k].size == 1]
        theirs = [k for k in places[gap] if target[k] == 1]
        for number, place in enumerate(theirs):
            if result[place] is None:
                result[place] = source[ours[number]] if len(ours) == len(theirs) else written_one()
    return tuple(
        dim if dim is not None else (written_one() if size == 1 else Dim(None, size))
        for dim, size in zip(result, target, strict=True)
    )


def _starts(found: Sequence[tuple[int, ...]], count: int) -> list[range]:
    """The places before, between and after groups, each as the indices that stand there."""
    # A group with no dim on this side stands where the one before it ended.
    gaps: list[range] = []
    end = 0
    for group in found:
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
    factors = tuple(factor for dim in dims for factor in _factors(dim))
    if len(factors) > len(dims):
        return tuple(dim.rename(None) for dim in regroup(factors, target))
    if any(dim.name is not None for dim in dims) and any(map(sizes.is_quotient, target)):
        return tuple(Dim(UNKNOWN, size) for size in target)  # a divisor may be one of the dims
    return tuple(map(fresh, target))


def _factors(dim: Dim) -> Dims:
    """What a dim was merged from, or itself."""
    if dim.trace is None or not dim.trace.factors:
        return (dim,)
    whole = sizes.product(factor.size for factor in dim.trace.factors)
    return dim.trace.factors if whole == dim.size else (dim,)


# NC205: sizes that fit, in an order that does not.


def scrambled(source: Dims, target: Sequence[Size]) -> Size | None:
    """A target size whose elements do not lie together in the source although a transpose could
    bring them together; None when there is none, or when it is not certain.

    Every size is read as a bag of factors, a merged dim as the bags it was made of in order.  A
    reshape can divide a bag among neighbours and pour neighbours into one; it cannot pass a bag by.
    Only factors that a person named count, each of them once.
    Source: the policy of NC205.
    """
    left = [factor.size for dim in source for factor in _all_factors(dim)]
    right = list(target)
    left, right = [s for s in left if s != 1], [s for s in right if s != 1]
    aside: list[Size] = []
    while left and right and left[0] == right[0] and left[0] is not UNKNOWN:
        aside.append(left[0])
        left, right = left[1:], right[1:]
    while left and right and left[-1] == right[-1] and left[-1] is not UNKNOWN:
        aside.append(left[-1])
        left, right = left[:-1], right[:-1]
    bags = _bags([*left, *right])
    if bags is None:
        return None
    ours, theirs = bags[: len(left)], bags[len(left) :]
    if sum(ours, Counter()) != sum(theirs, Counter()):
        return None
    if max(_holders(ours), _holders(theirs)) > 1:
        return None  # which of two equal sizes is meant is anybody's guess
    involved = frozenset().union(*map(sizes.symbols, left))
    if any(_above(size) & involved for size in aside):
        return None  # which of two equal sizes is meant is anybody's guess
    place = _passed_by(ours, theirs)
    return None if place is None else right[place]


def _holders(bags: Sequence[Counter[object]]) -> int:
    """In how many bags the factor is that most of them have."""
    return max(Counter(factor for bag in bags for factor in bag).values(), default=0)


def _above(size: Size) -> frozenset[Symbol]:
    """The symbols that a size grows with: of `C/h` only `C`."""
    if not isinstance(size, Polynomial):
        return frozenset()
    return frozenset(
        atom
        for monomial, _ in size.terms
        for atom, exponent in monomial
        if exponent > 0 and isinstance(atom, Symbol)
    )


def _all_factors(dim: Dim) -> Dims:
    factors = _factors(dim)
    if factors == (dim,):
        return factors
    return tuple(inner for factor in factors for inner in _all_factors(factor))


def _passed_by(source: Sequence[Counter[object]], target: Sequence[Counter[object]]) -> int | None:
    """The first target bag that cannot be filled in order."""
    bags = [Counter(bag) for bag in source]
    for place, wanted in enumerate(map(Counter, target)):
        while wanted:
            first = bags[0]
            if not first:
                bags.pop(0)
            elif first <= wanted:
                wanted -= first
                bags.pop(0)
            elif wanted <= first:
                bags[0] = first - wanted
                break
            else:
                return place
    return None


def _bags(all_sizes: Sequence[Size]) -> list[Counter[object]] | None:
    """Each size as the bag of its factors; None when one is not a product of named symbols."""
    bags: list[dict[object, int]] = []
    for size in all_sizes:
        if not isinstance(size, Polynomial) or len(size.terms) != 1:
            return None
        ((monomial, coefficient),) = size.terms
        if coefficient != 1 or not all(_is_named(atom) for atom, _ in monomial):
            return None
        bags.append(dict(monomial))
    # `C/h` is a factor of its own, and `C` then is `h` of them.
    for _ in range(4):
        broken = next((bag for bag in bags if min(bag.values()) < 0), None)
        if broken is None:
            return [Counter(bag) for bag in bags]
        above = [atom for atom, exponent in broken.items() if exponent > 0]
        if len(above) != 1 or broken[above[0]] != 1:
            return None
        below = {atom: -exponent for atom, exponent in broken.items() if exponent < 0}
        below[object()] = 1
        bags = [_substituted(bag, above[0], below) for bag in bags]
    return None


def _is_named(atom: Symbol | Opaque) -> bool:
    """Whether a person named a factor, or what it is computed from: `H // 2`."""
    if isinstance(atom, Symbol):
        return atom.origin is not Origin.FRESH and atom.label != "?"
    inner = frozenset().union(*map(sizes.symbols, atom.operands))
    return atom.function in _ROUNDED and bool(inner) and all(map(_is_named, inner))


_ROUNDED = frozenset({"//", "ceil_div", "int"})


def _substituted(bag: dict[object, int], atom: object, by: dict[object, int]) -> dict[object, int]:
    times = bag.get(atom, 0)
    if not times:
        return bag
    found = {a: exponent for a, exponent in bag.items() if a is not atom}
    for factor, exponent in by.items():
        found[factor] = found.get(factor, 0) + times * exponent
    return {a: exponent for a, exponent in found.items() if exponent}


# Reshaping to sizes.


def reshaped(input: Shape, target: Sizes, tensor: str = "input", argument: str = "shape") -> Shape:
    """The shape of `input` after a row-major reshape to `target`, where one size may be -1.

    Raises ReshapeSize; doubts ScrambledReshape.
    """
    wanted = tuple(target)
    blame = (Blame(tensor), Blame(argument))
    _check_written(input, wanted, blame)
    if not isinstance(input, tuple):
        return tuple(Dim(UNKNOWN, UNKNOWN if size == -1 else size) for size in wanted)
    solved = _solved(input, wanted, blame)
    found = groups([dim.size for dim in input], solved)
    result = regroup(input, solved, found)
    moved = scrambled(input, solved) if any(_may_scramble(g, input) for g in found) else None
    if moved is not None:
        doubt(ScrambledReshape(source=input, target=result, moved=moved, blame=blame))
    return result


def _may_scramble(group: Group, source: Dims) -> bool:
    """Whether a group is more than dims kept, merged or split that nobody merged before."""
    if not group.decided or min(len(group.source), len(group.target)) > 1:
        return True
    return any(factor is not source[k] for k in group.source for factor in _factors(source[k]))


def _check_written(input: Shape, wanted: tuple[Size, ...], blame: tuple[Blame, ...]) -> None:
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


def _solved(input: Dims, wanted: tuple[Size, ...], blame: tuple[Blame, ...]) -> tuple[Size, ...]:
    """The sizes with a -1 solved for; the numbers of elements are required to be equal."""
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
    """The sizes of both sides without those that stand on both; a 0 stays, and a -1 goes."""
    right = [size for size in target if size != -1]
    left: list[Size] = []
    for dim in source:
        size = dim.size
        if size is not UNKNOWN and size != 0 and size in right:
            right.remove(size)
        else:
            left.append(size)
    return left, right


@op("torch.reshape", "Tensor.reshape")
def reshape(input: Shape, *shape: Size) -> Shape:
    """The same elements in row-major order, in dims of other sizes; one of them may be -1.

    A dim that stays whole and in order keeps its name, the others have none.  Raises ReshapeSize;
    doubts ScrambledReshape.  Source: torch.reshape, which refused names.
    """
    return reshaped(input, shape)


@op(
    "ndarray.reshape",
    jax=("numpy.reshape(input, shape, order)", "jax.numpy.reshape(input, shape, order)"),
)
def reshape_numpy(input: Shape, *shape: Size, order: str = "C") -> Shape:
    """The same elements in dims of other sizes, in row-major order unless `order` says otherwise.

    Raises ReshapeSize; doubts ScrambledReshape.  Source: numpy.reshape.
    """
    if order == "C":
        return reshaped(input, shape)
    if not isinstance(input, tuple):
        return reshaped(input, shape)
    blame = (Blame("input"), Blame("shape"))
    _check_written(input, tuple(shape), blame)
    solved = _solved(input, tuple(shape), blame)
    if order == "F":
        # Column-major is row-major from the right.
        return regroup(input[::-1], solved[::-1])[::-1]
    return tuple(Dim(UNKNOWN, size) for size in solved)


@op("ndarray.shape=")
def set_shape(input: Shape, shape: Sizes) -> Shape:
    """The same elements in dims of other sizes, in place.

    Raises ReshapeSize; doubts ScrambledReshape.  Source: numpy.ndarray.shape.
    """
    return reshaped(input, shape)


@op("jax.lax.reshape")
def reshape_lax(input: Shape, new_sizes: Sizes, dimensions: object = None) -> Shape:
    """The same elements in row-major order, in dims of other sizes.

    Raises ReshapeSize; doubts ScrambledReshape.  Source: jax.lax.reshape.
    """
    if dimensions is None:
        return reshaped(input, new_sizes, argument="new_sizes")
    return tuple(Dim(UNKNOWN, size) for size in new_sizes)


@op("Tensor.view")
def view(self: Shape, *size: Size) -> Shape:
    """As `reshape`, without copying.  Raises ReshapeSize; doubts ScrambledReshape.

    Source: torch.Tensor.view, which refused names.
    """
    return reshaped(self, size, "self", "size")


@op("Tensor.view")
def view_as_dtype(self: Shape, dtype: object) -> Shape:
    """The same memory read as another dtype: the last dim changes its size with the element's.

    Source: torch.Tensor.view.
    """
    if isinstance(dtype, (tuple, list, int, float, str, Unknown)) or dtype is None:
        return UNKNOWN  # not a dtype: another call than the one meant here
    if isinstance(self, Unknown) or not self:
        return self
    known = known_dims(self)
    changed = (*known[:-1], known[-1].resize(UNKNOWN))
    return changed if isinstance(self, tuple) else trailing(changed)


@op("torch.view_copy", memory=Memory.NEW)
def view_copy(input: Shape, *size: Size) -> Shape:
    """As `reshape`.  Raises ReshapeSize; doubts ScrambledReshape.  Source: torch.view_copy."""
    return reshaped(input, size, argument="size")


@op("torch.view_copy")
def view_copy_as_dtype(input: Shape, dtype: object) -> Shape:
    """As `x.view(dtype)`.  Source: torch.view_copy."""
    return view_as_dtype(input, dtype)


@op("Tensor.view_as")
@op("Tensor.reshape_as")
def view_as(self: Shape, other: Shape) -> Shape:
    """As `reshape` to the other's sizes; the other's names are not looked at.

    Raises ReshapeSize; doubts ScrambledReshape.  Source: torch.Tensor.view_as.
    """
    if not isinstance(other, tuple):
        return trailing(tuple(Dim(UNKNOWN, dim.size) for dim in known_dims(other)))
    return reshaped(self, tuple(dim.size for dim in other), "self", "other")


@op("Tensor.resize")
def resize(self: Shape, *sizes: Size) -> Shape:
    """As `reshape`: it may not change the number of elements.  Raises ReshapeSize.

    Source: torch.Tensor.resize.
    """
    if not isinstance(self, tuple):
        return UNKNOWN  # images have such a method, too
    target = tuple(sizes)
    wanted, count = "x".join(map(str, target)), element_count(self)
    found = "x".join(str(dim.size) for dim in self)
    text = (
        f"requested resize to {wanted} ({element_count(tuple(map(fresh, target)))} elements in "
        f"total), but the given tensor has a size of {found} ({count} elements). autograd's resize "
        "can only change the shape of a given tensor, while preserving the number of elements."
    )
    require_equal(
        count,
        element_count(tuple(map(fresh, target))),
        ReshapeSize(
            source=self,
            target=target,
            count=count,
            text=text,
            blame=(Blame("self"), Blame("sizes")),
        ),
    )
    return regroup(self, target)


# Merging and splitting neighbours.


@op("torch.ravel", "Tensor.ravel", memory=Memory.NEW)
def ravel(input: Shape) -> Shape:
    """All elements in one dim; a vector stays as it is.

    Source: torch.ravel, which refused names.
    """
    return _raveled(input)


@op("ndarray.flatten", numpy="ravel(input, order)")
def ravel_numpy(input: Shape, order: object = "C") -> Shape:
    """All elements in one dim; a vector stays as it is.  Source: numpy.ravel."""
    return _raveled(input)


def _raveled(input: Shape) -> Shape:
    if isinstance(input, tuple):
        return (merge(input),) if len(input) > 1 else (input or (fresh(1),))
    return (Dim(UNKNOWN, UNKNOWN),)


@op("torch.flatten", "Tensor.flatten")
def flatten(input: Shape, start_dim: DimRef | None = 0, end_dim: DimRef | None = -1) -> Shape:
    """The dims from start to end become one, which has no name unless it is one dim alone.

    Raises DimOutOfRange, UnknownName, BadNames when start comes after end.
    Source: torch.flatten; names were refused without an `out_dim`.
    """
    if not isinstance(input, tuple):
        return _flattened_end(input, start_dim, end_dim)
    if not input:
        input = (fresh(1),)
    start, end = position(input, start_dim, "start_dim"), position(input, end_dim, "end_dim")
    if isinstance(start, Unknown) or isinstance(end, Unknown):
        return UNKNOWN
    _check_order(input, start, end)
    if start == end:
        return input
    return (*input[:start], merge(input[start : end + 1]), *input[end + 1 :])


def _check_order(input: Dims, start: int, end: int) -> None:
    if start > end:
        raise BadNames(
            text="flatten() has invalid args: start_dim cannot come after end_dim",
            reason=f"dim {start} comes after dim {end}",
            blame=(Blame("start_dim"), Blame("end_dim")),
        )


def _flattened_end(
    input: Trailing | Unknown, start: DimRef | None, end: DimRef | None, name: Name = UNKNOWN
) -> Shape:
    """What is known of a flattened tensor of unknown rank."""
    known = known_dims(input)
    if not isinstance(start, int) or not isinstance(end, int):
        return UNKNOWN
    if start >= 0 and end == -1:
        return unknown_dims(start + 1)
    if end >= 0:
        return trailing(known[end + 1 :])
    if start < 0 and -start <= len(known):
        first, last = len(known) + start, len(known) + end
        if first > last:
            _check_order(known, first, last)
        merged = merge(known[first : last + 1], known[first].name if first == last else None)
        return trailing((*known[:first], merged, *known[last + 1 :]))
    kept = known[len(known) + end + 1 :] if len(known) + end + 1 >= 0 else known
    return trailing((Dim(name, UNKNOWN), *kept)) if len(kept) == -end - 1 else trailing(kept)


@op("torch.flatten", "Tensor.flatten")
def flatten_to(
    input: Dims, start_dim: DimRef | None, end_dim: DimRef | None, out_dim: object
) -> Shape:
    """The dims from start to end become one that is named `out_dim`, or unnamed for None.

    Raises DimOutOfRange, UnknownName, WildcardLookup, DuplicateName, BadNames.
    Source: name inference, "flatten".
    """
    name = _out_name(out_dim)
    start, end = position(input, start_dim, "start_dim"), position(input, end_dim, "end_dim")
    if isinstance(start, Unknown) or isinstance(end, Unknown):
        return UNKNOWN
    _check_order(input, start, end)
    return _merged_as(input, start, end, name)


@op("torch.flatten", "Tensor.flatten")
def flatten_dims(input: Dims, dims: DimRefs, out_dim: object) -> Shape:
    """The dims listed, neighbours in order, become one that is named `out_dim`.

    Raises UnknownName, WildcardLookup, DuplicateName, BadNames.  Source: name inference, "flatten".
    """
    name, refs = _out_name(out_dim), as_refs(dims)
    if isinstance(refs, Unknown):
        return UNKNOWN
    prefix = "flatten(tensor, dims, out_dim): dims"
    if not refs:
        raise BadNames(text=f"{prefix} cannot be empty", blame=(Blame("dims"),))
    found = [position(input, ref, "dims") for ref in refs]
    known = [index for index in found if not isinstance(index, Unknown)]
    if len(known) < len(found):
        return UNKNOWN
    if known != list(range(known[0], known[0] + len(known))):
        listed = "[" + ", ".join(name_text(ref) for ref in refs) + "]"
        raise BadNames(
            text=f"{prefix} {listed} must be consecutive in Tensor{named_list(input)}",
            blame=(Blame("input"), Blame("dims")),
        )
    return _merged_as(input, known[0], known[-1], name)


def _out_name(out_dim: object) -> Name:
    check_identifiers((out_dim,), "out_dim")
    return out_dim if isinstance(out_dim, str) or out_dim is None else UNKNOWN


def _merged_as(input: Dims, start: int, end: int, name: Name) -> Shape:
    if input:
        made = merge(input[start : end + 1], name)
        result: Dims = (*input[:start], made, *input[end + 1 :])
    else:
        result = (Dim(name, 1),)
    check_distinct((dim.name for dim in result), "out_dim")
    return result


@op("torch.unflatten", "Tensor.unflatten")
def unflatten(input: Shape, dim: DimRef, sizes: Sizes) -> Shape:
    """One dim becomes several of the sizes listed, one of which may be -1.

    Raises ReshapeSize, BadNames (a named tensor needs names for them too), DimOutOfRange.
    Source: torch.unflatten.
    """
    if not sizes:
        _refuse_no_sizes((Blame("input"), Blame("sizes")))
    if not isinstance(input, tuple):
        last = known_dims(input) or (Dim(UNKNOWN, UNKNOWN),)
        if isinstance(dim, int) and -len(last) <= dim < 0:
            return trailing(_unflattened(last, len(last) + dim, tuple(sizes)))
        return UNKNOWN
    index = position(input, dim)
    if UNKNOWN in sizes and input and not isinstance(index, Unknown):
        # It may be a pair of name and size.
        made = tuple(Dim(UNKNOWN, UNKNOWN if size == -1 else size) for size in sizes)
        return (*input[:index], *made, *input[index + 1 :])
    if has_names(input) is Truth.YES:
        raise BadNames(
            text=(
                "unflatten: input is a named tensor but no names were given for unflattened sizes"
            ),
            blame=(Blame("input"), Blame("sizes")),
        )
    if not input:
        raise BadNames(
            text=(
                f"unflatten got an unexpected error:\nDimension specified as {dim} but tensor has "
                "no dimensions"
            ),
            blame=(Blame("input"),),
        )
    if isinstance(index, Unknown):
        return unknown_dims(len(input) - 1 + len(sizes))
    return _unflattened(input, index, tuple(sizes))


@op("torch.unflatten", "Tensor.unflatten")
def unflatten_names(input: Dims, dim: DimRef | None, sizes: object) -> Shape:
    """One dim becomes several, each given as a pair of name and size, one size may be -1.

    Raises ReshapeSize, DuplicateName, UnknownName, BadNames.
    Source: name inference, "unflatten".
    """
    if not isinstance(sizes, (tuple, list)) or not all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in sizes
    ):
        return UNKNOWN
    if not sizes:
        _refuse_no_sizes((Blame("input"), Blame("sizes")))
    index = position(input, dim)
    names = tuple(pair[0] for pair in sizes)
    check_identifiers(names, "sizes")
    if isinstance(index, Unknown):
        return unknown_dims(len(input) - 1 + len(sizes))
    made = _unflattened(input, index, tuple(size_of(pair[1]) for pair in sizes))
    named = tuple(
        made[index + k].rename(name if name is None or isinstance(name, str) else UNKNOWN)
        for k, name in enumerate(names)
    )
    result = (*input[:index], *named, *input[index + 1 :])
    check_distinct((d.name for d in result), "sizes")
    return result


def _refuse_no_sizes(blame: tuple[Blame, ...]) -> None:
    raise BadNames(text="unflatten: sizes must be non-empty", blame=blame)


def _unflattened(input: Dims, index: int, wanted: tuple[Size, ...]) -> Dims:
    """`input` with the dim at `index` split into dims of these sizes."""
    blame = (Blame("input", index), Blame("sizes"))
    dim = input[index]
    if wanted.count(-1) > 1:
        raise BadNames(
            text="unflatten got an unexpected error:\nonly one dimension can be inferred",
            blame=blame,
        )
    listed = "[" + ", ".join(map(str, wanted)) + "]"
    place = f"{name_text(dim.name)}: {dim.size}" if isinstance(dim.name, str) else f"{dim.size}"
    where = f"Tensor{named_list(input)}" if has_names(input) is Truth.YES else "the input tensor"
    text = (
        f"unflatten: Provided sizes {listed} don't multiply up to the size of dim {index} "
        f"({place}) in {where}"
    )
    mistake = ReshapeSize(source=(dim,), target=wanted, count=dim.size, text=text, blame=blame)
    known = [size for size in wanted if size != -1]
    solved = wanted
    if UNKNOWN in known or dim.size is UNKNOWN:
        solved = tuple(UNKNOWN if size == -1 else size for size in wanted)
    elif -1 not in wanted:
        require_equal(dim.size, sizes.product(wanted), mistake)
    else:
        part = sizes.product(known)
        if isinstance(dim.size, int) and isinstance(part, int):
            if part == 0 or dim.size % part:
                raise mistake
        rest = sizes.divide_exactly(dim.size, part)
        solved = tuple(rest if size == -1 else size for size in wanted)
    split = tuple(piece.rename(None) for piece in regroup((dim,), solved))
    return (*input[:index], *split, *input[index + 1 :])


# Dims of size 1.


@op("torch.squeeze", "Tensor.squeeze", inplace=True, reshapes=True)
@op("torch.squeeze_copy", memory=Memory.NEW)
def squeeze(input: Dims) -> Shape:
    """Drops all dims of size 1.

    A symbolic size counts as larger than 1 if there is a 1 that the call can be meant for.
    Source: name inference, "removes dimensions".
    """
    return _squeezed_all(input)


def _squeezed_all(input: Dims) -> Shape:
    one = any(dim.size == 1 for dim in input)
    for dim in input:
        if dim.size is UNKNOWN:
            return UNKNOWN
        if not one and sizes.possibly_one(dim.size) is Truth.MAYBE:
            return UNKNOWN
    return tuple(dim for dim in input if dim.size != 1)


@op("torch.squeeze", "Tensor.squeeze", inplace=True, reshapes=True)
@op("torch.squeeze_copy")
def squeeze_dim(input: Shape, *dim: DimRef) -> Shape:
    """Drops the dims listed that have size 1; one of another size stays, with its name.

    Raises DimOutOfRange, UnknownName, WildcardLookup, RepeatedDim.
    Source: name inference, "removes dimensions".
    """
    refs = as_refs(dim)
    if isinstance(refs, Unknown):
        return UNKNOWN
    if not isinstance(input, tuple):
        return _squeezed_end(input, refs, required=False)
    found = positions(input, refs)
    if isinstance(found, Unknown):
        return UNKNOWN
    return _squeezed(input, found) if input else input


def _squeezed(input: Dims, found: tuple[int, ...]) -> Shape:
    unsure = [
        index
        for index in found
        if input[index].size != 1 and sizes.possibly_one(input[index].size).possible
    ]
    gone = [index for index in found if input[index].size == 1]
    if unsure:
        # Only behind the last of them is it sure which dims are there.
        return trailing(
            tuple(dim for k, dim in enumerate(input) if k > max(unsure) and k not in gone)
        )
    return drop(input, gone)


def _squeezed_end(
    input: Trailing | Unknown, refs: Sequence[DimRef | None], required: bool
) -> Shape:
    """What is known of a squeezed tensor of unknown rank."""
    known = known_dims(input)
    kept: list[Dim] = []
    wanted = {ref for ref in refs if isinstance(ref, int)}
    named = {ref for ref in refs if isinstance(ref, str)}
    if any(isinstance(ref, Unknown) for ref in refs):
        return UNKNOWN
    # A dim counted from the left may be any of the known ones but those behind its index.
    lowest = max((ref for ref in wanted if ref >= 0), default=-1)
    for back in range(1, len(known) + 1):
        dim = known[-back]
        maybe = lowest >= len(known) - back or (bool(named) and dim.name is UNKNOWN)
        if -back in wanted or (isinstance(dim.name, str) and dim.name in named):
            if dim.size == 1 or required:
                continue
            if sizes.possibly_one(dim.size).possible:
                break
        elif maybe and sizes.possibly_one(dim.size).possible:
            break
        kept.append(dim)
    return trailing(tuple(kept[::-1]))


@op(numpy="squeeze(input, dim)")
def squeeze_numpy(input: Shape, dim: DimRefs | None = None) -> Shape:
    """Drops all dims of size 1, or those listed, which must have it.

    Raises BadExtent, DimOutOfRange, RepeatedDim.  Source: numpy.squeeze.
    """
    if dim is None:
        return _squeezed_all(input) if isinstance(input, tuple) else UNKNOWN
    return _squeezed_ones(input, dim, "dim")


@op("jax.lax.squeeze")
def squeeze_lax(input: Shape, dimensions: DimRefs) -> Shape:
    """Drops the dims listed, which must have size 1.

    Raises BadExtent, DimOutOfRange, RepeatedDim.  Source: jax.lax.squeeze.
    """
    return _squeezed_ones(input, dimensions, "dimensions")


def _squeezed_ones(input: Shape, dims: DimRefs, argument: str) -> Shape:
    refs = as_refs(dims)
    if isinstance(refs, Unknown):
        return UNKNOWN
    if not isinstance(input, tuple):
        return _squeezed_end(input, refs, required=True)
    found = positions(input, refs, argument)
    if isinstance(found, Unknown):
        return unknown_dims(max(len(input) - len(refs), 0))
    for index in found if input else ():
        text = "cannot select an axis to squeeze out which has size not equal to one"
        require_equal(
            input[index].size,
            1,
            BadExtent(
                shape=input,
                reason=f"dim {index} has size {input[index].size}, not 1",
                text=text,
                blame=(Blame("input", index), Blame(argument)),
            ),
        )
    return drop(input, found)


@op("torch.unsqueeze", "Tensor.unsqueeze", inplace=True, reshapes=True)
@op("torch.unsqueeze_copy", memory=Memory.NEW)
def unsqueeze(input: Shape, dim: DimRef) -> Shape:
    """A new dim of size 1 at `dim`, unnamed.

    Raises DimOutOfRange.  Source: torch.unsqueeze, which refused names.
    """
    return _unsqueezed(input, dim)


def _unsqueezed(input: Shape, dim: DimRef) -> Shape:
    if isinstance(input, tuple):
        index = position(input, dim, extra=1)
        if not isinstance(index, Unknown):
            return insert(input, index, written_one())
        return unknown_dims(len(input) + 1)
    known = known_dims(input)
    if not isinstance(dim, int):
        return UNKNOWN
    if dim >= 0:
        return trailing(known[dim:])
    if -dim <= len(known) + 1:
        return trailing(insert(known, len(known) + 1 + dim, written_one()))
    return trailing(known)


@op("numpy.expand_dims", "jax.numpy.expand_dims")
def expand_dims(input: Shape, dim: DimRefs) -> Shape:
    """New dims of size 1, at the places listed of the result.

    Raises DimOutOfRange, RepeatedDim.  Source: numpy.expand_dims.
    """
    return _expanded_dims(input, dim, "dim")


@op("jax.lax.expand_dims")
def expand_dims_lax(input: Shape, dimensions: DimRefs) -> Shape:
    """New dims of size 1, at the places listed of the result.

    Raises DimOutOfRange, RepeatedDim.  Source: jax.lax.expand_dims.
    """
    return _expanded_dims(input, dimensions, "dimensions")


def _expanded_dims(input: Shape, dims: DimRefs, argument: str) -> Shape:
    refs = as_refs(dims)
    if isinstance(refs, Unknown):
        return UNKNOWN
    if len(refs) == 1 and refs[0] is not None:
        return _unsqueezed(input, refs[0])
    if not isinstance(input, tuple):
        return UNKNOWN
    rank = len(input) + len(refs)
    found = positions(unknown_dims(rank), refs, argument)
    if isinstance(found, Unknown):
        return unknown_dims(rank)
    rest = iter(input)
    return tuple(written_one() if k in found else next(rest) for k in range(rank))


def _at_least(input: Shape, rank: int) -> Shape:
    if not isinstance(input, tuple):
        return input if len(known_dims(input)) >= rank else _padded(input, rank)
    if len(input) >= rank:
        return input
    one = fresh(1)
    if rank == 3 and input:
        return (one, *input, one) if len(input) == 1 else (*input, one)
    return (one,) * (rank - len(input)) + input


def _padded(input: Trailing | Unknown, rank: int) -> Shape:
    # Ones are put in front, but behind a matrix that becomes three dims.
    return input if rank < 3 and isinstance(input, Trailing) else UNKNOWN


@op("torch.atleast_1d", numpy="atleast_1d")
def atleast_1d(input: Shape) -> Shape:
    """A scalar becomes a vector of one element.  Source: torch.atleast_1d."""
    return _at_least(input, 1)


@op("torch.atleast_1d")
def atleast_1d_all(*tensors: Shape) -> Shapes:
    """Each of several tensors, with at least one dim.  Source: torch.atleast_1d."""
    return tuple(_at_least(tensor, 1) for tensor in tensors)


@op("torch.atleast_2d", numpy="atleast_2d")
def atleast_2d(input: Shape) -> Shape:
    """Fewer than two dims become two, with 1s in front.  Source: torch.atleast_2d."""
    return _at_least(input, 2)


@op("torch.atleast_2d")
def atleast_2d_all(*tensors: Shape) -> Shapes:
    """Each of several tensors, with at least two dims.  Source: torch.atleast_2d."""
    return tuple(_at_least(tensor, 2) for tensor in tensors)


@op("torch.atleast_3d", numpy="atleast_3d")
def atleast_3d(input: Shape) -> Shape:
    """Fewer than three dims become three: `[N]` is `[1, N, 1]`, `[M, N]` is `[M, N, 1]`.

    Source: torch.atleast_3d.
    """
    return _at_least(input, 3)


@op("torch.atleast_3d")
def atleast_3d_all(*tensors: Shape) -> Shapes:
    """Each of several tensors, with at least three dims.  Source: torch.atleast_3d."""
    return tuple(_at_least(tensor, 3) for tensor in tensors)


# Windows, strides, complex numbers.


@op("Tensor.unfold")
@op("torch.unfold_copy", memory=Memory.NEW)
def unfold(input: Dims, dimension: DimRef, size: Size, step: Size) -> Shape:
    """Windows of `size` elements along a dim, every `step` elements, as a new last dim.

    Raises BadExtent, DimOutOfRange.  Source: torch.Tensor.unfold, which refused names; here the dim
    keeps its name and the windows have none.
    """
    blame = (Blame("input"), Blame("size"))
    if isinstance(step, int) and step < 1:
        text = f"step is {step} but must be > 0"
        raise BadExtent(shape=input, reason=text, text=text, blame=(Blame("step"),))
    if isinstance(size, int) and size < 0:
        text = f"size is {size} but must be >= 0"
        raise BadExtent(shape=input, reason=text, text=text, blame=(Blame("size"),))
    index = position(input, dimension, "dimension")
    if isinstance(index, Unknown):
        return (*unknown_dims(len(input)), fresh(size))
    whole = input[index].size if input else 1
    if sizes.at_most(size, whole) is Truth.NO:
        text = f"maximum size for tensor at dimension {index} is {whole} but size is {size}"
        reason = f"the window of {size} is longer than dim {index}, which has {whole}"
        raise BadExtent(shape=input, reason=reason, text=text, blame=blame)
    if not input:
        return (fresh(size),)
    count = sizes.add(sizes.floor_divide(sizes.subtract(whole, size), step), 1)
    kept = input[index] if count == whole else input[index].resize(count)
    return (*replace(input, index, kept), fresh(size))


@op(
    *("torch.as_strided", "Tensor.as_strided"),
    inplace=True,
    reshapes=True,
)
@op("torch.as_strided_copy", memory=Memory.NEW)
def as_strided(input: object, size: Sizes, stride: Sizes, storage_offset: object = None) -> Shape:
    """Dims of the sizes listed, unnamed.  Raises BadExtent.

    Source: name inference, "as_strided: result unnamed".
    """
    if len(size) != len(stride):
        raise BadExtent(
            shape=tuple(map(fresh, size)),
            reason=f"{len(size)} sizes and {len(stride)} strides",
            text="mismatch in length of strides and shape",
            blame=(Blame("size"), Blame("stride")),
        )
    if any(isinstance(step, int) and step < 0 for step in stride):
        listed = ", ".join(map(str, stride))
        raise BadExtent(
            shape=tuple(map(fresh, size)),
            reason="a stride is negative",
            text=(
                "as_strided: Negative strides are not supported at the moment, got strides: "
                f"[{listed}]"
            ),
            blame=(Blame("stride"),),
        )
    return tuple(map(fresh, size))


@op("torch.view_as_real", kind="float")
@op("torch.view_as_real_copy", kind="float", memory=Memory.NEW)
def view_as_real(input: Shape) -> Shape:
    """A new last dim of size 2: real and imaginary part.  Source: torch.view_as_real."""
    if isinstance(input, tuple):
        return (*input, fresh(2))
    return trailing((*known_dims(input), fresh(2)))


@op("torch.view_as_complex", kind="complex")
@op("torch.view_as_complex_copy", kind="complex", memory=Memory.NEW)
def view_as_complex(input: Shape) -> Shape:
    """The last dim, which must have size 2, becomes the parts of complex numbers.

    Raises RankMismatch, BadExtent.  Source: torch.view_as_complex.
    """
    known = known_dims(input)
    if not known:
        if isinstance(input, tuple):
            raise RankMismatch(
                shape=input,
                wanted="at least 1",
                text="Input tensor must have one or more dimensions",
                blame=(Blame("input"),),
            )
        return UNKNOWN
    text = "Tensor must have a last dimension of size 2"
    reason = f"the last dim has size {known[-1].size}, not 2"
    require_equal(
        known[-1].size,
        2,
        BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input", -1),)),
    )
    return known[:-1] if isinstance(input, tuple) else trailing(known[:-1])
