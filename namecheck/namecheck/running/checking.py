"""From files to the findings to report: the pipeline of one run, as plain steps.

    discover -> read -> analyse (or recall) -> collect -> select, suppress, baseline
    -> leave out findings below the severity or on unchanged lines -> report

Each step is a function of plain values in a module of its own; this module has their order.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from namecheck.codes.coverage import COVERAGE, is_passed_by
from namecheck.codes.troubles import UNREAD, unreadable
from namecheck.files.documents import Document, read_document
from namecheck.findings import Counts, Finding, Fix, UnknownCall
from namecheck.printing.printed_paths import reading_order
from namecheck.running import suppressions
from namecheck.running.cache import Cache, Remembered, Task
from namecheck.running.discovery import Discovered
from namecheck.running.drivers import as_driver
from namecheck.running.run_options import Means
from namecheck.times import cpu_time
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.files.diff_base import DiffBase
    from namecheck.running.baseline import Baselines, Stale
    from namecheck.running.suppressions import Directive
    from namecheck.running.workers import Result
    from namecheck.settings.config import Configuration

__all__ = ["Checked", "check_files", "conclude", "order", "settle"]


class Checked(NamedTuple):
    """The findings of one run, in the order in which they are reported.

    `reported` are those of the `findings` that have the severity asked for and, with a
    `--diff-base`, are new; `too_light` and `unchanged` count those left out for either reason.
    `sources` gives the text that the spans of a path (and a notebook's cell) refer to. `stale` are
    baseline entries that forgive more findings than there are; `read` are the files that were
    checked. `digests` are those of the bytes that were checked: an edit for a finding needs the
    same bytes. `passed` are files with nothing for us to check; `forgiven` is how many findings
    each baseline forgives, by its absolute path.
    """

    findings: Sequence[Finding]
    counts: Counts
    unknown_calls: Sequence[UnknownCall]
    sources: Callable[[str, int | None], str]
    stale: Sequence[Stale]
    read: Collection[str]
    digests: Mapping[str, bytes] = MappingProxyType({})
    passed: Collection[str] = ()
    forgiven: Mapping[str, int] = MappingProxyType({})
    reported: Sequence[Finding] = ()
    too_light: int = 0
    unchanged: int = 0

    def with_fixes(self, fix_of: Callable[[Finding], Fix | None]) -> Checked:
        """The same findings with other fixes."""
        fixed = [
            [finding._replace(fix=fix_of(finding)) for finding in findings]
            for findings in (self.findings, self.reported)
        ]
        return self._replace(findings=fixed[0], reported=fixed[1])


def check_files(
    paths: Sequence[str],
    discovered: Discovered,
    configuration: Configuration,
    statistics: bool = False,
    baselines: Baselines | None = None,
    means: Means = Means(),  # noqa: B008  # a tuple
    given: Mapping[str, bytes] = MappingProxyType({}),
    base: DiffBase | None = None,
) -> Checked:
    """Check the files that were discovered under `paths`. Any failure on the way becomes a finding.

    `given` maps paths to bytes that replace those on the disk. Which findings of a file are
    reported is decided by its settings in the `configuration`, its comments, and then the
    `baselines`; with a `base`, only findings that are new since then. With `statistics`, unknown
    calls are counted, too.
    """
    besides = [unreadable(folder, reason) for folder, reason in discovered.closed]
    folders = list(filter(os.path.isdir, paths))
    drivers = (*discovered.drivers, *discovered.outside)

    @functools.cache
    def document(path: str) -> Document:
        return read_document(path, given.get(path))

    def concluded(raw: Mapping[str, Remembered], drivers: Collection[str]) -> Checked:
        results = {path: raw[path] for path in discovered.files if path in raw}
        results |= {path: as_driver(raw[path]) for path in discovered.drivers if path in raw}
        results |= {
            path: as_driver(raw[path], discovered.files)
            for path in discovered.outside
            if path in raw
        }
        surroundings = baselines, besides, folders, base, drivers
        return conclude(results, configuration, document, *surroundings)

    def so_far(raw: Mapping[str, Remembered]) -> None:
        means.so_far(lambda: concluded(raw, _files(discovered)))

    options = statistics, means, given, so_far
    raw, digests = _raw_findings(paths, discovered, configuration, *options)
    return concluded(raw, drivers)._replace(digests=digests)


def conclude(
    raw: Mapping[str, Remembered],
    configuration: Configuration,
    document: Callable[[str], Document],
    baselines: Baselines | None = None,
    besides: Iterable[Finding] = (),
    folders: Sequence[str] = (),
    base: DiffBase | None = None,
    drivers: Collection[str] = (),
) -> Checked:
    """The run with these results of files, by path, and the findings `besides`.

    `document` gives the text of a file: of one of these, or of another one with findings. `folders`
    were searched, so that baseline entries of files that are gone from them are stale. `drivers`
    are those of the files that only drive others.
    """
    findings = list(besides)
    counts = Counts()
    unknown: list[UnknownCall] = []
    directives: dict[str, tuple[Directive, ...]] = {}
    for path, (analysis, comments) in raw.items():
        directives[path] = comments
        counts += analysis.counts
        unknown += analysis.unknown_calls
        findings += analysis.findings

    def source(path: str, cell: int | None = None) -> str:
        return document(path).parts.get(cell, "")

    for path in {finding.path for finding in findings}.difference(directives):
        directives[path] = suppressions.of_document(document(path))
    read = set(raw) - {finding.path for finding in findings if finding.code in UNREAD}
    kept = settle(findings, directives, configuration, read.difference(drivers))
    checked = Checked(kept, counts, unknown, source, (), read)
    if baselines is not None:
        from namecheck.running.baseline import sift, stale_entries

        kept, forgiven = sift(kept, baselines, source)
        checked = checked._replace(
            findings=kept,
            stale=stale_entries(baselines, forgiven, read, folders),
            forgiven={file: counts.total() for file, counts in forgiven.items() if counts},
        )
    grave = [f for f in kept if f.code in UNREAD or configuration.reports(f.path, f.level)]
    reported = [f for f in grave if base is None or f.code in UNREAD or base.concerns(f, document)]
    return checked._replace(
        passed={f.path for f in findings if is_passed_by(f)},
        reported=reported,
        too_light=len(kept) - len(grave),
        unchanged=len(grave) - len(reported),
    )


def settle(
    findings: Iterable[Finding],
    directives: Mapping[str, Sequence[Directive]],
    configuration: Configuration,
    read: Collection[str],
) -> list[Finding]:
    """The findings that are selected and that no comment silences, in order, with their levels.

    `directives` are the suppression comments by path. In files that were `read`, and so have all
    their findings here, unused comments are findings, too.
    """
    selected = configuration.selects
    level_of = configuration.level_of
    chosen = [finding for finding in _once(findings) if selected(finding.path, finding.code)]
    left = [
        finding._replace(level=level_of(finding.path, finding.code, finding.level))
        for finding in suppressions.apply(chosen, directives, selected, read)
    ]
    return sorted(left, key=order)


def _raw_findings(
    paths: Sequence[str],
    discovered: Discovered,
    configuration: Configuration,
    statistics: bool,
    means: Means,
    given: Mapping[str, bytes],
    so_far: Callable[[Mapping[str, Remembered]], None],
) -> tuple[dict[str, Remembered], dict[str, bytes]]:
    """The results of all files by path, recalled from the cache or analysed now, and the digests of
    the bytes that were checked; the digest is empty for a file that changed during the run.

    With `given` bytes nothing is written to the cache. `so_far` is called with the results there
    are after each new one.
    """
    files = _files(discovered)
    real = {path: os.path.realpath(path) for path in files}
    names = {real[path]: path for path in files}
    begun = cpu_time()
    cache = _opened_cache(paths, names, means, given)
    environment = configuration.environment_of(os.getcwd()).stamp()
    raw: dict[str, Remembered] = {}
    tasks: list[Task] = []
    for task in _tasks(discovered, real, configuration, statistics, means.profile is not None):
        under = _circumstances(task, configuration, environment)
        known = cache.recall(task.path, task.real, under) if cache is not None else None
        if known is None:
            tasks.append(task)
        else:
            raw[task.path] = known
    read = dict(cache.recalled) if cache is not None else {}
    if means.profile is not None:
        means.profile.recalled += len(raw)
        means.profile.recalling += cpu_time() - begun
    keeps = cache is not None and not given
    try:
        for result in _results(tasks, paths, names, configuration, means, given, keeps):
            raw[result.task.path] = result.remembered
            if means.profile is not None and result.times is not None:
                means.profile.add(result.task.path, result.times)
            for name, digest in ((result.task.real, result.digest), *result.versions):
                if digest and read.setdefault(name, digest) != digest:
                    read[name] = b""
            if cache is not None and keeps and result.versions:
                cache.keep(
                    result.task.path,
                    _circumstances(result.task, configuration, environment),
                    result.versions,
                    result.remembered,
                    result.consulted,
                )
            means.advance(len(raw), len(files))
            so_far(raw)
    finally:  # so that the next run continues an interrupted one
        if cache is not None and keeps:
            cache.save()
            if cache.trouble:
                means.warn(f"cannot write the cache in {cache.folder}: {cache.trouble}")
    return raw, {path: read[real_path] for path, real_path in real.items() if real_path in read}


def _results(
    tasks: Sequence[Task],
    paths: Sequence[str],
    names: Mapping[str, str],
    configuration: Configuration,
    means: Means,
    given: Mapping[str, bytes],
    keeps_results: bool,
) -> Iterator[Result]:
    """The results of what has to be analysed, as they come in."""
    if tasks:  # else nothing of the analysis is imported
        from namecheck.running.processes import Cluster, analyse

        cluster = None if means.cluster is None else Cluster(means.cluster, means.warn)
        surroundings = paths, names, given, means.jobs, configuration, keeps_results, cluster
        yield from analyse(tasks, *surroundings)


def _files(discovered: Discovered) -> tuple[str, ...]:
    """The files that are analysed: those to check, and those that drive them."""
    return (*discovered.files, *discovered.drivers, *discovered.outside)


def _tasks(
    discovered: Discovered,
    real: Mapping[str, str],
    configuration: Configuration,
    statistics: bool,
    timed: bool,
) -> Iterator[Task]:
    """What there is to analyse if the cache has no results; `real` are the files' real paths."""
    checked = frozenset(discovered.files)
    for path in _files(discovered):
        notes = any(configuration.of(path).selects(code) for code in COVERAGE)
        drives = configuration.of(path).settings.drive
        yield Task(path, real[path], (statistics or notes) and path in checked, drives, timed)


def _opened_cache(
    paths: Sequence[str], names: Mapping[str, str], means: Means, given: Mapping[str, bytes]
) -> Cache | None:
    """The cache of a run, which takes the given bytes for those of their files; None without one.

    `names` are the paths of the files as they are reported, by their real paths.
    """
    if means.cache is None:
        return None
    aliases = {
        real_path: path for real_path, path in names.items() if os.path.abspath(path) != real_path
    }
    folders = [os.path.realpath(path) for path in paths if os.path.isdir(path)]
    cache = Cache(means.cache, folders, aliases, means.project)
    for path, source in given.items():
        cache.suppose(os.path.realpath(path), source)
    return cache


def _circumstances(task: Task, configuration: Configuration, environment: str) -> str:
    """All that findings depend on besides the files, as one string."""
    options = ["statistics"] * task.statistics + ["drives"] * task.drives
    return " ".join([*options, configuration.digest(task.path), environment])


def _once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, each place and code once: two files may show the same mistake in a function."""
    places = set()
    for finding in findings:
        place = finding.path, finding.cell, finding.span, finding.code
        if place not in places:
            places.add(place)
            yield finding


def order(finding: Finding) -> tuple[object, ...]:
    """The key by which findings are sorted: as a reader goes through folders and files."""
    cell = finding.cell or 0
    return reading_order(finding.path), cell, finding.span, finding.code, finding.message
