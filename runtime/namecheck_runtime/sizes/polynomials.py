"""Symbolic sizes in normal form: polynomials with int coefficients over atoms.

An atom is a symbol, or a function of sizes that has no polynomial form (`T // 2`, `min(a, b)`,
`T % p`).  Such a function is opaque: equal to itself and not known to differ from anything.  Exact
division is a negative exponent, so `C // H * H` is `C` again.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import count
from weakref import WeakValueDictionary

from namecheck_runtime.lattice import UNKNOWN, Size, Symbolic
from namecheck_runtime.light.compiled import mypyc_attr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final, Literal, TypeAlias


_serials: Final = count()

LONGEST: Final = 1024
"""The most terms, factors and operands that a size has when it is written out in full: a longer one
is UNKNOWN.  Sizes of real programs have about ten, and hundreds after twenty convolutions; each
line of `s, t = s * t + 1, s + t` doubles them.
"""

SHORT: Final = 1 << 61
"""Numbers below it do not add to the length of a size."""

BITS: Final = 4
"""The bits of a larger number that count as one term: the largest number has 1,200 digits, as many
as the number of elements of the largest tensor.
"""


class _GivenUp:
    """The count of the sizes that were given up so far."""

    __slots__ = ("sizes",)

    def __init__(self) -> None:
        self.sizes: int = 0


_given_up: Final = _GivenUp()


def given_up() -> int:
    """How many sizes became UNKNOWN so far because they were longer than `LONGEST`.

    A reader that compares two answers sees from it whether that happened in between.
    """
    return _given_up.sizes


def give_up() -> Size:
    """UNKNOWN, in place of a size that is longer than `LONGEST`; counts it."""
    _given_up.sizes += 1
    return UNKNOWN


class Origin(IntEnum):
    """Where a symbol comes from.

    If two symbols are equal, the one with the lower origin is rewritten to the other.
    """

    FRESH = 0
    """Made by inference for a size that has no name."""
    DATA = 1
    """Read from a tensor: `B, T, C = x.shape`, a shape comment, an annotation."""
    CONFIG = 2
    """A constructor parameter or a field of a config object."""


class Symbol:
    """An unknown int with an identity: two symbols are the same only if they are one object.

    `least` is the smallest value that it can have: 1 for sizes, since rules about dims of size 0
    would only add noise. `choices` are the values that it is one of, if a reader knows them.
    `comments` is the number of comments that say of a value that it has this size: 0 if the program
    itself has it. `varies` says that it stands for the sizes of several rounds of a loop, `of_row`
    that its label is a letter of a row that says no more than its place: `a, b, c = x.shape`.
    """

    __slots__ = ("choices", "comments", "label", "least", "of_row", "origin", "serial", "varies")

    def __init__(self, label: str, origin: Origin = Origin.DATA, least: int = 1) -> None:
        self.label: str = label
        self.origin: Origin = origin
        self.least: int = least
        self.serial: int = next(_serials)
        self.choices: tuple[Any, ...] = ()
        self.comments: int = 0
        self.varies: bool = False
        self.of_row: bool = False

    def __repr__(self) -> str:
        return f"<{self.label}>"

    def __str__(self) -> str:
        return _show_symbol(self)


def youngest() -> int:
    """The largest serial so far: every symbol made from here on has a larger one."""
    return Symbol("").serial


@mypyc_attr(native_class=False)  # so that there are weak references to it
class Opaque:
    """A function of sizes that has no polynomial form, such as `T // 2`.

    The same operands give the same atom.
    """

    __slots__ = ("__weakref__", "function", "length", "operands", "serial")

    def __init__(self, function: str, operands: tuple[Size, ...], length: int) -> None:
        self.function: str = function
        self.operands: tuple[Size, ...] = operands
        self.length: int = length
        """Its length as `length_of` counts it, operands included."""
        self.serial: int = next(_serials)

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        return _show_opaque(self, _DEEPEST)


Atom: TypeAlias = "Symbol | Opaque"
Monomial: TypeAlias = "tuple[tuple[Atom, int], ...]"

_opaque: WeakValueDictionary[tuple[str, tuple[Size, ...]], Opaque] = WeakValueDictionary()


class Polynomial(Symbolic):
    """A sum of monomials in normal form: equal polynomials compare equal and have the same hash."""

    __slots__ = ("_hash", "_plain", "_symbols", "terms")

    terms: Final[tuple[tuple[Monomial, int], ...]]

    def __init__(self, terms: tuple[tuple[Monomial, int], ...]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._plain: Symbol | Literal[False] | None = False
        """The answer of `plain_symbol`; False before the first call."""
        self._symbols: frozenset[Symbol] | None = None

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Polynomial:
            return False
        # Most sizes are one symbol, and are compared with many others.
        ours, theirs = plain_symbol(self), plain_symbol(other)
        if ours is not None or theirs is not None:
            return ours is theirs
        return self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self.terms)
        return self._hash

    def __repr__(self) -> str:
        return f"`{self}`"

    def __str__(self) -> str:
        return _show(self, _DEEPEST)

    def _shown(self) -> list[tuple[Monomial, int]]:
        """Terms in reading order: positive ones before negative ones, higher degrees first."""
        return sorted(self.terms, key=lambda t: (t[1] < 0, -sum(e for _, e in t[0])))

    @property
    def opaque(self) -> bool:
        """Whether an atom is opaque, so that the size may have any value."""
        return any(isinstance(atom, Opaque) for monomial, _ in self.terms for atom, _ in monomial)

    def symbols(self) -> frozenset[Symbol]:
        """Every symbol in it, also those inside opaque atoms."""
        if self._symbols is not None:
            return self._symbols
        atoms: set[Symbol] = set()
        for monomial, _ in self.terms:
            for atom, _ in monomial:
                if isinstance(atom, Symbol):
                    atoms.add(atom)
                else:
                    for operand in atom.operands:
                        atoms |= symbols(operand)
        self._symbols = frozenset(atoms)
        return self._symbols


_DEEPEST: Final = 6
"""How deep nested functions of sizes are written out; anything deeper is shown as `?`."""


def _show(size: Size, depth: int) -> str:
    if not isinstance(size, Polynomial):
        return str(size)
    if depth < 0:
        return "?"
    texts = {
        atom: _show_symbol(atom) if isinstance(atom, Symbol) else _show_opaque(atom, depth)
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


def _show_symbol(atom: Symbol) -> str:
    """Its label as a program writes it: an element of a config is an attribute of a kind.

    `_` names a size that the program has no use for, and so no size for a reader.
    """
    return atom.label.replace(".[", "[") if atom.label.strip("_") else "?"


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
        right = _within_product(shown[1]) if function == "*." else _as_divisor(shown[1])
        text = f"{_within_product(shown[0])}{function.removesuffix('.')}{right}"
        return f"({text})" if function in ("//", "%") else text
    if "?" in shown:
        return "?"
    if function == "int" and isinstance(plain_symbol(operands[0]), Symbol):
        return shown[0]
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


def _as_divisor(text: str) -> str:
    """A right operand of a division: `a/2*b` would be half of `a*b`."""
    enclosed = text[:1] == "(" and text.find(")") == len(text) - 1
    return f"({text})" if not enclosed and any(sign in text for sign in " */%") else text


def symbol(label: str, origin: Origin = Origin.DATA, least: int = 1) -> Polynomial:
    """A new symbolic size called `label`.

    Every call makes another symbol, even for the same label.
    """
    return of_atom(Symbol(label, origin, least))


def of_symbol(atom: Symbol) -> Polynomial:
    """The size that is this symbol."""
    return of_atom(atom)


def of_atom(atom: Atom) -> Polynomial:
    """The size that is this atom."""
    return Polynomial(((((atom, 1),), 1),))


def opaque(function: str, *operands: Size) -> Size:
    """The size `function(*operands)`, which is known to equal only itself.

    UNKNOWN if an operand is, or if it is longer than `LONGEST`.
    """
    if any(operand is UNKNOWN for operand in operands):
        return UNKNOWN
    key = (function, operands)
    atom = _opaque.get(key)
    if atom is None:
        length = 1 + sum([length_of(terms_of(operand)) for operand in operands])
        if length > LONGEST:
            return give_up()
        atom = _opaque[key] = Opaque(function, operands, length)
    return of_atom(atom)


def symbols(size: Size) -> frozenset[Symbol]:
    """The symbols that `size` depends on."""
    return size.symbols() if isinstance(size, Polynomial) else frozenset()


def in_order(atoms: Iterable[Symbol]) -> list[Symbol]:
    """Symbols in the order in which they were made, which a set of them does not keep."""
    return sorted(atoms, key=lambda atom: atom.serial)


Terms: TypeAlias = "dict[Monomial, int]"


def terms_of(size: Size) -> tuple[tuple[Monomial, int], ...]:
    """The terms of a size that is not UNKNOWN."""
    if isinstance(size, Polynomial):
        return size.terms
    assert isinstance(size, int)
    return (((), size),) if size else ()


def length_of(terms: Iterable[tuple[Monomial, int]]) -> int:
    """The length of these terms, written out in full.

    It is one for each term and each of its factors (a power counts as often as its exponent), and
    the lengths of opaque factors and large numbers.
    """
    length = 0
    for monomial, coefficient in terms:
        length += 1
        if not -SHORT < coefficient < SHORT:
            length += coefficient.bit_length() // BITS
        for atom, exponent in monomial:
            times = exponent if exponent > 0 else -exponent
            length += times * atom.length if isinstance(atom, Opaque) else times
    return length


def normal_form(terms: Terms) -> Size:
    """The size that is the sum of these terms; UNKNOWN if it is longer than `LONGEST`."""
    nonzero = [term for term in terms.items() if term[1]]
    if not nonzero:
        return 0
    if length_of(nonzero) > LONGEST:
        return give_up()
    if len(nonzero) == 1:
        if not nonzero[0][0]:
            return nonzero[0][1]
    else:
        nonzero.sort(key=_monomial_key)
    return Polynomial(tuple(nonzero))


def _monomial_key(term: tuple[Monomial, int]) -> list[tuple[int, int]]:
    return [(atom.serial, exponent) for atom, exponent in term[0]]


def multiply_monomials(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    if not left:
        return right
    if not right:
        return left
    exponents = dict(left)
    for atom, exponent in right:
        exponents[atom] = exponents.get(atom, 0) + exponent
    return monomial_of([power for power in exponents.items() if power[1]])


def monomial_of(powers: list[tuple[Atom, int]]) -> Monomial:
    """The product of powers of different atoms; sorted, so that equal products compare equal."""
    if len(powers) > 1:
        powers.sort(key=_serial)
    return tuple(powers)


def _serial(power: tuple[Atom, int]) -> int:
    return power[0].serial


def concrete(size: Size) -> int | Polynomial:
    """A size that is not UNKNOWN, with the type that says so."""
    assert isinstance(size, int) or isinstance(size, Polynomial)
    return size


EXACTLY: Final = "/"
"""The function of a quotient that is known to be exact: times the divisor it is the dividend again,
which `C // 8 * 8` need not be.
"""


def known_size(size: Size) -> int | Polynomial | None:
    """The size; None if it is UNKNOWN."""
    return size if isinstance(size, int) or isinstance(size, Polynomial) else None


def is_quotient(size: Size) -> bool:
    """Whether a size is an exact quotient, such as the size that a -1 stands for."""
    return isinstance(size, Polynomial) and any(
        exponent < 0 or (isinstance(atom, Opaque) and atom.function == EXACTLY)
        for monomial, _ in size.terms
        for atom, exponent in monomial
    )


def plain_symbol(size: Size) -> Symbol | None:
    """The symbol that `size` is; None if it is anything else."""
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
