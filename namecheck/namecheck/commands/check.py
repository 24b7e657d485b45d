"""`namecheck check`: findings in files and folders."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from namecheck.options import configured
from namecheck.report import FORMATS
from namecheck.usage import Trouble

if TYPE_CHECKING:
    from namecheck.config import Configuration


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--output-format",
    type=click.Choice(list(FORMATS)),
    envvar="NAMECHECK_OUTPUT_FORMAT",
    help="How findings are printed (full).",
)
@click.option("--exit-zero", is_flag=True, help="End with 0 even if there are findings.")
@click.option(
    "--statistics",
    is_flag=True,
    help="Add counts per code, how much was understood, and which unknown calls cost most.",
)
@configured
def check(
    paths: tuple[str, ...],
    output_format: str | None,
    exit_zero: bool,
    statistics: bool,
    configuration: Configuration,
) -> None:
    """Report dimension mistakes in files and folders.

    Ends with 0 if nothing was found, 1 if something was, 2 if a path does not exist or namecheck
    itself failed on a file. Notes are no mistakes: they do not count.
    """
    from namecheck.checking import check_files
    from namecheck.discovery import discover
    from namecheck.findings import Level
    from namecheck.report import Report, write
    from namecheck.troubles import INTERNAL_ERROR

    settings = configuration.of_folder(os.getcwd()).settings
    output_format = output_format or settings.output_format
    found = discover(paths)
    if found.missing:
        raise Trouble(f"no such file or folder: {', '.join(map(repr, found.missing))}")
    if not found.files and not found.closed:
        click.echo(f"Warning: no Python files in {', '.join(paths)}", err=True)

    checked = check_files(paths, found, configuration, statistics=statistics)
    write(Report(checked.findings, checked.sources, len(found.files)), output_format)
    if statistics:
        from namecheck.report.statistics import record, tally

        sums = checked.findings, checked.counts, checked.unknown_calls
        if output_format == "json":
            click.echo(record(*sums), nl=False, err=True)
        else:
            click.echo(tally(*sums), nl=False)
    if any(finding.code == INTERNAL_ERROR for finding in checked.findings):
        sys.exit(2)
    wrong = any(finding.level is not Level.NOTE for finding in checked.findings)
    sys.exit(1 if wrong and not exit_zero else 0)
