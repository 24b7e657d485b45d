"""Files that are replaced as a whole: a reader finds the old one or the new one, never a part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable


def is_replaceable(path: str | bytes | os.PathLike[str]) -> bool:
    """Whether a path is of a regular file, or of none yet; a pipe can only be written to."""
    return os.path.isfile(path) or not os.path.exists(path)


def replace_file(path: str | bytes | os.PathLike[str], write: Callable[[str], None]) -> None:
    """Let `write` fill a new file beside `path`, then put it in its place.

    The new file is on the disk before it has the name, so a process that is killed and a machine
    that loses its power leave the old file or the new one, and perhaps a hidden file beside it.
    The permissions are those of the old file; a link keeps leading to the file that is replaced.

    Raises OSError, and what `write` raises; the old file then stays as it is.
    """
    target = os.path.realpath(os.fsdecode(path))
    folder, name = os.path.split(target)
    try:
        mode = os.stat(target).st_mode & 0o777
    except FileNotFoundError:
        mode = 0o666 & ~_umask()
    handle, new = tempfile.mkstemp(".tmp", f".{name}.", folder)
    os.close(handle)
    try:
        write(new)
        # Opened anew: a writer may have put another file under the name.
        with open(new, "rb+") as file:
            os.fsync(file.fileno())
        os.chmod(new, mode)
        os.replace(new, target)
    except BaseException:
        os.unlink(new)
        raise
    _sync_folder(folder)


def _umask() -> int:
    """The bits that new files of this process lack."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sync_folder(folder: str) -> None:
    """Have the new name on the disk, too, where the system lets a folder be synced."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        pass  # some network file systems have no such call
    finally:
        os.close(handle)
