"""Two dims of a tensor that the program states to be equal: `assert x.shape[1] == x.shape[2]`.

While the rank of x is not known, nothing carries this on to what is computed from it, such as
`x = mix(x) + x`. So the names that a later unpacking gives to the dims at these places are not
presumed to be different sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.state.values import Number
from namecheck_runtime.lattice import Size, known_dims
from namecheck_runtime.mistakes.broadcasts import MisalignedBroadcast
from namecheck_runtime.sizes import plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def state(ev: Evaluator, left: Size, right: Size) -> None:
    """Note that two sizes are stated to be equal, if they are dims of one tensor of unknown rank.

    To be asked before their equality is learned.
    """
    if not ev.ranks.counted or left == right:
        return
    for tensor, count in ev.ranks.counted.items():
        places: list[list[int]] = [[], []]
        for index in range(count):
            stored = ev.cells.get((tensor, index))
            if isinstance(stored, Number):
                for found, size in zip(places, (left, right), strict=True):
                    if stored.size == size:
                        found.append(index)
        for one in places[0]:
            for other in places[1]:
                ev.ranks.square |= {(min(one, other), max(one, other))}


def allow(ev: Evaluator, read: Sequence[Size]) -> None:
    """Let the sizes of one unpacking be equal where such dims were stated to be."""
    for one, other in ev.ranks.square:
        if other < len(read):
            left, right = plain_symbol(read[one]), plain_symbol(read[other])
            if left is not None and right is not None and left is not right:
                ev.facts.allow_equal(left, right)
                ev.ranks.squares.add(frozenset((left, right)))


def meet(ev: Evaluator, doubt: MisalignedBroadcast) -> bool:
    """Whether two sizes that may be equal so meet at one dim of a broadcast."""
    if not ev.ranks.squares:
        return False
    pairs = zip(reversed(known_dims(doubt.left)), reversed(known_dims(doubt.right)), strict=False)
    return any(
        frozenset((plain_symbol(mine.size), plain_symbol(other.size))) in ev.ranks.squares
        for mine, other in pairs
    )


__all__ = ["allow", "meet", "state"]
