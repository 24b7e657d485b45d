"""The command line, and nothing else: options in, exit code out.

Exit codes: 0 nothing found, 1 findings, 2 the question could not be asked (usage, missing path) or
namecheck itself failed.  Every import that costs something stands inside the command that needs it:
`namecheck --version` loads neither LibCST nor NumPy.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import click

from namecheck import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from namecheck.analysis.imports import Program
    from namecheck.findings import Analysis, Finding, UnknownCall

__all__ = ["main"]

FORMATS = ("full", "concise", "json")


class Trouble(click.ClickException):
    """The question could not be asked."""

    exit_code = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="namecheck")
def main() -> None:
    """Find dimension mistakes in tensor programs without running them."""
    for stream in (sys.stdout, sys.stderr):
        # A dim may be called "α" on a terminal that has no such letter: never a traceback for that.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@main.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--output-format",
    type=click.Choice(FORMATS),
    default="full",
    show_default=True,
    help="How findings are printed.",
)
@click.option("--exit-zero", is_flag=True, help="End with 0 even if there are findings.")
@click.option(
    "--statistics",
    is_flag=True,
    help="Add counts per code, how much was understood, and which unknown calls cost most.",
)
@click.option("--notes", is_flag=True, help="Show where inference stopped too (NC801, NC802).")
def check(
    paths: tuple[str, ...], output_format: str, exit_zero: bool, statistics: bool, notes: bool
) -> None:
    """Report dimension mistakes in files and folders.

    Ends with 0 if nothing was found, 1 if something was, 2 if a path does not exist or namecheck
    itself failed on a file. Notes are no mistakes: they do not count.
    """
    from namecheck.coverage import COVERAGE
    from namecheck.discovery import discover, reading_order
    from namecheck.findings import Counts, Level
    from namecheck.troubles import INTERNAL_ERROR, unreadable

    found = discover(paths)
    if found.missing:
        raise Trouble(f"no such file or folder: {', '.join(map(repr, found.missing))}")
    if not found.files and not found.closed:
        click.echo(f"Warning: no Python files in {', '.join(paths)}", err=True)

    findings: list[Finding] = [unreadable(folder, reason) for folder, reason in found.closed]
    texts: dict[str, str] = {}
    counts = Counts()
    program = program_of(paths, found.files)
    places = set()
    unknown: list[UnknownCall] = []
    for path in found.files:
        text, analysis = examine(path, program, statistics=statistics or notes)
        counts += analysis.counts
        unknown += analysis.unknown_calls
        for finding in analysis.findings:
            # A function may be wrong in the same way as two files call it.
            place = finding.path, finding.span, finding.code
            if (finding.code in COVERAGE and not notes) or place in places:
                continue
            places.add(place)
            findings.append(finding)
            if finding.path == path:
                texts[path] = text
            elif finding.path not in texts:
                texts[finding.path] = text_of(finding.path)
    findings.sort(key=lambda f: (reading_order(f.path), f.span, f.code, f.message))

    report(findings, texts, output_format, checked=len(found.files))
    if statistics:
        from namecheck.report.statistics import record, tally

        if output_format == "json":
            click.echo(record(findings, counts, unknown), nl=False, err=True)
        else:
            click.echo(tally(findings, counts, unknown), nl=False)
    if any(finding.code == INTERNAL_ERROR for finding in findings):
        sys.exit(2)
    wrong = any(finding.level is not Level.NOTE for finding in findings)
    sys.exit(1 if wrong and not exit_zero else 0)


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
def show(file: str) -> None:
    """Print a file with the inferred dims beside each assignment."""
    from namecheck.discovery import shown
    from namecheck.report.screen import plain

    path = shown(file)
    text, analysis = examine(path, program_of((file,), (path,)), thorough=True)
    stuck = [f for f in analysis.findings if f.code.startswith("NC9")]
    if stuck:
        report(stuck, {path: text}, "full", checked=1)
        sys.exit(2 if any(f.code == "NC999" for f in stuck) else 1)
    if in_colour():
        from namecheck.report.colour import paint_beside

        paint_beside(text, analysis.shapes, columns() or 80)
    else:
        from namecheck.report.shapes import beside

        click.echo(plain(beside(text, analysis.shapes, columns())), nl=False)


@main.command()
@click.argument("code", required=False)
@click.option("--all", "everything", is_flag=True, help="Print the pages of all codes.")
def explain(code: str | None, everything: bool) -> None:
    """Say what a code means and what to do about it.

    CODE is a code such as NC202 or its name, misaligned-broadcast.
    """
    from namecheck.pages import closest, find, pages

    if (code is None) is not everything:
        raise click.UsageError("give one CODE, or --all")
    known = pages()
    if code is None:
        chosen = known
    else:
        page = find(code, known)
        if page is None:
            guess = closest(code, known)
            raise Trouble(f"unknown code {code!r}" + (f"; did you mean {guess}?" if guess else ""))
        chosen = [page]
    text = "\n\n".join(page.markdown() for page in chosen)
    if in_colour():
        from namecheck.report.colour import paint_markdown

        paint_markdown(text)
    else:
        click.echo(text)


def program_of(paths: Sequence[str], files: Sequence[str]) -> Program:
    """What the imports of these files are followed in."""
    from namecheck.analysis import open_program

    return open_program(paths, {os.path.realpath(file): file for file in files})


def text_of(path: str) -> str:
    """The text of a file that an earlier step has read."""
    from namecheck.source import Undecodable, decode

    try:
        with open(path, "rb") as file:
            return decode(file.read())
    except (OSError, Undecodable):
        return ""


def examine(
    path: str, program: Program, thorough: bool = False, statistics: bool = False
) -> tuple[str, Analysis]:
    """A file's text and what its analysis gives.  Whatever goes wrong is a finding.

    `program`, `thorough` and `statistics` are `analyze`'s.
    """
    from namecheck.findings import Analysis, Counts
    from namecheck.source import Undecodable, decode
    from namecheck.troubles import internal_error, unreadable

    try:
        with open(path, "rb") as file:
            source = file.read()
        text = decode(source)
    except OSError as refusal:
        trouble = unreadable(path, refusal.strerror or str(refusal))
        return "", Analysis((trouble,), counts=Counts(files=1))
    except Undecodable as fault:
        trouble = unreadable(path, str(fault))
        return "", Analysis((trouble,), counts=Counts(files=1))

    try:
        from namecheck.analysis import analyze

        return text, analyze(path, source, thorough, program, statistics, thorough)
    except Exception as failure:  # a bug of ours must not keep the other files from being checked
        return text, Analysis((internal_error(path, failure),), counts=Counts(files=1))


def report(
    findings: Sequence[Finding], texts: dict[str, str], output_format: str, checked: int
) -> None:
    """Prints findings in one of the formats."""
    if output_format == "json":
        from namecheck.report.json import array

        click.echo(array(findings), nl=False)
    elif output_format == "concise":
        from namecheck.report.concise import concise

        click.echo(concise(findings), nl=False)
    else:
        from namecheck.report.screen import plain
        from namecheck.report.text import full_pieces

        pieces = full_pieces(findings, texts.get, checked, columns())
        if in_colour():
            from namecheck.report.colour import paint

            paint(pieces)
        else:
            click.echo(plain(pieces), nl=False)


def in_colour() -> bool:
    """On a terminal, unless NO_COLOR says no; elsewhere only if FORCE_COLOR says yes."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (
        sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    )


def columns() -> int | None:
    """The width of the terminal; None when nobody is looking at one."""
    if not sys.stdout.isatty() and not in_colour():
        return None
    import shutil

    return shutil.get_terminal_size().columns
