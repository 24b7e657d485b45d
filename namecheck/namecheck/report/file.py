"""Reports into files: whole or not at all, so that nobody reads half of one."""

from __future__ import annotations

import os
import stat
import tempfile

__all__ = ["refusal", "replace"]


def refusal(path: str) -> str | None:
    """Why no report can be written at a path, as far as can be told without trying."""
    if os.path.isdir(path):
        return f"{path!r} is a folder"
    parent = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(parent):
        return f"there is no folder {parent!r} for {os.path.basename(path)!r}"
    return None


def replace(path: str, content: bytes) -> None:
    """Puts content in the place of a file.  What cannot be replaced (a device, a pipe) is written.

    Raises OSError, and then what was there before still is.
    """
    target = os.path.realpath(path)  # a link stays one
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG | 0o666 & ~umask()
    if not stat.S_ISREG(mode):
        with open(target, "wb") as stream:
            stream.write(content)
        return
    handle, temporary = tempfile.mkstemp(prefix=".namecheck-", dir=os.path.dirname(target))
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def umask() -> int:
    """The permissions that new files do not get; it can only be read by setting it."""
    current = os.umask(0)
    os.umask(current)
    return current
