"""`namecheck check`: findings in files and folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from namecheck.commands.options import configured, with_show_options
from namecheck.commands.slow_runs import say_how_to_be_faster, work
from namecheck.exit_codes import Trouble
from namecheck.files.standard_input import read_stdin, reads_stdin
from namecheck.printing.counts import counted
from namecheck.printing.output import pass_on, print_lines, say
from namecheck.printing.terminal import colour_option
from namecheck.report import FOR_PEOPLE, FORMATS
from namecheck.running.run_options import with_means
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.applying.rounds import Fixed
    from namecheck.report import Report
    from namecheck.running.checking import Checked
    from namecheck.running.discovery import Discovered
    from namecheck.running.run_options import Means
    from namecheck.settings.config import Configuration

Check: TypeAlias = "Callable[..., Checked]"
"""Checks the files of a run; `given=` maps some of their paths to bytes that replace the disk's."""


class Options(NamedTuple):
    """The options of `check` alone, as they were typed."""

    output_format: str | None
    output_file: str | None
    quiet: int
    statistics: bool
    exit_zero: bool
    baseline: str | None
    no_baseline: bool
    error_stale_baseline: bool
    diff_base: str | None
    fix: bool
    unsafe_fixes: bool
    diff: bool
    fix_only: bool
    show_fixes: bool
    add_ignore: str | None
    watch: bool
    drive_from: tuple[str, ...]
    cluster: str | None
    profile: bool


class Output(NamedTuple):
    """The format of the findings, the file they go to (None: standard output), how often `--quiet`
    was given, and whether statistics follow.
    """

    format: str
    file: str | None
    quiet: int
    statistics: bool


class Fixing(NamedTuple):
    """Which fixes are applied, and what is printed of them.

    `unsafe` ones too, or only safe ones; as a `diff` or to the files; `only`, without a report of
    the findings that remain; `listed`, with the findings that they removed. With `ignore`,
    comments with this reason take the place of fixes.
    """

    apply: bool
    unsafe: bool
    diff: bool
    only: bool
    listed: bool
    ignore: str | None

    @property
    def wanted(self) -> bool:
        return self.apply or self.diff or self.only or self.ignore is not None


class Known(NamedTuple):
    """Which findings are left out because they are not new.

    Those of the `baseline` of this path, or of the nearest one unless `none` is set; with `since`,
    those on lines that have not changed since then. A stale baseline may be an error.
    """

    baseline: str | None
    none: bool
    error_if_stale: bool
    since: str | None


class Request(NamedTuple):
    """All that one run was asked for. `given` are the bytes of standard input, by the path that
    they are checked under. `drive_from` are files and folders with programs that drive the checked
    files, and are not checked themselves.
    """

    paths: tuple[str, ...]
    given: Mapping[str, bytes]
    configuration: Configuration
    means: Means
    output: Output
    known: Known
    fixing: Fixing
    exit_zero: bool
    drive_from: tuple[str, ...] = ()


class CheckCommand(click.Command):
    """Reads a bare `--add-ignore` as one without a reason: the argument after it is a path."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        options = [f"{arg}=" if arg == "--add-ignore" else arg for arg in args[:end]]
        return super().parse_args(ctx, options + args[end:])


@click.command(cls=CheckCommand)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option(
    "--output-format",
    type=click.Choice(list(FORMATS)),
    envvar="NAMECHECK_OUTPUT_FORMAT",
    show_envvar=True,
    help="The format of the findings (full).",
)
@click.option(
    "--output-file",
    metavar="FILE",
    type=click.Path(),
    help="Write the findings to FILE, and print how many there are.",
)
@click.option(
    "-q", "--quiet", count=True, help="Print findings and nothing else; twice: print nothing."
)
@click.option(
    "--statistics",
    is_flag=True,
    help="Add counts per code, how much was understood, and which unknown calls cost most.",
)
@colour_option
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(),
    help="Do not report the findings in FILE (the nearest namecheck-baseline.json up the tree).",
)
@click.option("--no-baseline", is_flag=True, help="Report the findings of the baseline, too.")
@click.option(
    "--error-stale-baseline",
    is_flag=True,
    help="Exit with 1 if the baseline has entries for findings that are gone.",
)
@click.option(
    "--diff-base",
    metavar="REF",
    help="Report only findings on lines changed since the branch left REF (git), or due to them.",
)
@click.option(
    "--fix", is_flag=True, help="Apply the fixes that do not change what the program means."
)
@click.option(
    "--unsafe-fixes", is_flag=True, help="With --fix or --diff: those that may change it, too."
)
@click.option("--diff", is_flag=True, help="Print what the fixes would change; write nothing.")
@click.option(
    "--fix-only", is_flag=True, help="Apply the fixes, and do not report the findings that remain."
)
@click.option(
    "--show-fixes", is_flag=True, help="List the findings that the fixes removed, file by file."
)
@click.option(
    "--add-ignore",
    metavar="[=REASON]",
    help="Write a suppression comment for each finding, with REASON after the codes.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Check again whenever a file changes, until Ctrl-C. Needs watchfiles.",
)
@click.option(
    "--drive-from",
    multiple=True,
    metavar="PATH",
    type=click.Path(exists=True),
    help="Tests, scripts or pages that drive what is checked. May be repeated.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Analyse on the Dask cluster with the scheduler at ADDRESS. Needs distributed.",
)
@click.option(
    "--profile",
    is_flag=True,
    help="Say at the end, on standard error, which files and functions took the time.",
)
@configured
@reads_stdin
@with_show_options
@with_means
def check(
    paths: tuple[str, ...],
    stdin: str | None,
    configuration: Configuration,
    means: Means,
    **others: Any,
) -> None:
    """Report dimension mistakes in files and folders: in each PATH, or in this folder.

    Exits with 0 if there are no findings, with 1 if there are, and with 2 if a path does not exist
    or namecheck itself failed on a file. Notes do not count, unless --exit-on note is given.
    """
    begun = work()
    options = Options(**others)
    if options.watch:
        _watch(paths, stdin, options)
    output = _output(options, configuration)
    fixing = _fixing(options)
    known = _known(options)
    given = {} if stdin is None else {stdin: read_stdin()}
    means = means._replace(cluster=options.cluster)
    if options.profile:
        from namecheck.report.profile import Profile

        means = means._replace(profile=Profile())
    reading = Request(paths, given, configuration, means, output, known, fixing, options.exit_zero)
    code = run(reading._replace(drive_from=options.drive_from))
    if means.profile is not None and output.quiet < 2:
        means.profile.show()
    if not output.quiet and output.format in FOR_PEOPLE and options.cluster is None:
        say_how_to_be_faster(work() - begun)
    sys.exit(code)


def _watch(paths: Sequence[str], stdin: str | None, options: Options) -> None:
    """Run this command again whenever a file changes. Does not return."""
    if stdin is not None:
        raise click.UsageError("--watch watches files: standard input is read once")
    from namecheck.running.watching import watch

    context = click.get_current_context()
    once = {**context.params, "watch": False}
    watch(paths, lambda: context.invoke(check, **once), options.quiet > 0)


def _output(options: Options, configuration: Configuration) -> Output:
    """How findings are printed. Raises `Trouble` if the output file cannot be written."""
    path = None if options.output_file == "-" else options.output_file
    if path is not None:
        from namecheck.report.file import refusal

        if (reason := refusal(path)) is not None:
            raise Trouble(f"cannot write the findings: {reason}")
    settings = configuration.of_folder(os.getcwd()).settings
    return Output(
        options.output_format or settings.output_format, path, options.quiet, options.statistics
    )


def _fixing(options: Options) -> Fixing:
    """Which fixes are applied. Raises `UsageError` for options that exclude each other."""
    reason = options.add_ignore
    if reason is not None:
        if options.fix or options.fix_only or options.unsafe_fixes:
            raise click.UsageError("--add-ignore and fixes do not go together: fix first")
        reason = " ".join(reason.split())
    return Fixing(
        options.fix,
        options.unsafe_fixes,
        options.diff,
        options.fix_only,
        options.show_fixes,
        reason,
    )


def _known(options: Options) -> Known:
    """Which findings are not new. Raises `UsageError` for options that exclude each other."""
    if options.no_baseline and (options.baseline or options.error_stale_baseline):
        other = "--baseline" if options.baseline else "--error-stale-baseline"
        raise click.UsageError(f"--no-baseline and {other} do not go together")
    return Known(
        options.baseline, options.no_baseline, options.error_stale_baseline, options.diff_base
    )


def run(request: Request) -> int:
    """Check once, apply fixes if they are wanted, and print the findings. Returns the exit code."""
    output, fixing = request.output, request.fixing
    discovered = _discovered(request)
    check = _checker(request, discovered)
    checked = _first_check(check, request)
    failed = False
    if fixing.wanted:
        fixed = _fixed(checked, discovered.files, check, request)
        if fixing.diff:
            return show_fixes(fixed, fixing, output)
        checked, failed = apply_fixes(fixed, check, request)
        if fixing.only:
            return 2 if failed else 0
    _print_findings(checked, discovered, request)
    return _exit_code(checked, failed, request)


def _discovered(request: Request) -> Discovered:
    """The files to check. Raises `Trouble` if a path does not exist."""
    from namecheck.running.discovery import discover

    discovered = discover(request.paths, request.configuration, request.given)
    if discovered.missing:
        raise Trouble(f"no such file or folder: {', '.join(map(repr, discovered.missing))}")
    if not discovered.files and not discovered.closed and not request.output.quiet:
        say(f"Warning: no Python files in {', '.join(request.paths)}", err=True)
    return discovered._replace(outside=_drivers_outside(discovered, request))


def _drivers_outside(discovered: Discovered, request: Request) -> tuple[str, ...]:
    """The programs that drive the files and are not among them: named ones, and for named files
    those of their projects.
    """
    from namecheck.running.discovery import discover
    from namecheck.running.drivers import drivers_of

    configuration = request.configuration
    here = set(map(os.path.realpath, (*discovered.files, *discovered.drivers)))
    found: list[str] = []
    if request.drive_from:
        named = discover(request.drive_from, configuration)
        found += (*named.files, *named.drivers)
    named_files = [p for p in request.paths if p not in request.given and os.path.isfile(p)]
    if any(configuration.of(path).settings.drive for path in named_files):
        found += drivers_of(named_files, configuration)
    return tuple(path for path in dict.fromkeys(found) if os.path.realpath(path) not in here)


def _checker(request: Request, discovered: Discovered) -> Check:
    """A function that checks these files, again and again with other bytes if need be."""
    from namecheck.running.baseline import Baselines
    from namecheck.running.checking import check_files

    known = request.known
    baselines = None if known.none else Baselines(request.configuration, known.baseline)
    base = None
    if known.since is not None:
        from namecheck.files.diff_base import DiffBase

        base = DiffBase(known.since, os.getcwd())
    return partial(
        check_files,
        request.paths,
        discovered,
        request.configuration,
        request.output.statistics,
        baselines,
        means=request.means,
        given=request.given,
        base=base,
    )


def _first_check(check: Check, request: Request) -> Checked:
    """The files as they are, checked with a progress bar if a person is watching."""
    from namecheck.printing.progress import is_watched, progress

    output = request.output
    with progress(is_watched() and not output.quiet and output.format in FOR_PEOPLE) as advance:
        return check(means=request.means._replace(advance=advance))


def _fixed(checked: Checked, files: Sequence[str], check: Check, request: Request) -> Fixed:
    """The files with the fixes of a run applied; nothing is written yet."""
    from namecheck.applying.delivery import refused_links
    from namecheck.applying.rounds import fix
    from namecheck.findings import Applicability

    def check_again(given: Mapping[str, bytes]) -> Checked:
        return check(given=given)

    again: Callable[[Mapping[str, bytes]], Checked] = check_again
    given, fixing = request.given, request.fixing
    unsafe = fixing.unsafe and fixing.ignore is None
    if fixing.ignore is not None:
        from namecheck.applying.ignores import ignored_instead, with_ignores

        checked = with_ignores(checked, given, fixing.ignore)
        again = ignored_instead(again, fixing.ignore)
    applied = {Applicability.SAFE, *([Applicability.UNSAFE] * unsafe)}
    fixable = {f.path for f in checked.reported if f.fix and f.fix.applicability in applied}
    links = refused_links(fixable.intersection(files).difference(given), request.paths)
    fixed = fix(checked, [path for path in files if path not in links], unsafe, again, given)
    return fixed._replace(refused=(*links.values(), *fixed.refused))


def _print_findings(checked: Checked, discovered: Discovered, request: Request) -> None:
    """Print the report, and below it what was left out."""
    from namecheck.report import Report, checkout

    output = request.output
    left_out = not_reported(checked, request.known)
    report = Report(
        checked.reported,
        checked.sources,
        len(discovered.files),
        checkout(),
        output.quiet == 0,
        (*_driven(checked), *left_out),
    )
    if output.format == "html":
        from namecheck.running.page_files import pages_of

        page_of = pages_of(request.paths, discovered.files, request.configuration, request.given)
        report = report._replace(page_of=page_of)
    # The fixed text of standard input is on standard output already: the report goes elsewhere.
    aside = request.fixing.wanted and request.given
    with redirect_stdout(sys.stderr) if aside else nullcontext():
        print_report(report, checked, output)
        print_left_out(discovered, checked, left_out, request.known, output)


def _driven(checked: Checked) -> tuple[str, ...]:
    """How many entry points were driven, in a few words; nothing if there were none."""
    driven, cut_off = checked.counts.driven, checked.counts.cut_off
    if not driven:
        return ()
    end = f", {cut_off:,} cut off" if cut_off else ""
    return (f"{counted(driven, 'entry point')} driven{end}",)


def _exit_code(checked: Checked, failed: bool, request: Request) -> int:
    """The exit code of a run; `failed` is whether a file could not be written."""
    from namecheck.codes.troubles import INTERNAL_ERROR
    from namecheck.running.baseline import describe

    if failed or any(finding.code == INTERNAL_ERROR for finding in checked.findings):
        return 2
    fails = request.configuration.fails
    wrong = any(fails(finding.path, finding.level) for finding in checked.reported)
    if request.known.error_if_stale and checked.stale:
        if request.output.quiet < 2:
            for entry in checked.stale:
                say(f"Stale in the baseline: {describe(entry)}", err=True)
            say("Error: the baseline is stale; run `namecheck baseline prune`", err=True)
        wrong = True
    return 1 if wrong and not request.exit_zero else 0


def print_report(report: Report, checked: Checked, output: Output) -> None:
    """Print the report, or write it to its file; then print the statistics.

    Statistics for people go to standard error if a format for programs is on standard output.
    """
    from namecheck.report import save, write
    from namecheck.report.text import summary

    if output.file is not None:
        try:
            save(report, output.format, output.file)
        except OSError as refused:
            reason = refused.strerror or refused
            raise Trouble(f"cannot write the findings to {output.file!r}: {reason}") from None
        if not output.quiet:
            say(summary(report))
    elif output.quiet < 2:
        write(report, output.format)
    if output.statistics and output.quiet < 2:
        from namecheck.report.statistics import record, tally

        text_of = record if output.format in ("json", "json-lines") else tally
        apart = output.file is None and output.format not in FOR_PEOPLE
        statistics = text_of(checked.reported, checked.counts, checked.unknown_calls)
        print_lines(statistics, err=apart)


def not_reported(checked: Checked, known: Known) -> tuple[str, ...]:
    """How many findings are left out of the report, and why, in a few words each."""
    from namecheck.running.baseline import known_in

    counts = []
    if checked.forgiven:
        counts.append(known_in(checked.forgiven))
    if checked.unchanged:
        counts.append(f"{checked.unchanged:,} on lines unchanged since {known.since}")
    if checked.too_light:
        counts.append(f"{checked.too_light:,} below min-severity")
    return tuple(counts)


def print_left_out(
    discovered: Discovered,
    checked: Checked,
    beside: Sequence[str],
    known: Known,
    output: Output,
) -> None:
    """Print what a person might expect to have been checked and was not, and how far a baseline is
    out of date.

    It follows the summary. A format without one has `beside`, the words of `not_reported`, here as
    well, on standard error.
    """
    from namecheck.files.left_out import LANGUAGE, LeftOut, sentence
    from namecheck.running.baseline import forgives_more

    if output.quiet:
        return
    notebooks = [LeftOut(p, False, LANGUAGE) for p in checked.passed if p.endswith(".ipynb")]
    stale = () if known.error_if_stale else checked.stale
    aside = output.format != "full" and output.file is None
    more = forgives_more(stale)
    for line in (
        f"Not reported: {'; '.join(beside)}." if beside and aside else "",
        sentence((*discovered.left_out, *notebooks)),
        f"{more}." if more else "",
    ):
        if line:
            say(line, err=aside, dim=True)


def show_fixes(fixed: Fixed, fixing: Fixing, output: Output) -> int:
    """Print the fixes as a diff. Returns the exit code: 1 if there are any, 2 if one is refused."""
    from namecheck.applying.delivery import print_difference

    print_difference(fixed.files.values())
    for reason in fixed.refused:
        say(f"Error: {reason}", err=True)
    if fixed.files and not output.quiet:
        verb = "Would fix" if fixing.ignore is None else "Would silence"
        print_fixed(verb, fixed, fixing)
    print_undone(fixed, fixing, output)
    return 2 if fixed.refused else 1 if fixed.files else 0


def print_undone(fixed: Fixed, fixing: Fixing, output: Output) -> None:
    """Print which findings were not fixed or silenced, and why."""
    from namecheck.applying.undone import undone

    reported = not (fixing.diff or fixing.only)
    if not output.quiet:
        for sentence in undone(fixed, fixing.unsafe, fixing.ignore is not None, reported):
            say(sentence, err=True)


def apply_fixes(fixed: Fixed, check: Check, request: Request) -> tuple[Checked, bool]:
    """Write the fixed files. Returns the run as it is after that, and whether a file was refused.

    The text of standard input goes to standard output, changed or not.
    """
    from namecheck.applying.delivery import write_files

    given, fixing, output = request.given, request.fixing, request.output
    now = {
        **given,
        **{path: fixed.files[path].after.source for path in given if path in fixed.files},
    }
    for source in now.values():
        pass_on(source)
    files = [file for path, file in fixed.files.items() if path not in given]
    unwritten = write_files(files, request.paths)
    for reason in (*fixed.refused, *unwritten):
        say(f"Error: {reason}", err=True)
    if unwritten:  # the last check was of texts that are not on the disk
        return check(given=now), True
    if fixed.files and not output.quiet:
        print_fixed("Fixed" if fixing.ignore is None else "Silenced", fixed, fixing)
    print_undone(fixed, fixing, output)
    if fixing.ignore is not None:  # the fixes of the last check are comments
        return check(given=now), bool(fixed.refused)
    return fixed.left, bool(fixed.refused)


def print_fixed(verb: str, fixed: Fixed, fixing: Fixing) -> None:
    """Print how many findings were fixed, and with `--show-fixes` which, file by file."""
    where = counted(len(fixed.files), "file")
    sentence = f"{verb} {counted(fixed.gone, 'finding')} in {where}"
    listed = fixed.removed if fixing.listed else {}
    say(sentence + (":" if listed else "."), err=True)
    shown = None
    for (path, code, name), number in sorted(listed.items()):
        if path != shown:
            say(f"- {path}", err=True)
            shown = path
        say(f"    {number:,} × {code} ({name})", err=True)
