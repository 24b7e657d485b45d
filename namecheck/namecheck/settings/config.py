"""Which settings apply to a file.

These are the settings of the nearest settings file up the tree, with those that it `extend`s, and
of the command line, which takes precedence. For the keys see `keys`, for reading them
`toml_settings`, for selectors `selection`, and for `exclude` `discovery`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from namecheck.files.environment import Environment

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
    """The settings of the files of a folder."""

    settings: Settings
    layers: tuple[Layer, ...]
    excluded: tuple[Patterns, ...]
    ignored: tuple[FileIgnores, ...]
    terms: Terms
    digest: str
    """A digest of the settings that the analysis depends on, empty if there are none. Settings that
    only choose among its findings do not count."""
    origins: Mapping[str, str]
    """The source of each field that was set."""

    def selects(self, code: str) -> bool:
        """Whether a code is selected."""
        return _selects(self.layers, code)

    def level_of(self, code: str, level: Level) -> Level:
        """The level of findings with a code; `level` is the code's own."""
        severity = _severity_of(self.layers, code)
        return level if severity is None or severity == selection.OFF else Level(severity)

    def excludes(self, path: str, is_folder: bool) -> bool:
        """Whether an absolute path is excluded; the folders above it are known not to be."""
        return any(patterns.check(path, is_folder) for patterns in self.excluded)


class FileIgnores(NamedTuple):
    """An entry of `per-file-ignores`; `others`: it applies to files that do *not* match."""

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
    """The settings of all files of a run, by path; each folder's are read once."""

    def __init__(
        self, overrides: Sequence[Table] = (), fixed: Sequence[Table] = (), isolated: bool = False
    ) -> None:
        """`overrides` take precedence over every file's settings, the last one over the others.

        `fixed` are the sources of all files in the place of settings files; with `isolated` there
        are no sources at all.
        """
        self._overrides = tuple(overrides)
        self._fixed = tuple(fixed)
        self.is_isolated = isolated
        """Whether no file in the folders is read for settings."""
        self._isolated = isolated or bool(fixed)
        self._by_folder: dict[str, Resolved] = {}
        self._by_file: dict[str, tuple[str, ...]] = {}
        self._homes: dict[str, str] = {}
        self._files: dict[str, str] = {}
        self._stamps: dict[str, Stamp | None] = {}

    def anew(self) -> Configuration:
        """The same options, with the settings files read again."""
        return Configuration(self._overrides, self._fixed, self.is_isolated)

    def is_current(self) -> bool:
        """Whether no settings file has changed, been added or been removed since it was read."""
        return all(stamp_of(file) == known for file, known in self._stamps.items())

    def of(self, path: str) -> Resolved:
        """The settings of a file. Raises `Misconfigured`."""
        return self.of_folder(os.path.dirname(os.path.abspath(path)))

    def of_folder(self, folder: str) -> Resolved:
        """The settings of a folder's files, by its absolute path. Raises `Misconfigured`."""
        below = []  # not by recursion: folders may be nested as deeply as a path is long
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
        """The folder with the settings file for a folder; the folder itself if there is none."""
        self.of_folder(folder)
        return self._homes.get(folder, folder)

    def settings_file_of(self, folder: str) -> str | None:
        """The settings file for a folder; None if there is none."""
        self.of_folder(folder)
        home = self._homes.get(folder)
        return None if home is None else self._files[home]

    def selects(self, path: str, code: str) -> bool:
        """Whether findings with a code are reported for a file, by its settings."""
        if code == INTERNAL_ERROR or not self.of(path).selects(code):
            return code == INTERNAL_ERROR
        ignored = self._ignored_in(path)
        if code == SYNTAX_ERROR:
            return code not in ignored  # only its full code turns it off
        return not any(selection.covers(selector, code) for selector in ignored)

    def level_of(self, path: str, code: str, level: Level) -> Level:
        """The level of findings with a code in a file; `level` is the code's own."""
        return self.of(path).level_of(code, level)

    def reports(self, path: str, level: Level) -> bool:
        """Whether findings of a level are reported for a file (`min-severity`)."""
        return LEVELS.index(level) <= LEVELS.index(self.of(path).settings.min_severity)

    def fails(self, path: str, level: Level) -> bool:
        """Whether a finding of a level in a file makes the run exit with 1 (`exit-on`)."""
        least = self.of(path).settings.exit_on
        return least in LEVELS and LEVELS.index(level) <= LEVELS.index(least)

    def digest(self, path: str) -> str:
        """A digest of the settings that the analysis of a file depends on; empty if there are none.

        It covers the settings of all folders read so far: the file may import from them.
        """
        digest = self.of(path).digest
        digests = {resolved.digest for resolved in self._by_folder.values()}
        return digest if digests <= {digest} else ",".join((digest, *sorted(digests)))

    def environment_of(self, folder: str) -> Environment:
        """The environment whose packages are followed, by the settings of an absolute folder.

        Raises `Misconfigured` if they name one that is not there.
        """
        from namecheck.files.environment import (
            Environment,
            active_environment,
            environment_at,
        )

        resolved = self.of_folder(folder)
        if not resolved.settings.installed:
            return Environment()
        python = resolved.settings.python
        if python is None:
            return active_environment()
        environment = environment_at(python)
        if not environment.folders:
            message = f"no environment with packages at {python}"
            raise Misconfigured(message, resolved.origins.get("python", "python"))
        return environment

    def terms_of(self, path: str) -> Terms:
        """The terms of a file's project, for the analysis."""
        return self.of(path).terms

    def _ignored_in(self, path: str) -> tuple[str, ...]:
        """The selectors of `per-file-ignores` for a file."""
        known = self._by_file.get(path)
        if known is None:
            absolute = os.path.abspath(path)
            entries = self.of(path).ignored
            matching = [e.codes for e in entries if e.patterns.covers(absolute) is not e.others]
            known = self._by_file[path] = tuple(code for codes in matching for code in codes)
        return known

    def _tables_in(self, folder: str) -> tuple[Table, ...]:
        for name in NAMES:
            file = os.path.join(folder, name)
            self._stamps[file] = stamp_of(file)
        tables = tables_in(folder)
        for table in tables:
            self._stamps.setdefault(table.file, stamp_of(table.file))
        return tables


def resolve(of_file: Sequence[Table], overrides: Sequence[Table]) -> Resolved:
    """The settings from the tables `of_file`, of which the last one extends the others, and
    `overrides`. Without tables of a file, no settings file applies.
    """
    tables = [*of_file, *overrides]
    values: dict[str, Any] = {}
    severity: dict[str, str] = {}
    tables_of: dict[str, Table] = {}
    for table in tables:
        if "select" in table.values:  # starts over: earlier choices no longer count
            for field in ("extend_select", "ignore", "notes", "strict"):
                values.pop(field, None)
        values.update(table.values)
        if "severity" in table.values:
            # The layers decide (`Layer`); this is their outcome, for `--show-settings`.
            severity = {**severity, **table.values["severity"]}
            values["severity"] = severity
        for key in ("baseline", "python"):
            if table.values.get(key):
                values[key] = os.path.abspath(os.path.join(table.root, table.values[key]))
        tables_of.update(dict.fromkeys(table.values, table))
    settings = Settings(**values)
    layers = (Layer(selection.DEFAULT), *(_layer(table, values) for table in tables))
    root = of_file[-1].root if of_file else os.getcwd()
    roots = {field: table.root for field, table in tables_of.items()}
    excluded = Patterns(settings.exclude, roots.get("exclude", root))
    extended = [
        Patterns(table.values["extend_exclude"], table.root)
        for table in tables
        if "extend_exclude" in table.values
    ]
    ignored = tuple(
        FileIgnores(
            Patterns([pattern.removeprefix("!")], roots["per_file_ignores"]),
            pattern.startswith("!"),
            codes,
        )
        for pattern, codes in settings.per_file_ignores.items()
    )
    origins = {field: table.source for field, table in tables_of.items() if field in values}
    strict = frozenset(code for code in selection.STRICT if _selects(layers, code))
    terms = agreed(settings.dims, settings.may_meet, strict)
    digest = _digest(settings, strict)
    return Resolved(settings, layers, (excluded, *extended), ignored, terms, digest, origins)


def _digest(settings: Settings, strict: frozenset[str]) -> str:
    if not (settings.dims or settings.may_meet or strict):
        return ""
    from hashlib import sha256

    text = repr((sorted(settings.dims.items()), settings.may_meet, sorted(strict)))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _layer(table: Table, values: Mapping[str, Any]) -> Layer:
    """The layer of a source; a switch that a later source turns off is left out."""
    keys = table.values
    extend = keys.get("extend_select", ())
    if keys.get("notes") and values.get("notes"):
        extend = (*extend, NOTES)
    if keys.get("strict") and values.get("strict"):
        extend = (*extend, *sorted(selection.STRICT))
    severity = tuple(keys.get("severity", {}).items())
    return Layer(keys.get("select"), extend, keys.get("ignore", ()), severity)
