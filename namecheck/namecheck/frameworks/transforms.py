"""Transforms of functions: what gives a function that computes otherwise than the one it is given.

What each does stands in `analysis.python.transforms`; which library has which, and what it calls
their arguments, stands in that library's module.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MAP: Final = "map"
"""Calls the function for every place of a dim that its arguments have: `in_axes`, `out_axes`."""
GRADIENT: Final = "gradient"
"""Gives the gradient of the function's result by some of its arguments: `argnums`, `has_aux`."""
VALUE_AND_GRADIENT: Final = "value and gradient"
"""As `GRADIENT`, behind the result itself."""


class Transform(NamedTuple):
    """How a transform is called."""

    does: str
    parameters: tuple[str, ...]
    """What its positional arguments are called; the first is the function."""
    arrays_only: bool = False
    """Whether what is no array is given to the function as it is."""
