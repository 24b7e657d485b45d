"""`namecheck show`: a file with the inferred dims beside its lines."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from namecheck.files.standard_input import STDIN, read_stdin, stdin_filename
from namecheck.printing.output import print_lines, say
from namecheck.printing.terminal import colour_option

if TYPE_CHECKING:
    from namecheck.files.documents import Document
    from namecheck.findings import ShapeAt


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(exists=True, allow_dash=True),
)
@stdin_filename
@click.option(
    "--driven",
    is_flag=True,
    help="Print the dims in the first test, script or example that reaches each line.",
)
@click.option(
    "--output-format",
    type=click.Choice(("text", "json")),
    default="text",
    help="Print the source with dims beside it, or the dims of all expressions (text).",
)
@click.option(
    "--html",
    is_flag=True,
    help="Write one page of HTML of files and folders: source, dims and findings.",
)
@click.option(
    "-o",
    "--output-file",
    metavar="FILE",
    type=click.Path(),
    help="With --html: write the page to FILE.",
)
@colour_option
def show(
    files: tuple[str, ...],
    stdin_filename: str | None,
    driven: bool,
    output_format: str,
    html: bool,
    output_file: str | None,
) -> None:
    """Print a file with the inferred dims beside each assignment."""
    if html:
        if driven or stdin_filename is not None or STDIN in files:
            raise click.UsageError("--html is for files and folders on the disk, without --driven")
        _write_page(files, output_file)
        return
    if output_file is not None:
        raise click.UsageError("--output-file goes with --html")
    if len(files) > 1 or os.path.isdir(files[0]):
        raise click.UsageError("one file at a time; several files and folders go with --html")
    _print_dims(files[0], stdin_filename, driven, output_format)


def _write_page(paths: tuple[str, ...], output_file: str | None) -> None:
    """Write the page of files and folders, or print it. Raises `Trouble` if that fails."""
    from namecheck.commands.page_output import check_place, put_page
    from namecheck.report import Report, text_of_report
    from namecheck.running.checking import check_files
    from namecheck.running.discovery import discover
    from namecheck.running.page_files import pages_of
    from namecheck.settings.config import Configuration

    check_place(output_file)
    configuration = Configuration()
    discovered = discover(paths, configuration)
    files = discovered.files
    checked = check_files(paths, discovered, configuration)
    page_of = pages_of(paths, files, configuration, {})
    report = Report(checked.reported, checked.sources, len(files), page_of=page_of, files=files)
    put_page(text_of_report(report, "html"), output_file)


def _print_dims(file: str, stdin_filename: str | None, driven: bool, output_format: str) -> None:
    """Print the dims of one file, beside its lines or as JSON."""
    from namecheck.analysis import Watch
    from namecheck.codes.troubles import INTERNAL_ERROR, TROUBLES
    from namecheck.files.documents import read_document
    from namecheck.findings import Analysis
    from namecheck.printing.output import print_encoded
    from namecheck.printing.printed_paths import shown
    from namecheck.printing.screen import plain
    from namecheck.printing.terminal import columns, in_colour
    from namecheck.report import Report, write
    from namecheck.report.dims_json import dims_text
    from namecheck.running.examination import examine, known_dims, program_of
    from namecheck.settings.config import Configuration

    if stdin_filename is not None and file != STDIN:
        raise click.UsageError(f"--stdin-filename is for {STDIN!r}, not for {file!r}")
    path = shown(stdin_filename or file)
    document = read_document(path, read_stdin() if file == STDIN else None)
    if document.passed is not None:
        say(document.passed.message, err=True)
        return
    program = program_of((file,), (path,), Configuration())
    watch = Watch() if output_format == "json" and not driven else None
    analysis = examine(document, program, thorough=not driven, watch=watch)
    troubles = [f for f in analysis.findings if f.code in TROUBLES]
    if troubles:
        write(Report(troubles, lambda _path, cell: document.parts.get(cell, ""), checked=1), "full")
        sys.exit(2 if any(f.code == INTERNAL_ERROR for f in troubles) else 1)
    if driven:
        analysis = document.restore(Analysis(shapes=_driven(document, file)))
    if output_format == "json":
        known = () if watch is None else known_dims(document, watch)
        print_encoded(dims_text(path, document.parts, analysis.shapes, known))
        return
    for cell, text in document.parts.items():
        if cell is not None:
            say(f"cell {cell}")
        shapes = [shape for shape in analysis.shapes if shape.cell == cell]
        if in_colour():
            from namecheck.report.colour import paint_beside

            paint_beside(text, shapes, columns() or 80)
        else:
            from namecheck.report.shapes import beside

            print_lines(plain(beside(text, shapes, columns())))


def _driven(document: Document, file: str) -> tuple[ShapeAt, ...]:
    """The dims on the lines of a file in the drives of its project, its own ones first."""
    from namecheck.analysis import DrivenShapes
    from namecheck.files.documents import read_document
    from namecheck.findings import ShapeAt
    from namecheck.running.drivers import drivers_of
    from namecheck.running.examination import examine, program_of
    from namecheck.settings.config import Configuration

    configuration = Configuration()
    drivers = () if file == STDIN else drivers_of((file,), configuration)
    program = program_of((file,), (document.path, *drivers), configuration)
    program.driven = DrivenShapes(os.path.realpath(document.path))
    for each in (document, *map(read_document, drivers)):
        examine(each, program)
    return tuple(
        ShapeAt(line, target, dims_text, kind)
        for (line, target, kind), dims_text in sorted(program.driven.known.items())
    )
