"""The key with which a cache is signed: a cache is believed only if its signature is valid.

A repository may bring a cache along that says "no findings", or says what `--fix` is to write. It
cannot bring the key: 32 random bytes in the user's own cache folder, which only the user may read
or write, or the value of the variable NAMECHECK_CACHE_KEY. A key inside the project is not used;
neither is one that another user could have written or replaced with a link.

If there is no key and none can be made, no cache is used. That is not an error.
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
"""The environment variable that takes precedence over the file, unless it is empty."""

_FOLDER: Final = "namecheck"
_FILE: Final = "cache-key"
_SIZE: Final = 32


def cache_key(project: str) -> bytes | None:
    """The key for a cache of the project that begins at a folder; None if there is none."""
    value = os.environ.get(VARIABLE)
    if value:
        return blake2b(os.fsencode(value), digest_size=_SIZE, person=b"namecheck key").digest()
    home = user_cache()
    if home is None or is_inside(os.path.realpath(home), os.path.realpath(project)):
        return None
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        with Folder.at(home) as outer, outer.inner(_FOLDER, make=True, mode=0o700) as folder:
            if not _is_ours(folder.own(), stat.S_IWGRP | stat.S_IWOTH):
                return None
            return _read(folder) or _make(folder)
    except OSError:
        return None


def user_cache() -> str | None:
    """The absolute path of the user's cache folder; None if it is not known."""
    if sys.platform == "win32":
        folder = os.environ.get("LOCALAPPDATA", "")
    else:
        folder = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(folder):  # the standard has relative paths ignored
            name = "Library/Caches" if sys.platform == "darwin" else ".cache"
            folder = os.path.join(os.path.expanduser("~"), name)
    return folder if os.path.isabs(folder) else None


def _is_ours(status: os.stat_result, forbidden: int) -> bool:
    """Whether a file belongs to this user and has none of the `forbidden` permissions."""
    if not hasattr(os, "geteuid"):
        return True  # Windows: the folder of a user is the user's
    return status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & forbidden


def _read(folder: Folder) -> bytes | None:
    """The key in a folder; None if there is none, or others may have read or written it.

    Raises `OSError` if only another user can have put the file there.
    """
    try:
        status = folder.status(_FILE)
        if not stat.S_ISREG(status.st_mode) or not _is_ours(status, 0):
            raise OSError(errno.EPERM, "not our key")
        key = folder.read(_FILE)
    except FileNotFoundError:
        return None
    is_valid = len(key) == _SIZE and _is_ours(status, stat.S_IRWXG | stat.S_IRWXO)
    return key if is_valid else None


def _make(folder: Folder) -> bytes | None:
    """A new key in a folder, or the one that another run has made meanwhile. Raises `OSError`."""
    beside = f"{_FILE}.{os.urandom(6).hex()}.tmp"
    folder.create(beside, os.urandom(_SIZE), mode=0o600)
    try:
        try:
            folder.link(beside, _FILE)  # in place at once, and only if there is none
        except FileExistsError:
            if _read(folder) is None:
                folder.rename(beside, _FILE)
        except OSError:  # a file system without hard links
            folder.rename(beside, _FILE)
    finally:
        with contextlib.suppress(OSError):
            folder.remove(beside)
    return _read(folder)
