"""How two sizes compare: whether they are equal for certain, perhaps, or never.

A quotient that is rounded down differs from sizes that it cannot have (`T // 2` from `T`); other
opaque atoms are not known to differ from anything.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache, reduce
from math import gcd, isqrt, lcm

from namecheck_runtime.lattice import UNKNOWN, Size, Truth
from namecheck_runtime.sizes.arithmetic import (
    add,
    bounds_of,
    formal_quotient,
    multiply,
    subtract,
    total,
)
from namecheck_runtime.sizes.polynomials import (
    EXACTLY,
    Monomial,
    Opaque,
    Origin,
    Polynomial,
    Symbol,
    concrete,
    known_size,
    monomial_of,
    multiply_monomials,
    normal_form,
    of_symbol,
    plain_symbol,
    terms_of,
)
from namecheck_runtime.sizes.substitution import substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final


def is_positive(atom: Symbol) -> None:
    """Note that a symbol, which may have been 0 so far, is at least 1."""
    if atom.least < 1:
        atom.least = 1
        _relate.cache_clear()


def make_positive(size: Any) -> None:
    """Note that the symbols of a size that a tensor or a layer is made with are at least 1."""
    if isinstance(size, tuple):
        for entry in size:
            make_positive(entry)
    elif isinstance(size, Polynomial) and len(size.terms) == 1:
        (monomial, coefficient), *_ = size.terms
        if coefficient > 0:
            for atom, _ in monomial:
                if isinstance(atom, Symbol) and atom.least == 0:
                    is_positive(atom)


class Relation(Enum):
    """How two sizes compare: the five answers of the policies.

    A rule sees YES, MAYBE and NO (`compare`).  COINCIDENT comes only from `Facts.relate`, since
    independence is a fact about the program, not about two forms.
    """

    YES = "the same normal form"
    MAYBE = "equal for some sizes"
    COINCIDENT = "equal only if independent symbols coincide"
    DEGENERATE = "equal only if a symbol is a certain number"
    """`h*D` against `D` needs `h` to be 1."""
    NO = "impossible for sizes >= 1"


def compare(left: Size, right: Size) -> Truth:
    """Whether two sizes are equal, by their normal forms alone.

    These are the three answers that a rule sees.
    """
    if left is UNKNOWN or right is UNKNOWN:
        return Truth.MAYBE
    if isinstance(left, int) and isinstance(right, int):
        return Truth.YES if left == right else Truth.NO
    if left == right:
        return Truth.YES
    return Truth.NO if relate(left, right) is Relation.NO else Truth.MAYBE


def relate(left: Size, right: Size) -> Relation:
    """How `left` and `right` compare, for sizes >= 1."""
    if left is UNKNOWN or right is UNKNOWN:
        return Relation.MAYBE
    ours, theirs = plain_symbol(left), plain_symbol(right)
    if ours is not None:
        if theirs is not None:
            return Relation.YES if ours is theirs else Relation.MAYBE
        if isinstance(right, int):
            return Relation.MAYBE if right >= ours.least else Relation.NO
    elif isinstance(left, int):
        if theirs is not None:
            return Relation.MAYBE if left >= theirs.least else Relation.NO
        if isinstance(right, int):
            return Relation.YES if left == right else Relation.NO
    return Relation.YES if left == right else _relate(left, right)


@lru_cache(maxsize=4096)
def _relate(left: Size, right: Size) -> Relation:
    """As `relate`, of two sizes that are compared by their difference."""
    difference = subtract(left, right)
    if isinstance(difference, int):
        return Relation.NO if difference else Relation.YES
    if not isinstance(difference, Polynomial):
        return Relation.MAYBE
    if difference.opaque:
        difference = without_denominators(difference)
    if isinstance(difference, int):
        return Relation.NO if difference else Relation.YES
    if difference.opaque:
        return Relation.NO if _floors_apart(difference) else Relation.MAYBE
    residue = without_common_factor(difference)
    if _has_factor_zero(difference):
        return Relation.MAYBE
    if isinstance(residue, int) or _never_zero(residue):
        return Relation.NO
    involved = {atom for monomial, _ in residue.terms for atom, _ in monomial}
    if len(involved) != 1 or not _has_findable_roots(residue):
        return Relation.MAYBE
    if _is_zero_nowhere(residue):
        return Relation.NO
    literal = isinstance(left, int) or isinstance(right, int) or _counts_out(left, right)
    return Relation.MAYBE if literal else Relation.DEGENERATE


def without_denominators(difference: Polynomial) -> int | Polynomial:
    """A difference times the numbers that its terms are exact quotients by.

    It is 0 for the same sizes; `dim/2 - h*d` is compared as `dim - 2*h*d`.
    """
    scale = 1
    for monomial, _ in difference.terms:
        for atom, exponent in monomial:
            if isinstance(atom, Opaque) and atom.function == EXACTLY and exponent == 1:
                divisor = atom.operands[1]
                if isinstance(divisor, int):
                    scale = lcm(scale, divisor)
    if scale == 1:
        return difference
    scaled = known_size(total(multiply(scale, Polynomial((term,))) for term in difference.terms))
    return difference if scaled is None else scaled


def _floors_apart(difference: Polynomial) -> bool:
    """Whether a difference is never 0, however the divisions by numbers in it were rounded down.

    `c // 2` lies between `(c - 1) / 2` and `c / 2`, and so is never `c`.
    """
    rest: list[tuple[Monomial, int]] = []
    floors: list[tuple[int, Polynomial, int]] = []
    for monomial, coefficient in difference.terms:
        if not any(isinstance(atom, Opaque) for atom, _ in monomial):
            rest.append((monomial, coefficient))
            continue
        atom, exponent = monomial[0]
        if len(monomial) > 1 or exponent != 1 or not isinstance(atom, Opaque):
            return False
        if atom.function != "//":
            return False
        divided, divisor = atom.operands
        if (
            not isinstance(divisor, int)
            or divisor < 2
            or not isinstance(divided, Polynomial)
            or divided.opaque
        ):
            return False
        floors.append((coefficient, divided, divisor))
    scale = lcm(*(divisor for _, _, divisor in floors))
    exact = multiply(scale, normal_form(dict(rest)))
    above = below = 0
    for coefficient, divided, divisor in floors:
        times = coefficient * (scale // divisor)
        exact = add(exact, multiply(times, divided))
        above, below = (
            above - min(0, times) * (divisor - 1),
            below + max(0, times) * (divisor - 1),
        )
    least, most = subtract(exact, below), add(exact, above)
    return _is_positive(least) or _is_positive(multiply(-1, most))


def _is_positive(size: Size) -> bool:
    if isinstance(size, int):
        return size > 0
    low = bounds_of(size)[0] if isinstance(size, Polynomial) else None
    return low is not None and low > 0


def _counts_out(left: Size, right: Size) -> bool:
    """Whether one size is the other with a number above 1 for a symbol.

    `c*p*p` and `3*p*p` are equal if c is 3.
    """
    for size, other in ((concrete(left), concrete(right)), (concrete(right), concrete(left))):
        terms = terms_of(other)
        if len(terms) != 1 or terms[0][1] < 2 or not terms[0][0]:
            continue
        if [coefficient for _, coefficient in terms_of(size)] == [terms[0][1]]:
            continue  # `3*c*p` and `3*p` are equal if c is 1
        rest = formal_quotient(size, Polynomial(((terms[0][0], 1),)))
        if isinstance(rest, Polynomial):
            if all(exponent > 0 for monomial, _ in rest.terms for _, exponent in monomial):
                return True
    return False


def without_common_factor(size: Polynomial) -> int | Polynomial:
    """`size` divided by its greatest common monomial and by its content.

    It is zero for the same positive symbols. `size` itself if the quotient would be longer than
    `LONGEST`.
    """
    lowest = dict(size.terms[0][0])
    for monomial, _ in size.terms[1:]:
        exponents = dict(monomial)
        for atom in lowest.keys() | exponents.keys():
            lowest[atom] = min(lowest.get(atom, 0), exponents.get(atom, 0))
    divisor = monomial_of([(atom, -exponent) for atom, exponent in lowest.items() if exponent])
    content = gcd(*[coefficient for _, coefficient in size.terms])
    if not divisor and content == 1:
        return size
    divided = known_size(
        normal_form({multiply_monomials(m, divisor): c // content for m, c in size.terms})
    )
    return size if divided is None else divided


def _has_factor_zero(difference: Polynomial) -> bool:
    """Whether a symbol that may be 0 is a factor of every term: `n*n + n` is 0 if n is."""
    first, *others = [dict(monomial) for monomial, _ in difference.terms]
    return any(
        isinstance(atom, Symbol) and atom.least <= 0 and all(atom in other for other in others)
        for atom in first
    )


def is_shifted(difference: Polynomial) -> bool:
    """Whether a difference is 0 if one symbol is another plus a number: `j == n + 1`."""
    plain = [
        abs(coefficient) == 1 and len(monomial) == 1 and monomial[0][1] == 1
        for monomial, coefficient in difference.terms
        if monomial
    ]
    return len(difference.terms) == 3 and len(plain) == 2 and all(plain)


def sides(left: Size, right: Size) -> frozenset[Size]:
    """The two sides of `left == right` without their common factors and their coefficients.

    `3*h*d` and `h*C` give `d` and `C`. If the sides are not single terms, the whole difference
    takes the place of both.
    """
    difference = subtract(left, right)
    if isinstance(difference, Polynomial):
        difference = without_denominators(difference)
    if not isinstance(difference, Polynomial):
        return frozenset((left, right))
    residue = without_common_factor(difference)
    if isinstance(residue, int):
        return frozenset((left, right))
    if len(residue.terms) == 2:
        return frozenset(normal_form({monomial: 1}) for monomial, _ in residue.terms)
    negative = residue.terms[0][1] < 0
    return frozenset((multiply(-1, residue) if negative else residue,))


def _never_zero(residue: Polynomial) -> bool:
    low, high = bounds_of(residue)
    if (low is not None and low > 0) or (high is not None and high < 0):
        return True
    constant = sum(c for m, c in residue.terms if not m)
    factors = [c for m, c in residue.terms if m]
    is_whole = all(e > 0 for m, _ in residue.terms for _, e in m)
    return bool(constant) and is_whole and constant % reduce(gcd, factors) != 0


def _has_findable_roots(residue: Polynomial) -> bool:
    """Whether the roots of a polynomial in one symbol can be computed.

    They can if it has a constant term and its exponents are above 0.
    """
    return any(not m for m, _ in residue.terms) and all(
        e > 0 for m, _ in residue.terms for _, e in m
    )


_MOST_TRIED: Final = 1000
"""The most divisors that are tried as roots."""


def _is_zero_nowhere(residue: Polynomial) -> bool:
    """Whether a polynomial in one symbol is certainly not 0 for any value of the symbol.

    It has a constant term, which a whole root divides. Up to the second degree the roots are
    computed; of a higher degree with a large constant term none is looked for, and the answer is
    False.
    """
    coefficients: dict[int, int] = {}
    for monomial, coefficient in residue.terms:
        degree = sum([exponent for _, exponent in monomial])
        coefficients[degree] = coefficients.get(degree, 0) + coefficient
    atom = next(atom for monomial, _ in residue.terms for atom, _ in monomial)
    least = atom.least if isinstance(atom, Symbol) else 0
    degree = max(coefficients)
    constant = coefficients.get(0, 0)
    if degree == 1:
        roots = [-constant // coefficients[1]]
    elif degree == 2:
        roots = _roots_of_square(coefficients[2], coefficients.get(1, 0), constant)
    elif abs(constant) > _MOST_TRIED**2:
        return False
    else:
        divisors = [n for n in range(1, isqrt(abs(constant)) + 1) if constant % n == 0]
        roots = [sign * d for n in divisors for d in (n, constant // n) for sign in (1, -1)]
    return not any(
        root >= least and sum([c * root**power for power, c in coefficients.items()]) == 0
        for root in roots
    )


def _roots_of_square(a: int, b: int, c: int) -> list[int]:
    """Whole numbers, among them all those for which `a*n**2 + b*n + c` is 0."""
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return []
    root = isqrt(discriminant)
    return [(-b + root) // (2 * a), (-b - root) // (2 * a)]


def possibly_one(size: Size) -> Truth:
    """Whether a size is 1: YES for the literal, NO for another int or a form that cannot be 1."""
    if isinstance(size, int):
        return Truth.YES if size == 1 else Truth.NO
    return compare(size, 1)


def above_one(difference: Size) -> Truth:
    """Whether a difference is positive (YES) or negative (NO) if all its symbols are at least 2.

    `N*D - D` is positive, since `N` counts as more than 1. MAYBE also if that depends on an opaque
    or unnamed size, which may well be 1.
    """
    if isinstance(difference, int) and difference:
        return Truth.YES if difference > 0 else Truth.NO
    if not isinstance(difference, Polynomial):
        return Truth.MAYBE
    residue = without_common_factor(difference)
    if isinstance(residue, int):
        return Truth.YES if residue > 0 else Truth.NO
    if residue.opaque or any(atom.origin is Origin.FRESH for atom in residue.symbols()):
        return Truth.MAYBE
    # In terms of how much each symbol is above its least value, coefficients of one sign decide.
    shifted = substitute(
        residue,
        {s: add(of_symbol(s), 2 if s.least > 0 else s.least) for s in residue.symbols()},
    )
    if not isinstance(shifted, (int, Polynomial)):
        return Truth.MAYBE
    terms = dict(terms_of(shifted))
    constant = terms.pop((), 0)
    if constant > 0 and all(coefficient > 0 for coefficient in terms.values()):
        return Truth.YES
    if constant < 0 and all(coefficient < 0 for coefficient in terms.values()):
        return Truth.NO
    return Truth.MAYBE
