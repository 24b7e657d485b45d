"""The index of a cache on the disk: its form, its fingerprint, and its signature.

An index is signed with a key that no repository can bring along (`cache_key`); the signature is
checked before anything in the index is read. It covers the name, so that an index of another
version, or of another folder, does not pass for this one. A new index is written under another name
and then renamed: two runs may work at the same time, and one that is killed leaves the old index.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, TypeVar

import msgspec

from namecheck.files.disk import Folder
from namecheck_runtime import __version__
from namecheck_runtime.light.digests import blake2b

__all__ = [
    "MAGIC",
    "Draft",
    "Entry",
    "Index",
    "Place",
    "Stamp",
    "Version",
    "fingerprint",
    "read_index",
    "sealed",
    "write_index",
]

T = TypeVar("T")

_FORMAT: Final = 4
MAGIC: Final = b"namecheck index\n"
_SEAL: Final = 16
"""Bytes of a signature."""


class Stamp(msgspec.Struct, array_like=True, frozen=True):
    """A file's size, times and inode number: while they are the same, so are its bytes."""

    size: int
    modified: int
    changed: int
    number: int


class Version(msgspec.Struct, array_like=True, frozen=True):
    """One state of a file: its bytes, and how its imports were looked up.

    `place` and `asked` are the numbers of its place and of the file system's answers. `parts` are
    its `FileParts`, encoded, for those who need only some of them; empty if they are not known.
    """

    path: str
    digest: bytes
    place: int
    asked: tuple[int, ...]
    parts: bytes


class Place(msgspec.Struct, array_like=True, frozen=True):
    """The folder of a file, and those folders of the command line that it is in."""

    folder: str
    given: tuple[str, ...]


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """The result for a file, and the states of the files that it depends on, its own first.

    `definitions` has, for each of these files, the names of the definitions that the result
    depends on, besides the statements of the top level; `WHOLE` if it depends on all of them, and
    None if it depends on every byte.
    `aliases` are those of these files that reports show under another path, with that path.
    """

    path: str
    shown: str
    circumstances: str
    versions: tuple[int, ...]
    definitions: tuple[str | None, ...]
    aliases: tuple[tuple[str, str], ...]
    day: int
    result: msgspec.Raw


class Index(msgspec.Struct, array_like=True, frozen=True):
    """All that is kept. Paths inside `base` are relative to it, so that a project may move."""

    base: str = ""
    day: int = 0
    answers: tuple[tuple[str, str], ...] = ()
    places: tuple[Place, ...] = ()
    versions: tuple[Version, ...] = ()
    stamps: dict[str, tuple[Stamp, bytes]] = {}  # msgspec copies it
    entries: tuple[Entry, ...] = ()


class Draft:
    """An index that is being put together: values that recur are kept once, and numbered."""

    def __init__(self, relative: Callable[[str], str]) -> None:
        self._relative = relative
        # Numbers by value; a dict keeps their order.
        self.answers: dict[tuple[str, str], int] = {}
        self.places: dict[Place, int] = {}
        self.versions: dict[Version, int] = {}
        self._new: dict[tuple[str, bytes], int] = {}
        self._known: dict[tuple[int, int], int] = {}
        """The numbers of states of another index, by the identity of that index and the number."""

    def version(
        self,
        path: str,
        digest: bytes,
        place: tuple[str, tuple[str, ...]],
        asked: Mapping[str, str],
        parts: bytes,
    ) -> int:
        """The number of a state of a file. Each state has one place, answers and parts."""
        if (path, digest) in self._new:
            return self._new[path, digest]
        folder, given = place
        roots = Place(self._relative(folder), tuple(map(self._relative, given)))
        answers = [_numbered(self.answers, (self._relative(p), asked[p])) for p in sorted(asked)]
        number = _numbered(self.places, roots)
        version = Version(self._relative(path), digest, number, tuple(answers), parts)
        self._new[path, digest] = _numbered(self.versions, version)
        return self._new[path, digest]

    def again(self, index: Index, number: int, edited: Version | None = None) -> int:
        """The number in this index of a state with that number in another one, or of the `edited`
        state of the same file, whose imports were looked up in the same way.
        """
        known = id(index), number
        if edited is None and known in self._known:
            return self._known[known]
        version = edited or index.versions[number]
        again = _numbered(
            self.versions,
            msgspec.structs.replace(
                version,
                place=_numbered(self.places, index.places[version.place]),
                asked=tuple([_numbered(self.answers, index.answers[n]) for n in version.asked]),
            ),
        )
        if edited is None:
            self._known[known] = again
        return again


def _numbered(numbers: dict[T, int], value: T) -> int:
    return numbers.setdefault(value, len(numbers))


def fingerprint() -> str:
    """The digest of this namecheck and this Python in the name of an index.

    It covers the digests that an installer has recorded; in a clone, the sources themselves.
    """
    total = blake2b(digest_size=8)
    total.update(f"{_FORMAT} {__version__} {sys.version}".encode())
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    record = f"namecheck_tensors-{__version__}.dist-info/RECORD"
    try:
        with open(os.path.join(os.path.dirname(package), record), "rb") as file:
            total.update(file.read())
    except OSError:
        from namecheck_runtime.readers import fingerprint

        ours = [*fingerprint.sources(package), *fingerprint.sources_of_rules()]
        total.update(fingerprint.digest(ours).encode())
    return total.hexdigest()


def sealed(data: bytes | bytearray | memoryview, name: str, key: bytes) -> bytes:
    """The signature of the content of an index of this name."""
    total = blake2b(key=key, digest_size=_SEAL, person=b"namecheck index")
    total.update(f"{name}\n".encode())
    total.update(data)
    return total.digest()


def read_index(folder: Folder, name: str, key: bytes) -> Index | None:
    """The index of a name in a folder; None if there is none that was signed with the key."""
    try:
        data = folder.read(name)
        head = len(MAGIC) + _SEAL
        body = memoryview(data)[head:]
        if data[:head] == MAGIC + sealed(body, name, key):
            return msgspec.msgpack.decode(body, type=Index)
    except (OSError, msgspec.DecodeError, UnicodeError):
        pass
    return None


def write_index(folder: Folder, name: str, key: bytes, index: Index) -> None:
    """Put an index in its place, signed. Raises `OSError`, and then the old one is left."""
    data = msgspec.msgpack.encode(index)
    beside = f"{name}.{os.urandom(6).hex()}.tmp"
    folder.create(beside, MAGIC + sealed(data, name, key) + data, lasting=False)
    try:
        folder.rename(beside, name)
    except OSError:
        with suppress(OSError):
            folder.remove(beside)
        raise
