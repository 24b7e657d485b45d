"""The exception for files that cannot be loaded, and what turns a reader's errors into it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL
from typing import NoReturn


class UnreadableFileError(RuntimeError, pickle.UnpicklingError):
    """A file that is truncated, altered, of no known format, or holds what is not loaded.

    It is both of the classes that `torch.load` raises.
    """


class RaisedOutsideError(Exception):
    """Carries an exception through a reader that the file is not to blame for.

    A caller's `map_location` may raise any.
    """

    def __init__(self, error: BaseException) -> None:
        self.error = error


def refuse(reason: str) -> NoReturn:
    """Raise UnreadableFileError: "cannot load this file: `reason`"."""
    raise UnreadableFileError(f"cannot load this file: {reason}")


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Raise UnreadableFileError for whatever goes wrong while a file is read.

    A file may hold anything, so a reader may fail anywhere.  What the system refuses (OSError, but
    for a place that no file has), a library that is missing and what the caller's functions raise
    pass.
    """
    try:
        yield
    except RaisedOutsideError as outside:
        raise outside.error from None
    except (UnreadableFileError, ImportError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno != EINVAL:
            raise
        detail = " ".join(str(error).split())[:200] or type(error).__name__
        raise UnreadableFileError(
            f"cannot load this file: {what} is truncated or was altered ({detail})"
        ) from error
