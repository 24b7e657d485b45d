"""Whether a reshape puts elements into dims that they do not belong to (NC205).

The sizes fit, and their order does not: `[B, H, T, D]` reshaped to `[B, T, H * D]`.  A dim that was
merged from others has these as factors, in row-major order, for as long as it stays whole.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from math import prod

from namecheck_runtime import sizes
from namecheck_runtime.declare import Dims, Size
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.sizes import EXACTLY, Opaque, Origin, Polynomial, Symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias


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
    above: set[Symbol] = set()
    for monomial, _ in size.terms:
        for atom, exponent in monomial:
            if exponent > 0 and isinstance(atom, Symbol):
                above.add(atom)
            elif exponent > 0 and isinstance(atom, Opaque) and atom.operands:
                above |= _above(atom.operands[0])
    return frozenset(above)


def _below(size: Size) -> frozenset[Symbol]:
    """The symbols that a size is divided by without rounding: `h` of `C/h`."""
    terms = size.terms if isinstance(size, Polynomial) else ()
    return frozenset(
        atom
        for monomial, _ in terms
        for atom, exponent in monomial
        if exponent < 0 and isinstance(atom, Symbol)
    )


def factors_of(dim: Dim) -> Dims:
    """The dims that a dim was merged from, or the dim itself."""
    if dim.trace is None or not dim.trace.factors:
        return (dim,)
    product = sizes.product(factor.size for factor in dim.trace.factors)
    return dim.trace.factors if product == dim.size else (dim,)


def _all_factors(dim: Dim) -> Dims:
    factors = factors_of(dim)
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
    involved = frozenset().union(*map(sizes.symbols, target))
    before: Size = 1
    last = -1
    for size in target:
        if target.count(size) > 1 or size in aside or not _is_factor(size, written):
            continue
        holders = [k for k, other in enumerate(source) if _above(other) & _above(size)]
        if len(holders) != 1 or not _divides(size, source[holders[0]]):
            continue
        if _below(source[holders[0]]) - involved:
            continue  # what is left of a product once other sizes are known
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


def _bags(all_sizes: Sequence[Size], written: frozenset[Symbol]) -> list[Counter[object]] | None:
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
