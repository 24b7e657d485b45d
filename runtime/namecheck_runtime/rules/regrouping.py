"""Elements in row-major order under other sizes: what becomes of each dim.

A dim that stays whole and in order keeps its name; a dim made by merging or splitting others has
none.  `regroup` decides what a reshape does to each dim, and `scrambled` whether it puts elements
into dims they do not belong to (NC205).
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from math import prod

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
from namecheck_runtime.sizes import EXACTLY, Opaque, Origin, Polynomial, Symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias


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
    factors = tuple(factor for dim in dims for factor in _factors(dim))
    if len(factors) > len(dims):
        return tuple(dim.rename(None) for dim in regroup(factors, target))
    if any(dim.name is not None for dim in dims) and any(map(sizes.is_quotient, target)):
        return tuple(Dim(UNKNOWN, size) for size in target)  # a divisor may be one of the dims
    return tuple(map(fresh, target))


def _factors(dim: Dim) -> Dims:
    """The dims that a dim was merged from, or the dim itself."""
    if dim.trace is None or not dim.trace.factors:
        return (dim,)
    product = sizes.product(factor.size for factor in dim.trace.factors)
    return dim.trace.factors if product == dim.size else (dim,)


# NC205: sizes that fit, in an order that does not.


def scrambled(
    source: Dims, target: Sequence[Size], written: frozenset[Symbol] = frozenset()
) -> Size | None:
    """A target size whose elements are apart in the source, though a transpose could join them.

    None if there is none, or if it is not certain.
    Every size is read as a bag of factors, a merged dim as the bags it was made of in order.  A
    reshape can divide a bag among neighbours and pour neighbours into one; it cannot skip a bag.
    Only factors that a person named count, each of them once: `written` are those that the target
    spells out, whether or not they have a label.
    Source: the policy of NC205.
    """
    factors = [factor for dim in source for factor in _ordered_factors(dim, target)]
    left = [factor.size for factor in factors]
    right = list(target)
    left, right = [s for s in left if s != 1], [s for s in right if s != 1]
    words = [f.word for f in factors if f.size != 1]
    if all(words):
        left, right = _in_words(words, left, right)
    aside: list[Size] = []
    while left and right and left[0] == right[0] and left[0] is not UNKNOWN:
        aside.append(left[0])
        left, right = left[1:], right[1:]
    while left and right and left[-1] == right[-1] and left[-1] is not UNKNOWN:
        aside.append(left[-1])
        left, right = left[:-1], right[:-1]
    bags = _bags([*left, *right], written)
    if bags is None or not _are_comparable(bags, left, aside):
        return _exchanged(left, right, aside, written)
    place = _passed_by(bags[: len(left)], bags[len(left) :])
    return None if place is None else right[place]


def _are_comparable(
    bags: Sequence[Counter[object]], source: Sequence[Size], aside: Sequence[Size]
) -> bool:
    """Whether source and target have the same factors, each of them once on each side."""
    ours, theirs = bags[: len(source)], bags[len(source) :]
    if sum(ours, Counter()) != sum(theirs, Counter()):
        return False
    if max(_holders(ours), _holders(theirs)) > 1:
        return False  # either of two equal sizes may be meant
    involved = frozenset().union(*map(sizes.symbols, source))
    return not any(_above(size) & involved for size in aside)


def _in_words(
    words: Sequence[str], source: Sequence[Size], target: Sequence[Size]
) -> tuple[list[Size], list[Size]]:
    """Numbers as the symbols of their words; the target in products of those of the source.

    Both are as they were if there are several ways to make the target of the source, or none.
    """
    if len(source) > _MOST_WORDS:
        return list(source), list(target)
    numbers = [size for size in source if isinstance(size, int)]
    ways = list(islice(_covers(numbers, target, frozenset(range(len(source)))), 2))
    if len(ways) != 1 or len(set(words)) < len(words):
        return list(source), list(target)
    symbols = [sizes.symbol(word) for word in words]
    return list(symbols), [sizes.product([symbols[k] for k in part]) for part in ways[0]]


_MOST_WORDS = 8
"""The most dims for which all ways to multiply some of them are tried."""


def _covers(
    source: Sequence[int], target: Sequence[Size], free: frozenset[int]
) -> Iterator[list[tuple[int, ...]]]:
    """The ways to divide the free numbers among the target's, each a product of its part."""
    if not target:
        if not free:
            yield []
        return
    for count in range(1, len(free) - len(target) + 2):
        for part in combinations(sorted(free), count):
            if prod([source[k] for k in part]) == target[0]:
                for rest in _covers(source, target[1:], free.difference(part)):
                    yield [part, *rest]


def _holders(bags: Sequence[Counter[object]]) -> int:
    """The largest number of bags that have a factor in common."""
    return max(Counter(factor for bag in bags for factor in bag).values(), default=0)


def _above(size: Size) -> frozenset[Symbol]:
    """The symbols that a size grows with: of `C/h` and of `C // 2` only `C`."""
    if not isinstance(size, Polynomial):
        return frozenset()
    found: set[Symbol] = set()
    for monomial, _ in size.terms:
        for atom, exponent in monomial:
            if exponent > 0 and isinstance(atom, Symbol):
                found.add(atom)
            elif exponent > 0 and isinstance(atom, Opaque):
                found |= _above(atom.operands[0])
    return frozenset(found)


def _all_factors(dim: Dim) -> Dims:
    factors = _factors(dim)
    if factors == (dim,):
        return factors
    return tuple(inner for factor in factors for inner in _all_factors(factor))


def _ordered_factors(dim: Dim, target: Sequence[Size]) -> Dims:
    """The dims that a dim was merged from, if their order matters for a reshape to `target`.

    The order of two equal parts that were joined, of two directions or of two copies matters only
    if the reshape takes the parts apart again: `2*C` channels may be divided among heads.
    """
    factors = _all_factors(dim)
    named = [factor.size for factor in factors if not _is_count(factor)]
    if len(named) == len(factors) or sizes.product(named) in target:
        return factors
    return factors if any(size in target for size in named) else (dim,)


def _is_count(factor: Dim) -> bool:
    """Whether a factor is a number to which nobody gave a name, as of the parts that are joined."""
    return isinstance(factor.size, int) and not factor.word


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
            elif all(isinstance(factor, int) for factor in (*first, *wanted)):
                return None  # numbers without a name
            else:
                return place
    return None


def _exchanged(
    source: Sequence[Size],
    target: Sequence[Size],
    aside: Sequence[Size],
    written: frozenset[Symbol],
) -> Size | None:
    """The later of two sizes that stand in the other order in the target than in the source.

    Each divides one size of the source.  The sizes beside them may be of any form, but they are
    others.
    """
    if UNKNOWN in source or UNKNOWN in target:
        return None
    before: Size = 1
    last = -1
    for size in target:
        if target.count(size) > 1 or size in aside or not _is_factor(size, written):
            continue
        holders = [k for k, other in enumerate(source) if _above(other) & _above(size)]
        if len(holders) != 1 or not _divides(size, source[holders[0]]):
            continue
        if holders[0] < last and not _above(before) & _above(size):
            return before
        before, last = size, holders[0]
    return None


def _divides(size: Size, other: Size) -> bool:
    """Whether each term of a size is a multiple of a single term: that of `B*C/h` of `B`."""
    if not isinstance(size, Polynomial) or not isinstance(other, Polynomial):
        return False
    ((factors, coefficient),) = size.terms
    for monomial, times in other.terms:
        powers = dict(monomial)
        for atom, exponent in factors:
            powers[atom] = powers.get(atom, 0) - exponent
        quotients = [power for power in powers.values() if power]
        if times % coefficient or any(powers[atom] < 0 for atom, _ in factors):
            return False
        if quotients and max(quotients) < 0:
            return False  # `C/h` without `C`
    return True


def _is_factor(size: Size, written: frozenset[Symbol]) -> bool:
    """Whether a size is a product of factors that a person named."""
    return (
        isinstance(size, Polynomial)
        and bool(_above(size))
        and _exponents(size, written) is not None
    )


_Exponents: TypeAlias = "dict[object, int]"


def _bags(
    all_sizes: Sequence[Size], written: frozenset[Symbol]
) -> list[Counter[object]] | None:
    """Each size as the bag of its factors; None when one is not a product of named symbols."""
    bags: list[_Exponents] = []
    for size in all_sizes:
        bag = _exponents(size, written)
        if bag is None:
            return None
        bags.append(bag)
    # `C/h` is a factor of its own, and `C` then is `h` of them.
    for _ in range(4):
        broken = next((bag for bag in bags if bag and min(bag.values()) < 0), None)
        if broken is None:
            return [Counter(bag) for bag in bags]
        above = [atom for atom, exponent in broken.items() if exponent > 0]
        if len(above) != 1 or broken[above[0]] != 1:
            return None
        below = {atom: -exponent for atom, exponent in broken.items() if exponent < 0}
        below[object()] = 1
        bags = [_substituted(bag, above[0], below) for bag in bags]
    return None


def _exponents(size: Size, written: frozenset[Symbol]) -> _Exponents | None:
    """The factors of a size, each with its exponent; None if it is no product of named ones."""
    if isinstance(size, int):
        return _prime_factors(size)
    if not isinstance(size, Polynomial) or len(size.terms) != 1:
        return None
    ((monomial, coefficient),) = size.terms
    bag = _prime_factors(coefficient)
    for atom, exponent in monomial:
        if bag is None:
            break
        if isinstance(atom, Opaque) and atom.function == EXACTLY:
            above, below = (_exponents(operand, written) for operand in atom.operands)
            if above is None or below is None:
                return None
            _multiply(bag, above, exponent)
            _multiply(bag, below, -exponent)
        elif atom in written or _is_named(atom):
            _multiply(bag, {atom: 1}, exponent)
        else:
            return None
    return bag


def _multiply(bag: _Exponents, by: _Exponents, exponent: int) -> None:
    for factor, times in by.items():
        bag[factor] = bag.get(factor, 0) + times * exponent
        if not bag[factor]:
            del bag[factor]


def _prime_factors(number: int) -> _Exponents | None:
    """The primes of a number, each with its exponent; None of a large one, and of 0."""
    if not 1 <= number <= _LARGEST:
        return None
    bag: _Exponents = {}
    prime = 2
    while number > 1:
        if number % prime:
            prime = prime + 1 if prime * prime <= number else number
        else:
            bag[prime] = bag.get(prime, 0) + 1
            number //= prime
    return bag


_LARGEST = 1 << 16
"""The largest number that is divided into its primes."""


def _is_named(atom: Symbol | Opaque) -> bool:
    """Whether a person named a factor, or what it is computed from: `H // 2`."""
    if isinstance(atom, Symbol):
        return atom.origin is not Origin.FRESH and atom.label != "?"
    inner = frozenset().union(*map(sizes.symbols, atom.operands))
    return atom.function in _ROUNDED and bool(inner) and all(map(_is_named, inner))


_ROUNDED = frozenset({"//", "ceil_div", "int"})


def _substituted(bag: _Exponents, atom: object, by: _Exponents) -> _Exponents:
    if atom not in bag:
        return bag
    substituted = {a: exponent for a, exponent in bag.items() if a is not atom}
    _multiply(substituted, by, bag[atom])
    return substituted


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
    return any(factor is not source[k] for k in group.source for factor in _factors(source[k]))


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
