"""Writing a changed text to its file, or not at all.

The new bytes go to a file beside it, which then takes its place, so that it is never half written;
a file with several hard links is overwritten instead (`disk.put`). The rest of the text keeps its
bytes: its encoding, byte order mark and line breaks.
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
    """A file that cannot be changed, with the reason; it was left as it is."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot write {path}: {reason}")


def encoded(path: str, source: bytes, text: str) -> bytes:
    """A new text in the encoding of the old bytes `source`, with their byte order mark."""
    encoding = encoding_of(source)
    # A byte order mark that `decode` kept is part of the text already.
    if decode(source).encode(encoding) != source:
        raise Unwritable(path, f"its text has several forms in {encoding}")
    try:
        new = text.encode(encoding)
    except UnicodeEncodeError as fault:
        letter = fault.object[fault.start]
        raise Unwritable(path, f"{encoding} has no character {letter!r}") from None
    if decode(new) != text:
        raise Unwritable(path, "the edit would change the encoding that it is read in")
    return new


def refused_link(path: str, named: Sequence[str]) -> Unwritable | None:
    """The refusal of a file that is reached through a link; None if it is not.

    Only links below the folders `named` on the command line count. A named folder may itself be a
    link, or be behind one: that is the user's choice. A stranger may have written what is in it,
    and also a file that is named by itself, as by `*.py`.
    """
    absolute = os.path.abspath(path)
    link = linked(absolute, _begin(absolute, named))
    if link is None:
        return None
    which = "it" if link == absolute else shown(link)
    target = os.readlink(link)
    return Unwritable(path, f"{which} is a link to {target}, and links are not written through")


def write_bytes(path: str, content: bytes, old: bytes, named: Sequence[str] = ()) -> None:
    """Replace the bytes of a file, if they are still `old`. Raises `Unwritable`.

    The file keeps its mode, its owner and its other names (`disk.put`). It is not written through a
    link, unless that was `named`.
    """
    refusal = refused_link(path, named)
    if refusal is not None:
        raise refusal
    absolute = os.path.abspath(path)
    try:
        with enter(os.path.dirname(absolute), _begin(absolute, named)) as folder:
            put(folder, os.path.basename(absolute), content, old)
    except Changed:
        raise Unwritable(path, CHANGED) from None
    except OSError as fault:
        raise Unwritable(path, fault.strerror or str(fault)) from None


def _begin(path: str, named: Sequence[str]) -> str:
    """The folder below which no part of a file's path may be a link."""
    folders = [folder for folder in map(os.path.abspath, named) if is_inside(path, folder)]
    folders = [folder for folder in folders if os.path.isdir(folder)]
    if folders:
        return max(folders, key=len)
    project = project_of(os.getcwd())
    return project if is_inside(path, project) else os.path.dirname(path)
