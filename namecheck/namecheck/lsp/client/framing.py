"""The client's stream, cut into messages even where a header is broken.

pygls reads a message's headers line by line, and then as many bytes as they say (LSP 3.17, "Base
Protocol"). After a wrong `Content-Length` it would take bodies for headers until the end. Here the
next valid header begins a message again, wherever in a line it is.
"""

from __future__ import annotations

import logging
import re
from typing import BinaryIO, Final

__all__ = ["LONGEST", "Frames"]

log = logging.getLogger(__name__)

LONGEST: Final = 2**28
"""Bytes of the longest message that is read: 256 MiB, a hundred times any source file."""

HEADER: Final = 2**16
"""The most bytes of a header line that are read at once."""


class Frames:
    """A stream with the two methods that pygls calls."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._length = re.compile(rb"Content-Length[ \t]*:[ \t]*([0-9]+)[ \t]*\r?\n\Z", re.I)
        self._has_length = False

    def readline(self) -> bytes:
        """The next header line, in a form that pygls accepts; empty at the end of the stream."""
        line = self._stream.readline(HEADER)
        if not line:
            return b""
        match = self._length.search(line)
        if match is None:
            if line.strip():
                return b"X-Ignored: \r\n" if self._has_length else b"\r\n"
            self._has_length = False
            return b"\r\n"
        count = match[1].lstrip(b"0") or b"0"
        if len(count) > len(str(LONGEST)) or int(count) > LONGEST:
            log.error("ignored a message of %s bytes: too long", count[:30].decode())
            return b"\r\n"
        if match.start():
            log.error("ignored %d bytes between messages", match.start())
        self._has_length = True
        return b"Content-Length: %s\r\n" % count

    def read(self, count: int) -> bytes:
        """The next `count` bytes, or fewer at the end of the stream."""
        return self._stream.read(count)
