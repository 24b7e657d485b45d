"""Baselines: the findings that a project starts out with, so that only new ones are told.

The tool's own codes are in no baseline: that a file was not read is always told.

An entry says how often a code is found on a line that reads so, in a function of that name, in a
file; never on which line. So code may move within its function and be re-indented, and an entry
lasts until somebody touches the line. What is found more often than its entry says is new.

A baseline is one JSON file, sorted, an entry a line: two branches that each add one merge.
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
"""What a baseline is called that nobody names: beside the settings, or above them."""

VERSION: Final = 1

MOST: Final = 1_000_000_000
"""Findings of one kind that an entry may forgive: no file has as many lines."""

Sources = Callable[[str, "int | None"], str]


class Entry(NamedTuple):
    """What makes two findings the same one: an entry without its count.

    `path` is relative to the baseline's folder, with slashes. `function` is the qualified name of
    what encloses the line, empty at the top of a file; `line` a digest of what the line says.
    """

    path: str
    code: str
    function: str
    line: str


class Baseline(NamedTuple):
    """A baseline file at an absolute path, and how many findings it forgives of each kind."""

    file: str
    counts: Mapping[Entry, int]


class Stale(NamedTuple):
    """An entry that forgives more than there is: `found` of `known`, in the baseline `file`."""

    file: str
    entry: Entry
    known: int
    found: int


class Baselines:
    """The baselines of a run, by the files whose findings they forgive; each is read once."""

    def __init__(
        self, configuration: Configuration, named: str | None = None, default: bool = False
    ) -> None:
        """With `named`, that one counts for all files, whatever their settings say; by `default`
        there is one beside the settings of the working folder where nothing else is found.
        """
        self._configuration = configuration
        self._named = os.path.abspath(named) if named else None
        self._default = None
        if default:
            self._default = os.path.join(configuration.home_of(os.getcwd()), FILE_NAME)
        self._found: dict[str, str | None] = {}
        self._read: dict[str, Baseline] = {}
        self._said: dict[str, str] = {}
        """By the baselines that settings name the folder of a file with such settings."""

    def file_of(self, path: str) -> str | None:
        """Where the baseline of a file is: named by the command line or the file's settings, or
        the nearest one up the tree.
        """
        if self._named is not None:
            return self._named
        folder = os.path.dirname(os.path.abspath(path))
        said = self._configuration.of(path).settings.baseline
        if said is None:
            return self.found_from(folder) or self._default
        if said:
            self._said.setdefault(said, folder)
        return said or self._default

    def found_from(self, folder: str) -> str | None:
        """The nearest baseline up the tree that nobody names, from an absolute folder.

        Looked for up to the top of the project, or the working folder if that is further up; not
        at all where no settings files are read.
        """
        if self._configuration.is_isolated:
            return None
        from namecheck.files.disk import project_of
        from namecheck.files.import_lookups import is_inside

        passed: list[str] = []
        found: str | None = None
        top: str | None = None
        inner = folder
        while inner not in self._found:
            passed.append(inner)
            if os.path.lexists(file := os.path.join(inner, FILE_NAME)):
                found = file
                break
            if top is None:
                top = project_of(folder, self._configuration.home_of(folder))
                top = os.getcwd() if is_inside(top, os.getcwd()) else top
            if inner == top:
                break
            inner = os.path.dirname(inner)
        else:
            found = self._found[inner]
        self._found.update(dict.fromkeys(passed, found))
        return found

    def of(self, path: str) -> Baseline | None:
        """The baseline of a file. Raises `Trouble` for one that cannot be read."""
        file = self.file_of(path)
        return None if file is None else self.at(file)

    def at(self, file: str) -> Baseline:
        """The baseline at an absolute path. Raises `Trouble` for one that cannot be read."""
        if file not in self._read:
            self._read[file] = read_baseline(file)
        return self._read[file]

    def write(self, file: str, counts: Mapping[Entry, int]) -> None:
        """Writes the baseline at an absolute path. Raises `Trouble`.

        What settings name is written in their project only: a stranger may have written them.
        """
        from namecheck.files.disk import project_of
        from namecheck.files.import_lookups import is_inside

        folder = self._said.get(file) or os.getcwd()
        project = project_of(folder, self._configuration.home_of(folder))
        if file in self._said and not is_inside(file, project):
            raise Trouble(
                f"the settings name the baseline {_shown(file)}, which is outside of the project: "
                "it is written if --baseline names it"
            )
        write_baseline(file, counts, project)

    def selects(self, path: str, code: str) -> bool:
        """Whether a code would be told of a file: what nobody looked for is not gone."""
        return self._configuration.selects(path, code)


# What is the same finding


class _Identities:
    """Entries for findings; texts are split, and functions looked for, once for each text."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._texts: dict[tuple[str, int | None], tuple[list[str], Callable[[int], str]]] = {}

    def entry(self, finding: Finding, file: str) -> Entry:
        """What a finding is called in the baseline at an absolute path."""
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
    """A path as the baseline at an absolute path writes it."""
    from pathlib import Path

    folder = os.path.realpath(os.path.dirname(file))
    return Path(os.path.relpath(os.path.realpath(path), folder)).as_posix()


def digest(line: str) -> str:
    """What a line says, whatever the white space in it."""
    import hashlib

    words = "".join(line.split())
    return hashlib.sha256(words.encode("utf-8", "backslashreplace")).hexdigest()[:16]


_DEFINITION = regex(r"[ \t\f]*(?:async[ \t]+def|def|class)[ \t]+(\w+)")


def functions(text: str) -> Callable[[int], str]:
    """For the lines of a text the qualified name of the function or class around them.

    Read off the indentation of logical lines and not from a syntax tree: an older Python does not
    parse newer syntax, and the baseline has to be the same for all of them.
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
    """The findings that no baseline forgives, and by file of baseline what was forgiven.

    Of findings that are the same, the first ones are the old ones.
    """
    identities = _Identities(sources)
    kept: list[Finding] = []
    forgiven: dict[str, Counter[Entry]] = {}
    for finding in findings:
        baseline = baselines.of(finding.path) if is_mistake(finding) else None
        if baseline is not None:
            entry = identities.entry(finding, baseline.file)
            found = forgiven.setdefault(baseline.file, Counter())
            if found[entry] < baseline.counts.get(entry, 0):
                found[entry] += 1
                continue
        kept.append(finding)
    return kept, forgiven


def stale_entries(
    baselines: Baselines,
    forgiven: Mapping[str, Mapping[Entry, int]],
    read: Iterable[str],
    folders: Iterable[str],
) -> list[Stale]:
    """The entries that forgive more than was found.

    Those of the files that were `read`, with codes that are selected there; and those of files
    below `folders`, which were looked through, that are no more.
    """
    looked = list(folders)
    files: dict[str, dict[str, str]] = {}
    for folder in looked:  # there may be nothing left in it
        if (file := baselines.file_of(os.path.join(folder, ""))) is not None:
            files[file] = {}
    for path in read:
        if (file := baselines.file_of(path)) is not None:
            files.setdefault(file, {})[relative(path, file)] = path
    found: list[Stale] = []
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
            found.append(Stale(file, entry, count, times))
    return found


def is_gone(path: str, below: Iterable[str], file: str) -> bool:
    """Whether a file that an entry speaks of would be below one of the folders, and is not."""
    inside = any(folder == "." or path.startswith(f"{folder}/") for folder in below)
    return inside and not os.path.lexists(os.path.join(os.path.dirname(file), path))


def describe(one: Stale) -> str:
    """An entry that is stale, for people."""
    path, code, function, _ = one.entry
    where = f" in {function}" if function else ""
    if one.found:
        return f"{path}: {code}{where} is found {one.found} of {one.known} times"
    return f"{path}: {code}{where} is not found any more"


def known_in(forgiven: Mapping[str, int]) -> str:
    """How many findings each baseline keeps back, for the line with the sums."""
    return ", ".join(f"{number:,} known in {_shown(file)}" for file, number in forgiven.items())


def forgives_more(stale: Iterable[Stale]) -> str:
    """That baselines forgive more findings than there are, and what to do; may be empty.

    An entry that does hides what comes next on lines that read the same.
    """
    more = Counter[str]()
    for one in stale:
        more[one.file] += one.known - one.found
    return "; ".join(
        f"{_shown(file)} forgives {counted(number, 'finding')} that "
        f"{'is' if number == 1 else 'are'} not there any more (`namecheck baseline prune`)"
        for file, number in more.items()
    )


# Files


def count(findings: Iterable[Finding], file: str, sources: Sources) -> Counter[Entry]:
    """What a baseline at an absolute path has to hold to forgive these findings."""
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
    """The baseline at an absolute path. Raises `Trouble`, saying what is wrong with it."""
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
        # Not msgspec's reader: a path that is no text has escapes that only Python's takes.
        said = json.loads(content)
        version = msgspec.convert(said, _Head).version
        if version != VERSION:
            raise Trouble(
                f"{name} is a baseline of version {version}, and this namecheck reads {VERSION}"
            )
        entries = msgspec.convert(said, _Content).findings
    except (msgspec.ValidationError, RecursionError, ValueError) as fault:
        raise Trouble(f"{name} is not a baseline of namecheck: {fault}") from None
    counts: Counter[Entry] = Counter()
    for entry in entries:
        counts[Entry(entry.path, entry.code, entry.function, entry.line)] += entry.count
    return Baseline(file, counts)


def write_baseline(file: str, counts: Mapping[Entry, int], project: str | None = None) -> None:
    """Writes a baseline to an absolute path, whole or not at all. Raises `Trouble`.

    Through a link in the `project` nothing is written: by default the one of the working folder.
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
