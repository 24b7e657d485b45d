"""Reports into files: whole or not at all, so that nobody reads half of one."""

from __future__ import annotations

import errno
import os
import stat

from namecheck.files.disk import linked, place_of, project_of, put

__all__ = ["refusal", "replace"]


def refusal(path: str, project: str | None = None) -> str | None:
    """Why no report can be written at a path, as far as can be told without trying.

    In the `project` (by default the one that the working folder is in) no link is written through:
    a stranger may have put it there. What is named outside of it is the user's own.
    """
    whole = os.path.abspath(path)
    link = linked(whole, project or project_of(os.getcwd()))
    if link is not None:
        which = repr(path) if link == whole else f"{os.path.relpath(link)!r}"
        return f"{which} is a link to {os.readlink(link)!r}, and no link is written through"
    if os.path.isdir(path):
        return f"{path!r} is a folder"
    parent = os.path.dirname(whole)
    if not os.path.isdir(parent):
        return f"there is no folder {parent!r} for {os.path.basename(path)!r}"
    return None


def replace(path: str, content: bytes, project: str | None = None) -> None:
    """Puts content in the place of a file.  What cannot be replaced (a device, a pipe) is written.

    Raises OSError, also for a link in the `project`, and then what was there before still is.
    """
    folder, name = place_of(os.path.abspath(path), project or project_of(os.getcwd()))
    with folder:
        try:
            mode = folder.status(name).st_mode
        except FileNotFoundError:
            mode = stat.S_IFREG
        if stat.S_ISREG(mode) or stat.S_ISLNK(mode):  # the latter is refused
            put(folder, name, content)
            return
        try:
            handle = folder.open(name, os.O_WRONLY)
        except OSError as refused:
            if refused.errno == errno.ENXIO and stat.S_ISFIFO(mode):
                raise OSError(errno.ENXIO, "nobody reads from the pipe") from None
            raise
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)  # from here on the reader may take its time
        with open(handle, "wb") as stream:
            stream.write(content)
