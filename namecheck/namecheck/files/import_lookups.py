"""The look-ups for a file's imports: which paths were looked up, and what was there.

The result of an analysis holds as long as the answers of the file system do. So a cache keeps all
look-ups with their answers, the negative ones too, and compares them with the answers of later
runs.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Final

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from namecheck.text.file_parts import FileParts

__all__ = ["FILE", "FOLDER", "MARKERS", "NOTHING", "Consulted", "Roots", "is_inside", "kind_of"]

NOTHING: Final = ""
MARKERS: Final = frozenset({"pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg"})
"""Files and folders at the top of a project."""

FILE: Final = "f"
FOLDER: Final = "d"


class Roots(NamedTuple):
    """The folders in which imports of a folder's files are looked up.

    They follow from `given`, the folders of the command line that the folder is in, and from the
    kinds of the paths in `asked`.
    """

    folder: str
    given: tuple[str, ...]
    roots: tuple[str, ...]
    asked: Mapping[str, str]


class Consulted(NamedTuple):
    """The look-ups for the imports of one file, as kinds by path, and the digest of the file.

    The digest is None if the file was not read as an import; then it has no `parts` either.
    """

    digest: bytes | None
    roots: Roots
    asked: Mapping[str, str]
    parts: FileParts | None = None


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is a folder or inside it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def kind_of(path: str) -> str:
    """The kind of a path now: FILE, FOLDER or NOTHING."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return FILE if os.path.lexists(path) else NOTHING  # a link that leads nowhere
    return FOLDER if stat.S_ISDIR(mode) else FILE
