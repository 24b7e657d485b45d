"""NumPy's arithmetic without its warnings: 1 / 0 is inf as in PyTorch, and there is no warning.

`np.errstate` does the same and costs three times as much as adding two small arrays.  NumPy keeps
these settings in the current context, so each thread keeps one context with all warnings off.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from threading import local
from typing import Any, Final

import numpy as np


class Quiet(local):
    """The context of one thread; see `QUIET`."""

    def __init__(self) -> None:
        context = copy_context()
        context.run(np.seterr, all="ignore")
        self.run: Callable[..., Any] = context.run


QUIET: Final = Quiet()
"""`QUIET.run(ufunc, x, y)` computes without warnings.

Raises RuntimeError within another such call: use `quietly` where there may be one.
"""


def quietly(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Call a function that computes, without NumPy's warnings."""
    try:
        return QUIET.run(function, *arguments, **keywords)
    except RuntimeError as error:
        if not str(error).startswith(_ENTERED):
            raise
    # A kernel or a finalizer computes while something else does.
    with np.errstate(all="ignore"):
        return function(*arguments, **keywords)


_ENTERED: Final = "cannot enter context"
"""What a context says that runs another function already."""

REFUSALS: Final = (np.linalg.LinAlgError, TypeError, RuntimeError)
"""What kernels raise if the usual way has to say what is wrong.

RuntimeError is also raised by a context that runs another function already.
"""
