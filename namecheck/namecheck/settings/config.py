"""Which settings a file has.

The nearest settings file up the tree counts for a file, and of those above it what it `extend`s;
what the command line says goes over it. What the keys are is told in `settings`, how they are read
in `toml_settings`, what a selector means in `selection`, what `exclude` does in `discovery`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from namecheck.codes import selection
from namecheck.codes.selection import LEVELS, Layer
from namecheck.codes.troubles import INTERNAL_ERROR, NOTES, SYNTAX_ERROR
from namecheck.files.disk import Stamp, stamp_of
from namecheck.files.path_patterns import Patterns
from namecheck.findings import Level
from namecheck.settings.keys import Settings
from namecheck.settings.toml_settings import (
    NAMES,
    Misconfigured,
    Table,
    of_command_line,
    of_path,
    tables_in,
)
from namecheck.terms import Terms, agreed
from namecheck_runtime.light.records import NamedTuple

__all__ = [
    "Configuration",
    "Misconfigured",
    "Resolved",
    "Settings",
    "Table",
    "of_command_line",
    "of_path",
]


class Resolved(NamedTuple):
    """What counts for the files of a folder."""

    settings: Settings
    layers: tuple[Layer, ...]
    excluded: tuple[Patterns, ...]
    ignored: tuple[FileIgnores, ...]
    terms: Terms
    digest: str
    """A fingerprint of what of the settings has a say in what the analysis finds; what is told of
    it is chosen afterwards, and has none. Empty: nobody has said anything."""
    origins: Mapping[str, str]
    """Where each field that is not at its default comes from."""

    def selects(self, code: str) -> bool:
        """Whether a code is told at all."""
        return _selects(self.layers, code)

    def level_of(self, code: str, level: Level) -> Level:
        """The level of findings with a code, which has a level of its own."""
        severity = _severity_of(self.layers, code)
        return level if severity is None or severity == selection.OFF else Level(severity)

    def excludes(self, path: str, is_folder: bool) -> bool:
        """Whether an absolute path is excluded; the folders that it lies in are known not to be."""
        return any(patterns.check(path, is_folder) for patterns in self.excluded)


class FileIgnores(NamedTuple):
    """An entry of `per-file-ignores`; `others`: it means the files that do *not* fit."""

    patterns: Patterns
    others: bool
    codes: tuple[str, ...]


@cache
def _selects(layers: tuple[Layer, ...], code: str) -> bool:
    return selection.is_selected(code, layers)


@cache
def _severity_of(layers: tuple[Layer, ...], code: str) -> str | None:
    return selection.severity_of(code, layers)


class Configuration:
    """The settings of all files of a run: asked by path, read from files once per folder."""

    def __init__(
        self, overrides: Sequence[Table] = (), fixed: Sequence[Table] = (), isolated: bool = False
    ) -> None:
        """`overrides` go over every file's settings, the last one over the others.

        With `fixed` these sources count for all files, and with `isolated` none does.
        """
        self._overrides = tuple(overrides)
        self._fixed = tuple(fixed)
        self.is_isolated = isolated
        """Whether nothing that lies in folders has a say."""
        self._isolated = isolated or bool(fixed)
        self._by_folder: dict[str, Resolved] = {}
        self._by_file: dict[str, tuple[str, ...]] = {}
        self._homes: dict[str, str] = {}
        self._files: dict[str, str] = {}
        self._stamps: dict[str, Stamp | None] = {}

    def anew(self) -> Configuration:
        """The same options over what the settings files say now."""
        return Configuration(self._overrides, self._fixed, self.is_isolated)

    def is_current(self) -> bool:
        """Whether the settings files are those that were read: none has changed, come or gone."""
        return all(stamp_of(file) == known for file, known in self._stamps.items())

    def of(self, path: str) -> Resolved:
        """What counts for a file. Raises `Misconfigured`."""
        return self.of_folder(os.path.dirname(os.path.abspath(path)))

    def of_folder(self, folder: str) -> Resolved:
        """What counts for the files of a folder, by its absolute path. Raises `Misconfigured`."""
        below = []  # and not by recursion: folders may be nested as deeply as a path is long
        while (known := self._by_folder.get(folder)) is None:
            below.append(folder)
            tables = () if self._isolated else self._tables_in(folder)
            if tables:
                self._homes[folder] = folder
                self._files[folder] = tables[-1].file
                known = resolve(tables, self._overrides)
                break
            parent = os.path.dirname(folder)
            if self._isolated or parent == folder:
                known = resolve(self._fixed, self._overrides)
                break
            folder = parent
        home = self._homes.get(folder)
        for inner in below:
            self._by_folder[inner] = known
            if home is not None:
                self._homes[inner] = home
        return known

    def home_of(self, folder: str) -> str:
        """The folder whose settings file counts for a folder; itself where there is none."""
        self.of_folder(folder)
        return self._homes.get(folder, folder)

    def settings_file_of(self, folder: str) -> str | None:
        """The settings file that counts for a folder; None where there is none."""
        self.of_folder(folder)
        home = self._homes.get(folder)
        return None if home is None else self._files[home]

    def selects(self, path: str, code: str) -> bool:
        """Whether findings of a code are told of a file, by the settings that it has."""
        if code == INTERNAL_ERROR or not self.of(path).selects(code):
            return code == INTERNAL_ERROR
        ignored = self._ignored_in(path)
        if code == SYNTAX_ERROR:
            return code not in ignored  # named in full, or it is told
        return not any(selection.covers(selector, code) for selector in ignored)

    def level_of(self, path: str, code: str, level: Level) -> Level:
        """The level of findings with a code in a file; `level` is the code's own."""
        return self.of(path).level_of(code, level)

    def reports(self, path: str, level: Level) -> bool:
        """Whether findings of a level are reported of a file (`min-severity`)."""
        return LEVELS.index(level) <= LEVELS.index(self.of(path).settings.min_severity)

    def fails(self, path: str, level: Level) -> bool:
        """Whether a finding of a level in a file makes the run end with 1 (`exit-on`)."""
        least = self.of(path).settings.exit_on
        return least in LEVELS and LEVELS.index(level) <= LEVELS.index(least)

    def digest(self, path: str) -> str:
        """What the settings have to do with what is found in a file: empty if nothing.

        It counts those of the other folders that were looked at, too: a file may import from them.
        """
        own = self.of(path).digest
        every = {one.digest for one in self._by_folder.values()}
        return own if every <= {own} else ",".join((own, *sorted(every)))

    def terms_of(self, path: str) -> Terms:
        """What the project of a file has agreed on, as far as the analysis minds."""
        return self.of(path).terms

    def _ignored_in(self, path: str) -> tuple[str, ...]:
        """What `per-file-ignores` says of a file."""
        known = self._by_file.get(path)
        if known is None:
            absolute = os.path.abspath(path)
            entries = self.of(path).ignored
            hit = [one.codes for one in entries if one.patterns.covers(absolute) is not one.others]
            known = self._by_file[path] = tuple(code for codes in hit for code in codes)
        return known

    def _tables_in(self, folder: str) -> tuple[Table, ...]:
        for name in NAMES:
            file = os.path.join(folder, name)
            self._stamps[file] = stamp_of(file)
        tables = tables_in(folder)
        for table in tables:
            self._stamps.setdefault(table.file, stamp_of(table.file))
        return tables


def resolve(own: Sequence[Table], overrides: Sequence[Table]) -> Resolved:
    """What counts where a file says the last of its `own` tables, which extends the others.

    Without any no file says anything.
    """
    tables = [*own, *overrides]
    values: dict[str, Any] = {}
    severity: dict[str, str] = {}
    tables_of: dict[str, Table] = {}
    for one in tables:
        if "select" in one.values:  # begins anew: what was chosen below does not count any more
            for field in ("extend_select", "ignore", "notes", "strict"):
                values.pop(field, None)
        values.update(one.values)
        if "severity" in one.values:
            # What each of them says counts (`Layer`); here is what comes of it, to be shown.
            severity = {**severity, **one.values["severity"]}
            values["severity"] = severity
        if one.values.get("baseline"):
            values["baseline"] = os.path.abspath(os.path.join(one.root, one.values["baseline"]))
        tables_of.update(dict.fromkeys(one.values, one))
    settings = Settings(**values)
    layers = (Layer(selection.DEFAULT), *(_layer(one, values) for one in tables))
    root = own[-1].root if own else os.getcwd()
    roots = {field: one.root for field, one in tables_of.items()}
    excluded = Patterns(settings.exclude, roots.get("exclude", root))
    extended = [
        Patterns(one.values["extend_exclude"], one.root)
        for one in tables
        if "extend_exclude" in one.values
    ]
    ignored = tuple(
        FileIgnores(
            Patterns([pattern.removeprefix("!")], roots["per_file_ignores"]),
            pattern.startswith("!"),
            codes,
        )
        for pattern, codes in settings.per_file_ignores.items()
    )
    origins = {field: one.source for field, one in tables_of.items() if field in values}
    strict = frozenset(code for code in selection.STRICT if _selects(layers, code))
    terms = agreed(settings.dims, settings.may_meet, strict)
    digest = _digest(settings, strict)
    return Resolved(settings, layers, (excluded, *extended), ignored, terms, digest, origins)


def _digest(settings: Settings, strict: frozenset[str]) -> str:
    if not (settings.dims or settings.may_meet or strict):
        return ""
    from hashlib import sha256

    said = repr((sorted(settings.dims.items()), settings.may_meet, sorted(strict)))
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _layer(table: Table, values: Mapping[str, Any]) -> Layer:
    """What a source says of codes; a switch that a later one turns off says nothing."""
    said = table.values
    extend = said.get("extend_select", ())
    if said.get("notes") and values.get("notes"):
        extend = (*extend, NOTES)
    if said.get("strict") and values.get("strict"):
        extend = (*extend, *sorted(selection.STRICT))
    severity = tuple(said.get("severity", {}).items())
    return Layer(said.get("select"), extend, said.get("ignore", ()), severity)
