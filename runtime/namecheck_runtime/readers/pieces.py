"""What each piece of a tensor is where a rule cannot tell how many there are.

`x.chunk(3, dim=1)` of a dim whose size is not known gives three pieces if it gives what is asked
for, and all other dims are whole. So the rule is asked again, about a dim of a size that it can
cut; what it says of that dim is then forgotten. Which ops cut is the rulebook's business: they are
those that return shapes.
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
"""Parameters that say how long each is."""

AXES: Final = frozenset({"dim", "axis"})


class Pieces(NamedTuple):
    """What a tensor is cut into."""

    each: Shape
    """What every piece is."""
    all: tuple[Shape, ...] | None
    """The pieces, if it is known how many there are."""
    along: tuple[Any, int] | None = None
    """Of slices one by one: the shape that is sliced, and at which dim."""


def parts(
    asked: Sequence[Any], keywords: Mapping[str, Any], names: Sequence[str]
) -> tuple[Any, int, int] | None:
    """What is cut into how many equal parts, and along which dim; None where that is not said."""
    given, axis = _given(asked, keywords, names)
    count = next((given[name] for name in given if name in COUNTS), None)
    if not asked or not isinstance(axis, int) or not isinstance(count, int):
        return None
    return asked[0], count, axis


def _given(
    asked: Sequence[Any], keywords: Mapping[str, Any], names: Sequence[str]
) -> tuple[dict[str, Any], Any]:
    """The arguments by name, and the dim among them."""
    given = {**dict(zip(names, asked, strict=False)), **keywords}
    return given, next((given[name] for name in given if name in AXES), 0)


def pieces_of(
    spelling: Spelling, asked: Sequence[Any], keywords: Mapping[str, Any], names: Sequence[str]
) -> Pieces | None:
    """The pieces that an op cuts its first argument into; None where nothing can be said.

    `names` are the parameters that the positional arguments stand for.
    """
    given, axis = _given(asked, keywords, names)
    count = next((given[name] for name in given if name in COUNTS), None)
    length = next((given[name] for name in given if name in LENGTHS), 1)
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
        forgotten = _of_size(piece, axis, UNKNOWN)
        if forgotten is None:
            return None
        piece = forgotten
    if count is None:
        whole = asked[0]
        slices = isinstance(whole, tuple) and len(known_dims(piece)) < len(whole)
        return Pieces(piece, None, (whole, axis % len(whole)) if slices else None)
    lengths = _lengths(asked[0], axis, size)
    return Pieces(piece, tuple(_of_size(piece, axis, one) or piece for one in lengths))


def _place_of(shape: Any, name: str) -> int | None:
    """Where the dim of a name is, counted from the right."""
    dims = known_dims(shape)
    return next((k - len(dims) for k, dim in enumerate(dims) if dim.name == name), None)


def _lengths(shape: Any, axis: int, count: int) -> list[Size]:
    """How long each of so many pieces is: of a width that a model is built with, the last one has
    what is left over.
    """
    dims = known_dims(shape)
    within = -len(dims) <= axis < (len(dims) if isinstance(shape, tuple) else 0)
    whole = dims[axis].size if within else UNKNOWN
    atoms = sizes.symbols(whole)
    if not atoms or any(atom.origin is not sizes.Origin.CONFIG for atom in atoms):
        return [UNKNOWN] * count
    one = sizes.ceil_divide(whole, count)
    return [one] * (count - 1) + [sizes.subtract(whole, sizes.multiply(count - 1, one))]


def _of_size(shape: Any, axis: int, size: Any) -> Shape | None:
    """The shape with another size at one dim; None when it is not known where that is."""
    dims = known_dims(shape)
    if isinstance(shape, Trailing) and -len(dims) - 1 <= axis < 0:
        dims = (*(Dim(UNKNOWN, UNKNOWN) for _ in range(-axis - len(dims))), *dims)
    elif not isinstance(shape, tuple) or not -len(dims) <= axis < len(dims):
        return None
    place = axis % len(dims)
    made = (*dims[:place], Dim(dims[place].name, size), *dims[place + 1 :])
    return made if isinstance(shape, tuple) else trailing(made)
