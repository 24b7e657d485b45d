"""The folder of a cache: what shows that it is ours, and which files in it are.

A folder is written to, emptied and removed only if it carries our marks or is empty, and in it only
the names that we give. No link in it is followed (`disk`).
"""

from __future__ import annotations

import time
from typing import Final

from namecheck.files.disk import Folder
from namecheck.running.cache_index import MAGIC
from namecheck_runtime.light.regexes import regex

__all__ = ["KEPT_DAYS", "is_cache", "is_mark", "is_ours", "prepare", "sweep"]

KEPT_DAYS: Final = 30
"""How long an index, or a result in one, is kept after its last use."""

_INDEX: Final = regex(r"[0-9a-f]{16}-[0-9a-f]{12}\.index")
_UNFINISHED: Final = regex(r"[0-9a-f]{16}-[0-9a-f]{12}\.index\.[0-9a-f]{12}\.tmp")
_TAG: Final = "CACHEDIR.TAG"
_SIGNATURE: Final = "Signature: 8a477f597d28d172789f06886806bc55"

_CONTENTS: Final = {
    ".gitignore": "# Made by namecheck.\n*\n",
    _TAG: f"{_SIGNATURE}\n# Made by namecheck; it may be removed at any time.\n",
}
"""The marks of a cache, by name, in the order in which they are written."""


def is_mark(name: str) -> bool:
    """Whether a file of this name marks a folder as a cache of ours."""
    return name in _CONTENTS


def is_ours(name: str) -> bool:
    """Whether this is a name that we give to a file in a cache."""
    return name in _CONTENTS or bool(_INDEX.fullmatch(name) or _UNFINISHED.fullmatch(name))


def is_cache(folder: Folder) -> bool:
    """Whether a folder is a cache of ours, so that the files with our names can be made again.

    An empty folder is one. So is a folder that another run is about to make or to remove: it may
    hold an index without our marks. Raises `OSError`.
    """
    names = folder.names()
    if _TAG in names and _marks(folder, _TAG) == _CONTENTS[_TAG]:
        return True
    marks = {name: _marks(folder, name) for name in names if name in _CONTENTS}
    begun = all(
        text is not None and _CONTENTS[name].startswith(text) for name, text in marks.items()
    )
    indexes = [name for name in names if name not in _CONTENTS]
    return begun and all(is_ours(name) and (marks or _begins(folder, name)) for name in indexes)


def _begins(folder: Folder, name: str) -> bool:
    """Whether a file begins as an index does. Raises `OSError`."""
    try:
        return MAGIC.startswith(folder.head(name, len(MAGIC)))  # shorter if its run was killed
    except FileNotFoundError:
        return True  # another run has renamed or removed it


def _marks(folder: Folder, name: str) -> str | None:
    """The text of one of our marks; None if it is not a file. Raises `OSError` if it is gone."""
    try:
        return folder.read(name, most=1 << 10).decode("utf-8", "replace")
    except FileNotFoundError:
        raise
    except OSError:  # a link, a pipe
        return None


def prepare(folder: Folder) -> None:
    """Put our marks into a folder, so that Git and backups ignore it. Raises `OSError`."""
    for name, text in _CONTENTS.items():
        try:
            folder.create(name, text.encode(), lasting=False)
        except FileExistsError:
            continue


def sweep(folder: Folder) -> None:
    """Remove the files that killed runs and other versions of namecheck have left behind.

    Raises `OSError`.
    """
    now = time.time()
    for name in folder.names():
        unfinished = _UNFINISHED.fullmatch(name)
        if unfinished or _INDEX.fullmatch(name):
            age = now - folder.status(name).st_mtime
            if age > (1 if unfinished else KEPT_DAYS) * 86_400:
                folder.remove(name)
