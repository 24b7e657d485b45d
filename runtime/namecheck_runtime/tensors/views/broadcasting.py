"""Broadcasting as in XLA: the call places dims explicitly, and no rank is promoted silently.

`broadcast_in_dim` and `broadcast_dimensions=` say where each dim goes; within
`strict_broadcasting()` an op refuses operands of different ranks (NC209).  Source: XLA's
broadcasting semantics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from namecheck_runtime.infer import Answer
from namecheck_runtime.lattice import Dim
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.calls.operands import checked, dims_of, position_of
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.name_tuples import intern
from namecheck_runtime.tensors.views.showing import shown_at

STRICT: Final[ContextVar[bool]] = ContextVar("strict_broadcasting", default=False)
"""Whether ops refuse operands of different ranks."""


@contextmanager
def strict_broadcasting(strict: bool = True) -> Iterator[None]:
    """Within it, operands of different ranks do not broadcast: SizesError, a RuntimeError (NC209).

    A single number broadcasts with any operand.
    """
    token = STRICT.set(strict)
    try:
        yield
    finally:
        STRICT.reset(token)


def refused(answer: Answer) -> Mistake | None:
    """The doubt of an answer for which a strict op refuses the call; None if there is none."""
    return next((doubt for doubt in answer.doubts if doubt.code == "NC209"), None)


def placed(operand: Tensor, dims: Sequence[Dim], places: Sequence[int]) -> Geometry:
    """Where the elements of a broadcast operand lie: new dims have stride 0."""
    geometry = operand._geometry()
    strides: list[Any] = [0] * len(dims)
    for place, size, stride in zip(places, geometry.sizes, geometry.strides, strict=True):
        if size == dims[place].size:
            strides[place] = stride
    return Geometry(tuple([dim.size for dim in dims]), tuple(strides), geometry.offset)


def _placed_by_name(left: Tensor, right: Tensor, places: Any) -> Any:
    """The positions to which the dims of the operand of lower rank go.

    A name stands for the dim of the other operand.

    Raises TypeError for a value that is neither a position nor a name, NamesError for a name that
    the other operand does not have.
    """
    if places is None:
        return None
    if isinstance(places, (str, int)) or not isinstance(places, Sequence):
        raise TypeError(
            "broadcast_dimensions: one place for each dim of the operand of lower rank, as in "
            f"(1, 2) or ('N', 'C'), not {places!r}"
        )
    high = left if left.ndim >= right.ndim else right
    positions: list[int] = []
    for place in places:
        if isinstance(place, bool) or not isinstance(place, (str, int)):
            raise TypeError(
                f"broadcast_dimensions: a place is the position of a dim or its name, not {place!r}"
            )
        positions.append(position_of(high, place) if isinstance(place, str) else place)
    return tuple(positions)


def aligned(left: Any, right: Any, places: Sequence[int] | None) -> tuple[Any, Any]:
    """Two operands of one rank.

    The one of lower rank has its dims where `places` says, and dims of size 1 elsewhere.

    A name stands for the dim of the other operand that has it.  Raises SizesError (NC210) where XLA
    refuses, TypeError for a place that is neither a position nor a name.
    """
    if not isinstance(left, Tensor) or not isinstance(right, Tensor):
        return left, right
    places = _placed_by_name(left, right, places)
    checked("xla.add", (dims_of(left), dims_of(right), None if places is None else tuple(places)))
    if left.ndim == right.ndim or not places:
        return left, right
    low, high = (left, right) if left.ndim < right.ndim else (right, left)
    geometry = low._geometry()
    sizes: list[Any] = [1] * high.ndim
    steps: list[Any] = [0] * high.ndim
    names: list[str | None] = [None] * high.ndim
    for place, size, step, name in zip(
        places, geometry.sizes, geometry.strides, low.names, strict=True
    ):
        sizes[place], steps[place], names[place] = size, step, name
    spread = shown_at(
        low, Geometry(tuple(sizes), tuple(steps), geometry.offset), intern(tuple(names))
    )
    return (spread, right) if low is left else (left, spread)
