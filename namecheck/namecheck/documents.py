"""A file as the checks read it: its text, or the finding that says why it has none.

Files of other kinds than Python source become Python text here, with a map back to their own
places (`restore`); whoever analyses, suppresses or fixes sees one kind of document.
"""

from __future__ import annotations

from typing import NamedTuple

from namecheck.findings import Finding
from namecheck.source import Undecodable, decode
from namecheck.troubles import unreadable

__all__ = ["Document", "read_document", "text_of"]


class Document(NamedTuple):
    """The Python text of a file; `source` are its bytes as they stand on the disk.

    `trouble` is the one finding (NC900) of a file that cannot be read; its text is empty then.
    """

    path: str
    source: bytes
    text: str
    trouble: Finding | None = None


def read_document(path: str, source: bytes | None = None) -> Document:
    """The document at a path, or of the bytes that are to be checked under that path.

    Raises nothing: what cannot be read is the document's `trouble`.
    """
    if source is None:
        try:
            with open(path, "rb") as file:
                source = file.read()
        except OSError as refusal:
            return Document(path, b"", "", unreadable(path, refusal.strerror or str(refusal)))
    try:
        return Document(path, source, decode(source))
    except Undecodable as fault:
        return Document(path, source, "", unreadable(path, str(fault)))


def text_of(path: str, cell: int | None = None) -> str:
    """The text that spans of findings at a path count in; empty when it cannot be read now."""
    return read_document(path).text
