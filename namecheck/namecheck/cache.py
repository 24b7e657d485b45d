"""What earlier runs found, so that only what has changed is analysed: `.namecheck_cache/`.

A result is remembered for the bytes of a file, of every file that was looked into for it, and for
all that the file system answered when imports were looked for. It counts as long as all of these
are as they were: a new file that an import would now mean, a missing one that was there, or an edit
three imports away are seen. Nothing else is asked, so going back to an older state finds what was
found then.

There is one index per version of namecheck and Python, and per folder that it runs in. It is
written beside and put in place at once: two runs may work at the same time, and one that is killed
leaves the old index. What cannot be read is ignored, what cannot be written is said once.

The modification times that the index holds only spare reading files: one that is as young as the
reading of it is not trusted, since a later edit may bear the same time.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

import msgspec

from namecheck.consulted import Consulted, is_inside, kind_of
from namecheck.findings import Analysis
from namecheck.suppressions import Directive
from namecheck_runtime import __version__
from namecheck_runtime.digests import blake2b
from namecheck_runtime.records import NamedTuple

__all__ = ["Cache", "Remembered", "Task", "digest_of", "fingerprint", "is_cache", "prepare"]

T = TypeVar("T")

_FORMAT: Final = 1
_MAGIC: Final = b"namecheck index\n"
_TAG: Final = "CACHEDIR.TAG"
_SIGNATURE: Final = "Signature: 8a477f597d28d172789f06886806bc55"
_MOST: Final = 4
"""Results that are kept of one file: of the states that it and its imports were last in."""

_DAYS: Final = 30
"""How long a result is kept that nobody asked for."""

_SETTLED: Final = 2_000_000_000
"""Nanoseconds after which a file that is edited again bears another time, on any file system."""


class Stamp(msgspec.Struct, array_like=True, frozen=True):
    """A file's size, times and number: where they are the same, so are its bytes."""

    size: int
    modified: int
    changed: int
    number: int


class Version(msgspec.Struct, array_like=True, frozen=True):
    """One state of a file: its bytes, and what its imports were looked up with.

    `place` and `asked` are the numbers of its place and of the answers that were given.
    """

    path: str
    digest: bytes
    place: int
    asked: tuple[int, ...]


class Place(msgspec.Struct, array_like=True, frozen=True):
    """The folder of a file, and the ones named on the command line that it is in."""

    folder: str
    given: tuple[str, ...]


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """What was found in a file, and the states of files that this follows from, its own first.

    `aliases` are those of them that reports do not call by their own path.
    """

    path: str
    shown: str
    circumstances: str
    versions: tuple[int, ...]
    aliases: tuple[tuple[str, str], ...]
    day: int
    result: msgspec.Raw


class Index(msgspec.Struct, array_like=True, frozen=True):
    """All that is kept. Paths inside `base` are kept without it, so that a project may move."""

    base: str = ""
    day: int = 0
    answers: tuple[tuple[str, str], ...] = ()
    places: tuple[Place, ...] = ()
    versions: tuple[Version, ...] = ()
    stamps: dict[str, tuple[Stamp, bytes]] = {}  # msgspec copies it
    entries: tuple[Entry, ...] = ()


class Remembered(NamedTuple):
    """What is known of a file: its raw findings and counts, before anything is selected, and
    its suppression comments.
    """

    analysis: Analysis
    directives: tuple[Directive, ...] = ()


class Task(NamedTuple):
    """A file to analyse: its path as reports print it, and whether statistics are asked for."""

    path: str
    real: str
    statistics: bool


class _Fresh(NamedTuple):
    """A result of this run; `versions` are paths with digests."""

    path: str
    shown: str
    circumstances: str
    versions: tuple[tuple[str, bytes], ...]
    aliases: tuple[tuple[str, str], ...]
    result: bytes


def digest_of(source: bytes) -> bytes:
    """Sixteen bytes that stand for the bytes of a file."""
    return blake2b(source, digest_size=16).digest()


def fingerprint() -> str:
    """What stands for this namecheck and this Python in the name of an index.

    An installer has written down the digests of what it installed; elsewhere the sources are read.
    """
    total = blake2b(digest_size=8)
    total.update(f"{_FORMAT} {__version__} {sys.version}".encode())
    package = os.path.dirname(os.path.abspath(__file__))
    record = f"namecheck_tensors-{__version__}.dist-info/RECORD"
    try:
        with open(os.path.join(os.path.dirname(package), record), "rb") as file:
            total.update(file.read())
    except OSError:
        from namecheck_runtime import fingerprint

        ours = [*fingerprint.sources(package), *fingerprint.sources_of_rules()]
        total.update(fingerprint.digest(ours).encode())
    return total.hexdigest()


_CONTENTS: Final = {
    ".gitignore": "# Made by namecheck.\n*\n",
    _TAG: f"{_SIGNATURE}\n# Made by namecheck; it may be removed at any time.\n",
}
"""What makes a folder a cache, in the order in which it is written."""


def is_cache(folder: str) -> bool:
    """Whether a folder is one of ours: it holds nothing that could not be made again.

    Also of one that another run is about to make. Raises `OSError`.
    """
    names = os.listdir(folder)
    if _TAG in names:
        return any(name.endswith(".index") or name == ".gitignore" for name in names)
    return all(name in _CONTENTS and _is_begun(folder, name) for name in names)


def _is_begun(folder: str, name: str) -> bool:
    """Whether a file holds what we write there, or the beginning of it."""
    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
        return _CONTENTS[name].startswith(file.read(len(_CONTENTS[name]) + 1))


def prepare(folder: str) -> None:
    """Make the folder of a cache, so that Git and backups pass it by. Raises `OSError`."""
    os.makedirs(folder, exist_ok=True)
    for name, text in _CONTENTS.items():
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


class Cache:
    """What is remembered for the runs in one folder.

    `given` are the folders that were named on the command line, `names` the paths by which reports
    call files whose own path is another one; both by real path.
    """

    def __init__(
        self, folder: str, given: Sequence[str] = (), names: Mapping[str, str] | None = None
    ) -> None:
        self.folder = os.path.abspath(folder)
        self.base = os.getcwd()
        self.given = tuple(given)
        self.names = names or {}
        self.trouble = ""
        """Why nothing can be written, once that is known."""
        self._today = int(time.time() // 86_400)
        self._index = self._read()
        self._stamps = {self._absolute(p): known for p, known in self._index.stamps.items()}
        self._entries: dict[tuple[str, str], list[Entry]] = {}
        for entry in self._index.entries:
            key = self._absolute(entry.path), entry.circumstances
            self._entries.setdefault(key, []).append(entry)
        self._decoder = msgspec.msgpack.Decoder(Remembered)
        self._digests: dict[str, bytes] = {}
        self._places: dict[int, bool] = {}
        self._versions: dict[int, bool] = {}
        self._fresh: list[_Fresh] = []
        self._consulted: dict[str, tuple[tuple[str, tuple[str, ...]], dict[str, str]]] = {}
        self._contradicted: set[str] = set()
        self._used: set[tuple[str, str]] = set()
        self.recalled: dict[str, bytes] = {}
        """The digests of what the recalled results follow from, by real path."""
        self._learned = False

    @property
    def path(self) -> str:
        """The file of the index."""
        inside = is_inside(self.base, os.path.dirname(self.folder))
        where = os.path.relpath(self.base, self.folder) if inside else self.base
        key = blake2b(where.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
        return os.path.join(self.folder, f"{fingerprint()}-{key}.index")

    # Remembering

    def recall(self, path: str, real: str, circumstances: str) -> Remembered | None:
        """What is known of a file; None when it has to be analysed.

        `path` is what reports call it, `real` its real path; `circumstances` stand for whatever
        else the result depends on.
        """
        for entry in self._entries.get((real, circumstances), ()):
            try:
                if entry.shown == path and self._holds(entry):
                    found = self._decoder.decode(entry.result)
                    self._used.add((real, circumstances))
                    for version in map(self._index.versions.__getitem__, entry.versions):
                        self.recalled[self._absolute(version.path)] = version.digest
                    return found
            except (msgspec.DecodeError, UnicodeError, IndexError, ValueError):
                continue  # somebody has been in there who is not us
        return None

    def _holds(self, entry: Entry) -> bool:
        if not all(self._version_holds(number) for number in entry.versions):
            return False
        if not self.names and not entry.aliases:
            return True
        paths = [self._absolute(self._index.versions[n].path) for n in entry.versions]
        aliases = [(self._absolute(path), name) for path, name in entry.aliases]
        return self._aliases(paths) == tuple(aliases)

    def _aliases(self, paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
        return tuple(sorted((path, self.names[path]) for path in paths if path in self.names))

    def _version_holds(self, number: int) -> bool:
        known = self._versions.get(number)
        if known is None:
            version = self._index.versions[number]
            known = self._versions[number] = (
                self.digest(self._absolute(version.path)) == version.digest
                and self._place_holds(version.place)
                and self._wrong_answers.isdisjoint(version.asked)
            )
        return known

    def _place_holds(self, number: int) -> bool:
        known = self._places.get(number)
        if known is None:
            place = self._index.places[number]
            folder = self._absolute(place.folder)
            given = tuple(path for path in self.given if is_inside(folder, path))
            known = self._places[number] = given == tuple(map(self._absolute, place.given))
        return known

    @cached_property
    def _wrong_answers(self) -> frozenset[int]:
        """The numbers of the answers that would be others now."""
        # In a project that has moved, what stood around it says nothing.
        moved = self._index.base != self.base
        return frozenset(
            number
            for number, (path, kind) in enumerate(self._index.answers)
            if (moved and path.startswith(os.sep)) or kind_of(self._absolute(path)) != kind
        )

    def suppose(self, path: str, source: bytes) -> None:
        """Go by these bytes of a file, whatever stands on the disk; nothing is to be saved then."""
        self._digests[path] = digest_of(source)

    def digest(self, path: str) -> bytes:
        """The digest of a file's bytes now; of none when it cannot be read."""
        known = self._digests.get(path)
        if known is None:
            known = self._digests[path] = self._digest(path)
        return known

    def _digest(self, path: str) -> bytes:
        if path.endswith("/"):
            return b""  # a package without a file
        before = self._stamps.get(path)
        try:
            if before is not None and _stamp(os.stat(path)) == before[0]:
                return before[1]
            with open(path, "rb") as file:
                now = time.time_ns()
                stamp = _stamp(os.fstat(file.fileno()))
                found = digest_of(file.read())
                unchanged = _stamp(os.fstat(file.fileno())) == stamp
        except OSError:
            return digest_of(b"")
        if unchanged and max(stamp.modified, stamp.changed) + _SETTLED < now:
            self._stamps[path] = stamp, found
            self._learned = True
        elif before is not None:
            del self._stamps[path]
            self._learned = True
        return found

    def keep(
        self,
        path: str,
        circumstances: str,
        versions: Sequence[tuple[str, bytes]],
        remembered: Remembered,
        consulted: Mapping[str, Consulted],
    ) -> None:
        """Remember what was found in a file, and in which states of which files: its own is first.

        `consulted` says what was asked for their imports, as far as it was not said before.
        """
        for name, asked in consulted.items():
            self._consult(name, asked)
        aliases = self._aliases(name for name, _ in versions)
        try:
            result = msgspec.msgpack.encode(remembered)
            "".join([path, *(name for name, _ in versions)]).encode()
        except UnicodeEncodeError:
            return  # the name of a file is no text: it is analysed every time
        fresh = _Fresh(versions[0][0], path, circumstances, tuple(versions), aliases, result)
        self._fresh.append(fresh)

    def _consult(self, path: str, asked: Consulted) -> None:
        place = asked.roots.folder, asked.roots.given
        known = self._consulted.setdefault(path, (place, {}))[1]
        for answers in (asked.roots.asked, asked.asked):
            for name, kind in answers.items():
                if known.setdefault(name, kind) != kind:
                    self._contradicted.add(path)  # it was changed while we ran

    # Writing

    def save(self) -> None:
        """Write what was learned; a failure is told by `trouble` and has no other consequence."""
        old = self._index.day + 1 < self._today and bool(self._used)
        if not (self._fresh or self._learned or old) or self.trouble:
            return
        for path in {path for fresh in self._fresh for path, _ in fresh.versions}:
            self.digest(path)  # the next run need not read it
        try:
            prepare(self.folder)
            self._sweep()
            self._write(self._merged())
        except OSError as refusal:
            self.trouble = refusal.strerror or str(refusal)
            return
        except UnicodeEncodeError:
            self.trouble = "the name of a folder is no text"
            return
        self._learned = False

    def _merged(self) -> Index:
        """What this run has learned, with what stands on the disk now: another run may have written
        since.
        """
        index = self._read()
        made = _Making(self._relative)
        counts: dict[tuple[str, str], int] = {}
        kept: dict[Any, Entry] = {}
        for fresh in self._fresh:
            paths = [path for path, _ in fresh.versions]
            if self._contradicted.isdisjoint(paths):
                versions = tuple(
                    [made.version(p, digest, *self._consulted[p]) for p, digest in fresh.versions]
                )
                aliases = tuple((self._relative(path), name) for path, name in fresh.aliases)
                entry = Entry(
                    self._relative(fresh.path),
                    fresh.shown,
                    fresh.circumstances,
                    versions,
                    aliases,
                    self._today,
                    msgspec.Raw(fresh.result),
                )
                kept[entry.path, entry.shown, entry.circumstances, versions, aliases] = entry
                key = entry.path, entry.circumstances
                counts[key] = counts.get(key, 0) + 1
        if index.base == self.base:
            for entry in index.entries:
                key = entry.path, entry.circumstances
                used = (self._absolute(entry.path), entry.circumstances) in self._used
                day = self._today if used else entry.day
                if counts.get(key, 0) >= _MOST or day + _DAYS < self._today:
                    continue
                try:
                    versions = tuple([made.again(index, number) for number in entry.versions])
                except IndexError:
                    continue
                again = entry.path, entry.shown, entry.circumstances, versions, entry.aliases
                if again not in kept:
                    kept[again] = msgspec.structs.replace(entry, versions=versions, day=day)
                    counts[key] = counts.get(key, 0) + 1
        stamps = {**index.stamps, **{self._relative(p): s for p, s in self._stamps.items()}}
        held = {version.path for version in made.versions}
        return Index(
            self.base,
            self._today,
            tuple(made.answers),
            tuple(made.places),
            tuple(made.versions),
            {path: stamp for path, stamp in stamps.items() if path in held},
            tuple(kept.values()),
        )

    def _read(self) -> Index:
        """The index on the disk; an empty one if there is none that is whole."""
        try:
            with open(self.path, "rb") as file:
                data = file.read()
            head = len(_MAGIC) + 16
            if data[: len(_MAGIC)] == _MAGIC and data[len(_MAGIC) : head] == digest_of(data[head:]):
                return msgspec.msgpack.decode(data[head:], type=Index)
        except (OSError, msgspec.DecodeError, UnicodeError):
            pass
        return Index(self.base)

    def _write(self, index: Index) -> None:
        data = msgspec.msgpack.encode(index)
        beside = f"{self.path}.{os.urandom(6).hex()}.tmp"
        try:
            with open(beside, "xb") as file:
                file.write(_MAGIC + digest_of(data) + data)
            os.replace(beside, self.path)
        except OSError:
            if os.path.exists(beside):
                os.unlink(beside)
            raise

    def _sweep(self) -> None:
        """Remove what killed runs and other versions of namecheck have left behind."""
        now = time.time()
        for entry in os.scandir(self.folder):
            age = now - entry.stat().st_mtime
            days = 1 if entry.name.endswith(".tmp") else _DAYS
            if entry.name.endswith((".tmp", ".index")) and age > days * 86_400:
                os.unlink(entry.path)

    # Paths

    def _relative(self, path: str) -> str:
        """A path as the index has it."""
        inside = self.base.rstrip(os.sep) + os.sep
        if path.startswith(inside):
            return path[len(inside) :]
        return "." if path == self.base else path

    def _absolute(self, path: str) -> str:
        if path.startswith(os.sep):
            return path
        return self.base if path == "." else f"{self.base.rstrip(os.sep)}{os.sep}{path}"


class _Making:
    """An index as it is made: what occurs again and again gets a number."""

    def __init__(self, relative: Callable[[str], str]) -> None:
        self._relative = relative
        # By value; a dict keeps the order in which they came.
        self.answers: dict[tuple[str, str], int] = {}
        self.places: dict[Place, int] = {}
        self.versions: dict[Version, int] = {}

    def version(
        self, path: str, digest: bytes, place: tuple[str, tuple[str, ...]], asked: Mapping[str, str]
    ) -> int:
        """The number of a state of a file."""
        folder, given = place
        roots = Place(self._relative(folder), tuple(map(self._relative, given)))
        answers = [_numbered(self.answers, (self._relative(p), asked[p])) for p in sorted(asked)]
        number = _numbered(self.places, roots)
        version = Version(self._relative(path), digest, number, tuple(answers))
        return _numbered(self.versions, version)

    def again(self, index: Index, number: int) -> int:
        """The number here of a state that has one in another index."""
        version = index.versions[number]
        return _numbered(
            self.versions,
            msgspec.structs.replace(
                version,
                place=_numbered(self.places, index.places[version.place]),
                asked=tuple([_numbered(self.answers, index.answers[one]) for one in version.asked]),
            ),
        )


def _numbered(numbers: dict[T, int], value: T) -> int:
    return numbers.setdefault(value, len(numbers))


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
