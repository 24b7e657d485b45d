"""Writing a changed text to its file, or not at all.

A file is never seen half written: the new bytes go to a file beside it, which then takes its place.
What was not edited keeps its bytes: encoding, byte order mark, and the ends of lines.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import tempfile
import tokenize
from typing import Final

from namecheck.source import decode

__all__ = ["CHANGED", "Unwritable", "encoded", "write_bytes"]

CHANGED: Final = "it was changed while it was being checked"


class Unwritable(Exception):
    """A file that cannot be changed, with the reason; it stands as it stood."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot write {path}: {reason}")


def encoded(path: str, source: bytes, text: str) -> bytes:
    """A new text in the encoding of the old bytes `source`, with their byte order mark."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
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


def write_bytes(path: str, content: bytes, old: bytes) -> None:
    """Replaces what a file holds, as long as that is still `old`. Raises `Unwritable`.

    The file keeps its mode, and a link stays a link to the file that is written.
    """
    real = os.path.realpath(path)
    try:
        with open(real, "r+b") as file:  # who may not write the file may not replace it either
            if file.read() != old:
                raise Unwritable(path, CHANGED)
            status = os.fstat(file.fileno())
        _replace(real, content, status)
    except OSError as refusal:
        raise Unwritable(path, refusal.strerror or str(refusal)) from None


def _replace(path: str, content: bytes, status: os.stat_result) -> None:
    handle, beside = tempfile.mkstemp(prefix=".namecheck-", dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, stat.S_IMODE(status.st_mode))
        with contextlib.suppress(OSError, AttributeError):  # only its owner or root may
            os.chown(beside, status.st_uid, status.st_gid)
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
