"""NumPy's arithmetic without its warnings: 1 / 0 is inf here as in PyTorch, and nothing is said.

`np.errstate` says the same and costs three times as much as adding two small arrays.  What NumPy
minds belongs to the context in which it runs, so one context per thread is kept in which it minds
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from threading import local
from typing import Any, Final

import numpy as np


class Quiet(local):
    """What one thread has; see `QUIET`."""

    def __init__(self) -> None:
        context = copy_context()
        context.run(np.seterr, all="ignore")
        self.run: Callable[..., Any] = context.run
        self.busy = False


QUIET: Final = Quiet()
"""`QUIET.run(ufunc, x, y)` computes without warnings.  Raises RuntimeError within another such
call: `quietly` is for what may come to that.
"""


def quietly(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Call a function that computes, without NumPy's warnings."""
    quiet = QUIET
    if quiet.busy:  # a finalizer computes while something else does
        with np.errstate(all="ignore"):
            return function(*arguments, **keywords)
    quiet.busy = True
    try:
        return quiet.run(function, *arguments, **keywords)
    finally:
        quiet.busy = False
