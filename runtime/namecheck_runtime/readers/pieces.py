"""The pieces of a tensor if a rule cannot say how many there are.

`x.chunk(3, dim=1)` of a dim of unknown size gives three pieces if it gives as many as requested,
and leaves all other dims as they are. So the rule is asked again, about a dim of a size that it can
cut, and its answer about that dim is ignored. The ops that cut are those whose rules return shapes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from namecheck_runtime import sizes
from namecheck_runtime.declare import Spelling, Unbindable
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Size, Trailing, known_dims, trailing
from namecheck_runtime.mistakes.base import Mistake

COUNTS: Final = frozenset({"chunks", "sections", "indices_or_sections"})
"""Parameters that say how many pieces there are."""

LENGTHS: Final = frozenset({"split_size", "split_size_or_sections"})
"""Parameters that say how long each piece is."""

AXES: Final = frozenset({"dim", "axis"})


class Pieces(NamedTuple):
    """The pieces that a tensor is cut into."""

    each: Shape
    """The shape of every piece."""
    all: tuple[Shape, ...] | None
    """The shapes of the pieces, if it is known how many there are."""
    along: tuple[Any, int] | None = None
    """If the pieces are slices at single indices: the shape that is sliced, and the dim."""


def parts(
    asked: Sequence[Any], keywords: Mapping[str, Any], names: Sequence[str]
) -> tuple[Any, int, int] | None:
    """The tensor that is cut, the number of equal pieces and the dim; None if not all are known."""
    arguments, axis = _named(asked, keywords, names)
    count = next((arguments[name] for name in arguments if name in COUNTS), None)
    if not asked or not isinstance(axis, int) or not isinstance(count, int):
        return None
    return asked[0], count, axis


def _named(
    asked: Sequence[Any], keywords: Mapping[str, Any], names: Sequence[str]
) -> tuple[dict[str, Any], Any]:
    """The arguments by name, and the dim among them."""
    arguments = {**dict(zip(names, asked, strict=False)), **keywords}
    return arguments, next((arguments[name] for name in arguments if name in AXES), 0)


def pieces_of(
    spelling: Spelling, asked: Sequence[Any], keywords: Mapping[str, Any], names: Sequence[str]
) -> Pieces | None:
    """The pieces that an op cuts its first argument into; None if they are not known.

    `names` are the parameters of the positional arguments.
    """
    arguments, axis = _named(asked, keywords, names)
    count = next((arguments[name] for name in arguments if name in COUNTS), None)
    length = next((arguments[name] for name in arguments if name in LENGTHS), 1)
    size = length if count is None else count
    if asked and isinstance(axis, str):
        axis = _place_of(asked[0], axis)
    if not asked or not isinstance(axis, int) or not isinstance(size, int) or size < 1:
        return None
    shape = _of_size(asked[0], axis, size)
    if shape is None:
        return None
    try:
        answer = infer(spelling, (shape, *asked[1:]), keywords)
    except (Mistake, Unbindable):
        return None
    if not isinstance(answer.result, tuple) or not answer.result:
        return None
    piece = answer.result[0]
    if len(known_dims(piece)) == len(known_dims(shape)):
        unsized = _of_size(piece, axis, UNKNOWN)
        if unsized is None:
            return None
        piece = unsized
    if count is None:
        tensor = asked[0]
        slices = isinstance(tensor, tuple) and len(known_dims(piece)) < len(tensor)
        return Pieces(piece, None, (tensor, axis % len(tensor)) if slices else None)
    lengths = _lengths(asked[0], axis, size)
    return Pieces(piece, tuple(_of_size(piece, axis, length) or piece for length in lengths))


def _place_of(shape: Any, name: str) -> int | None:
    """The position of the dim of a name, counted from the right; None if it has none."""
    dims = known_dims(shape)
    return next((k - len(dims) for k, dim in enumerate(dims) if dim.name == name), None)


def _lengths(shape: Any, axis: int, count: int) -> list[Size]:
    """The lengths of so many pieces.

    They are known only for a size that a model is configured with; the last piece has the rest.
    """
    dims = known_dims(shape)
    within = -len(dims) <= axis < (len(dims) if isinstance(shape, tuple) else 0)
    size = dims[axis].size if within else UNKNOWN
    atoms = sizes.symbols(size)
    if not atoms or any(atom.origin is not sizes.Origin.CONFIG for atom in atoms):
        return [UNKNOWN] * count
    length = sizes.ceil_divide(size, count)
    return [length] * (count - 1) + [sizes.subtract(size, sizes.multiply(count - 1, length))]


def _of_size(shape: Any, axis: int, size: Any) -> Shape | None:
    """The shape with another size at one dim; None if its position is not known."""
    dims = known_dims(shape)
    if isinstance(shape, Trailing) and -len(dims) - 1 <= axis < 0:
        dims = (*(Dim(UNKNOWN, UNKNOWN) for _ in range(-axis - len(dims))), *dims)
    elif not isinstance(shape, tuple) or not -len(dims) <= axis < len(dims):
        return None
    place = axis % len(dims)
    changed = (*dims[:place], Dim(dims[place].name, size), *dims[place + 1 :])
    return changed if isinstance(shape, tuple) else trailing(changed)
