"""`namecheck check`: findings in files and folders."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from namecheck.options import configured
from namecheck.report import FOR_PEOPLE, FORMATS
from namecheck.terminal import colour_option
from namecheck.usage import Trouble

if TYPE_CHECKING:
    from namecheck.checking import Checked
    from namecheck.config import Configuration
    from namecheck.report import Report


class Output(NamedTuple):
    """What is printed of what was found, and where. `quiet` counts how often it was asked for."""

    format: str
    file: str | None
    quiet: int
    statistics: bool


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
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
@configured
def check(
    paths: tuple[str, ...],
    output_format: str | None,
    output_file: str | None,
    quiet: int,
    statistics: bool,
    exit_zero: bool,
    configuration: Configuration,
) -> None:
    """Report dimension mistakes in files and folders.

    Ends with 0 if nothing was found, 1 if something was, 2 if a path does not exist or namecheck
    itself failed on a file. Notes are no mistakes: they do not count.
    """
    if output_file is not None:
        from namecheck.report.file import refusal

        if (reason := refusal(output_file)) is not None:
            raise Trouble(f"cannot write the findings: {reason}")
    settings = configuration.of_folder(os.getcwd()).settings
    output = Output(output_format or settings.output_format, output_file, quiet, statistics)
    sys.exit(run(paths, configuration, output, exit_zero))


def run(
    paths: tuple[str, ...], configuration: Configuration, output: Output, exit_zero: bool
) -> int:
    """Checks once, prints what was found, and gives the exit code."""
    from namecheck.checking import check_files
    from namecheck.discovery import discover
    from namecheck.findings import Level
    from namecheck.report import Report, checkout
    from namecheck.troubles import INTERNAL_ERROR

    found = discover(paths, configuration)
    if found.missing:
        raise Trouble(f"no such file or folder: {', '.join(map(repr, found.missing))}")
    if not found.files and not found.closed and not output.quiet:
        click.echo(f"Warning: no Python files in {', '.join(paths)}", err=True)

    checked = check_files(paths, found, configuration, statistics=output.statistics)
    total = output.quiet == 0
    report = Report(checked.findings, checked.sources, len(found.files), checkout(), total)
    tell(report, checked, output)
    if any(finding.code == INTERNAL_ERROR for finding in checked.findings):
        return 2
    wrong = any(finding.level is not Level.NOTE for finding in checked.findings)
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
            click.echo(summary(report.findings, report.checked))
    elif output.quiet < 2:
        write(report, output.format)
    if output.statistics and output.quiet < 2:
        from namecheck.report.statistics import record, tally

        words = record if output.format in ("json", "json-lines") else tally
        apart = output.file is None and output.format not in FOR_PEOPLE
        sums = words(checked.findings, checked.counts, checked.unknown_calls)
        click.echo(sums, nl=False, err=apart)
