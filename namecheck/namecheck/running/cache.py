"""The results of earlier runs, so that only what has changed is analysed: `.namecheck_cache/`.

A result is kept for the parts of a file, the parts of every file that its analysis looked into
(`text/file_parts.py`), and every answer of the file system when it looked imports up. It holds as
long as all of these are the same: the cache notices a new file that an import would now mean, a
file that has gone, and an edit three imports away. An edit that says nothing to the analysis, or in
a function that it did not need, leaves the result as it is, with other lines. Nothing else counts,
so a return to an older state finds the older results.

There is one index per version of namecheck and Python, per folder that namecheck runs in, and per
key (`cache_index`). An index that cannot be read is ignored; one that cannot be written is reported
once.

The modification times in the index only spare reading files. A time as recent as the reading of its
file is not trusted, since a later edit may leave the same time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from namecheck.codes.troubles import SYNTAX_ERROR
from namecheck.files.disk import Folder, digest_of, enter, linked, read_file
from namecheck.files.documents import Document, read_document
from namecheck.files.import_lookups import Consulted, is_inside, kind_of
from namecheck.findings import Analysis, Finding
from namecheck.printing.printed_paths import shown
from namecheck.running import suppressions
from namecheck.running.cache_folder import KEPT_DAYS, is_cache, prepare, sweep
from namecheck.running.cache_index import (
    Draft,
    Entry,
    Index,
    Stamp,
    Version,
    fingerprint,
    read_index,
    write_index,
)
from namecheck.running.cache_key import cache_key
from namecheck.running.moved_findings import moved_analysis
from namecheck.running.suppressions import Directive
from namecheck.text.file_parts import WHOLE, Edited, FileParts
from namecheck.text.layout import line_count
from namecheck_runtime.light.digests import blake2b
from namecheck_runtime.light.records import NamedTuple

__all__ = ["Cache", "Remembered", "Task"]

_RESULTS_OF_A_FILE: Final = 4
"""The most results that are kept of one file: those of its last states and its imports'."""

_SETTLED: Final = 2_000_000_000
"""Nanoseconds after which another edit of a file changes its time, on any file system."""


class Remembered(NamedTuple):
    """The result for a file: its findings and counts before any selection, and its suppression
    comments.
    """

    analysis: Analysis
    directives: tuple[Directive, ...] = ()


class Task(NamedTuple):
    """A file to analyse: its path as reports print it, its real path, whether statistics are
    wanted, whether its entry points are followed, and whether its times are wanted.
    """

    path: str
    real: str
    statistics: bool
    drives: bool = True
    timed: bool = False


class _Fresh(NamedTuple):
    """A result of this run; `versions` are pairs of a path and a digest."""

    path: str
    shown: str
    circumstances: str
    versions: tuple[tuple[str, bytes], ...]
    definitions: tuple[str | None, ...]
    aliases: tuple[tuple[str, str], ...]
    result: bytes


class _Moved(NamedTuple):
    """A result that still holds after edits of other files, and these files as they are now, by the
    numbers of their older states.
    """

    entry: Entry
    edited: Mapping[int, Version]


def _is_of_this_text(finding: Finding) -> bool:
    """Whether a finding may be another one after edits that say nothing to the analysis.

    A fix may be about a comment, and what Python says of an error in the syntax cites lines.
    """
    return finding.fix is not None or finding.code == SYNTAX_ERROR


class Cache:
    """The results that are kept for runs in one folder.

    `given` are the folders named on the command line, as real paths. `names` maps real paths to the
    paths that reports use, where the two differ. `project` is the folder at which the project
    begins: a stranger may have written what lies in it.
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
        """Why nothing can be written; "" unless writing has failed."""
        self._today = int(time.time() // 86_400)
        self._index = self._read()
        self._stamps = {self._absolute(p): known for p, known in self._index.stamps.items()}
        self._entries: dict[tuple[str, str], list[Entry]] = {}
        for entry in self._index.entries:
            key = self._absolute(entry.path), entry.circumstances
            self._entries.setdefault(key, []).append(entry)
        self._decoder = msgspec.msgpack.Decoder(Remembered)
        self._digests: dict[str, bytes] = {}
        self._supposed: dict[str, bytes] = {}
        self._edited_since: dict[int, Edited | None] = {}
        self._places: dict[int, bool] = {}
        self._versions: dict[int, bool] = {}
        self._fresh: list[_Fresh] = []
        self._moved: list[_Moved] = []
        self._parts: dict[tuple[str, bytes], bytes] = {}
        self._parts_now: dict[str, FileParts | None] = {}
        self._consulted: dict[str, tuple[tuple[str, tuple[str, ...]], dict[str, str]]] = {}
        self._contradicted: set[str] = set()
        self._used: set[tuple[str, str]] = set()
        self.recalled: dict[str, bytes] = {}
        """The digests of the files that the recalled results depend on, by real path."""
        self._learned = False

    @cached_property
    def name(self) -> str:
        """The name of the index. Another key gives another name."""
        assert self._key is not None
        inside = is_inside(self.base, os.path.dirname(self.folder))
        where = os.path.relpath(self.base, self.folder) if inside else self.base
        total = blake2b(key=self._key, digest_size=6)
        total.update(where.encode("utf-8", "surrogateescape"))
        return f"{fingerprint()}-{total.hexdigest()}.index"

    # Remembering

    def recall(self, path: str, real: str, circumstances: str) -> Remembered | None:
        """The result that is kept for a file; None if the file has to be analysed.

        `path` is its path in reports, `real` its real path. `circumstances` stands for everything
        else that the result depends on.
        """
        for entry in self._entries.get((real, circumstances), ()):
            try:
                edits = self._edits(entry) if entry.shown == path else None
                if edits is None:
                    continue
                remembered = self._decoder.decode(entry.result)
                if edits and entry.versions[0] in edits:
                    if any(_is_of_this_text(one) for one in remembered.analysis.findings):
                        continue
                if edits:
                    remembered = self._moved_with(entry, remembered, edits)
                self._used.add((real, circumstances))
                for version in map(self._index.versions.__getitem__, entry.versions):
                    place = self._absolute(version.path)
                    self.recalled[place] = self.digest(place)
                return remembered
            except (msgspec.DecodeError, UnicodeError, IndexError, ValueError):
                continue  # another program wrote it
        return None

    def _edits(self, entry: Entry) -> dict[int, Edited] | None:
        """The edits since then of the files that a result depends on, by the number of each file's
        state; None if the result no longer holds.
        """
        edits: dict[int, Edited] = {}
        for number, names in zip(entry.versions, entry.definitions, strict=True):
            if not self._version_holds(number):
                return None
            edited = self._edited(number)
            if edited is not None:
                if not edited.leaves(None if names is None else names.split()):
                    return None
                edits[number] = edited
        if self.names or entry.aliases:
            paths = [self._absolute(self._index.versions[n].path) for n in entry.versions]
            aliases = [(self._absolute(path), name) for path, name in entry.aliases]
            if self._aliases(paths) != tuple(aliases):
                return None
        return edits

    def _edited(self, number: int) -> Edited | None:
        """How the file of a state has been edited since; None if it has not."""
        if number not in self._edited_since:
            version = self._index.versions[number]
            path = self._absolute(version.path)
            edited = None
            if self.digest(path) != version.digest:
                before = None
                if version.parts:
                    before = msgspec.msgpack.decode(version.parts, type=FileParts)
                edited = Edited(before, None if before is None else self._parts_of(path))
            self._edited_since[number] = edited
        return self._edited_since[number]

    def _parts_of(self, path: str) -> FileParts | None:
        """The parts of a file as it is now; None if it cannot be read."""
        if path not in self._parts_now:
            from namecheck.analysis import file_parts

            document = self._document(path)
            self._parts_now[path] = file_parts(document.text) if document.is_module else None
        return self._parts_now[path]

    def _document(self, path: str) -> Document:
        return read_document(path, self._supposed.get(path))

    def _moved_with(
        self, entry: Entry, remembered: Remembered, edits: Mapping[int, Edited]
    ) -> Remembered:
        """A result as it is after edits of other files: some of its places are on other lines."""
        edited: dict[int, Version] = {}
        moves: dict[str, Edited] = {}
        for number, edit in edits.items():
            version = self._index.versions[number]
            path = self._absolute(version.path)
            moves[self.names.get(path) or shown(path)] = edit
            parts = msgspec.msgpack.encode(edit.now)
            digest = self.digest(path)
            edited[number] = msgspec.structs.replace(version, digest=digest, parts=parts)
        analysis = moved_analysis(remembered.analysis, moves)
        directives = remembered.directives
        if entry.versions[0] in edits:
            document = self._document(self._absolute(entry.path))
            lines = line_count(document.text)
            analysis = analysis._replace(counts=analysis.counts._replace(lines=lines))
            directives = suppressions.of_document(document)
        remembered = Remembered(analysis, directives)
        result = msgspec.Raw(msgspec.msgpack.encode(remembered))
        self._moved.append(_Moved(msgspec.structs.replace(entry, result=result), edited))
        return remembered

    def _aliases(self, paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
        return tuple(sorted((path, self.names[path]) for path in paths if path in self.names))

    def _version_holds(self, number: int) -> bool:
        """Whether imports of a file are looked up as they were then."""
        known = self._versions.get(number)
        if known is None:
            version = self._index.versions[number]
            known = self._versions[number] = self._place_holds(
                version.place
            ) and self._wrong_answers.isdisjoint(version.asked)
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
        """The numbers of the look-ups that the file system answers differently now."""
        # In a project that has moved, answers about paths outside it no longer apply.
        moved = self._index.base != self.base
        return frozenset(
            number
            for number, (path, kind) in enumerate(self._index.answers)
            if (moved and path.startswith(os.sep)) or kind_of(self._absolute(path)) != kind
        )

    def suppose(self, path: str, source: bytes) -> None:
        """Take these bytes for those of a file, whatever is on the disk; do not `save` after it."""
        self._digests[path] = digest_of(source)
        self._supposed[path] = source

    def digest(self, path: str) -> bytes:
        """The digest of a file's bytes now; that of no bytes if the file cannot be read."""
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
            digest = digest_of(read_file(path))
            unchanged = _stamp(os.stat(path)) == stamp
        except OSError:
            return digest_of(b"")
        if unchanged and max(stamp.modified, stamp.changed) + _SETTLED < now:
            self._stamps[path] = stamp, digest
            self._learned = True
        elif before is not None:
            del self._stamps[path]
            self._learned = True
        return digest

    def keep(
        self,
        path: str,
        circumstances: str,
        versions: Sequence[tuple[str, bytes]],
        remembered: Remembered,
        consulted: Mapping[str, Consulted],
    ) -> None:
        """Keep the result for a file, with the files that it depends on.

        `versions` are these files and their digests, the file itself first. `consulted` holds the
        look-ups for their imports, unless an earlier call has passed them.
        """
        digests = dict(versions)
        for name, asked in consulted.items():
            self._consult(name, asked)
            if asked.parts is not None and asked.digest == digests.get(name):
                self._parts[name, digests[name]] = msgspec.msgpack.encode(asked.parts)
        analysis = remembered.analysis
        # The result is about its file; what it depends on is said by the entry.
        remembered = remembered._replace(analysis=analysis._replace(depends=(), parts={}))
        definitions = [
            " ".join(analysis.parts[name]) if name in analysis.parts else None
            for name, _ in versions
        ]
        definitions[0] = WHOLE
        aliases = self._aliases(name for name, _ in versions)
        try:
            result = msgspec.msgpack.encode(remembered)
            "".join([path, *(name for name, _ in versions)]).encode()
        except UnicodeEncodeError:
            return  # the name of a file is not text: the file is analysed every time
        files = tuple(versions), tuple(definitions)
        fresh = _Fresh(versions[0][0], path, circumstances, *files, aliases, result)
        self._fresh.append(fresh)

    def _consult(self, path: str, asked: Consulted) -> None:
        place = asked.roots.folder, asked.roots.given
        known = self._consulted.setdefault(path, (place, {}))[1]
        for answers in (asked.roots.asked, asked.asked):
            for name, kind in answers.items():
                if known.setdefault(name, kind) != kind:
                    self._contradicted.add(path)  # a file changed during the run

    # Writing

    def save(self) -> None:
        """Write what this run has learned. A failure is kept in `trouble`, not raised."""
        old = self._index.day + 1 < self._today and bool(self._used)
        news = self._fresh or self._moved or self._learned or old
        if not news or self.trouble or self._key is None:
            return
        for path in {path for fresh in self._fresh for path, _ in fresh.versions}:
            self.digest(path)  # so that the next run need not read it
        try:
            with enter(self.folder, self.project, make=True) as folder:
                if not is_cache(folder):
                    self.trouble = "it is not a cache of namecheck"
                    return
                prepare(folder)
                sweep(folder)
                write_index(folder, self.name, self._key, self._merged(folder, self._key))
        except OSError as refusal:
            link = linked(self.folder, self.project)
            if link is None:
                self.trouble = refusal.strerror or str(refusal)
            else:
                self.trouble = f"{link} is a link (--cache-dir names another folder)"
            return
        except UnicodeEncodeError:
            self.trouble = "the name of a folder is not text"
            return
        self._learned = False

    def _merged(self, folder: Folder, key: bytes) -> Index:
        """The index to write: the results of this run, with those on the disk now, since another
        run may have written in between.
        """
        old = read_index(folder, self.name, key) or Index(self.base)
        draft = Draft(self._relative)
        counts: dict[tuple[str, str], int] = {}
        entries: dict[Any, Entry] = {}
        for fresh in self._fresh:
            paths = [path for path, _ in fresh.versions]
            if self._contradicted.isdisjoint(paths):
                entry = self._entry(fresh, draft)
                entries[_identity(entry)] = entry
                file = entry.path, entry.circumstances
                counts[file] = counts.get(file, 0) + 1
        for moved in self._moved:
            edited = moved.edited
            versions = [draft.again(self._index, n, edited.get(n)) for n in moved.entry.versions]
            entry = msgspec.structs.replace(moved.entry, versions=tuple(versions), day=self._today)
            entries[_identity(entry)] = entry
            file = entry.path, entry.circumstances
            counts[file] = counts.get(file, 0) + 1
        if old.base == self.base:
            for entry in old.entries:
                file = entry.path, entry.circumstances
                used = (self._absolute(entry.path), entry.circumstances) in self._used
                day = self._today if used else entry.day
                if counts.get(file, 0) >= _RESULTS_OF_A_FILE or day + KEPT_DAYS < self._today:
                    continue
                try:
                    versions = [draft.again(old, number) for number in entry.versions]
                except IndexError:
                    continue
                entry = msgspec.structs.replace(entry, versions=tuple(versions), day=day)
                if _identity(entry) not in entries:
                    entries[_identity(entry)] = entry
                    counts[file] = counts.get(file, 0) + 1
        stamps = {**old.stamps, **{self._relative(p): s for p, s in self._stamps.items()}}
        paths_in_use = {version.path for version in draft.versions}
        return Index(
            self.base,
            self._today,
            tuple(draft.answers),
            tuple(draft.places),
            tuple(draft.versions),
            {path: stamp for path, stamp in stamps.items() if path in paths_in_use},
            tuple(entries.values()),
        )

    def _entry(self, fresh: _Fresh, draft: Draft) -> Entry:
        """A result of this run as an entry of the index that is being drafted."""
        versions = [
            draft.version(p, digest, *self._consulted[p], self._parts.get((p, digest), b""))
            for p, digest in fresh.versions
        ]
        return Entry(
            self._relative(fresh.path),
            fresh.shown,
            fresh.circumstances,
            tuple(versions),
            fresh.definitions,
            tuple((self._relative(path), name) for path, name in fresh.aliases),
            self._today,
            msgspec.Raw(fresh.result),
        )

    def _read(self) -> Index:
        """The index on the disk; an empty one if there is none that carries our signature."""
        if self._key is not None:
            try:
                with enter(self.folder, self.project) as folder:
                    return read_index(folder, self.name, self._key) or Index(self.base)
            except OSError:
                pass
        return Index(self.base)

    # Paths

    def _relative(self, path: str) -> str:
        """A path as the index holds it."""
        inside = self.base.rstrip(os.sep) + os.sep
        if path.startswith(inside):
            return path[len(inside) :]
        return "." if path == self.base else path

    def _absolute(self, path: str) -> str:
        if path.startswith(os.sep):
            return path
        return self.base if path == "." else f"{self.base.rstrip(os.sep)}{os.sep}{path}"


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _identity(entry: Entry) -> tuple[object, ...]:
    """What two entries may not share in one index."""
    depends = entry.versions, entry.definitions
    return entry.path, entry.shown, entry.circumstances, depends, entry.aliases
