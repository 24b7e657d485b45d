"""What each piece of a tensor is where the rulebook cannot tell how many there are.

`x.unbind("T")` of a dim whose size is not known gives some number of tensors, all of the same
names.  So the rule is asked again, about dims of a size that it can cut, and what it says of sizes
is then forgotten.  Which ops cut is the rulebook's business: they are those that return shapes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from namecheck_runtime.declare import Spelling, Unbindable
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims
from namecheck_runtime.mistakes import Mistake
from namecheck_runtime.parameters import returned

_MANY: Final = 60
"""A size that divides by most numbers of pieces that are asked for."""


def each(spelling: Spelling, values: Sequence[Any], keywords: Mapping[str, Any]) -> Dims | None:
    """The dims of every piece; None where the op gives none, or they are not known or not alike."""
    if returned(spelling.op.rules) not in ("Shapes", "tuple[Shape, ...]") or not values:
        return None
    whole = values[0]
    if not isinstance(whole, tuple) or not all(isinstance(dim, Dim) for dim in whole):
        return None
    sized = tuple(dim if isinstance(dim.size, int) else dim.resize(_MANY) for dim in whole)
    try:
        pieces = infer(spelling, (sized, *values[1:]), keywords).result
    except (Mistake, Unbindable):
        return None
    if not isinstance(pieces, tuple) or not pieces:
        return None
    first = pieces[0]
    if not isinstance(first, tuple) or any(_names(piece) != _names(first) for piece in pieces):
        return None
    return tuple(dim.resize(UNKNOWN) for dim in first)


def _names(piece: Any) -> list[Any] | None:
    return [dim.name for dim in piece] if isinstance(piece, tuple) else None
