"""The role of a size in the shapes that have it: positions, the width of a layer, a part of it.

Positions are what a tensor holds beside its batch and its one width: `n` of `b n (h d)` where `h*d`
is configured, `h` and `w` of an image. They may be as many as a width is (layers that mix
positions), but not as many as there are heads, nor as a head is wide. And a width that layers
normalise over, or that is divided among heads, is not 1. An op that requires the opposite is wrong,
though the sizes alone do not contradict it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.state.independence import is_configured
from namecheck.analysis.state.values import NONE, Tensor
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Shape, Size, known_dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.broadcasts import SizeMismatch
from namecheck_runtime.mistakes.dims import BadPattern
from namecheck_runtime.mistakes.sizes import ContractionSize, ForcedLiteral, LayerSize
from namecheck_runtime.sizes import Origin, Polynomial, Symbol, of_symbol, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def is_width(ev: Evaluator, size: Size) -> bool:
    """Whether a size is a configured width that is never 1.

    A layer normalises over it, or it is divided among heads.
    """
    atom = plain_symbol(size)
    if atom is None or atom.origin is not Origin.CONFIG:
        return False
    if atom not in ev.roles.wide and not ev.independence.is_divided(atom):
        return False
    return ev.independence.default_of(atom) != 1


def forces_one(ev: Evaluator, left: Size, right: Size, mistake: Mistake) -> bool:
    """Whether two sizes are equal only if a width that is never 1 is 1.

    Or only if the number of heads that a pattern is given is 1.
    """
    left, right = ev.facts.representative(left), ev.facts.representative(right)
    for one, other in ((left, right), (right, left)):
        if one != 1:
            continue
        if is_width(ev, other):
            return True
        if isinstance(mistake, BadPattern) and plain_symbol(other) is not None:
            return ev.independence.is_part(other)
    return False


def oppose(ev: Evaluator, left: Size, right: Size, mistake: Mistake) -> bool:
    """Whether positions would have to be as many as a part of the width."""
    if isinstance(mistake, BadPattern):
        pair = [left, right]
        if any(plain_symbol(size) is None for size in pair):
            return False
    elif isinstance(mistake, LayerSize):
        # `heads*n` for `heads*dim_head`; `n` alone may be what a layer mixes, and `4*n` has the
        # width of four neighbours: no heads say that the other factor is a part of a width.
        pair = list(sizes.sides(left, right))
        if len(pair) != 2 or left in pair or right in pair:
            return False
        involved = sizes.symbols(left) | sizes.symbols(right)
        if involved == sizes.symbols(pair[0]) | sizes.symbols(pair[1]):
            return False
    else:
        return False
    for mine, other in (pair, pair[::-1]):
        atom = plain_symbol(mine)
        if atom is not None and ev.independence.is_part(other):
            if _is_position(ev, atom) and not _may_mean(atom, other):
                return True
    return False


def _is_position(ev: Evaluator, atom: Symbol) -> bool:
    """Whether a size read from data stood, behind the first dim, beside one configured width.

    That is a product of heads, or no part of any other width; in four dims with the width at
    the end it has to be a product, since the `h` of `b h n d` is not a position.
    """
    shape = tuple(map(ev.facts.representative, ev.roles.shapes.get(atom, ())))
    mine = ev.facts.representative(of_symbol(atom))
    if mine not in shape[1:] or shape[0] == mine:
        return False
    widths = [k for k, s in enumerate(shape) if isinstance(s, Polynomial) and is_configured(s)]
    if len(widths) != 1 or any(isinstance(size, int) for size in shape):
        return False
    width = shape[widths[0]]
    if _is_area(width):
        return False
    if not _is_merged(width):
        if len(shape) > 3 and widths[0] == len(shape) - 1:
            return False
        return widths[0] > 0 and not ev.independence.is_part(width)
    return widths[0] > 0


def mix(ev: Evaluator, left: Size, right: Size, meeting: ContractionSize | SizeMismatch) -> bool:
    """Whether positions of one activation meet a part of the width of another.

    They do so in a sum over both, or side by side: a transpose was forgotten, or the operands are
    swapped. Positions are a size that was read together with one that is a layer's width; a part of
    the width is a factor of one, `head_dim` or `dim // heads`. Both sides have three dims or more,
    and the one with the part of the width has positions too, so it is not a parameter; or the one
    with the positions has that part as well. Where the other one has a batch, positions are not as
    many as the whole width is that they were read with.
    """
    operands = meeting.left, meeting.right
    if not all(isinstance(s, tuple) and len(s) > 2 for s in operands):
        return False
    for mine, other, own_shape, other_shape in (
        (left, right, *operands),
        (right, left, *operands[::-1]),
    ):
        atoms = _read_together(mine)
        if not atoms or not isinstance(mine, Polynomial):
            continue
        if _has_batch(ev, other_shape, atoms) and other in tuple(_widths_beside(ev, atoms)):
            return True
        if not ev.independence.is_part(other):
            continue
        if not _holds(ev, other_shape, mine) and not _holds(ev, own_shape, other):
            continue
        if all(_beside_width(ev, a) or _is_position(ev, a) for a in atoms):
            return True
    return False


def forces_configured(mistake: Mistake) -> bool:
    """Whether something fits only if a configured size is one certain number."""
    if not isinstance(mistake, ForcedLiteral):
        return False
    atoms = sizes.symbols(mistake.left_size) | sizes.symbols(mistake.right_size)
    return all(atom.origin is sizes.Origin.CONFIG for atom in atoms)


def _is_merged(size: Size) -> bool:
    """Whether a width is a product: heads, and the width of one."""
    if not isinstance(size, Polynomial) or len(size.terms) != 1:
        return False
    monomial = size.terms[0][0]
    return len(monomial) > 1 and all(exponent > 0 for _, exponent in monomial)


def _is_area(size: Size) -> bool:
    """Whether a size is a product of elements of one list: `resolution[0] * resolution[1]`.

    That is itself a number of positions.
    """
    labels = [atom.label.partition("[") for atom in sizes.symbols(size)]
    return (
        len(labels) > 1
        and len({root for root, _, _ in labels}) == 1
        and all(bracket for _, bracket, _ in labels)
    )


def _may_mean(atom: Symbol, part: Size) -> bool:
    """Whether a size has the name of the other one: `h` or `n_heads`, and `num_heads`."""
    mine = _words(atom)
    words = {word for one in sizes.symbols(part) for word in _words(one)}
    letter = atom.label[:1].lower()
    return bool(mine & words) or any(word.startswith(letter) for word in words)


def _words(atom: Symbol) -> set[str]:
    name = atom.label.lower().rpartition(".")[2]
    return set(name.split("_")) - {"num", "n"} if "_" in name else {name}


def _read_together(size: Size) -> list[Symbol]:
    """The sizes read from data that a number of positions is a product of: `H * W`."""
    if not isinstance(size, Polynomial) or len(size.terms) != 1 or size.opaque:
        return []
    monomial, coefficient = size.terms[0]
    if coefficient != 1 or any(exponent != 1 for _, exponent in monomial):
        return []
    atoms = [atom for atom, _ in monomial if isinstance(atom, Symbol)]
    return atoms if all(atom.origin is Origin.DATA for atom in atoms) else []


def _beside_width(ev: Evaluator, atom: Symbol) -> bool:
    """Whether a size was read together with one that has turned out to be a layer's width."""
    beside = (size for size in ev.facts.bound_with(atom) if isinstance(size, Polynomial))
    return any(map(is_configured, beside))


def _widths_beside(ev: Evaluator, atoms: Sequence[Symbol]) -> Iterator[Size]:
    """The configured sizes that were read together with these sizes.

    Or that are dims of a parameter of the function beside them.
    """
    for size in ev.facts.bound_with(atoms[0]):
        if isinstance(size, Polynomial) and is_configured(size):
            yield size
    frame = ev.frame
    positions = {of_symbol(atom) for atom in atoms}
    for parameter in frame.function.parameters if frame.function is not None else ():
        value = ev.resolve(frame.variables.get(parameter.name, NONE))
        if isinstance(value, Tensor) and isinstance(value.shape, tuple):
            held = {dim.size for dim in known_dims(ev.current(value.shape))}
            if positions <= held:
                yield from (s for s in held if isinstance(s, Polynomial) and is_configured(s))


def _has_batch(ev: Evaluator, shape: Shape, atoms: Sequence[Symbol]) -> bool:
    """Whether an operand has a dim that was read together with the positions.

    The batch is such a dim; a parameter of a module has none.
    """
    read = {size for size in ev.facts.bound_with(atoms[0]) if plain_symbol(size) not in atoms}
    for dim in known_dims(ev.current(shape)):
        atom = plain_symbol(dim.size)
        if atom is not None and atom.origin is Origin.DATA and dim.size in read:
            return True
    return False


def _holds(ev: Evaluator, shape: Shape, size: Size) -> bool:
    """Whether an operand has a dim of this size twice over what is contracted, or beside it."""
    return any(dim.size == size for dim in known_dims(ev.current(shape))[1:])


__all__ = ["forces_configured", "forces_one", "is_width", "mix", "oppose"]
