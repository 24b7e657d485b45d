"""Symbolic sizes in normal form, how two of them compare, and what a reader holds true of them on
one path.

A symbolic size is a polynomial with int coefficients over atoms; exact division is a negative
exponent, so `C // H * H` is `C` again.  What does not divide exactly by its form (`T // 2`, `min(a,
b)`, `T % p`) is an opaque atom: equal to itself, and not known to differ from anything; a floor is,
from what it cannot be (`T // 2` from `T`).  A size that is longer than `LONGEST` is UNKNOWN, so
that no program makes arithmetic with sizes expensive.  Facts (at the end) belong to readers: rules
decide with normal forms only.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from functools import lru_cache, reduce
from itertools import count
from math import comb, gcd, isqrt, lcm
from weakref import WeakValueDictionary

from namecheck_runtime.compiled import mypyc_attr
from namecheck_runtime.lattice import UNKNOWN, Size, Symbolic, Truth
from namecheck_runtime.tuples import Distinct
from namecheck_runtime.tuples import Fact as Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Final, Literal, TypeAlias

_serials: Final = count()

LONGEST: Final = 1024
"""Terms, factors and operands that a size has when it is written out in full: a longer one is
UNKNOWN.  Sizes of real programs have some ten, those behind twenty convolutions hundreds; each line
of `s, t = s * t + 1, s + t` doubles them.
"""

_SHORT: Final = 1 << 61
"""Numbers below it count for nothing in the length of a size."""

_BITS: Final = 4
"""Bits of a longer number that count for one: the largest has 1,200 digits, as the number of the
elements of the largest tensor has.
"""


class _GivenUp:
    """How many sizes were given up so far."""

    __slots__ = ("sizes",)

    def __init__(self) -> None:
        self.sizes: int = 0


_given_up: Final = _GivenUp()


def given_up() -> int:
    """How many sizes have become UNKNOWN so far because they were longer than `LONGEST`: a reader
    that compares two answers knows whether that happened in between.
    """
    return _given_up.sizes


def _give_up() -> Size:
    _given_up.sizes += 1
    return UNKNOWN


class Origin(IntEnum):
    """Which symbol gives way when two are found equal: the lower one is rewritten into the
    higher.
    """

    FRESH = 0
    """Made up by inference for a size nobody named."""
    DATA = 1
    """Read from a tensor: `B, T, C = x.shape`, a shape comment, an annotation."""
    CONFIG = 2
    """A constructor parameter or a field of a config object."""


class Symbol:
    """An unknown int that has an identity; two symbols are the same only if they are one object.

    `least` is the smallest value it can have: 1 for sizes, since a rule about size-0 dims would
    only add noise. `choices` are the values that it was chosen from, for who knows any.
    """

    __slots__ = ("choices", "label", "least", "origin", "serial")

    def __init__(self, label: str, origin: Origin = Origin.DATA, least: int = 1) -> None:
        self.label: str = label
        self.origin: Origin = origin
        self.least: int = least
        self.serial: int = next(_serials)
        self.choices: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.label}>"

    def __str__(self) -> str:
        return self.label


def is_positive(atom: Symbol) -> None:
    """A symbol that may have been 0 is at least 1."""
    if atom.least < 1:
        atom.least = 1
        _relate.cache_clear()


def make_positive(size: Any) -> None:
    """A symbol that something is built or shaped with is at least 1."""
    if isinstance(size, tuple):
        for one in size:
            make_positive(one)
    elif isinstance(size, Polynomial) and len(size.terms) == 1:
        (monomial, coefficient), *_ = size.terms
        if coefficient > 0:
            for atom, _ in monomial:
                if isinstance(atom, Symbol) and atom.least == 0:
                    is_positive(atom)


def youngest() -> int:
    """The serial of the symbol that was made last: those made from here on have a larger one."""
    return Symbol("").serial


@mypyc_attr(native_class=False)  # so that there are weak references to it
class Opaque:
    """A function of sizes that has no polynomial form, such as `T // 2`: the same operands make the
    same atom.
    """

    __slots__ = ("__weakref__", "function", "length", "operands", "serial")

    def __init__(self, function: str, operands: tuple[Size, ...], length: int) -> None:
        self.function: str = function
        self.operands: tuple[Size, ...] = operands
        self.length: int = length
        """As `_length` counts it, operands included."""
        self.serial: int = next(_serials)

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        return _show_opaque(self, _DEEPEST)


Atom: TypeAlias = "Symbol | Opaque"
Monomial: TypeAlias = "tuple[tuple[Atom, int], ...]"

_opaque: WeakValueDictionary[tuple[str, tuple[Size, ...]], Opaque] = WeakValueDictionary()


class Polynomial(Symbolic):
    """A sum of monomials in normal form: equal polynomials are equal objects by `==` and have one
    hash.
    """

    __slots__ = ("_hash", "_plain", "_symbols", "terms")

    terms: Final[tuple[tuple[Monomial, int], ...]]

    def __init__(self, terms: tuple[tuple[Monomial, int], ...]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._plain: Symbol | Literal[False] | None = False
        """What `plain_symbol` found; False before it is asked."""
        self._symbols: frozenset[Symbol] | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is Polynomial and self.terms == other.terms)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self.terms)
        return self._hash

    def __repr__(self) -> str:
        return f"`{self}`"

    def __str__(self) -> str:
        return _show(self, _DEEPEST)

    def _shown(self) -> list[tuple[Monomial, int]]:
        """Terms in reading order: what is added before what is taken off, higher degrees first."""
        return sorted(self.terms, key=lambda t: (t[1] < 0, -sum(e for _, e in t[0])))

    @property
    def opaque(self) -> bool:
        """True when an atom is opaque, so that nothing is impossible for this size."""
        return any(isinstance(atom, Opaque) for monomial, _ in self.terms for atom, _ in monomial)

    def symbols(self) -> frozenset[Symbol]:
        """Every symbol in it, also those inside opaque atoms."""
        if self._symbols is not None:
            return self._symbols
        found: set[Symbol] = set()
        for monomial, _ in self.terms:
            for atom, _ in monomial:
                if isinstance(atom, Symbol):
                    found.add(atom)
                else:
                    for operand in atom.operands:
                        found |= symbols(operand)
        self._symbols = frozenset(found)
        return self._symbols


_DEEPEST = 6
"""Functions of sizes inside each other that are written out: what is in there deeper is a `?`."""


def _show(size: Size, depth: int) -> str:
    if not isinstance(size, Polynomial):
        return str(size)
    if depth < 0:
        return "?"
    texts = {
        atom: atom.label if isinstance(atom, Symbol) else _show_opaque(atom, depth)
        for monomial, _ in size.terms
        for atom, _ in monomial
    }
    if sum(texts[a] == "?" for m, _ in size.terms for a, _ in m) > 1:
        return "?"  # an unknown size, whatever it was computed from
    text = ""
    for monomial, coefficient in size._shown():
        term = _show_term([(texts[a], e) for a, e in monomial], abs(coefficient))
        if not text:
            text = "-" + term if coefficient < 0 else term
        else:
            text += (" - " if coefficient < 0 else " + ") + term
    return text


def _show_opaque(atom: Opaque, depth: int) -> str:
    function, operands = atom.function, atom.operands
    if function == "float":
        match operands:
            case (int(above), int(below)):
                return str(above / below)
            case (only,):
                return _show(only, depth)
    shown = [_show(operand, depth - 1) for operand in operands]
    if len(shown) == 2 and (function in ("//", "/", "%") or function.endswith(".")):
        text = function.removesuffix(".").join(map(_within_product, shown))
        return f"({text})" if function in ("//", "%") else text
    return f"{function}({', '.join(shown)})"


def _show_term(powers: Iterable[tuple[str, int]], coefficient: int) -> str:
    above = [str(coefficient)] if coefficient != 1 else []
    below: list[str] = []
    for atom, exponent in powers:
        (above if exponent > 0 else below).extend([atom] * abs(exponent))
    text = "*".join(above) or "1"
    return (
        text
        if not below
        else text + "/" + (below[0] if len(below) == 1 else f"({'*'.join(below)})")
    )


def _within_product(text: str) -> str:
    return f"({text})" if " " in text else text


def symbol(label: str, origin: Origin = Origin.DATA, least: int = 1) -> Polynomial:
    """A new symbolic size called `label`; every call makes another symbol, also for the same
    label.
    """
    return _of_atom(Symbol(label, origin, least))


def of_symbol(atom: Symbol) -> Polynomial:
    """The size that is this symbol."""
    return _of_atom(atom)


def _of_atom(atom: Atom) -> Polynomial:
    return Polynomial(((((atom, 1),), 1),))


def opaque(function: str, *operands: Size) -> Size:
    """The size `function(*operands)` of which only equality with itself is known; UNKNOWN if an
    operand is, or if it is longer than `LONGEST`.
    """
    if any(operand is UNKNOWN for operand in operands):
        return UNKNOWN
    key = (function, operands)
    atom = _opaque.get(key)
    if atom is None:
        length = 1 + sum([_length(_terms(operand)) for operand in operands])
        if length > LONGEST:
            return _give_up()
        atom = _opaque[key] = Opaque(function, operands, length)
    return _of_atom(atom)


def symbols(size: Size) -> frozenset[Symbol]:
    """The symbols that `size` depends on."""
    return size.symbols() if isinstance(size, Polynomial) else frozenset()


_Terms: TypeAlias = "dict[Monomial, int]"


def _terms(size: Size) -> tuple[tuple[Monomial, int], ...]:
    """The terms of a size that is not UNKNOWN."""
    if isinstance(size, Polynomial):
        return size.terms
    assert isinstance(size, int)
    return (((), size),) if size else ()


def _length(terms: Iterable[tuple[Monomial, int]]) -> int:
    """How long these terms are, written out in full: one for each term, for each factor of it as
    often as it stands there, for what stands in opaque factors, and for bits of a large number.
    """
    length = 0
    for monomial, coefficient in terms:
        length += 1
        if not -_SHORT < coefficient < _SHORT:
            length += coefficient.bit_length() // _BITS
        for atom, exponent in monomial:
            times = exponent if exponent > 0 else -exponent
            length += times * atom.length if isinstance(atom, Opaque) else times
    return length


def _normal(terms: _Terms) -> Size:
    """The size that is the sum of these terms; UNKNOWN if it is longer than `LONGEST`."""
    kept = [term for term in terms.items() if term[1]]
    if not kept:
        return 0
    if _length(kept) > LONGEST:
        return _give_up()
    if len(kept) == 1:
        if not kept[0][0]:
            return kept[0][1]
    else:
        kept.sort(key=_monomial_key)
    return Polynomial(tuple(kept))


def _monomial_key(term: tuple[Monomial, int]) -> list[tuple[int, int]]:
    return [(atom.serial, exponent) for atom, exponent in term[0]]


def _multiply_monomials(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    exponents = dict(left)
    for atom, exponent in right:
        exponents[atom] = exponents.get(atom, 0) + exponent
    return _monomial([power for power in exponents.items() if power[1]])


def _monomial(powers: list[tuple[Atom, int]]) -> Monomial:
    """The product of powers of different atoms, in the order that makes it the only such one."""
    if len(powers) > 1:
        powers.sort(key=_serial)
    return tuple(powers)


def _serial(power: tuple[Atom, int]) -> int:
    return power[0].serial


def _concrete(size: Size) -> int | Polynomial:
    """A size that is not UNKNOWN, as the arithmetic below takes it."""
    assert isinstance(size, int) or isinstance(size, Polynomial)
    return size


def add(left: Size, right: Size) -> Size:
    """`left + right`."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    terms = dict(_terms(left))
    for monomial, coefficient in _terms(right):
        terms[monomial] = terms.get(monomial, 0) + coefficient
    return _normal(terms)


def subtract(left: Size, right: Size) -> Size:
    """`left - right`."""
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    terms = dict(_terms(left))
    for monomial, coefficient in _terms(right):
        terms[monomial] = terms.get(monomial, 0) - coefficient
    return _normal(terms)


def multiply(left: Size, right: Size) -> Size:
    """`left * right`."""
    if isinstance(left, int) and isinstance(right, int):
        result = left * right
        return result if -_SHORT < result < _SHORT else _of_number(result)
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if left == 1 or right == 1:
        return right if left == 1 else left
    ours, theirs = _terms(left), _terms(right)
    if len(ours) == len(theirs) == 1:
        monomial = _multiply_monomials(ours[0][0], theirs[0][0])
        coefficient = ours[0][1] * theirs[0][1]
        if coefficient != 1:
            restored = _restore(monomial, coefficient)
            if restored is not None:
                return restored
        product = ((monomial, coefficient),)
        if _length(product) > LONGEST:
            return _give_up()
        return Polynomial(product) if monomial else coefficient
    if len(ours) * len(theirs) > 2 * LONGEST:
        return _give_up()  # what cancels out so often is nobody's size
    terms: _Terms = {}
    for left_monomial, left_coefficient in ours:
        for right_monomial, right_coefficient in theirs:
            monomial = _multiply_monomials(left_monomial, right_monomial)
            terms[monomial] = terms.get(monomial, 0) + left_coefficient * right_coefficient
    return _normal(terms)


def _of_number(number: int) -> Size:
    """A number as a size, unless it is too long to be computed with."""
    return number if number.bit_length() <= LONGEST * _BITS else _give_up()


def _restore(monomial: Monomial, coefficient: int) -> Size | None:
    """A product in which a number meets what was divided by it exactly: `8 * (C/8)` is `C`."""
    for index, (atom, exponent) in enumerate(monomial):
        if isinstance(atom, Opaque) and atom.function == _EXACTLY and exponent == 1:
            dividend, divisor = atom.operands
            if isinstance(divisor, int) and coefficient % divisor == 0:
                rest = monomial[:index] + monomial[index + 1 :]
                others = _normal({rest: coefficient // divisor})
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
    """`left / right` where the caller knows that nothing is left over (a view's -1, heads of an
    attention).

    A divisor of one term becomes negative exponents; when the coefficients do not divide the
    quotient is opaque. UNKNOWN when an operand is, when the divisor is 0, or when two ints do not
    divide after all.
    """
    if left is UNKNOWN or right is UNKNOWN or right == 0:
        return UNKNOWN
    if isinstance(left, int) and isinstance(right, int):
        return left // right if left % right == 0 else UNKNOWN
    if left == right:
        return 1
    quotient = _quotient(_concrete(left), _concrete(right))
    return opaque(_EXACTLY, left, right) if quotient is None else quotient


_EXACTLY = "/"
"""The function of a quotient that is known to leave nothing over: times the divisor it is the
dividend again, which `C // 8 * 8` need not be.
"""


def _quotient(left: int | Polynomial, right: int | Polynomial) -> int | Polynomial | None:
    """The formal quotient when `right` has one term whose coefficient divides all of `left`'s, or
    `left` is a multiple of it, else None.
    """
    divisor = _terms(right)
    if len(divisor) != 1:
        return _multiple(_terms(left), divisor)
    ((monomial, coefficient),) = divisor
    if any(c % coefficient for _, c in _terms(left)) or any(
        isinstance(a, Opaque) for a, _ in monomial
    ):
        return None
    inverse = tuple((atom, -exponent) for atom, exponent in monomial)
    return _known(
        _normal({_multiply_monomials(m, inverse): c // coefficient for m, c in _terms(left)})
    )


def _known(size: Size) -> int | Polynomial | None:
    """A size, None for one that is UNKNOWN."""
    return size if isinstance(size, int) or isinstance(size, Polynomial) else None


def _multiple(
    dividend: tuple[tuple[Monomial, int], ...], divisor: tuple[tuple[Monomial, int], ...]
) -> int | None:
    """How often a sum stands in another, None if that is no number by its form."""
    if len(dividend) != len(divisor):
        return None
    times = {
        (mine[0] == theirs[0], *divmod(mine[1], theirs[1]))
        for mine, theirs in zip(dividend, divisor, strict=True)
    }
    same, quotient, rest = times.pop()
    return quotient if not times and same and not rest else None


def floor_divide(left: Size, right: Size) -> Size:
    """`left // right`.  Exact by its form if every term of `left` is divisible, or `left` and
    `right` are single terms and the division is by a symbol (`C // H`: people write that for sizes
    that divide).  Division by a number that does not divide (`k // 2`) is opaque: `2 * (k // 2)` is
    not `k`.
    """
    if isinstance(left, int) and isinstance(right, int):
        return left // right if right else UNKNOWN
    if left is UNKNOWN or right is UNKNOWN or right == 0:
        return UNKNOWN
    quotient = _quotient(_concrete(left), _concrete(right))
    if quotient is not None and (
        not isinstance(quotient, Polynomial) or _plausible_quotient(quotient)
    ):
        return quotient
    return opaque("//", left, right)


def _plausible_quotient(quotient: Polynomial) -> bool:
    whole = all(exponent > 0 for monomial, _ in quotient.terms for _, exponent in monomial)
    return whole or (len(quotient.terms) == 1 and any(e > 0 for _, e in quotient.terms[0][0]))


def ceil_divide(left: Size, right: Size) -> Size:
    """The smallest int that is not below `left / right`."""
    if isinstance(left, int) and isinstance(right, int):
        return -(-left // right) if right else UNKNOWN
    quotient = floor_divide(left, right)
    inexact = isinstance(quotient, Polynomial) and quotient.opaque and quotient != left
    return opaque("ceil_div", left, right) if inexact else quotient


def modulo(left: Size, right: Size) -> Size:
    """`left % right`; 0 when the division is exact by its form."""
    if isinstance(left, int) and isinstance(right, int):
        return left % right if right else UNKNOWN
    if left is UNKNOWN or right is UNKNOWN or right == 0:
        return UNKNOWN
    quotient = _quotient(_concrete(left), _concrete(right))
    if quotient is not None and all(
        exponent > 0 for monomial, _ in _terms(quotient) for _, exponent in monomial
    ):
        return 0
    return opaque("%", left, right)


def rounded(rounding: Callable[[float], int], dividend: float, divisor: float = 1) -> Size:
    """`dividend / divisor`, rounded to an int; UNKNOWN where that is no finite number."""
    if isinstance(dividend, int) and isinstance(divisor, int) and divisor:
        whole, rest = divmod(dividend, divisor)
        if not rest:
            return whole
    try:
        return rounding(dividend / divisor)
    except (OverflowError, ValueError, ZeroDivisionError):
        return UNKNOWN


def choose(count: int, many: int) -> Size:
    """In how many ways so many of `count` things are chosen; UNKNOWN if that is longer than
    `LONGEST`.
    """
    fewer = min(many, count - many)
    if fewer < 0:
        return 0
    if fewer * count.bit_length() > LONGEST * _BITS:
        return _give_up()
    return comb(count, fewer)


ARITHMETIC: Final[Mapping[str, Callable[[Size, Size], Size]]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide_exactly,
    "//": floor_divide,
}
"""What people write between sizes, and what it computes; `/` is meant to leave nothing over."""


def minimum(left: Size, right: Size) -> Size:
    """The smaller of the two; opaque when that depends on a symbol."""
    return _extreme("min", left, right)


def maximum(left: Size, right: Size) -> Size:
    """The larger of the two; opaque when that depends on a symbol."""
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
    """The sizes that `size` is the smaller one of; none if it has another form."""
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
    low, high = _bounds(difference)
    if low is not None and low >= 0:
        return Truth.YES
    return Truth.NO if high is not None and high < 0 else Truth.MAYBE


def _bounds(size: Polynomial) -> tuple[int | None, int | None]:
    """A lower and an upper bound of a polynomial whose atoms are all symbols; None where there is
    none.

    Terms of one sign grow without end, so a bound exists only where all growing terms agree.
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


class Relation(Enum):
    """How two sizes compare: the five answers of the policies.

    A rule sees YES, MAYBE and NO (`compare`).  COINCIDENT comes from `Facts.relate` alone, since
    independence is a fact about the program and not about two forms.
    """

    YES = "the same normal form"
    MAYBE = "equal for some sizes"
    COINCIDENT = "equal only if independent symbols coincide"
    DEGENERATE = "equal only if a symbol is a certain number"
    """`h*D` against `D` needs `h` to be 1."""
    NO = "impossible for sizes >= 1"


def compare(left: Size, right: Size) -> Truth:
    """Whether two sizes are equal, by their normal forms alone: the three answers that a rule
    sees.
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
    if left == right:
        return Relation.YES
    ours, theirs = plain_symbol(left), plain_symbol(right)
    if ours is not None:
        if theirs is not None:
            return Relation.MAYBE
        if isinstance(right, int):
            return Relation.MAYBE if right >= ours.least else Relation.NO
    elif theirs is not None and isinstance(left, int):
        return Relation.MAYBE if left >= theirs.least else Relation.NO
    return _relate(left, right)


@lru_cache(maxsize=4096)
def _relate(left: Size, right: Size) -> Relation:
    """The same of what is compared by its difference."""
    difference = subtract(left, right)
    if isinstance(difference, int):
        return Relation.NO if difference else Relation.YES
    if not isinstance(difference, Polynomial):
        return Relation.MAYBE
    if difference.opaque:
        difference = _whole(difference)
    if isinstance(difference, int):
        return Relation.NO if difference else Relation.YES
    if difference.opaque:
        return Relation.NO if _floors_apart(difference) else Relation.MAYBE
    residue = _without_common_factor(difference)
    if _has_factor_zero(difference):
        return Relation.MAYBE
    if isinstance(residue, int) or _never_zero(residue):
        return Relation.NO
    involved = {atom for monomial, _ in residue.terms for atom, _ in monomial}
    if len(involved) != 1 or not _bound_at_one_and_growing(residue):
        return Relation.MAYBE
    if _is_zero_nowhere(residue):
        return Relation.NO
    literal = isinstance(left, int) or isinstance(right, int) or _counts_out(left, right)
    return Relation.MAYBE if literal else Relation.DEGENERATE


def _whole(difference: Polynomial) -> int | Polynomial:
    """A difference times what its terms were divided by exactly: it is 0 for the same sizes, and
    `dim/2 - h*d` is compared as `dim - 2*h*d`.
    """
    scale = 1
    for monomial, _ in difference.terms:
        for atom, exponent in monomial:
            if isinstance(atom, Opaque) and atom.function == _EXACTLY and exponent == 1:
                divisor = atom.operands[1]
                if isinstance(divisor, int):
                    scale = lcm(scale, divisor)
    if scale == 1:
        return difference
    scaled = _known(total(multiply(scale, Polynomial((term,))) for term in difference.terms))
    return difference if scaled is None else scaled


def _floors_apart(difference: Polynomial) -> bool:
    """Whether a difference is never 0 whatever was cut off when sizes in it were divided by
    numbers: `c // 2` lies between `(c - 1) / 2` and `c / 2`, and so is never `c`.
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
    whole = multiply(scale, _normal(dict(rest)))
    above = below = 0
    for coefficient, divided, divisor in floors:
        times = coefficient * (scale // divisor)
        whole = add(whole, multiply(times, divided))
        above, below = (
            above - min(0, times) * (divisor - 1),
            below + max(0, times) * (divisor - 1),
        )
    least, most = subtract(whole, below), add(whole, above)
    return _is_positive(least) or _is_positive(multiply(-1, most))


def _is_positive(size: Size) -> bool:
    if isinstance(size, int):
        return size > 0
    low = _bounds(size)[0] if isinstance(size, Polynomial) else None
    return low is not None and low > 0


def _counts_out(left: Size, right: Size) -> bool:
    """Whether one size is the other with a number for a symbol: `c*p*p` against `3*p*p` says what
    c is.
    """
    for size, other in ((_concrete(left), _concrete(right)), (_concrete(right), _concrete(left))):
        terms = _terms(other)
        if len(terms) == 1 and terms[0][1] > 1:
            rest = _quotient(size, Polynomial(((terms[0][0], 1),))) if terms[0][0] else None
            if isinstance(rest, Polynomial):
                return all(exponent > 0 for monomial, _ in rest.terms for _, exponent in monomial)
    return False


def _without_common_factor(size: Polynomial) -> int | Polynomial:
    """`size` divided by its greatest common monomial and by its content, if that is no longer than
    `LONGEST`: zero for the same positive symbols.
    """
    lowest = dict(size.terms[0][0])
    for monomial, _ in size.terms[1:]:
        exponents = dict(monomial)
        for atom in lowest.keys() | exponents.keys():
            lowest[atom] = min(lowest.get(atom, 0), exponents.get(atom, 0))
    divisor = _monomial([(atom, -exponent) for atom, exponent in lowest.items() if exponent])
    content = gcd(*[coefficient for _, coefficient in size.terms])
    if not divisor and content == 1:
        return size
    divided = _known(
        _normal({_multiply_monomials(m, divisor): c // content for m, c in size.terms})
    )
    return size if divided is None else divided


def _has_factor_zero(difference: Polynomial) -> bool:
    """Whether a symbol that may be 0 is a factor of every term: `n*n + n` is 0 for it."""
    first, *others = [dict(monomial) for monomial, _ in difference.terms]
    return any(
        isinstance(atom, Symbol) and atom.least <= 0 and all(atom in other for other in others)
        for atom in first
    )


def _is_shifted(difference: Polynomial) -> bool:
    """Whether sizes would be equal if one symbol were another and a number more: `j == n + 1`."""
    plain = [
        abs(coefficient) == 1 and len(monomial) == 1 and monomial[0][1] == 1
        for monomial, coefficient in difference.terms
        if monomial
    ]
    return len(difference.terms) == 3 and len(plain) == 2 and all(plain)


def sides(left: Size, right: Size) -> frozenset[Size]:
    """What `left == right` is an equation of: both sides without their common factors and their
    coefficients, so that `3*h*d` against `h*C` is `d` against `C`.

    Where there are no two sides of one term each, the whole difference stands for both.
    """
    difference = subtract(left, right)
    if isinstance(difference, Polynomial):
        difference = _whole(difference)
    if not isinstance(difference, Polynomial):
        return frozenset((left, right))
    residue = _without_common_factor(difference)
    if isinstance(residue, int):
        return frozenset((left, right))
    if len(residue.terms) == 2:
        return frozenset(_normal({monomial: 1}) for monomial, _ in residue.terms)
    negative = residue.terms[0][1] < 0
    return frozenset((multiply(-1, residue) if negative else residue,))


def _never_zero(residue: Polynomial) -> bool:
    low, high = _bounds(residue)
    if (low is not None and low > 0) or (high is not None and high < 0):
        return True
    constant = sum(c for m, c in residue.terms if not m)
    grown = [c for m, c in residue.terms if m]
    whole = all(e > 0 for m, _ in residue.terms for _, e in m)
    return bool(constant) and whole and constant % reduce(gcd, grown) != 0


def _bound_at_one_and_growing(residue: Polynomial) -> bool:
    """Whether the roots of a polynomial in one symbol can be looked for: a constant term, exponents
    above 0.
    """
    return any(not m for m, _ in residue.terms) and all(
        e > 0 for m, _ in residue.terms for _, e in m
    )


_MOST_TRIED: Final = 1000
"""Divisors that are tried for a root."""


def _is_zero_nowhere(residue: Polynomial) -> bool:
    """Whether a polynomial in one symbol, with a constant term, is certainly not 0 for any value
    that the symbol can have.

    A whole root divides the constant term. Up to the second degree it is computed; of higher ones
    whose constant term is large it is not looked for, and the answer is False.
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
        found = [-constant // coefficients[1]]
    elif degree == 2:
        found = _roots_of_square(coefficients[2], coefficients.get(1, 0), constant)
    elif abs(constant) > _MOST_TRIED**2:
        return False
    else:
        divisors = [n for n in range(1, isqrt(abs(constant)) + 1) if constant % n == 0]
        found = [sign * d for n in divisors for d in (n, constant // n) for sign in (1, -1)]
    return not any(
        root >= least and sum([c * root**power for power, c in coefficients.items()]) == 0
        for root in found
    )


def _roots_of_square(a: int, b: int, c: int) -> list[int]:
    """Whole numbers among which those are that make `a*n**2 + b*n + c` zero."""
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
    """Whether a difference of sizes is positive (YES) or negative (NO) wherever every symbol in it
    is at least 2: `N*D - D` is, since `N` counts as more than one.

    MAYBE also where that rests on a size that is opaque, or that nobody has named: of those it is
    not known how often they are 1.
    """
    if isinstance(difference, int) and difference:
        return Truth.YES if difference > 0 else Truth.NO
    if not isinstance(difference, Polynomial):
        return Truth.MAYBE
    residue = _without_common_factor(difference)
    if isinstance(residue, int):
        return Truth.YES if residue > 0 else Truth.NO
    if residue.opaque or any(atom.origin is Origin.FRESH for atom in residue.symbols()):
        return Truth.MAYBE
    # Told in how much each symbol is above its least value, terms of one sign say it.
    shifted = substitute(
        residue,
        {s: add(of_symbol(s), 2 if s.least > 0 else s.least) for s in residue.symbols()},
    )
    if not isinstance(shifted, (int, Polynomial)):
        return Truth.MAYBE
    terms = dict(_terms(shifted))
    constant = terms.pop((), 0)
    if constant > 0 and all(coefficient > 0 for coefficient in terms.values()):
        return Truth.YES
    if constant < 0 and all(coefficient < 0 for coefficient in terms.values()):
        return Truth.NO
    return Truth.MAYBE


def is_quotient(size: Size) -> bool:
    """Whether a size is divided by something, as -1 is solved for."""
    return isinstance(size, Polynomial) and any(
        exponent < 0 or (isinstance(atom, Opaque) and atom.function == _EXACTLY)
        for monomial, _ in size.terms
        for atom, exponent in monomial
    )


def without_quotients(
    all_sizes: Iterable[Size],
) -> tuple[dict[Symbol, Size], dict[Symbol, Size]]:
    """What to substitute for symbols so that the quotients among the sizes become symbols of their
    own (for `D/h` it is `D`, as `h` times a new symbol), and for those symbols to undo it.

    Only a quotient of one symbol is read so; others stay as they are.
    """
    values: dict[Symbol, Size] = {}
    back: dict[Symbol, Size] = {}
    for given in all_sizes:
        size = substitute(given, values)
        divided = _divided(size)
        if divided is None:
            continue
        whole, below = divided
        piece = Symbol(f"{whole.label}/.", whole.origin)
        back[piece] = substitute(divide_exactly(of_symbol(whole), below), back)
        found = {whole: multiply(of_symbol(piece), below)}
        values = {atom: substitute(value, found) for atom, value in values.items()}
        values.update(found)
    return values, back


def _divided(size: Size) -> tuple[Symbol, Size] | None:
    """The symbol and the divisor of a size that is an exact quotient, times a number or not."""
    if not isinstance(size, Polynomial) or len(size.terms) != 1:
        return None
    monomial = size.terms[0][0]
    above = [(atom, exponent) for atom, exponent in monomial if exponent > 0]
    if len(above) != 1 or above[0][1] != 1:
        return None
    atom = above[0][0]
    if isinstance(atom, Opaque):
        whole = plain_symbol(atom.operands[0]) if atom.function == _EXACTLY else None
        return None if whole is None or len(monomial) > 1 else (whole, atom.operands[1])
    if len(monomial) == 1 or any(isinstance(other, Opaque) for other, _ in monomial):
        return None
    return atom, Polynomial(((tuple((a, -e) for a, e in monomial if e < 0), 1),))


def substitute(size: Size, values: Mapping[Symbol, Size]) -> Size:
    """`size` with symbols replaced, also inside opaque atoms; recomputed in normal form."""
    if not isinstance(size, Polynomial) or values.keys().isdisjoint(size.symbols()):
        return size
    plain = plain_symbol(size)
    if plain is not None:
        return values[plain]
    return _rebuild(size, lambda atom: _substitute_atom(atom, values))


def _rebuild(size: Polynomial, replace: Callable[[Atom], Size]) -> Size:
    """`size` computed again in normal form, with what `replace` gives for each of its atoms."""
    result: Size = 0
    for monomial, coefficient in size.terms:
        term: Size = coefficient
        below: Size = 1
        for atom, exponent in monomial:
            factor = replace(atom)
            for _ in range(abs(exponent)):
                if exponent > 0:
                    term = multiply(term, factor)
                else:
                    below = multiply(below, factor)
        result = add(result, term if below == 1 else divide_exactly(term, below))
    return result


_FUNCTIONS: dict[str, Callable[[Size, Size], Size]] = {
    "//": floor_divide,
    _EXACTLY: divide_exactly,
    "%": modulo,
    "min": minimum,
    "max": maximum,
    "ceil_div": ceil_divide,
}


def _substitute_atom(atom: Atom, values: Mapping[Symbol, Size]) -> Size:
    if isinstance(atom, Symbol):
        return values.get(atom, _of_atom(atom))
    operands = tuple(substitute(operand, values) for operand in atom.operands)
    if operands == atom.operands:
        return _of_atom(atom)
    compute = _FUNCTIONS.get(atom.function)
    return compute(*operands) if compute is not None else opaque(atom.function, *operands)


_UNROUNDED: dict[str, Callable[[Size, Size], Size]] = {
    "//": divide_exactly,
    "ceil_div": divide_exactly,
    _EXACTLY: divide_exactly,
    "/.": divide_exactly,
    "*.": multiply,
}


def unrounded(size: Size) -> Size:
    """`size` as if nothing in it had been rounded: `h * int(dim / h)` is `dim`."""
    if not isinstance(size, Polynomial) or not size.opaque:
        return size
    return _rebuild(size, _unrounded_atom)


def _unrounded_atom(atom: Atom) -> Size:
    if isinstance(atom, Symbol):
        return _of_atom(atom)
    operands = [unrounded(operand) for operand in atom.operands]
    if atom.function == "int":
        return operands[0]
    compute = _UNROUNDED.get(atom.function)
    if compute is not None and len(operands) == 2:
        return compute(*operands)
    return opaque(atom.function, *operands)


# Facts: what a reader holds true of sizes on one path of the program.


class Rank(IntEnum):
    """How much a fact is worth; a higher rank replaces a lower one in silence."""

    ASSUMED = 0
    """An op required it."""
    CLAIMED = 1
    """Labels of one comment: another line may call a dim otherwise."""
    PRESUMED = 2
    """Names bound together, separate constructor parameters."""
    DECLARED = 3
    """Annotations."""
    STATED = 4
    """Literals, assert, if, guards that raise."""


class Verdict(Enum):
    """What a path's facts say of a requirement."""

    HOLDS = "holds"
    ASSUMED = "assumed"
    """Nothing spoke against it, and it is held true from here on."""
    LEFT_OPEN = "left open"
    """Nothing spoke against it, and nothing could be learned."""
    FORCES_LITERAL = "forces a literal"
    CONTRADICTS_CLAIMED = "contradicts what labels of one comment say"
    """Of a broadcast only: one of the two may be 1, or a label misplaced."""
    CONTRADICTS_PRESUMED = "contradicts what was presumed"
    COINCIDES = "holds only if independent sizes coincide"
    CONTRADICTED = "contradicted"


class Settlement:
    """The verdict on a requirement, and the facts that it rests on, latest last.

    Of a requirement that holds only by coincidence, `equation` is what it came down to.
    """

    __slots__ = ("equation", "facts", "verdict")

    def __init__(
        self,
        verdict: Verdict,
        facts: tuple[Fact, ...] = (),
        equation: tuple[Size, Size] | None = None,
    ) -> None:
        self.verdict: Final = verdict
        self.facts: Final = facts
        self.equation: Final = equation


class _Binding:
    __slots__ = ("fact", "value")

    def __init__(self, value: int | Polynomial, fact: Fact) -> None:
        self.value: Final = value
        self.fact: Final = fact


class Facts:
    """What holds of sizes on one path: symbols rewritten to representatives, and groups of generic
    symbols.

    Copying costs two references: both copies share until one of them learns something.
    """

    __slots__ = ("_bindings", "_distinct", "_rewritten", "_shared", "_spoken")

    def __init__(self) -> None:
        self._bindings: dict[Symbol, _Binding] = {}
        self._rewritten: dict[Polynomial, Size] = {}
        """What sizes were rewritten to so far; begun anew with every binding."""
        self._distinct: tuple[Distinct, ...] = ()
        self._spoken: tuple[tuple[Distinct, ...], frozenset[Symbol]] | None = None
        """The groups, and what `_generic` found for them."""
        self._shared = False

    def copy(self) -> Facts:
        """A path that starts where this one stands."""
        twin = Facts()
        twin._bindings, twin._distinct = self._bindings, self._distinct
        twin._rewritten, twin._spoken = self._rewritten, self._spoken
        twin._shared = self._shared = True
        return twin

    def rewrite(self) -> bool:
        """Whether any size is known to be something else than itself."""
        return bool(self._bindings)

    def representative(self, size: Size) -> Size:
        """`size` with every symbol rewritten to what it is known to be."""
        bindings = self._bindings
        if not bindings or not isinstance(size, Polynomial) or not _mentions(size, bindings):
            return size
        known = self._rewritten.get(size)
        if known is not None:
            return known
        # A binding's value may mention symbols bound later; the chain is as long as the facts
        # learned in between.
        now: Size = size
        while isinstance(now, Polynomial) and _mentions(now, bindings):
            now = substitute(now, {s: bindings[s].value for s in now.symbols() if s in bindings})
        self._rewritten[size] = now
        return now

    def presume_distinct(self, members: Iterable[Size], fact: Fact) -> None:
        """Hold the plain symbols among `members` for generic: no equation over them alone is
        expected to hold.

        Members that are already the same (a square score map) do not count: an equality proven
        before wins.
        """
        standing = [self.representative(member) for member in members]
        once = [s for s in standing if isinstance(s, Polynomial) and standing.count(s) == 1]
        group = frozenset(atom for s in once if (atom := plain_symbol(s)) is not None)
        made = frozenset(s for s in once if plain_symbol(s) is None and not s.opaque)
        if group and len(group) + len(made) > 1:
            self._distinct += (Distinct(group, fact, made),)

    def withdraw_distinct(self, members: Iterable[Symbol]) -> None:
        """Forget that any two of `members` are different: the program itself links them."""
        linked = frozenset(members)
        self._distinct = tuple(g for g in self._distinct if len(g.members & linked) < 2)

    def bound_with(self, atom: Symbol) -> Iterable[Size]:
        """What the symbols that are held for different from this one are known to be."""
        for group in self._distinct:
            if atom in group.members:
                for member in group.members:
                    if member is not atom:
                        yield self.representative(of_symbol(member))

    def learn_equal(self, left: Size, right: Size, fact: Fact) -> Settlement:
        """Hold `left == right` true from here on, as a statement does: only an impossibility is
        contradicted.
        """
        left, right = self.representative(left), self.representative(right)
        relation = relate(left, right)
        if relation is Relation.YES:
            return Settlement(Verdict.HOLDS)
        if relation is Relation.NO:
            return Settlement(Verdict.CONTRADICTED, self.reasons(left, right))
        if fact.rank is not Rank.ASSUMED:
            self.withdraw_distinct(symbols(left) | symbols(right))
        return Settlement(Verdict.ASSUMED if self._bind(left, right, fact) else Verdict.LEFT_OPEN)

    def settle(
        self,
        left: Size,
        right: Size,
        place: object,
        or_one: bool = False,
        opposes: Callable[[Size, Size], bool] = lambda left, right: False,
    ) -> Settlement:
        """What the facts say of an op's requirement that `left == right` (or that one of them is
        1).  `opposes` tells whether two sizes are independent of each other.

        A requirement that nothing speaks against is assumed from here on, with its place.  With
        `or_one` nothing is assumed, since the sizes may differ; only an impossibility is
        contradicted.
        """
        raw = symbols(left) | symbols(right)
        left, right = self.representative(left), self.representative(right)
        relation, group = self._relate(left, right)
        if relation is Relation.YES:
            return Settlement(Verdict.HOLDS)
        if or_one and (possibly_one(left).possible or possibly_one(right).possible):
            if opposes(left, right):
                return Settlement(Verdict.COINCIDES, self._reasons(raw), (left, right))
            if group is not None and all(map(plain_symbol, sides(left, right))):
                firm = group.fact.rank >= Rank.PRESUMED
                verdict = Verdict.CONTRADICTS_PRESUMED if firm else Verdict.CONTRADICTS_CLAIMED
                return Settlement(verdict, (*self._reasons(raw), group.fact))
            return Settlement(Verdict.LEFT_OPEN)
        reasons = self._reasons(raw)
        if relation is Relation.NO:
            return Settlement(Verdict.CONTRADICTED, reasons)
        if group is not None:
            declared = group.fact.rank >= Rank.DECLARED
            verdict = Verdict.CONTRADICTED if declared else Verdict.CONTRADICTS_PRESUMED
            return Settlement(verdict, (*reasons, group.fact))
        if relation is Relation.DEGENERATE:
            return Settlement(Verdict.FORCES_LITERAL, reasons)
        if opposes(left, right):
            return Settlement(Verdict.COINCIDES, reasons, (left, right))
        bound = self._bind(left, right, Fact(Rank.ASSUMED, place))
        return Settlement(Verdict.ASSUMED if bound else Verdict.LEFT_OPEN, reasons)

    def relate(self, left: Size, right: Size) -> Relation:
        """How two sizes compare under these facts: all five answers."""
        return self._relate(self.representative(left), self.representative(right))[0]

    def known_equal(self, left: Size, right: Size) -> bool:
        """Whether two sizes are known to be one under these facts; what is UNKNOWN never is."""
        if left is UNKNOWN or right is UNKNOWN:
            return False
        left, right = self.representative(left), self.representative(right)
        return left == right or relate(left, right) is Relation.YES

    def _relate(self, left: Size, right: Size) -> tuple[Relation, Distinct | None]:
        relation = relate(left, right)
        if relation in (Relation.YES, Relation.NO):
            return relation, None
        group = self._violated(left, right)
        return (relation, None) if group is None else (Relation.COINCIDENT, group)

    def reasons(self, *sizes: Size) -> tuple[Fact, ...]:
        """The facts through which `sizes` were rewritten."""
        return self._reasons(frozenset().union(*map(symbols, sizes)))

    def _reasons(self, involved: frozenset[Symbol]) -> tuple[Fact, ...]:
        facts: list[Fact] = []
        seen: set[Symbol] = set()
        queue = sorted(involved, key=lambda s: s.serial)
        while queue:
            atom = queue.pop(0)
            binding = self._bindings.get(atom)
            if binding is not None and atom not in seen:
                facts.append(binding.fact)
                queue.extend(sorted(symbols(binding.value), key=lambda s: s.serial))
            seen.add(atom)
        return tuple(facts)

    def _violated(self, left: Size, right: Size) -> Distinct | None:
        """The group of generic symbols that `left == right` is an equation over, if it is over them
        alone; of several the one that is surest.
        """
        if isinstance(left, int) or isinstance(right, int):
            return None  # `h*w` against 9 says how large they are, not that they are alike
        if len((symbols(left) | symbols(right)) & self._generic()) < 2:
            return None
        difference = subtract(left, right)
        if not isinstance(difference, Polynomial) or difference.opaque:
            return None
        involved = symbols(_without_common_factor(difference))
        if len(involved) < 2 or _is_product_of_others(difference):
            return None
        shifted = _is_shifted(difference)
        firmest: Distinct | None = None
        for group in self._distinct:
            if firmest is not None and group.fact.rank <= firmest.fact.rank:
                continue
            if shifted and group.fact.rank < Rank.DECLARED:
                continue  # `i, j = scores.shape` with one key more than there are queries
            if group.made and self._are_members(left, right, group):
                firmest = group
                continue
            standing: set[Symbol] = set()
            for member in group.members:
                within = symbols(self.representative(of_symbol(member)))
                # A member that is `H*W` by now is spoken of by H and W together, not by either.
                if len(within) == 1 or within <= involved:
                    standing |= within
            if involved <= standing:
                firmest = group
        return firmest

    def _generic(self) -> frozenset[Symbol]:
        """The symbols in the members of all groups, as they stand."""
        key = self._distinct
        if self._spoken is None or self._spoken[0] is not key:
            members = {of_symbol(member) for group in key for member in group.members}
            members.update(size for group in key for size in group.made)
            found = [symbols(self.representative(member)) for member in members]
            self._spoken = (key, frozenset().union(*found))
        return self._spoken[1]

    def _are_members(self, left: Size, right: Size, group: Distinct) -> bool:
        """Whether two different sizes are both members of a group as they stand."""
        standing = {self.representative(of_symbol(member)) for member in group.members}
        standing.update(self.representative(size) for size in group.made)
        return left in standing and right in standing

    def _bind(self, left: Size, right: Size, fact: Fact) -> bool:
        """Rewrite one symbol of the equation by the rest; False when none can be solved for."""
        solved = _solve(left, right)
        if solved is None:
            return False
        atom, value = solved
        if self._shared:
            self._bindings = dict(self._bindings)
            self._shared = False
        self._bindings[atom] = _Binding(value, fact)
        self._rewritten, self._spoken = {}, None
        return True

    def presuming_as(self, other: Facts) -> Facts:
        """These equations with the presumptions of `other`: names that a callee binds together say
        nothing about the names of its caller.
        """
        if self._distinct is other._distinct:
            return self
        mixed = self.copy()
        mixed._distinct = other._distinct
        return mixed

    def since(self, earlier: Facts) -> tuple[tuple[Size, Size, Fact], ...]:
        """The equations held now that were not held on an earlier point of the same path."""
        if self._bindings is earlier._bindings:
            return ()
        return tuple(
            (of_symbol(atom), binding.value, binding.fact)
            for atom, binding in self._bindings.items()
            if earlier._bindings.get(atom) is not binding
        )

    def join(self, other: Facts) -> Facts:
        """What both paths know, at the lower rank."""
        joined = Facts()
        if self._bindings is other._bindings:
            joined._bindings = self._bindings
            joined._rewritten = self._rewritten
            joined._shared = self._shared = other._shared = True
        else:
            for atom, binding in self._bindings.items():
                theirs = other._bindings.get(atom)
                if theirs is None:
                    continue
                if theirs.value == binding.value or (
                    other.representative(of_symbol(atom)) == self.representative(of_symbol(atom))
                ):
                    joined._bindings[atom] = min(binding, theirs, key=lambda b: b.fact.rank)
        joined._distinct = tuple(g for g in self._distinct if g in other._distinct)
        return joined


def _is_product_of_others(difference: Polynomial) -> bool:
    """Whether an equation says that one symbol is several others multiplied: who counts points by
    `n` and their grid by `h` and `w` may well mean `n == h*w`.
    """
    if any(exponent < 0 for monomial, _ in difference.terms for _, exponent in monomial):
        return False  # of `c/h == t` it is the quotient that is spoken of
    apart = _without_common_factor(difference)
    if not isinstance(apart, Polynomial) or len(apart.terms) != 2:
        return False
    (one, count), (other, less) = apart.terms
    alone, together = sorted((one, other), key=len)
    return count == -less and len(alone) == 1 and alone[0][1] == 1 and len(together) > 1


def _mentions(size: Polynomial, atoms: Mapping[Symbol, object]) -> bool:
    """Whether one of these symbols stands in a size."""
    for atom in size.symbols():  # noqa: SIM110  (compiled, a generator costs more)
        if atom in atoms:
            return True
    return False


def plain_symbol(size: Size) -> Symbol | None:
    """The symbol that `size` is, if it is nothing but one."""
    if not isinstance(size, Polynomial):
        return None
    if size._plain is False:
        size._plain = None
        if len(size.terms) == 1:
            monomial, coefficient = size.terms[0]
            if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1:
                atom = monomial[0][0]
                size._plain = atom if isinstance(atom, Symbol) else None
    return size._plain


def _solve(left: Size, right: Size) -> tuple[Symbol, int | Polynomial] | None:
    """A symbol of `left == right` and what it must be: of the lowest origin first, then the
    youngest.
    """
    difference = subtract(left, right)
    if not isinstance(difference, Polynomial):
        return None
    difference = _whole(difference)
    assert isinstance(difference, Polynomial)
    for atom in sorted(difference.symbols(), key=lambda s: (s.origin, -s.serial)):
        value = _solve_for(difference, atom)
        if value is not None:
            return atom, value
    return None


def _solve_for(difference: Polynomial, atom: Symbol) -> int | Polynomial | None:
    """`atom` where it stands in one term only, to the first power; None elsewhere."""
    own: tuple[Monomial, int] | None = None
    rest: _Terms = {}
    for monomial, coefficient in difference.terms:
        if any(
            a is atom or (isinstance(a, Opaque) and atom in _of_atom(a).symbols())
            for a, _ in monomial
        ):
            if own is not None:
                return None
            own = (monomial, coefficient)
        else:
            rest[monomial] = -coefficient
    if own is None or dict(own[0]).get(atom) != 1:
        return None
    others = tuple((a, e) for a, e in own[0] if a is not atom)
    if any(isinstance(a, Opaque) for a, _ in others):
        return None
    above = _known(_normal(rest))
    value = None if above is None else _quotient(above, _concrete(_normal({others: own[1]})))
    if value is None:
        return None  # an inexact quotient would hide the equation in an opaque atom
    return value if not isinstance(value, int) or value >= atom.least else None
