"""Baselines: the findings that a project starts out with, so that only new ones are reported.

The tool's own codes are in no baseline: a file that cannot be read is always reported.

An entry says how often a code is found on a line with this text, in a function of this name, in a
file, but not on which line. So code may move within its function and be re-indented, and an entry
lasts until the line is edited. A finding beyond the number in its entry is new.

A baseline is a sorted JSON file with an entry on each line, so that two branches that each add one
can be merged.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta, Struct, field

from namecheck.codes.troubles import is_mistake
from namecheck.exit_codes import Trouble
from namecheck.findings import Finding
from namecheck.printing.counts import counted
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.light.regexes import regex

if TYPE_CHECKING:
    from namecheck.settings.config import Configuration

__all__ = [
    "Baseline",
    "FILE_NAME",
    "Baselines",
    "Entry",
    "Stale",
    "count",
    "describe",
    "forgives_more",
    "known_in",
    "read_baseline",
    "sift",
    "stale_entries",
    "write_baseline",
]

FILE_NAME: Final = "namecheck-baseline.json"
"""The default name of a baseline: beside the settings, or above them."""

VERSION: Final = 1

MOST: Final = 1_000_000_000
"""The most findings that an entry may forgive: no file has as many lines."""

Sources = Callable[[str, "int | None"], str]


class Entry(NamedTuple):
    """An entry without its count. Findings with the same entry count as the same finding.

    `path` is relative to the baseline's folder, with slashes. `function` is the qualified name of
    the function or class around the line, empty at the top of a file; `line` is a digest of the
    line's text.
    """

    path: str
    code: str
    function: str
    line: str


class Baseline(NamedTuple):
    """A baseline file at an absolute path, and how many findings of each entry it forgives."""

    file: str
    counts: Mapping[Entry, int]


class Stale(NamedTuple):
    """An entry that forgives too much: `found` of `known` findings, in the baseline `file`."""

    file: str
    entry: Entry
    known: int
    found: int


class Baselines:
    """The baselines of a run, by the files whose findings they forgive; each is read once."""

    def __init__(
        self, configuration: Configuration, named: str | None = None, default: bool = False
    ) -> None:
        """`named` is the baseline of all files, whatever their settings say. With `default`, files
        without a baseline get one beside the settings of the working folder.
        """
        self._configuration = configuration
        self._named = os.path.abspath(named) if named else None
        self._default = None
        if default:
            self._default = os.path.join(configuration.home_of(os.getcwd()), FILE_NAME)
        self._found: dict[str, str | None] = {}
        self._read: dict[str, Baseline] = {}
        self._in_settings: dict[str, str] = {}
        """The baselines that settings name, each with the folder of a file with these settings."""

    def file_of(self, path: str) -> str | None:
        """The baseline of a file: the one that the command line or the file's settings name, or
        else the nearest one up the tree. None if there is none.
        """
        if self._named is not None:
            return self._named
        folder = os.path.dirname(os.path.abspath(path))
        named = self._configuration.of(path).settings.baseline
        if named is None:
            return self.found_from(folder) or self._default
        if named:
            self._in_settings.setdefault(named, folder)
        return named or self._default

    def found_from(self, folder: str) -> str | None:
        """The nearest baseline of the default name up the tree, from an absolute folder.

        The search ends at the top of the project, or at the working folder if that is further up.
        If settings files are not read, there is no search.
        """
        if self._configuration.is_isolated:
            return None
        from namecheck.files.disk import project_of
        from namecheck.files.import_lookups import is_inside

        passed: list[str] = []
        nearest: str | None = None
        top: str | None = None
        inner = folder
        while inner not in self._found:
            passed.append(inner)
            if os.path.lexists(file := os.path.join(inner, FILE_NAME)):
                nearest = file
                break
            if top is None:
                top = project_of(folder, self._configuration.home_of(folder))
                top = os.getcwd() if is_inside(top, os.getcwd()) else top
            if inner == top:
                break
            inner = os.path.dirname(inner)
        else:
            nearest = self._found[inner]
        self._found.update(dict.fromkeys(passed, nearest))
        return nearest

    def of(self, path: str) -> Baseline | None:
        """The baseline of a file; None if it has none. Raises `Trouble` if it cannot be read."""
        file = self.file_of(path)
        return None if file is None else self.at(file)

    def at(self, file: str) -> Baseline:
        """The baseline at an absolute path. Raises `Trouble` if it cannot be read."""
        if file not in self._read:
            self._read[file] = read_baseline(file)
        return self._read[file]

    def write(self, file: str, counts: Mapping[Entry, int]) -> None:
        """Write the baseline at an absolute path. Raises `Trouble`.

        A baseline that settings name is only written inside their project, since a stranger may
        have written the settings.
        """
        from namecheck.files.disk import project_of
        from namecheck.files.import_lookups import is_inside

        folder = self._in_settings.get(file) or os.getcwd()
        project = project_of(folder, self._configuration.home_of(folder))
        if file in self._in_settings and not is_inside(file, project):
            raise Trouble(
                f"the settings name the baseline {_shown(file)}, which is outside the project: "
                "name it with --baseline to write it"
            )
        write_baseline(file, counts, project)

    def selects(self, path: str, code: str) -> bool:
        """Whether a code is selected for a file: an entry of another code is not stale."""
        return self._configuration.selects(path, code)


# Entries of findings


class _Identities:
    """The entries of findings; each text is split, and its functions are found, only once."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._texts: dict[tuple[str, int | None], tuple[list[str], Callable[[int], str]]] = {}

    def entry(self, finding: Finding, file: str) -> Entry:
        """The entry of a finding in the baseline at an absolute path."""
        from namecheck.text.layout import split_lines

        key = finding.path, finding.cell
        if key not in self._texts:
            text = self._sources(*key)
            self._texts[key] = split_lines(text), functions(text)
        lines, function = self._texts[key]
        number = finding.span.line
        line = lines[number - 1] if number <= len(lines) else ""
        return Entry(relative(finding.path, file), finding.code, function(number), digest(line))


def relative(path: str, file: str) -> str:
    """A path as it is written in the baseline at an absolute path."""
    from pathlib import Path

    folder = os.path.realpath(os.path.dirname(file))
    return Path(os.path.relpath(os.path.realpath(path), folder)).as_posix()


def digest(line: str) -> str:
    """A digest of the text of a line without its white space."""
    import hashlib

    words = "".join(line.split())
    return hashlib.sha256(words.encode("utf-8", "backslashreplace")).hexdigest()[:16]


_DEFINITION = regex(r"[ \t\f]*(?:async[ \t]+def|def|class)[ \t]+(\w+)")


def functions(text: str) -> Callable[[int], str]:
    """The qualified name of the function or class around each line of a text, by line number.

    The names come from the indentation of logical lines and not from a syntax tree: an older Python
    does not parse newer syntax, and the baseline has to be the same for every Python.
    """
    from namecheck.text.layout import read_layout

    layout = read_layout(text)
    names: list[str] = []
    around: list[tuple[int, str]] = []
    for start, indent in zip(layout.starts, layout.indents, strict=True):
        while around and around[-1][0] >= indent:
            around.pop()
        if definition := _DEFINITION.match(layout.lines[start - 1]):
            around.append((indent, definition[1]))
        names.append(".".join(name for _, name in around))

    def name_at(line: int) -> str:
        at = bisect_right(layout.starts, line) - 1
        return names[at] if at >= 0 else ""

    return name_at


# Forgiving


def sift(
    findings: Iterable[Finding], baselines: Baselines, sources: Sources
) -> tuple[list[Finding], dict[str, Counter[Entry]]]:
    """The findings that no baseline forgives, and the forgiven ones by the file of the baseline.

    Of several findings with the same entry, the first ones are forgiven.
    """
    identities = _Identities(sources)
    kept: list[Finding] = []
    forgiven: dict[str, Counter[Entry]] = {}
    for finding in findings:
        baseline = baselines.of(finding.path) if is_mistake(finding) else None
        if baseline is not None:
            entry = identities.entry(finding, baseline.file)
            counts = forgiven.setdefault(baseline.file, Counter())
            if counts[entry] < baseline.counts.get(entry, 0):
                counts[entry] += 1
                continue
        kept.append(finding)
    return kept, forgiven


def stale_entries(
    baselines: Baselines,
    forgiven: Mapping[str, Mapping[Entry, int]],
    read: Iterable[str],
    folders: Iterable[str],
) -> list[Stale]:
    """The entries that forgive more findings than there are.

    These are entries of files that were `read`, with codes that are selected for them, and entries
    of files that no longer exist below `folders`, which were searched.
    """
    looked = list(folders)
    files: dict[str, dict[str, str]] = {}
    for folder in looked:  # even if it has no files left
        if (file := baselines.file_of(os.path.join(folder, ""))) is not None:
            files[file] = {}
    for path in read:
        if (file := baselines.file_of(path)) is not None:
            files.setdefault(file, {})[relative(path, file)] = path
    stale: list[Stale] = []
    for file, paths in sorted(files.items()):
        below = [relative(folder, file) for folder in looked]
        for entry, count in sorted(baselines.at(file).counts.items()):
            times = forgiven.get(file, {}).get(entry, 0)
            if times >= count:
                continue
            if entry.path in paths:
                if not baselines.selects(paths[entry.path], entry.code):
                    continue
            elif not is_gone(entry.path, below, file):
                continue
            stale.append(Stale(file, entry, count, times))
    return stale


def is_gone(path: str, below: Iterable[str], file: str) -> bool:
    """Whether the file of an entry was below one of the folders, and no longer exists."""
    inside = any(folder == "." or path.startswith(f"{folder}/") for folder in below)
    return inside and not os.path.lexists(os.path.join(os.path.dirname(file), path))


def describe(stale: Stale) -> str:
    """A stale entry, for people."""
    path, code, function, _ = stale.entry
    where = f" in {function}" if function else ""
    if stale.found:
        return f"{path}: {code}{where} is found {stale.found} of {stale.known} times"
    return f"{path}: {code}{where} is no longer found"


def known_in(forgiven: Mapping[str, int]) -> str:
    """How many findings each baseline forgives, for the summary."""
    return ", ".join(f"{number:,} known in {_shown(file)}" for file, number in forgiven.items())


def forgives_more(stale: Iterable[Stale]) -> str:
    """A sentence if baselines forgive more findings than there are, with the remedy; else empty.

    Such an entry hides the next finding on a line with the same text.
    """
    more = Counter[str]()
    for entry in stale:
        more[entry.file] += entry.known - entry.found
    return "; ".join(
        f"{_shown(file)} forgives {counted(number, 'finding')} that "
        f"{'is' if number == 1 else 'are'} gone (`namecheck baseline prune`)"
        for file, number in more.items()
    )


# Files


def count(findings: Iterable[Finding], file: str, sources: Sources) -> Counter[Entry]:
    """The counts with which a baseline at an absolute path forgives these findings."""
    identities = _Identities(sources)
    return Counter(identities.entry(f, file) for f in findings if is_mistake(f))


class _Head(Struct, frozen=True):
    version: int = field(name="namecheck-baseline")


class _Listed(Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    code: str
    function: str
    line: str
    count: Annotated[int, Meta(ge=1, le=MOST)]


class _Content(Struct, frozen=True, forbid_unknown_fields=True):
    version: int = field(name="namecheck-baseline")
    findings: list[_Listed] = field(name="findings")


def read_baseline(file: str) -> Baseline:
    """The baseline at an absolute path. Raises `Trouble` if it is missing or malformed."""
    import json

    from namecheck.files.disk import read_file

    name = _shown(file)
    try:
        content = read_file(file).removeprefix(b"\xef\xbb\xbf")
    except FileNotFoundError:
        raise Trouble(
            f"there is no baseline {name}; `namecheck baseline write --baseline {name}` makes one"
        ) from None
    except OSError as refusal:
        raise Trouble(f"cannot read the baseline {name}: {refusal.strerror}") from None
    try:
        # Not msgspec's reader: a path that is not text has escapes that only Python's accepts.
        value = json.loads(content)
        version = msgspec.convert(value, _Head).version
        if version != VERSION:
            raise Trouble(
                f"{name} is a baseline of version {version}; this namecheck reads version {VERSION}"
            )
        entries = msgspec.convert(value, _Content).findings
    except (msgspec.ValidationError, RecursionError, ValueError) as fault:
        raise Trouble(f"{name} is not a baseline of namecheck: {fault}") from None
    counts: Counter[Entry] = Counter()
    for entry in entries:
        counts[Entry(entry.path, entry.code, entry.function, entry.line)] += entry.count
    return Baseline(file, counts)


def write_baseline(file: str, counts: Mapping[Entry, int], project: str | None = None) -> None:
    """Write a baseline to an absolute path, whole or not at all. Raises `Trouble`.

    It is not written through a link inside the `project` (by default that of the working folder).
    """
    import json

    from namecheck.report.file import refusal, replace

    lines = ",\n".join(
        "    " + json.dumps({**entry._asdict(), "count": times})
        for entry, times in sorted(counts.items())
    )
    listed = f"[\n{lines}\n  ]" if lines else "[]"
    text = f'{{\n  "namecheck-baseline": {VERSION},\n  "findings": {listed}\n}}\n'
    reason = refusal(file, project)
    if reason is None:
        try:
            replace(file, text.encode(), project)
        except OSError as refused:
            reason = refused.strerror or str(refused)
    if reason is not None:
        raise Trouble(f"cannot write the baseline {_shown(file)}: {reason}")


def _shown(file: str) -> str:
    from namecheck.printing.printed_paths import shown

    return shown(file)
