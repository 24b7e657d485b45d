"""What earlier runs found, so that only what has changed is analysed: `.namecheck_cache/`.

A result is remembered for the bytes of a file, of every file that was looked into for it, and for
all that the file system answered when imports were looked for. It counts as long as all of these
are as they were: a new file that an import would now mean, a missing one that was there, or an edit
three imports away are seen. Nothing else is asked, so going back to an older state finds what was
found then.

There is one index per version of namecheck and Python, per folder that it runs in, and per key. It
is written beside and put in place at once: two runs may work at the same time, and one that is
killed leaves the old index. What cannot be read is ignored, what cannot be written is said once.

An index is signed with a key that no repository can bring along (`cache_key`): nothing of what it
says is looked at before. The signature covers its name, so that one of another version, or of
another folder, does not pass for this one. The folder of the cache is written to if it carries our
mark or is empty, and only by names that we give; links are followed nowhere in it (`disk`).

The modification times that the index holds only spare reading files: one that is as young as the
reading of it is not trusted, since a later edit may bear the same time.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, TypeVar

import msgspec

from namecheck.files.disk import Folder, enter, linked, read_file
from namecheck.files.import_lookups import Consulted, is_inside, kind_of
from namecheck.findings import Analysis
from namecheck.running.cache_key import cache_key
from namecheck.running.suppressions import Directive
from namecheck_runtime import __version__
from namecheck_runtime.light.digests import blake2b
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.light.regexes import regex

__all__ = [
    "Cache",
    "Remembered",
    "Task",
    "digest_of",
    "fingerprint",
    "is_cache",
    "is_mark",
    "is_ours",
    "sealed",
]

T = TypeVar("T")

_FORMAT: Final = 2
_MAGIC: Final = b"namecheck index\n"
_SEAL: Final = 16
"""Bytes of a signature."""

_INDEX: Final = regex(r"[0-9a-f]{16}-[0-9a-f]{12}\.index")
_UNFINISHED: Final = regex(r"[0-9a-f]{16}-[0-9a-f]{12}\.index\.[0-9a-f]{12}\.tmp")
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


def sealed(data: bytes | bytearray | memoryview, name: str, key: bytes) -> bytes:
    """The signature of what stands in an index of a name."""
    total = blake2b(key=key, digest_size=_SEAL, person=b"namecheck index")
    total.update(f"{name}\n".encode())
    total.update(data)
    return total.digest()


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
        from namecheck_runtime.readers import fingerprint

        ours = [*fingerprint.sources(package), *fingerprint.sources_of_rules()]
        total.update(fingerprint.digest(ours).encode())
    return total.hexdigest()


_CONTENTS: Final = {
    ".gitignore": "# Made by namecheck.\n*\n",
    _TAG: f"{_SIGNATURE}\n# Made by namecheck; it may be removed at any time.\n",
}
"""What makes a folder a cache, in the order in which it is written."""


def is_mark(name: str) -> bool:
    """Whether a file of this name shows that a folder is a cache of ours."""
    return name in _CONTENTS


def is_ours(name: str) -> bool:
    """Whether we give a file in a cache this name."""
    return name in _CONTENTS or bool(_INDEX.fullmatch(name) or _UNFINISHED.fullmatch(name))


def is_cache(folder: Folder) -> bool:
    """Whether a folder is one of ours: what has our names there can be made again.

    Also an empty one, and one that another run is about to make or to remove: an index may
    stand in it without our marks. Raises `OSError`.
    """
    names = folder.names()
    if _TAG in names and _marks(folder, _TAG) == _CONTENTS[_TAG]:
        return True
    marks = {name: _marks(folder, name) for name in names if name in _CONTENTS}
    begun = all(
        text is not None and _CONTENTS[name].startswith(text) for name, text in marks.items()
    )
    indexes = [name for name in names if name not in _CONTENTS]
    return begun and all(is_ours(name) and (marks or _begins(folder, name)) for name in indexes)


def _begins(folder: Folder, name: str) -> bool:
    """Whether a file begins as our indexes do. Raises `OSError`."""
    try:
        return _MAGIC.startswith(folder.head(name, len(_MAGIC)))  # of a killed run, it is shorter
    except FileNotFoundError:
        return True  # another run has renamed or removed it


def _marks(folder: Folder, name: str) -> str | None:
    """What stands in one of our marks; None if it is none. Raises `OSError` if it is gone."""
    try:
        return folder.read(name, most=1 << 10).decode("utf-8", "replace")
    except FileNotFoundError:
        raise
    except OSError:  # a link, a pipe
        return None


def prepare(folder: Folder) -> None:
    """Make a folder a cache, so that Git and backups pass it by. Raises `OSError`."""
    for name, text in _CONTENTS.items():
        try:
            folder.create(name, text.encode(), lasting=False)
        except FileExistsError:
            continue


class Cache:
    """What is remembered for the runs in one folder.

    `given` are the folders that were named on the command line, `names` the paths by which reports
    call files whose own path is another one; both by real path. `project` is where the project
    begins: what lies in it may be a stranger's.
    """

    def __init__(
        self,
        folder: str,
        given: Sequence[str] = (),
        names: Mapping[str, str] | None = None,
        project: str | None = None,
    ) -> None:
        self.folder = os.path.abspath(folder)
        self.base = os.getcwd()
        self.project = self.base if project is None else project
        self._key = cache_key(self.project)
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

    @cached_property
    def name(self) -> str:
        """The name of the index. Runs with another key have another one."""
        assert self._key is not None
        inside = is_inside(self.base, os.path.dirname(self.folder))
        where = os.path.relpath(self.base, self.folder) if inside else self.base
        total = blake2b(key=self._key, digest_size=6)
        total.update(where.encode("utf-8", "surrogateescape"))
        return f"{fingerprint()}-{total.hexdigest()}.index"

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
            stamp = _stamp(os.stat(path))
            now = time.time_ns()
            found = digest_of(read_file(path))
            unchanged = _stamp(os.stat(path)) == stamp
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
        if not (self._fresh or self._learned or old) or self.trouble or self._key is None:
            return
        for path in {path for fresh in self._fresh for path, _ in fresh.versions}:
            self.digest(path)  # the next run need not read it
        try:
            with enter(self.folder, self.project, make=True) as folder:
                if not is_cache(folder):
                    self.trouble = "it is no cache of namecheck"
                    return
                prepare(folder)
                self._sweep(folder)
                self._write(folder, self._merged(folder))
        except OSError as refusal:
            link = linked(self.folder, self.project)
            if link is None:
                self.trouble = refusal.strerror or str(refusal)
            else:
                self.trouble = f"{link} is a link (--cache-dir names another folder)"
            return
        except UnicodeEncodeError:
            self.trouble = "the name of a folder is no text"
            return
        self._learned = False

    def _merged(self, folder: Folder) -> Index:
        """What this run has learned, with what stands on the disk now: another run may have written
        since.
        """
        index = self._read_in(folder)
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
        """The index on the disk; an empty one if there is none that we have written."""
        if self._key is not None:
            try:
                with enter(self.folder, self.project) as folder:
                    return self._read_in(folder)
            except OSError:
                pass
        return Index(self.base)

    def _read_in(self, folder: Folder) -> Index:
        assert self._key is not None
        try:
            data = folder.read(self.name)
            head = len(_MAGIC) + _SEAL
            said = memoryview(data)[head:]
            if data[:head] == _MAGIC + sealed(said, self.name, self._key):
                return msgspec.msgpack.decode(said, type=Index)
        except (OSError, msgspec.DecodeError, UnicodeError):
            pass
        return Index(self.base)

    def _write(self, folder: Folder, index: Index) -> None:
        assert self._key is not None
        data = msgspec.msgpack.encode(index)
        beside = f"{self.name}.{os.urandom(6).hex()}.tmp"
        content = _MAGIC + sealed(data, self.name, self._key) + data
        folder.create(beside, content, lasting=False)
        try:
            folder.rename(beside, self.name)
        except OSError:
            with suppress(OSError):
                folder.remove(beside)
            raise

    def _sweep(self, folder: Folder) -> None:
        """Remove what killed runs and other versions of namecheck have left behind."""
        now = time.time()
        for name in folder.names():
            unfinished = _UNFINISHED.fullmatch(name)
            if unfinished or _INDEX.fullmatch(name):
                age = now - folder.status(name).st_mtime
                if age > (1 if unfinished else _DAYS) * 86_400:
                    folder.remove(name)

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
