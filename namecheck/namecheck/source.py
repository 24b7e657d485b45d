"""The bytes of a source file as text, in the encoding that they declare (PEP 263)."""

from __future__ import annotations

import io
import tokenize

__all__ = ["Undecodable", "decode", "encoding_of"]


class Undecodable(Exception):
    """The bytes are not text in the encoding they declare, or that encoding does not exist."""


def encoding_of(source: bytes) -> str:
    """The encoding that the bytes declare. Raises `Undecodable` if it does not exist.

    A byte order mark is part of it (`utf-8-sig`): text in this encoding has one.
    """
    try:
        return tokenize.detect_encoding(io.BytesIO(source).readline)[0]
    except SyntaxError as fault:
        if not any(b"coding" in line for line in source.split(b"\n", 2)[:2]):
            return "utf-8"  # none is declared; `decode` reports the wrong byte
        raise Undecodable(fault.msg) from None
    except (LookupError, ValueError) as fault:  # a codec that is not for text
        raise Undecodable(str(fault)) from None


def decode(source: bytes) -> str:
    """The text, without a byte order mark. Raises `Undecodable`, with the reason and the place."""
    encoding = encoding_of(source)
    try:
        text = source.decode(encoding)
        text.encode()  # `\ud800` is half a character, which some encodings can spell
        return text
    except UnicodeDecodeError as fault:
        line = source.count(b"\n", 0, fault.start) + 1
        wrong = f"byte 0x{source[fault.start]:02x} in line {line} is not {encoding}"
        raise Undecodable(wrong) from None
    except UnicodeEncodeError as fault:
        line = text.count("\n", 0, fault.start) + 1
        raise Undecodable(f"line {line} contains half a character") from None
    except (LookupError, ValueError) as fault:  # a codec that is not for text
        raise Undecodable(str(fault)) from None
