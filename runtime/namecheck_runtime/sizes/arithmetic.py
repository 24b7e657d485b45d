"""Arithmetic with sizes: sums, products, quotients, and the smaller and the larger of two.

A quotient, minimum or maximum that does not follow from the forms of its operands is an opaque
atom.  A size longer than `LONGEST` is UNKNOWN.
"""

from __future__ import annotations

from math import comb

from namecheck_runtime.lattice import UNKNOWN, Size, Truth
from namecheck_runtime.sizes.polynomials import (
    BITS,
    EXACTLY,
    LONGEST,
    SHORT,
    Atom,
    Monomial,
    Opaque,
    Polynomial,
    Symbol,
    Terms,
    concrete,
    give_up,
    known_size,
    length_of,
    multiply_monomials,
    normal_form,
    opaque,
    terms_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Final


def add(left: Size, right: Size) -> Size:
    """`left + right`."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    terms = dict(terms_of(left))
    for monomial, coefficient in terms_of(right):
        terms[monomial] = terms.get(monomial, 0) + coefficient
    return normal_form(terms)


def subtract(left: Size, right: Size) -> Size:
    """`left - right`."""
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    terms = dict(terms_of(left))
    for monomial, coefficient in terms_of(right):
        terms[monomial] = terms.get(monomial, 0) - coefficient
    return normal_form(terms)


def multiply(left: Size, right: Size) -> Size:
    """`left * right`."""
    if isinstance(left, int) and isinstance(right, int):
        result = left * right
        return result if -SHORT < result < SHORT else _of_number(result)
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if left == 1 or right == 1:
        return right if left == 1 else left
    ours, theirs = terms_of(left), terms_of(right)
    if len(ours) == len(theirs) == 1:
        monomial = multiply_monomials(ours[0][0], theirs[0][0])
        coefficient = ours[0][1] * theirs[0][1]
        if coefficient != 1:
            restored = _restore(monomial, coefficient)
            if restored is not None:
                return restored
        product = ((monomial, coefficient),)
        if length_of(product) > LONGEST:
            return give_up()
        return Polynomial(product) if monomial else coefficient
    if len(ours) * len(theirs) > 2 * LONGEST:
        return give_up()  # so many terms do not cancel out in any real program
    terms: Terms = {}
    for left_monomial, left_coefficient in ours:
        for right_monomial, right_coefficient in theirs:
            monomial = multiply_monomials(left_monomial, right_monomial)
            terms[monomial] = terms.get(monomial, 0) + left_coefficient * right_coefficient
    return normal_form(terms)


def _of_number(number: int) -> Size:
    """A number as a size; UNKNOWN if it is longer than `LONGEST`."""
    return number if number.bit_length() <= LONGEST * BITS else give_up()


def _restore(monomial: Monomial, coefficient: int) -> Size | None:
    """A product of a number and an exact quotient by it: `8 * (C/8)` is `C`; None for others."""
    for index, (atom, exponent) in enumerate(monomial):
        if isinstance(atom, Opaque) and atom.function == EXACTLY and exponent == 1:
            dividend, divisor = atom.operands
            if isinstance(divisor, int) and coefficient % divisor == 0:
                rest = monomial[:index] + monomial[index + 1 :]
                others = normal_form({rest: coefficient // divisor})
                return multiply(others, dividend)
    return None


def product(sizes: Iterable[Size]) -> Size:
    """The product of all sizes, 1 for none; 0 wins over UNKNOWN."""
    result: Size = 1
    unknown = False
    for size in sizes:
        if size is UNKNOWN:
            unknown = True
        else:
            result = multiply(result, size)
    return UNKNOWN if unknown and result != 0 else result


def total(sizes: Iterable[Size]) -> Size:
    """The sum of all sizes, 0 for none."""
    result: Size = 0
    for size in sizes:
        result = add(result, size)
    return result


def divide_exactly(left: Size, right: Size) -> Size:
    """`left / right` where the caller knows that the division is exact.

    So it is for the -1 of a view or the heads of an attention.

    A divisor of one term becomes negative exponents; if the coefficients do not divide, the
    quotient is opaque. UNKNOWN if an operand is, if the divisor is 0, or if two ints do not divide
    after all.
    """
    if left is UNKNOWN or right is UNKNOWN or right == 0:
        return UNKNOWN
    if isinstance(left, int) and isinstance(right, int):
        return left // right if left % right == 0 else UNKNOWN
    if left == right:
        return 1
    left, right = in_lowest_terms(concrete(left), concrete(right))
    quotient = formal_quotient(left, right)
    return opaque(EXACTLY, left, right) if quotient is None else quotient


def formal_quotient(left: int | Polynomial, right: int | Polynomial) -> int | Polynomial | None:
    """The quotient by the forms of both sizes; None if there is none.

    There is one if `right` has one term whose coefficient divides all of `left`'s, or if `left` is
    a multiple of `right`.
    """
    divisor = terms_of(right)
    if len(divisor) != 1:
        return _multiple(terms_of(left), divisor)
    ((monomial, coefficient),) = divisor
    if any(c % coefficient for _, c in terms_of(left)) or any(
        isinstance(a, Opaque) for a, _ in monomial
    ):
        return None
    inverse = tuple((atom, -exponent) for atom, exponent in monomial)
    return known_size(
        normal_form({multiply_monomials(m, inverse): c // coefficient for m, c in terms_of(left)})
    )


def in_lowest_terms(
    left: int | Polynomial, right: int | Polynomial
) -> tuple[int | Polynomial, int | Polynomial]:
    """Both sizes without what they have in common: `S*K` and `2*K` are `S` and `2`.

    Neither an exact quotient nor one that is rounded down changes by that.
    """
    divisor = terms_of(right)
    dividend = terms_of(left)
    if len(divisor) != 1 or not dividend or not divisor[0][0]:
        return left, right
    monomial, coefficient = divisor[0]
    shared = []
    for atom, exponent in monomial:
        if isinstance(atom, Symbol) and exponent > 0:
            least = min([exponent, *(dict(powers).get(atom, 0) for powers, _ in dividend)])
            if least > 0:
                shared.append((atom, -least))
    if not shared:
        return left, right
    inverse = tuple(shared)
    above = {multiply_monomials(powers, inverse): times for powers, times in dividend}
    below = {multiply_monomials(monomial, inverse): coefficient}
    return concrete(normal_form(above)), concrete(normal_form(below))


def _multiple(
    dividend: tuple[tuple[Monomial, int], ...], divisor: tuple[tuple[Monomial, int], ...]
) -> int | None:
    """The number that a sum is times another one; None if it is not a multiple by its form."""
    if len(dividend) != len(divisor):
        return None
    times = {
        (mine[0] == theirs[0], *divmod(mine[1], theirs[1]))
        for mine, theirs in zip(dividend, divisor, strict=True)
    }
    same, quotient, rest = times.pop()
    return quotient if not times and same and not rest else None


def floor_divide(left: Size, right: Size) -> Size:
    """`left // right`.

    Exact by its form if every term of `left` is divisible, or if both are single terms and the
    division is by a symbol (`C // H`: people write that for sizes that divide).  Division by a
    number that does not divide (`k // 2`) is opaque: `2 * (k // 2)` is not `k`.
    """
    if isinstance(left, int) and isinstance(right, int):
        return left // right if right else UNKNOWN
    if left is UNKNOWN or right is UNKNOWN or right == 0:
        return UNKNOWN
    left, right = in_lowest_terms(concrete(left), concrete(right))
    quotient = formal_quotient(left, right)
    if quotient is not None and (
        not isinstance(quotient, Polynomial) or _plausible_quotient(quotient)
    ):
        return quotient
    return opaque("//", left, right)


def _plausible_quotient(quotient: Polynomial) -> bool:
    is_whole = all(exponent > 0 for monomial, _ in quotient.terms for _, exponent in monomial)
    return is_whole or (len(quotient.terms) == 1 and any(e > 0 for _, e in quotient.terms[0][0]))


def ceil_divide(left: Size, right: Size) -> Size:
    """The smallest int that is not below `left / right`.

    Exact only by its form: `x[::step]` takes the rest, too, which `n // step` leaves out.
    """
    if isinstance(left, int) and isinstance(right, int):
        return -(-left // right) if right else UNKNOWN
    quotient = floor_divide(left, right)
    if not isinstance(quotient, Polynomial) or quotient == left:
        return quotient
    divided = _under_the_line(quotient) - _under_the_line(left)
    return opaque("ceil_div", left, right) if quotient.opaque or divided else quotient


def _under_the_line(size: Size) -> frozenset[Atom]:
    """What a size is divided by."""
    terms = terms_of(size) if isinstance(size, Polynomial) else ()
    return frozenset(atom for monomial, _ in terms for atom, e in monomial if e < 0)


def modulo(left: Size, right: Size) -> Size:
    """`left % right`; 0 if the division is exact by its form."""
    if isinstance(left, int) and isinstance(right, int):
        return left % right if right else UNKNOWN
    if left is UNKNOWN or right is UNKNOWN or right == 0:
        return UNKNOWN
    quotient = formal_quotient(concrete(left), concrete(right))
    if quotient is not None and all(
        exponent > 0 for monomial, _ in terms_of(quotient) for _, exponent in monomial
    ):
        return 0
    return opaque("%", left, right)


def rounded(rounding: Callable[[float], int], dividend: float, divisor: float = 1) -> Size:
    """`dividend / divisor`, rounded to an int; UNKNOWN if it is not a finite number."""
    if isinstance(dividend, int) and isinstance(divisor, int) and divisor:
        quotient, rest = divmod(dividend, divisor)
        if not rest:
            return quotient
    try:
        return rounding(dividend / divisor)
    except (OverflowError, ValueError, ZeroDivisionError):
        return UNKNOWN


def choose(count: int, many: int) -> Size:
    """The number of ways to choose `many` of `count` things.

    UNKNOWN if it is longer than `LONGEST`.
    """
    fewer = min(many, count - many)
    if fewer < 0:
        return 0
    if fewer * count.bit_length() > LONGEST * BITS:
        return give_up()
    return comb(count, fewer)


ARITHMETIC: Final[Mapping[str, Callable[[Size, Size], Size]]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide_exactly,
    "//": floor_divide,
}
"""Python's operators on sizes and the functions that compute them; `/` is meant to be exact."""


def minimum(left: Size, right: Size) -> Size:
    """The smaller of the two; opaque if that depends on a symbol."""
    return _extreme("min", left, right)


def maximum(left: Size, right: Size) -> Size:
    """The larger of the two; opaque if that depends on a symbol."""
    return _extreme("max", left, right)


def _extreme(function: str, left: Size, right: Size) -> Size:
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    smaller = at_most(left, right)
    if smaller.definite:
        return left if function == "min" else right
    if at_most(right, left).definite:
        return right if function == "min" else left
    return opaque(function, left, right)


def operands_of_minimum(size: Size) -> tuple[Size, ...]:
    """The two sizes that `size` is the minimum of; none if it is not a minimum."""
    if isinstance(size, Polynomial) and len(size.terms) == 1:
        ((monomial, coefficient),) = size.terms
        if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1:
            atom = monomial[0][0]
            if isinstance(atom, Opaque) and atom.function == "min":
                return atom.operands
    return ()


def at_most(left: Size, right: Size) -> Truth:
    """Whether `left <= right` for all sizes >= 1."""
    difference = subtract(right, left)
    if isinstance(difference, int):
        return Truth.YES if difference >= 0 else Truth.NO
    if not isinstance(difference, Polynomial) or difference.opaque:
        return Truth.MAYBE
    low, high = bounds_of(difference)
    if low is not None and low >= 0:
        return Truth.YES
    return Truth.NO if high is not None and high < 0 else Truth.MAYBE


def bounds_of(size: Polynomial) -> tuple[int | None, int | None]:
    """A lower and an upper bound of a polynomial whose atoms are all symbols; None for no bound.

    Terms with symbols grow without limit, so a bound exists only if these have the same sign.
    """
    low: int | None = 0
    high: int | None = 0
    for monomial, coefficient in size.terms:
        if not monomial:
            low = None if low is None else low + coefficient
            high = None if high is None else high + coefficient
            continue
        least = 1
        for atom, exponent in monomial:
            bound = atom.least if isinstance(atom, Symbol) else 0
            if exponent < 0 or bound < 0:
                return None, None
            least *= bound**exponent
        if coefficient > 0:
            low, high = (None if low is None else low + coefficient * least), None
        else:
            low, high = None, (None if high is None else high + coefficient * least)
    return low, high
