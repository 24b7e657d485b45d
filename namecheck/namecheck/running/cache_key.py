"""The key that a cache is signed with: what a cache says is believed only if it was made with it.

A repository may bring a cache along that says "no findings", or says what `--fix` is to write. It
cannot bring the key: that is 32 random bytes in the user's own cache folder, which only the user
may read or write, or whatever the variable NAMECHECK_CACHE_KEY says. A key that lies in the project
itself is none; neither is one that somebody else could have written, or put a link in the place of.

Where there is no key, and none can be made, nothing is remembered. That is no failure.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from typing import Final

from namecheck.files.disk import Folder
from namecheck.files.import_lookups import is_inside
from namecheck_runtime.light.digests import blake2b

__all__ = ["VARIABLE", "cache_key"]

VARIABLE: Final = "NAMECHECK_CACHE_KEY"
"""The environment variable that goes before the file; an empty one says nothing."""

_FOLDER: Final = "namecheck"
_FILE: Final = "cache-key"
_SIZE: Final = 32


def cache_key(project: str) -> bytes | None:
    """The key for a cache of the project that begins at a folder; None if there is none."""
    said = os.environ.get(VARIABLE)
    if said:
        return blake2b(os.fsencode(said), digest_size=_SIZE, person=b"namecheck key").digest()
    home = user_cache()
    if home is None or is_inside(os.path.realpath(home), os.path.realpath(project)):
        return None
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        with Folder.at(home) as outer, outer.inner(_FOLDER, make=True, mode=0o700) as folder:
            if not _is_ours(folder.own(), stat.S_IWGRP | stat.S_IWOTH):
                return None
            return _read(folder) or _made(folder)
    except OSError:
        return None


def user_cache() -> str | None:
    """The folder for what programs of this user keep, an absolute path; None if nobody says."""
    if sys.platform == "win32":
        found = os.environ.get("LOCALAPPDATA", "")
    else:
        found = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(found):  # says the standard
            own = "Library/Caches" if sys.platform == "darwin" else ".cache"
            found = os.path.join(os.path.expanduser("~"), own)
    return found if os.path.isabs(found) else None


def _is_ours(status: os.stat_result, forbidden: int) -> bool:
    """Whether something belongs to this user, and nobody else may do what is `forbidden`."""
    if not hasattr(os, "geteuid"):
        return True  # Windows: the folder of a user is the user's
    return status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & forbidden


def _read(folder: Folder) -> bytes | None:
    """The key in a folder; None if there is none, or one that others may know or have written.

    Raises `OSError` for what only somebody else can have put there.
    """
    try:
        status = folder.status(_FILE)
        if not stat.S_ISREG(status.st_mode) or not _is_ours(status, 0):
            raise OSError(errno.EPERM, "not our key")
        found = folder.read(_FILE)
    except FileNotFoundError:
        return None
    whole = len(found) == _SIZE and _is_ours(status, stat.S_IRWXG | stat.S_IRWXO)
    return found if whole else None


def _made(folder: Folder) -> bytes | None:
    """A new key in a folder, or the one that another run has made meanwhile. Raises `OSError`."""
    beside = f"{_FILE}.{os.urandom(6).hex()}.tmp"
    folder.create(beside, os.urandom(_SIZE), mode=0o600)
    try:
        try:
            folder.link(beside, _FILE)  # in place at once, and only if there is none
        except FileExistsError:
            if _read(folder) is None:
                folder.rename(beside, _FILE)
        except OSError:  # a file system without second names
            folder.rename(beside, _FILE)
    finally:
        with contextlib.suppress(OSError):
            folder.remove(beside)
    return _read(folder)
