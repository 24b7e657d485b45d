"""`namecheck check`: findings in files and folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import click

from namecheck.commands.options import configured, tells_settings
from namecheck.exit_codes import Trouble
from namecheck.files.standard_input import read_stdin, reads_stdin
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
"""A run over the files, with `given=` bytes in the place of some of them."""


class Output(NamedTuple):
    """What is printed of what was found, and where. `quiet` counts how often it was asked for."""

    format: str
    file: str | None
    quiet: int
    statistics: bool


class Fixing(NamedTuple):
    """Whether fixes are applied, also those that are not safe, or only shown as a diff; `only`: and
    nothing is reported of what is left. `listed`: what they remove is listed. `ignore`: comments
    with this reason take the place of fixes.
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

    def of(
        self,
        checked: Checked,
        paths: Sequence[str],
        files: Sequence[str],
        check: Check,
        given: Mapping[str, bytes],
    ) -> Fixed:
        """What fixing comes to, of a run with `given` bytes that can be `check`ed again.

        The `paths` of the command line say where the files are that may be written.
        """
        from namecheck.applying.delivery import refused_links
        from namecheck.applying.rounds import fix
        from namecheck.findings import Applicability

        def once_more(given: Mapping[str, bytes]) -> Checked:
            return check(given=given)

        again: Callable[[Mapping[str, bytes]], Checked] = once_more
        unsafe = self.unsafe and self.ignore is None
        if self.ignore is not None:
            from namecheck.applying.ignores import ignored_instead, with_ignores

            checked = with_ignores(checked, given, self.ignore)
            again = ignored_instead(again, self.ignore)
        applied = {Applicability.SAFE, *([Applicability.UNSAFE] * unsafe)}
        wanted = {f.path for f in checked.reported if f.fix and f.fix.applicability in applied}
        links = refused_links(wanted.intersection(files).difference(given), paths)
        fixed = fix(checked, [path for path in files if path not in links], unsafe, again, given)
        return fixed._replace(refused=(*links.values(), *fixed.refused))


class Known(NamedTuple):
    """Which findings are not reported since they were there before: those of a `baseline`, by its
    file or, unless `none` is wanted, the one that is found, and with `since` those on lines that
    are not changed since then. A stale baseline may be an error.
    """

    baseline: str | None
    none: bool
    error_if_stale: bool
    since: str | None


class CheckCommand(click.Command):
    """Takes a bare `--add-ignore` for one without a reason: what follows it is a path."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        told = [f"{one}=" if one == "--add-ignore" else one for one in args[:end]]
        return super().parse_args(ctx, told + args[end:])


@click.command(cls=CheckCommand)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option(
    "--output-format",
    type=click.Choice(list(FORMATS)),
    envvar="NAMECHECK_OUTPUT_FORMAT",
    show_envvar=True,
    help="How findings are printed (full).",
)
@click.option(
    "--output-file",
    metavar="FILE",
    type=click.Path(),
    help="Write the findings to FILE, all at once, and print how many there are.",
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
@click.option("--exit-zero", is_flag=True, help="End with 0 even if there are findings.")
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(),
    help="Do not report the findings in FILE (the nearest namecheck-baseline.json up the tree).",
)
@click.option("--no-baseline", is_flag=True, help="Report known findings, too.")
@click.option(
    "--error-stale-baseline",
    is_flag=True,
    help="End with 1 if the baseline has entries that are not found any more.",
)
@click.option(
    "--diff-base",
    metavar="REF",
    help="Report what is on lines, or follows from lines, changed since the branch left REF (git).",
)
@click.option("--fix", is_flag=True, help="Apply the fixes that keep what the program means.")
@click.option(
    "--unsafe-fixes", is_flag=True, help="With --fix, --diff: those that may change it, too."
)
@click.option("--diff", is_flag=True, help="Print what the fixes would change; write nothing.")
@click.option(
    "--fix-only", is_flag=True, help="Apply the fixes, and report nothing of what is left."
)
@click.option(
    "--show-fixes", is_flag=True, help="List which findings the fixes have removed, file by file."
)
@click.option(
    "--add-ignore",
    metavar="[=REASON]",
    help="Write a suppression comment for each finding, with a reason behind the codes.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Check again whenever a file changes; Ctrl-C ends. Needs watchfiles.",
)
@configured
@reads_stdin
@tells_settings
@with_means
def check(
    paths: tuple[str, ...],
    output_format: str | None,
    output_file: str | None,
    quiet: int,
    statistics: bool,
    exit_zero: bool,
    baseline: str | None,
    no_baseline: bool,
    error_stale_baseline: bool,
    diff_base: str | None,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    fix_only: bool,
    show_fixes: bool,
    add_ignore: str | None,
    watch: bool,
    stdin: str | None,
    configuration: Configuration,
    means: Means,
) -> None:
    """Report dimension mistakes in files and folders: in PATHs, or here.

    Ends with 0 if nothing was found, 1 if something was, 2 if a path does not exist or namecheck
    itself failed on a file. Notes are no mistakes: they do not count, unless --exit-on note.
    """
    if watch:
        if stdin is not None:
            raise click.UsageError("--watch watches files: standard input is read once")
        from namecheck.running.watching import watch as begin

        context = click.get_current_context()
        once = {**context.params, "watch": False}
        begin(paths, lambda: context.invoke(check, **once), quiet > 0)
    if output_file == "-":  # as nearly every command has it
        output_file = None
    if output_file is not None:
        from namecheck.report.file import refusal

        if (reason := refusal(output_file)) is not None:
            raise Trouble(f"cannot write the findings: {reason}")
    settings = configuration.of_folder(os.getcwd()).settings
    output = Output(output_format or settings.output_format, output_file, quiet, statistics)
    if add_ignore is not None:
        if fix or fix_only or unsafe_fixes:
            raise click.UsageError("--add-ignore and fixes do not go together: fix first")
        add_ignore = " ".join(add_ignore.split())
    fixing = Fixing(fix, unsafe_fixes, diff, fix_only, show_fixes, add_ignore)
    if no_baseline and (baseline or error_stale_baseline):
        other = "--baseline" if baseline else "--error-stale-baseline"
        raise click.UsageError(f"--no-baseline and {other} do not go together")
    known = Known(baseline, no_baseline, error_stale_baseline, diff_base)
    given = {} if stdin is None else {stdin: read_stdin()}
    sys.exit(run(paths, given, configuration, output, exit_zero, known, fixing, means))


def run(
    paths: tuple[str, ...],
    given: Mapping[str, bytes],
    configuration: Configuration,
    output: Output,
    exit_zero: bool,
    known: Known,
    fixing: Fixing,
    means: Means,
) -> int:
    """Checks once, fixes if that is asked for, prints what was found, and gives the exit code.

    `given` are bytes that came from standard input, by the path that they are checked as.
    """
    from namecheck.codes.troubles import INTERNAL_ERROR
    from namecheck.printing.progress import is_watched, progress
    from namecheck.report import Report, checkout
    from namecheck.running.baseline import Baselines, describe
    from namecheck.running.checking import check_files
    from namecheck.running.discovery import discover

    found = discover(paths, configuration, given)
    if found.missing:
        raise Trouble(f"no such file or folder: {', '.join(map(repr, found.missing))}")
    if not found.files and not found.closed and not output.quiet:
        say(f"Warning: no Python files in {', '.join(paths)}", err=True)

    baselines = None if known.none else Baselines(configuration, known.baseline)
    base = None
    if known.since is not None:
        from namecheck.files.diff_base import DiffBase

        base = DiffBase(known.since, os.getcwd())
    check = partial(
        check_files,
        paths,
        found,
        configuration,
        output.statistics,
        baselines,
        means=means,
        given=given,
        base=base,
    )
    with progress(is_watched() and not output.quiet and output.format in FOR_PEOPLE) as advance:
        checked = check(means=means._replace(advance=advance))
    failed = False
    if fixing.wanted:
        fixed = fixing.of(checked, paths, found.files, check, given)
        if fixing.diff:
            return show_fixes(fixed, fixing, output)
        checked, failed = apply_fixes(fixed, paths, given, fixing, check, output)
        if fixing.only:
            return 2 if failed else 0
    total = output.quiet == 0
    beside = not_reported(checked, known)
    report = Report(checked.reported, checked.sources, len(found.files), checkout(), total, beside)
    # What was read from standard input has been written to standard output by then.
    aside = redirect_stdout(sys.stderr) if fixing.wanted and given else nullcontext()
    with aside:
        tell(report, checked, output)
        tell_what_is_missing(found, checked, beside, known, output)
    if failed or any(finding.code == INTERNAL_ERROR for finding in checked.findings):
        return 2
    wrong = any(configuration.fails(one.path, one.level) for one in checked.reported)
    if known.error_if_stale and checked.stale:
        if output.quiet < 2:
            for one in checked.stale:
                say(f"Stale in the baseline: {describe(one)}", err=True)
            say("Error: the baseline is stale; run `namecheck baseline prune`", err=True)
        wrong = True
    return 1 if wrong and not exit_zero else 0


def tell(report: Report, checked: Checked, output: Output) -> None:
    """Prints the report, or writes it to its file, and the statistics where they spoil neither."""
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

        words = record if output.format in ("json", "json-lines") else tally
        apart = output.file is None and output.format not in FOR_PEOPLE
        sums = words(checked.reported, checked.counts, checked.unknown_calls)
        print_lines(sums, err=apart)


def not_reported(checked: Checked, known: Known) -> tuple[str, ...]:
    """What was found and is not reported, in a few words each."""
    from namecheck.running.baseline import known_in

    said = []
    if checked.forgiven:
        said.append(known_in(checked.forgiven))
    if checked.unchanged:
        said.append(f"{checked.unchanged:,} on lines unchanged since {known.since}")
    if checked.too_light:
        said.append(f"{checked.too_light:,} below min-severity")
    return tuple(said)


def tell_what_is_missing(
    found: Discovered, checked: Checked, beside: Sequence[str], known: Known, output: Output
) -> None:
    """Prints what was not checked that a person would expect to be, and what is wrong with a
    baseline.

    It stands below the summary, where there is one, and aside where another program reads, with
    what would stand in the summary.
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
        sentence((*found.left_out, *notebooks)),
        f"{more}." if more else "",
    ):
        if line:
            say(line, err=aside, dim=True)


def show_fixes(fixed: Fixed, fixing: Fixing, output: Output) -> int:
    """Prints what the fixes would change; 1 if that is anything."""
    from namecheck.applying.delivery import counted, print_difference

    print_difference(fixed.files.values())
    for reason in fixed.refused:
        say(f"Error: {reason}", err=True)
    if fixed.files and not output.quiet:
        where = counted(len(fixed.files), "file")
        verb = "fix" if fixing.ignore is None else "silence"
        tell_fixed(f"Would {verb} {counted(fixed.gone, 'finding')} in {where}", fixed, fixing)
    say_what_is_undone(fixed, fixing, output)
    return 2 if fixed.refused else 1 if fixed.files else 0


def say_what_is_undone(fixed: Fixed, fixing: Fixing, output: Output) -> None:
    """Prints what was not fixed or silenced, and why."""
    from namecheck.applying.undone import undone

    reported = not (fixing.diff or fixing.only)
    if not output.quiet:
        for sentence in undone(fixed, fixing.unsafe, fixing.ignore is not None, reported):
            say(sentence, err=True)


def apply_fixes(
    fixed: Fixed,
    paths: Sequence[str],
    given: Mapping[str, bytes],
    fixing: Fixing,
    check: Check,
    output: Output,
) -> tuple[Checked, bool]:
    """Fixes the files; what there is to tell of them afterwards, and whether one was refused.

    What was `given` goes to standard output, changed or not.
    """
    from namecheck.applying.delivery import counted, write_files

    now = {
        **given,
        **{path: fixed.files[path].after.source for path in given if path in fixed.files},
    }
    for source in now.values():
        pass_on(source)
    files = [one for path, one in fixed.files.items() if path not in given]
    unwritten = write_files(files, paths)
    for reason in (*fixed.refused, *unwritten):
        say(f"Error: {reason}", err=True)
    if unwritten:  # what stands there now is something else than what was checked last
        return check(given=now), True
    if fixed.files and not output.quiet:
        where = counted(len(fixed.files), "file")
        verb = "Fixed" if fixing.ignore is None else "Silenced"
        tell_fixed(f"{verb} {counted(fixed.gone, 'finding')} in {where}", fixed, fixing)
    say_what_is_undone(fixed, fixing, output)
    if fixing.ignore is not None:  # what is left has its own fixes again
        return check(given=now), bool(fixed.refused)
    return fixed.left, bool(fixed.refused)


def tell_fixed(words: str, fixed: Fixed, fixing: Fixing) -> None:
    """Prints how much was fixed, and with `--show-fixes` which findings, file by file."""
    listed = fixed.removed if fixing.listed else {}
    say(words + (":" if listed else "."), err=True)
    shown = None
    for (path, code, name), number in sorted(listed.items()):
        if path != shown:
            say(f"- {path}", err=True)
            shown = path
        say(f"    {number:,} × {code} ({name})", err=True)
