"""`namecheck baseline`: a file of known findings."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from namecheck.commands.options import configured
from namecheck.exit_codes import Group, Trouble
from namecheck.printing.counts import counted
from namecheck.printing.output import say
from namecheck.running.run_options import with_means

if TYPE_CHECKING:
    from namecheck.running.baseline import Baselines
    from namecheck.running.checking import Checked
    from namecheck.running.run_options import Means
    from namecheck.settings.config import Configuration


@click.group(cls=Group)
def baseline() -> None:
    """Keep a baseline of known findings, so that only new ones are reported.

    A baseline is for a project that had code before it used namecheck: `write` it once, then
    `namecheck check` reports only new findings, and `prune` removes those that were fixed. Its
    place is --baseline, or `baseline` in the settings, or the nearest namecheck-baseline.json up
    the tree; a new one is written beside the settings.
    """


def arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a subcommand the paths, the place of the baseline, and the settings."""
    command = configured(with_means(command))
    command = click.option(
        "--baseline", "file", metavar="FILE", type=click.Path(), help="The file of the baseline."
    )(command)
    return click.argument("paths", nargs=-1, metavar="[PATH]...")(command)


@baseline.command()
@arguments
def write(
    paths: tuple[str, ...], file: str | None, configuration: Configuration, means: Means
) -> None:
    """Write the present findings into the baseline.

    These are the findings in each PATH, or in this folder. Entries for other files are kept.
    """
    sys.exit(keep_known(paths or (".",), file, configuration, means))


def keep_known(
    paths: tuple[str, ...],
    file: str | None,
    configuration: Configuration,
    means: Means,
    even_if_empty: bool = True,
) -> int:
    """Write the findings into their baseline, or several if settings name several.

    Returns the exit code. A new baseline without entries is only written if `even_if_empty`.
    """
    from namecheck.codes.troubles import TROUBLES
    from namecheck.printing.printed_paths import shown
    from namecheck.running.baseline import count, is_gone, relative

    checked, baselines = _check(paths, file, configuration, means, forgiving=False)
    by_file: dict[str, list[Any]] = {_place(baselines, path): [] for path in checked.read}
    for finding in checked.findings:
        by_file.setdefault(_place(baselines, finding.path), []).append(finding)
    new = False
    for place, findings in sorted(by_file.items()):
        counts = count(findings, place, checked.sources)
        fresh = {relative(path, place) for path in checked.read}
        if os.path.exists(place):
            for entry, times in baselines.at(place).counts.items():
                if entry.path not in fresh and not is_gone(entry.path, ["."], place):
                    counts[entry] = max(counts[entry], times)
        elif counts or even_if_empty:
            new = True
        else:
            continue
        baselines.write(place, counts)
        say(f"{shown(place)} holds {counted(counts.total(), 'finding')}.")
    if new and file is None:
        say("`namecheck check` uses it from now on.")
    elif new and configuration.of_folder(os.getcwd()).settings.baseline is None:
        say(f"Use it with `--baseline {file}`, or name it in the settings (`baseline`).")
    troubles = [finding for finding in checked.findings if finding.code in TROUBLES]
    if troubles:
        _report(checked, troubles)
    wrong = any(configuration.fails(finding.path, finding.level) for finding in troubles)
    return _exit_code(checked, wrong)


@baseline.command()
@arguments
def prune(
    paths: tuple[str, ...], file: str | None, configuration: Configuration, means: Means
) -> None:
    """Remove entries for findings that are gone.

    These are entries for each PATH, or for this folder.
    """
    from namecheck.printing.printed_paths import shown
    from namecheck.running.baseline import describe

    checked, baselines = _check(paths or (".",), file, configuration, means)
    for place in sorted({stale.file for stale in checked.stale}):
        counts = Counter(baselines.at(place).counts)
        for stale in checked.stale:
            if stale.file == place:
                counts[stale.entry] = stale.found
                say(describe(stale))
        baselines.write(place, +counts)
        say(f"{shown(place)} holds {counted(counts.total(), 'finding')}.")
    if not checked.stale:
        say("Nothing to remove.")
    sys.exit(_exit_code(checked, False))


@baseline.command("check")
@arguments
def check_baseline(
    paths: tuple[str, ...], file: str | None, configuration: Configuration, means: Means
) -> None:
    """Report new findings and stale entries.

    Checks each PATH, or this folder. A finding is new if it is not in the baseline; an entry is
    stale if its finding is gone. Exits with 1 if there is either.
    """
    from namecheck.running.baseline import describe

    checked, _ = _check(paths or (".",), file, configuration, means)
    for entry in checked.stale:
        say(f"Stale: {describe(entry)}")
    if checked.stale:
        say("`namecheck baseline prune` removes what is stale.")
        say()
    _report(checked, checked.reported)
    wrong = any(configuration.fails(f.path, f.level) for f in checked.reported)
    sys.exit(_exit_code(checked, wrong or bool(checked.stale)))


def _check(
    paths: tuple[str, ...],
    file: str | None,
    configuration: Configuration,
    means: Means,
    forgiving: bool = True,
) -> tuple[Checked, Baselines]:
    """The run over these paths, if `forgiving` without the findings in the baselines, and these."""
    from namecheck.running.baseline import Baselines
    from namecheck.running.checking import check_files
    from namecheck.running.discovery import discover

    discovered = discover(paths, configuration)
    if discovered.missing:
        raise Trouble(f"no such file or folder: {', '.join(map(repr, discovered.missing))}")
    baselines = Baselines(configuration, file, default=True)
    used = baselines if forgiving else None
    return check_files(paths, discovered, configuration, baselines=used, means=means), baselines


def _place(baselines: Baselines, path: str) -> str:
    place = baselines.file_of(path)
    assert place is not None, "there is a default"
    return place


def _report(checked: Checked, findings: Any) -> None:
    from namecheck.report import Report, checkout, write

    write(Report(findings, checked.sources, len(checked.read), checkout(), True), "full")


def _exit_code(checked: Checked, wrong: bool) -> int:
    """The exit code: 2 if namecheck itself failed, else 1 if something is `wrong`."""
    from namecheck.codes.troubles import INTERNAL_ERROR

    if any(finding.code == INTERNAL_ERROR for finding in checked.findings):
        return 2
    return 1 if wrong else 0
