"""Writing a changed text to its file, or not at all.

The new bytes go to a file beside it, which then takes its place, so that it is never seen half
written; but one that has several names is written where it is (`disk.put`).
What was not edited keeps its bytes: encoding, byte order mark, and the ends of lines.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from namecheck.files.disk import Changed, enter, linked, project_of, put
from namecheck.files.import_lookups import is_inside
from namecheck.printing.printed_paths import shown
from namecheck.source import decode, encoding_of

__all__ = ["CHANGED", "Unwritable", "encoded", "refused_link", "write_bytes"]

CHANGED: Final = "it was changed while it was being checked"


class Unwritable(Exception):
    """A file that cannot be changed, with the reason; it stands as it stood."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot write {path}: {reason}")


def encoded(path: str, source: bytes, text: str) -> bytes:
    """A new text in the encoding of the old bytes `source`, with their byte order mark."""
    encoding = encoding_of(source)
    # A byte order mark that `decode` kept is part of the text already.
    if decode(source).encode(encoding) != source:
        raise Unwritable(path, f"its bytes are not the only way to write it in {encoding}")
    try:
        new = text.encode(encoding)
    except UnicodeEncodeError as fault:
        letter = fault.object[fault.start]
        raise Unwritable(path, f"{encoding} has no letter {letter!r}") from None
    if decode(new) != text:
        raise Unwritable(path, "the edit would change in which encoding it is read")
    return new


def refused_link(path: str, named: Sequence[str]) -> Unwritable | None:
    """The refusal of a file that is reached by a link, if it is.

    Links count from what was `named` on the command line on. A named folder may itself be a link,
    or lie behind one: that was said. What lies in it may have been put there by a stranger; so may
    a file that is named by itself, as `*.py` names it.
    """
    whole = os.path.abspath(path)
    link = linked(whole, _begin(whole, named))
    if link is None:
        return None
    which = "it" if link == whole else shown(link)
    target = os.readlink(link)
    return Unwritable(path, f"{which} is a link to {target}, and no link is written through")


def write_bytes(path: str, content: bytes, old: bytes, named: Sequence[str] = ()) -> None:
    """Replaces what a file holds, as long as that is still `old`. Raises `Unwritable`.

    The file keeps its mode, its owner and its other names (`disk.put`). No link that was not
    `named` is written through.
    """
    refusal = refused_link(path, named)
    if refusal is not None:
        raise refusal
    whole = os.path.abspath(path)
    try:
        with enter(os.path.dirname(whole), _begin(whole, named)) as folder:
            put(folder, os.path.basename(whole), content, old)
    except Changed:
        raise Unwritable(path, CHANGED) from None
    except OSError as fault:
        raise Unwritable(path, fault.strerror or str(fault)) from None


def _begin(path: str, named: Sequence[str]) -> str:
    """The folder from which on no name on the way to a file may be a link."""
    folders = [folder for folder in map(os.path.abspath, named) if is_inside(path, folder)]
    folders = [folder for folder in folders if os.path.isdir(folder)]
    if folders:
        return max(folders, key=len)
    project = project_of(os.getcwd())
    return project if is_inside(path, project) else os.path.dirname(path)
