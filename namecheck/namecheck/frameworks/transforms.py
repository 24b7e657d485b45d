"""Transforms: functions that make of a function another one, which computes something else.

`analysis.python.transforms` evaluates them. The module of a library says which transforms it has,
and the keywords of each.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MAP: Final = "map"
"""Calls the function for each index along a dim of its arguments: `in_axes`, `out_axes`."""
GRADIENT: Final = "gradient"
"""Gives the gradient of the result with respect to some arguments: `argnums`, `has_aux`."""
VALUE_AND_GRADIENT: Final = "value and gradient"
"""Gives the result, and then the gradient as `GRADIENT` does."""


class Transform(NamedTuple):
    """What a transform does, and the arguments that it takes."""

    does: str
    parameters: tuple[str, ...]
    """The names of its positional arguments; the first is the function."""
    arrays_only: bool = False
    """Whether arguments that are not arrays are handed on as they are."""
