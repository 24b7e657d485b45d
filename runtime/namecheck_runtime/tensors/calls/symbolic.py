"""Answers of rules for all sizes at once: of calls that differ in sizes alone, one asks the rule.

The sizes of a call become symbols, equal ones the same, and the rule is asked about these.  It is a
rule for a checker, which stays silent where a size may be too large.  So the answer serves only ops
whose declaration says that they compare sizes with each other at most (`compares_alone`), calls
whose numbers are dims, and answers without duties or doubts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from namecheck_runtime.declare import Memory, Op, Spelling, Unbindable, bind
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import MOST_DIMS, Dim, Size
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.sizes import Origin, Polynomial, Symbol, symbol
from namecheck_runtime.tensors.calls.operands import for_rules, is_dims
from namecheck_runtime.tensors.calls.plans import is_by_value
from namecheck_runtime.tensors.object import Tensor

_LEAST: Final = 2
"""The smallest size that becomes a symbol: 0 and 1 are cases of their own."""
_NUMBERS: Final = frozenset({int, float, complex})
_DIMS: Final = range(-MOST_DIMS, MOST_DIMS)
"""The numbers that may be positions of dims."""
_EFFECTS: Final = frozenset({"sum", "extent", "mean", "spread", "softmax", "unit", "contraction"})


def compares_alone(op: Op) -> bool:
    """Whether a rule compares sizes with each other at most, not with numbers or for their order.

    Elementwise ops, reductions and sums of products do, and those that keep their operands' order.
    """
    by_element = (Memory.POINTWISE, Memory.SAME, Memory.FOLLOWS)
    return (op.memory in by_element or op.effect in _EFFECTS) and not op.subscript


def takes_dims(op: Op) -> bool:
    """Whether some numbers among the arguments of an op are dims."""
    takes = {word for rule in op.rules for parameter in rule.parameters for word in parameter.takes}
    return not takes.isdisjoint(("DimRef", "DimRefs"))


Pattern = tuple[tuple[Any, ...], tuple[int, ...]]
"""A key that is equal for calls that differ in sizes alone, and the sizes that are different."""


def pattern_of(
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    loose: frozenset[int | str],
    has_dims: bool,
) -> Pattern | None:
    """The pattern of a call; None for one whose order in memory or whose sizes are special.

    The values of numbers do not count in the places that are `loose`, see `plans.key_of`; in others
    there are none, unless the op `has_dims` as arguments.
    """
    sizes: dict[int, int] = {}
    key: list[Any] = []
    for place, value in enumerate(arguments):
        if place in loose and value.__class__ in _NUMBERS:
            key.append(value.__class__)
        elif not has_dims and value.__class__ in _NUMBERS:
            return None
        elif not _add(key, sizes, value):
            return None
    for name, value in keywords.items():
        key.append(name)
        if name in loose and value.__class__ in _NUMBERS:
            key.append(value.__class__)
        elif not _add(key, sizes, value):
            return None
    return tuple(key), tuple(sizes)


def _add(key: list[Any], sizes: dict[int, int], value: Any) -> bool:
    """Add an argument to the key of a pattern; whether it has one."""
    kind = value.__class__
    if kind is Tensor:
        array = value._array
        if value._rest is not None or not array.flags.c_contiguous:
            return False
        key.append(value._names)
        key.append(array.dtype)
        for size in array.shape:
            if size < _LEAST:
                return False
            key.append(sizes.setdefault(size, len(sizes)))
        return True
    if kind is tuple or kind is list:
        key += (kind, len(value))
        return all(_add(key, sizes, entry) for entry in value)
    key += (kind, value)
    return is_by_value(kind) and (kind not in _NUMBERS or value in _DIMS)


Term = int | tuple[tuple[tuple[int, int], ...], int]
"""A size of a result: one of the sizes of the call, by its place, or a sum of multiples of them
(each with its place) and a number.
"""


class SymbolicAnswer:
    """The dims of a result, or of several, from the sizes of a call."""

    __slots__ = ("_results", "_several")

    def __init__(self, results: list[list[tuple[Any, Term]]], several: bool) -> None:
        self._results = results
        self._several = several

    def dims(self, sizes: tuple[int, ...]) -> Any:
        """The dims for some sizes, as the rule answers them."""
        results = tuple(
            [
                tuple(
                    [
                        Dim(name, sizes[term] if term.__class__ is int else _total(term, sizes))
                        for name, term in dims
                    ]
                )
                for dims in self._results
            ]
        )
        return results if self._several else results[0]


def _total(term: Any, sizes: tuple[int, ...]) -> int:
    factors, number = term
    total: int = number
    for factor, place in factors:
        total += factor * sizes[place]
    return total


def symbolic_answer(
    spelling: Spelling,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    sizes: tuple[int, ...],
    dims: Any,
) -> SymbolicAnswer | None:
    """The answer for all calls of the pattern of one whose result has some dims.

    `keywords` have PyTorch's names.  None if the rule answers more than dims, or other ones.
    """
    symbols = {size: symbol(f"n{place}", Origin.DATA, _LEAST) for place, size in enumerate(sizes)}
    seen = [_with_symbols(argument, symbols) for argument in arguments]
    named = {name: _with_symbols(value, symbols) for name, value in keywords.items()}
    try:
        bound = bind(spelling, seen, named)
        if bound is None:
            return None
        for parameter in bound.rule.parameters:
            value = bound.values.get(parameter.name)
            are_dims = not {"DimRef", "DimRefs", "Operand"}.isdisjoint(parameter.takes)
            if not are_dims and value != parameter.default and _has_numbers(value):
                return None
        answer = infer(spelling, seen, named, bound, bounded=False)
    except (Mistake, Unbindable):
        return None
    if answer.duties or answer.doubts or answer.limit:
        return None
    result = answer.result
    shapes = (result,) if is_dims(result) else result
    if not isinstance(shapes, tuple) or not all(map(is_dims, shapes)):
        return None
    places = {size: place for place, size in enumerate(symbols.values())}
    results: list[list[tuple[Any, Term]]] = []
    for shape in shapes:
        terms = [(dim.name, _term_of(dim.size, places)) for dim in shape]
        if any(term is None for _, term in terms):
            return None
        results.append(terms)  # type: ignore[arg-type]
    known = SymbolicAnswer(results, shapes is result)
    return known if known.dims(sizes) == dims else None


def _with_symbols(value: Any, symbols: Mapping[int, Polynomial]) -> Any:
    """An argument as rules take it, with symbols in place of the sizes of tensors."""
    if value.__class__ is Tensor:
        sizes = value._array.shape
        return tuple([Dim(n, symbols[size]) for n, size in zip(value._names, sizes, strict=True)])
    if value.__class__ is tuple or value.__class__ is list:
        return value.__class__([_with_symbols(entry, symbols) for entry in value])
    return for_rules(value)


def _has_numbers(value: Any) -> bool:
    """Whether a value is a number or contains one; the dims of tensors do not count."""
    if isinstance(value, (tuple, list)):
        return any(map(_has_numbers, value))
    return value.__class__ in _NUMBERS


def _term_of(size: Size, places: Mapping[Any, int]) -> Term | None:
    """A size of a result as a term; None if it is not a sum."""
    if isinstance(size, int):
        return ((), size)
    place = places.get(size)
    if place is not None:
        return place
    if not isinstance(size, Polynomial):
        return None
    by_symbol = {atom: place for known, place in places.items() for atom in known.symbols()}
    factors: list[tuple[int, int]] = []
    number = 0
    for monomial, factor in size.terms:
        if not monomial:
            number = factor
        elif len(monomial) == 1 and monomial[0][1] == 1 and isinstance(monomial[0][0], Symbol):
            factors.append((factor, by_symbol[monomial[0][0]]))
        else:
            return None
    return tuple(factors), number
