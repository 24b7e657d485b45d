"""The bytes of a source file as text, in the encoding that they declare (PEP 263)."""

from __future__ import annotations

import io
import tokenize

__all__ = ["Undecodable", "decode"]


class Undecodable(Exception):
    """The bytes are not text in the encoding they declare, or declare one that does not exist."""


def decode(source: bytes) -> str:
    """The text, without a byte order mark.  Raises `Undecodable`, saying what and where."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as fault:
        raise Undecodable(fault.msg) from None
    try:
        return source.decode(encoding)
    except UnicodeDecodeError as fault:
        line = source.count(b"\n", 0, fault.start) + 1
        wrong = f"byte 0x{source[fault.start]:02x} in line {line} is not {encoding}"
        raise Undecodable(wrong) from None
