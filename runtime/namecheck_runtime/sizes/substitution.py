"""Sizes with other sizes in place of their symbols, or without their rounding."""

from __future__ import annotations

from namecheck_runtime.lattice import Size
from namecheck_runtime.sizes.arithmetic import (
    add,
    ceil_divide,
    divide_exactly,
    floor_divide,
    maximum,
    minimum,
    modulo,
    multiply,
)
from namecheck_runtime.sizes.polynomials import (
    EXACTLY,
    Atom,
    Opaque,
    Polynomial,
    Symbol,
    of_atom,
    of_symbol,
    opaque,
    plain_symbol,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Final


def without_quotients(
    all_sizes: Iterable[Size],
) -> tuple[dict[Symbol, Size], dict[Symbol, Size]]:
    """Two substitutions: one that turns quotients into symbols, and one that undoes it.

    For `D/h`, `D` becomes `h` times a new symbol. Only quotients of a single symbol are replaced;
    others stay as they are.
    """
    values: dict[Symbol, Size] = {}
    back: dict[Symbol, Size] = {}
    for unchanged in all_sizes:
        size = substitute(unchanged, values)
        quotient = _dividend_and_divisor(size)
        if quotient is None:
            continue
        dividend, divisor = quotient
        piece = Symbol(f"{dividend.label}/.", dividend.origin)
        back[piece] = substitute(divide_exactly(of_symbol(dividend), divisor), back)
        changes = {dividend: multiply(of_symbol(piece), divisor)}
        values = {atom: substitute(value, changes) for atom, value in values.items()}
        values.update(changes)
    return values, back


def _dividend_and_divisor(size: Size) -> tuple[Symbol, Size] | None:
    """The symbol and the divisor of a size that is an exact quotient, perhaps times a number."""
    if not isinstance(size, Polynomial) or len(size.terms) != 1:
        return None
    monomial = size.terms[0][0]
    above = [(atom, exponent) for atom, exponent in monomial if exponent > 0]
    if len(above) != 1 or above[0][1] != 1:
        return None
    atom = above[0][0]
    if isinstance(atom, Opaque):
        dividend = plain_symbol(atom.operands[0]) if atom.function == EXACTLY else None
        return None if dividend is None or len(monomial) > 1 else (dividend, atom.operands[1])
    if len(monomial) == 1 or any(isinstance(other, Opaque) for other, _ in monomial):
        return None
    return atom, Polynomial(((tuple((a, -e) for a, e in monomial if e < 0), 1),))


def substitute(size: Size, values: Mapping[Symbol, Size]) -> Size:
    """`size` in normal form with symbols replaced, also inside opaque atoms."""
    if not isinstance(size, Polynomial) or values.keys().isdisjoint(size.symbols()):
        return size
    plain = plain_symbol(size)
    if plain is not None:
        return values[plain]
    return _rebuild(size, lambda atom: _substitute_atom(atom, values))


def _rebuild(size: Polynomial, replace: Callable[[Atom], Size]) -> Size:
    """`size` computed again in normal form, with each of its atoms replaced."""
    result: Size = 0
    for monomial, coefficient in size.terms:
        term: Size = coefficient
        divisor: Size = 1
        for atom, exponent in monomial:
            factor = replace(atom)
            for _ in range(abs(exponent)):
                if exponent > 0:
                    term = multiply(term, factor)
                else:
                    divisor = multiply(divisor, factor)
        result = add(result, term if divisor == 1 else divide_exactly(term, divisor))
    return result


_FUNCTIONS: Final[dict[str, Callable[[Size, Size], Size]]] = {
    "//": floor_divide,
    EXACTLY: divide_exactly,
    "%": modulo,
    "min": minimum,
    "max": maximum,
    "ceil_div": ceil_divide,
}


def _substitute_atom(atom: Atom, values: Mapping[Symbol, Size]) -> Size:
    if isinstance(atom, Symbol):
        return values.get(atom, of_atom(atom))
    operands = tuple(substitute(operand, values) for operand in atom.operands)
    if operands == atom.operands:
        return of_atom(atom)
    compute = _FUNCTIONS.get(atom.function)
    return compute(*operands) if compute is not None else opaque(atom.function, *operands)


_UNROUNDED: Final[dict[str, Callable[[Size, Size], Size]]] = {
    "//": divide_exactly,
    "ceil_div": divide_exactly,
    EXACTLY: divide_exactly,
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
        return of_atom(atom)
    operands = [unrounded(operand) for operand in atom.operands]
    if atom.function == "int":
        return operands[0]
    compute = _UNROUNDED.get(atom.function)
    if compute is not None and len(operands) == 2:
        return compute(*operands)
    return opaque(atom.function, *operands)
