"""Writing reports to files: whole or not at all, so that no reader gets half of one."""

from __future__ import annotations

import errno
import os
import stat

from namecheck.files.disk import linked, place_of, project_of, put

__all__ = ["refusal", "replace"]


def refusal(path: str, project: str | None = None) -> str | None:
    """Why no report can be written at a path; None if nothing speaks against it before trying.

    Inside the `project` (by default that of the working folder) links are not written through: a
    stranger may have made them. Outside they are the user's own.
    """
    absolute = os.path.abspath(path)
    link = linked(absolute, project or project_of(os.getcwd()))
    if link is not None:
        which = repr(path) if link == absolute else f"{os.path.relpath(link)!r}"
        return f"{which} is a link to {os.readlink(link)!r}, and links are not written through"
    if os.path.isdir(path):
        return f"{path!r} is a folder"
    parent = os.path.dirname(absolute)
    if not os.path.isdir(parent):
        return f"there is no folder {parent!r} for {os.path.basename(path)!r}"
    return None


def replace(path: str, content: bytes, project: str | None = None) -> None:
    """Replace a file with new content. A device or a pipe, which cannot be replaced, is written to.

    Raises `OSError`, also for a link in the `project`, and then the file is unchanged.
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
                raise OSError(errno.ENXIO, "no process reads from the pipe") from None
            raise
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)  # from here on a slow reader does no harm
        with open(handle, "wb") as stream:
            stream.write(content)
