"""`namecheck annotate`: inferred dims written into files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from namecheck.commands.options import configured
from namecheck.exit_codes import Trouble
from namecheck.files.standard_input import read_stdin, reads_stdin
from namecheck.printing.counts import counted
from namecheck.printing.output import pass_on, say
from namecheck.running.run_options import with_means

if TYPE_CHECKING:
    from namecheck.annotations.files import Annotated, Edited
    from namecheck.running.cache import Task
    from namecheck.running.checking import Checked
    from namecheck.running.discovery import Discovered
    from namecheck.running.run_options import Means
    from namecheck.settings.config import Configuration

EFFORT: Final = 4
"""The least number of analyses that annotating a file takes."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option(
    "--style",
    type=click.Choice(["comment", "jaxtyping"]),
    default="comment",
    show_default=True,
    help="Comments after assignments, or annotations of parameters and returns.",
)
@click.option("--diff", is_flag=True, help="Print what would change; write nothing.")
@click.option(
    "--line-length",
    metavar="N",
    type=click.IntRange(min=20),
    help="The longest line, in columns (that of the project's formatter, or 88).",
)
@click.option("-q", "--quiet", is_flag=True, help="Do not print how much was written.")
@configured
@reads_stdin
@with_means
def annotate(
    paths: tuple[str, ...],
    style: str,
    diff: bool,
    line_length: int | None,
    quiet: bool,
    stdin: str | None,
    configuration: Configuration,
    means: Means,
) -> None:
    """Write inferred dims into files, as comments or as jaxtyping annotations.

    Only dims that are certain are written, in words of the program, and only where it does not
    state them already. The path - is standard input; the result goes to standard output.

    Exits with 0; with 1 if --diff is given and something would change; and with 2 if a path does
    not exist or a file cannot be written.
    """
    from namecheck.applying.delivery import print_difference, write_files
    from namecheck.running.discovery import discover

    given = {} if stdin is None else {stdin: read_stdin()}
    discovered = discover(paths, configuration, given)
    if discovered.missing:
        raise Trouble(f"no such file or folder: {', '.join(map(repr, discovered.missing))}")
    if not discovered.files and not discovered.closed and not quiet:
        say(f"Warning: no Python files in {', '.join(paths)}", err=True)
    annotated = _annotated(paths, discovered, given, style, line_length, configuration, means)
    refused = list(annotated.refused)
    if diff:
        print_difference(annotated.files.values())
    else:
        for path, source in given.items():
            changed = annotated.files.get(path)
            pass_on(source if changed is None else changed.after.source)
        files = [file for path, file in annotated.files.items() if path not in given]
        refused += write_files(files, paths)
    for reason in refused:
        say(f"Error: {reason}", err=True)
    if annotated.files and not quiet:
        where = counted(len(annotated.files), "file")
        verb = "Would write" if diff else "Wrote"
        say(f"{verb} {counted(annotated.written, 'annotation')} in {where}.", err=True)
    if not quiet:
        for sentence in annotated.undone:
            say(sentence, err=True)
        if discovered.files and not (annotated.files or annotated.undone or refused):
            say("Nothing to annotate.", err=True)
    sys.exit(2 if refused else 1 if diff and annotated.files else 0)


def _annotated(
    paths: tuple[str, ...],
    discovered: Discovered,
    given: Mapping[str, bytes],
    style: str,
    line_length: int | None,
    configuration: Configuration,
    means: Means,
) -> Annotated:
    """The annotated files; nothing is written yet."""
    from namecheck.annotations.files import annotate
    from namecheck.annotations.files import edit as edit_one
    from namecheck.applying.delivery import refused_links
    from namecheck.printing.progress import is_watched, progress
    from namecheck.running.cache import Task
    from namecheck.running.checking import check_files
    from namecheck.running.processes import spread

    real = {path: os.path.realpath(path) for path in discovered.files}
    names = {real_path: path for path, real_path in real.items()}
    links = refused_links(real.keys() - given.keys(), paths)

    with progress(is_watched(), "annotating") as advance:
        shown = means._replace(advance=advance)

        def edit(
            files: Sequence[str], texts: Mapping[str, bytes], strict: bool
        ) -> Iterator[Edited]:
            tasks = [Task(path, real[path], False) for path in files]
            surroundings = tuple(paths), names, dict(texts), configuration
            do = partial(edit_one, style, line_length, strict, links)
            answers = spread(tasks, surroundings, means.jobs, do, _lost, EFFORT)
            for done, edited in enumerate(answers, 1):
                advance(done, len(tasks))
                yield edited

        def check(texts: Mapping[str, bytes]) -> Checked:
            return check_files(paths, discovered, configuration, means=shown, given=texts)

        return annotate(discovered.files, edit, check, given)


def _lost(task: Task, failure: Exception) -> Edited:
    from namecheck.annotations.files import Edited

    return Edited(task.path, refused=f"{task.path}: {failure}")
