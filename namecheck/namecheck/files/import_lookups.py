"""What the file system told of a file's imports: where they were looked for, and what was there.

The analysis asks, and what it found out holds as long as the answers do.  So a cache keeps the
questions with the answers, the negative ones too, and asks again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Final

from namecheck_runtime.light.records import NamedTuple

__all__ = ["FILE", "FOLDER", "NOTHING", "Consulted", "Roots", "is_inside", "kind_of"]

NOTHING: Final = ""
FILE: Final = "f"
FOLDER: Final = "d"


class Roots(NamedTuple):
    """The folders in which the imports of the files of a folder are looked for.

    They follow from `given`, the folders named on the command line that it is in, and from the
    kinds of the paths in `asked`.
    """

    folder: str
    given: tuple[str, ...]
    roots: tuple[str, ...]
    asked: Mapping[str, str]


class Consulted(NamedTuple):
    """What was asked for the imports of one file: kinds by path; and the digest of what was read.

    The digest is None if it was not read as somebody's import.
    """

    digest: bytes | None
    roots: Roots
    asked: Mapping[str, str]


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is a folder or stands in it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def kind_of(path: str) -> str:
    """What stands at a path now: FILE, FOLDER or NOTHING."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return FILE if os.path.lexists(path) else NOTHING  # a link that leads nowhere
    return FOLDER if stat.S_ISDIR(mode) else FILE
