"""einsum letters and einops patterns: how many dims an operand has, and what they are called.

A tensor of unknown rank learns its rank from the pattern that rearranges it; unknown sizes become
symbols with the names of the letters. The op's rule says whether the pattern fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from namecheck.analysis.state import reasons
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.values import Anything, Constant, Tensor, Value
from namecheck.analysis.usage.different_sizes import presume_apart
from namecheck.analysis.usage.letters import Letters, Order, Reading
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Size, known_dims
from namecheck_runtime.notation.patterns import (
    Group,
    read_einops,
    read_einops_einsum,
    read_einsum,
)
from namecheck_runtime.notation.syntax import NotationError, WrittenShape

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

PATTERN: Final = "pattern"
EQUATION: Final = "equation"
MIXED: Final = "tensors_and_pattern"
PARAMETERS: Final = frozenset({PATTERN, EQUATION, MIXED})
"""What rules call the parameter that holds a pattern."""


def teach(
    ev: Evaluator,
    names: Sequence[str],
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    node: int,
) -> Reading | None:
    """Let the operands of a call learn their dims from its pattern.

    Returns how the pattern reads them, None if there is none or it cannot be read.
    """
    kind = next((name for name in names if name in PARAMETERS), None)
    if kind is None:
        return None
    values = [ev.resolve(argument.value) for argument in arguments]
    words = values if kind != PATTERN else values[names.index(kind) : names.index(kind) + 1]
    written = [v.value for v in words if isinstance(v, Constant) and isinstance(v.value, str)]
    operands = [a for a, v in zip(arguments, values, strict=True) if not isinstance(v, Constant)]
    if PATTERN in keywords:
        pattern_value = ev.resolve(keywords[PATTERN].value)
        if isinstance(pattern_value, Constant) and isinstance(pattern_value.value, str):
            written.append(pattern_value.value)
    if len(written) != 1 or not operands:
        return None
    text = written[0]
    try:
        if kind == PATTERN:
            lengths = {name: _size(ev, argument) for name, argument in keywords.items()}
            groups, left, right, split, merged = _sides(text)
            by_groups(ev, operands[0].value, groups, lengths, node)
            return Reading(text, ((operands[0], left),), right, lengths, split, merged)
        equation = (read_einsum if kind == EQUATION else read_einops_einsum)(text)
        read = zip(operands, map(_of_shape, equation.operands), strict=False)
        reading = Reading(
            text, tuple(read), _of_shape(equation.result), {}, indices=kind == EQUATION
        )
        for operand, shape in zip(operands, equation.operands, strict=False):
            _by_letters(ev, operand.value, shape, node, named=not reading.counts)
        return reading
    except NotationError:
        return None


@lru_cache(maxsize=1024)
def _sides(
    text: str,
) -> tuple[Sequence[Group], Letters, Letters, tuple[Order, ...], tuple[Order, ...]]:
    """The groups on the left of an einops pattern, and what both sides call dims and merge."""
    pattern = read_einops(text)
    left, right = pattern.left.groups, pattern.right.groups
    return left, _of_groups(left), _of_groups(right), _orders(left), _orders(right)


def _orders(groups: Sequence[Group]) -> tuple[Order, ...]:
    """The letters of each parenthesis that holds several of them, and nothing else."""
    orders = []
    for group in groups:
        letters = tuple(dim.term for dim in group.dims if isinstance(dim.term, str))
        plain = len(letters) == len(group.dims) and not any(dim.many for dim in group.dims)
        if plain and len(letters) > 1 and len(set(letters)) == len(letters):
            orders.append(letters)
    return tuple(orders)


def _of_groups(groups: Sequence[Group]) -> Letters:
    return tuple(
        group.dims[0].term if len(group.dims) == 1 and isinstance(group.dims[0].term, str) else None
        for group in groups
    )


def _of_shape(shape: WrittenShape) -> Letters:
    return tuple(dim.term if isinstance(dim.term, str) else None for dim in shape.dims)


def _size(ev: Evaluator, argument: Argument) -> Size:
    return as_size(ev, argument.value)


def _symbol(ev: Evaluator, node: int, name: str, named: bool = True, first: bool = True) -> Size:
    # A `b` behind the first dim is no batch, but whatever the operand has there.
    origin = sizes.Origin.FRESH if not first and name.lower() in BATCH else sizes.Origin.DATA
    symbol = ev.frame.symbol((node, "letter", name), name if named else "?", origin)
    ev.roles.add_letters(symbol)
    if named:
        reasons.named(ev, symbol)
    return symbol


def by_groups(
    ev: Evaluator,
    operand: Value,
    groups: Sequence[Group],
    lengths: Mapping[str, Size],
    node: int,
) -> None:
    """Give a tensor the dims of one side of an einops pattern."""
    if any(dim.many for group in groups for dim in group.dims):
        return
    group_sizes: list[Size] = []
    for group in groups:
        parts: list[Size] = []
        for dim in group.dims:
            if isinstance(dim.term, int):
                parts.append(dim.term)
            elif isinstance(dim.term, str):
                length = lengths.get(dim.term, UNKNOWN)
                parts.append(_symbol(ev, node, dim.term) if length is UNKNOWN else length)
            else:
                parts.append(UNKNOWN)
        group_sizes.append(sizes.product(parts))
    computed = isinstance(ev.resolve(operand), Tensor)
    new_sizes = _give(ev, operand, group_sizes)
    _remember(ev, operand)
    outside = {atom for size in lengths.values() for atom in sizes.symbols(size)}
    letters = {atom for size in new_sizes for atom in sizes.symbols(size)} - outside
    if not computed:
        # Two letters of einops are two sizes, as names that are unpacked together are. Letters of
        # einsum may belong to one square matrix that stands in it twice, and a computed operand may
        # be square.
        ordered = sizes.in_order(letters)
        presume_apart(ev, ((atom.label, sizes.of_symbol(atom)) for atom in ordered))


def _by_letters(ev: Evaluator, operand: Value, shape: WrittenShape, node: int, named: bool) -> None:
    if any(dim.many for dim in shape.dims):
        return
    _give(
        ev,
        operand,
        [
            _symbol(ev, node, dim.term, named, index == 0) if isinstance(dim.term, str) else UNKNOWN
            for index, dim in enumerate(shape.dims)
        ],
    )


def _give(ev: Evaluator, operand: Value, letter_sizes: Sequence[Size]) -> list[Size]:
    """Give an operand the sizes that it does not have yet; these are returned."""
    operand = ev.resolve(operand)
    if not isinstance(operand, (Tensor, Anything)):
        return []
    shape = operand.shape if isinstance(operand, Tensor) else UNKNOWN
    known = known_dims(shape)
    if len(known) > len(letter_sizes) or (
        isinstance(shape, tuple) and len(known) != len(letter_sizes)
    ):
        return []
    dims: list[Dim] = []
    new_sizes: list[Size] = []
    for index, size in enumerate(letter_sizes):
        place = index - len(letter_sizes)
        dim = known[place] if -place <= len(known) else Dim(UNKNOWN, UNKNOWN)
        if dim.size is UNKNOWN:
            new_sizes.append(size)
            dim = Dim(dim.name, size, dim.trace)
        else:
            _name_after(ev, dim.size, size)
        dims.append(dim)
    filled: Dims = tuple(dims)
    if filled != shape:
        ev.give_shape(operand, filled)
    return new_sizes


def _remember(ev: Evaluator, operand: Value) -> None:
    """Remember which sizes stand in one tensor."""
    tensor = ev.resolve(operand)
    if isinstance(tensor, Tensor) and isinstance(tensor.shape, tuple):
        ev.roles.add_shape(tensor.shape)


def _name_after(ev: Evaluator, nameless: Size, letter: Size) -> None:
    """Give a size without a name the name of its letter."""
    atom, name = sizes.plain_symbol(nameless), sizes.plain_symbol(letter)
    if atom is not None and name is not None and atom.label == "?":
        atom.label = name.label
        ev.roles.add_letters(nameless)
