"""Which Python files git tracks, by its index: a tracked file is not ignored, despite `.gitignore`.

The index file is read directly (`gitformat-index`, versions 2 to 4), since starting git takes
longer than most runs. A split index, or one of another form, is not read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from struct import error, unpack_from

from namecheck.files import gitignore
from namecheck.files.disk import read_file
from namecheck_runtime.light.records import NamedTuple

__all__ = ["Tracked", "tracked_in"]


class Tracked(NamedTuple):
    """The files of a repository with some suffixes, and the folders that they are in.

    All are written with slashes, from the top of the repository.
    """

    files: frozenset[str]
    folders: frozenset[str]


def tracked_in(top: str, suffixes: tuple[str, ...]) -> Tracked | None:
    """The files that git tracks in a repository, by its top; None if they are not known."""
    try:
        data = read_file(os.path.join(gitignore.own_folder(top), "index"))
    except FileNotFoundError:
        return Tracked(frozenset(), frozenset())  # nothing was added yet
    except (OSError, ValueError):
        return None
    ends = tuple(map(os.fsencode, suffixes))
    for digest in (20, 32):  # SHA-1 or SHA-256
        try:
            files = frozenset(
                os.fsdecode(name) for name in _names(data, digest) if name.endswith(ends)
            )
        except (error, IndexError, ValueError):
            continue
        folders = set()
        for file in files:
            folder = os.path.dirname(file)
            while folder and folder not in folders:
                folders.add(folder)
                folder = os.path.dirname(folder)
        return Tracked(files, frozenset(folders))
    return None


def _names(data: bytes, digest: int) -> Iterator[bytes]:
    """The names in an index with digests of so many bytes.

    Raises `ValueError`, `IndexError` or `struct.error` if it is not such an index.
    """
    magic, version, count = unpack_from(">4sII", data)
    if magic != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("not an index of a known version")
    at = 12
    name = b""
    for _ in range(count):
        start = at
        (flags,) = unpack_from(">H", data, start + 40 + digest)
        at = start + 42 + digest + (2 if flags & 0x4000 else 0)
        if version == 4:
            drop, at = _number(data, at)
            end = data.index(b"\0", at)
            name = name[: len(name) - drop] + data[at:end]
            at = end + 1
        else:
            end = data.index(b"\0", at)
            name = data[at:end]
            at = start + (end - start) // 8 * 8 + 8  # one to eight zeros
        if not name or min(len(name), 0xFFF) != flags & 0xFFF:
            raise ValueError("an entry is not as long as it says")
        yield name
    while at < len(data) - digest:
        kind, size = unpack_from(">4sI", data, at)
        if kind == b"link":
            raise ValueError("the entries are in another file")
        at += 8 + size
    if at != len(data) - digest:
        raise ValueError("it does not end where it should")


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    byte = data[at]
    at += 1
    number = byte & 127
    while byte & 128:
        byte = data[at]
        at += 1
        number = (number + 1 << 7) + (byte & 127)
        if number > len(data):
            raise ValueError("a number is too large")
    return number, at
