"""`namecheck summary`: the modules of a network, without running it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from namecheck.exit_codes import Trouble
from namecheck.printing.terminal import colour_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from namecheck.analysis import Input
    from namecheck.findings import Finding
    from namecheck.module_tree import ModuleTree
    from namecheck.settings.config import Configuration


@click.command()
@click.argument("target", metavar="TARGET")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="[NAME=]VALUE",
    help="An argument of the call: 'idx=int64[8, 1024]', '[1, 3, 224, 224]', 'train=False'. "
    "Without one, only the parameters are known.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    help="Show modules down to this depth; each has what those below it count.",
)
@click.option(
    "--output-format",
    type=click.Choice(("text", "json")),
    default="text",
    help="Print a table, or all modules and tensors (text).",
)
@click.option("--html", is_flag=True, help="Write a page of HTML with a tree that folds.")
@click.option(
    "-o",
    "--output-file",
    metavar="FILE",
    type=click.Path(),
    help="With --html: write the page to FILE.",
)
@colour_option
def summary(
    target: str,
    inputs: tuple[str, ...],
    depth: int | None,
    output_format: str,
    html: bool,
    output_file: str | None,
) -> None:
    """Print the modules of a network: dims, parameters, multiply-adds.

    TARGET is a file or a module, and an expression that builds the network:
    'model.py:GPT(GPTConfig())', 'torchvision.models.resnet:resnet18()'. Nothing is run or imported.
    """
    if output_file is not None and not html:
        raise click.UsageError("--output-file goes with --html")
    given = [_read(text) for text in inputs]
    tree, configuration = _summarized(target, given or None)
    if tree.findings and _report(tree.findings, configuration):
        sys.exit(1)
    if tree.trouble:
        raise Trouble(tree.trouble)
    if html:
        _write_page(tree, target, inputs, depth, output_file)
    elif output_format == "json":
        from namecheck.printing.output import print_encoded
        from namecheck.report.module_json import modules_text

        print_encoded(modules_text(tree, target, inputs))
    else:
        _print_table(tree, depth)


def _read(text: str) -> Input:
    from namecheck.analysis import read_input

    read = read_input(text)
    if read is None:
        wanted = "NAME=DTYPE[SIZE, ...], DTYPE[SIZE, ...] or NAME=LITERAL"
        raise click.UsageError(f"{text!r} is no input: it is {wanted}, such as 'x=float32[8, 3]'")
    return read


def _summarized(target: str, inputs: Sequence[Input] | None) -> tuple[ModuleTree, Configuration]:
    from namecheck.analysis import summarize
    from namecheck.running.networks import network_of
    from namecheck.settings.config import Configuration

    configuration = Configuration()
    network, program = network_of(target, configuration)
    return summarize(network, inputs, program), configuration


def _report(findings: Sequence[Finding], configuration: Configuration) -> bool:
    """Report the findings of a call as `check` does, and whether there are any."""
    from functools import cache

    from namecheck.files.documents import read_document
    from namecheck.report import Report, write
    from namecheck.running.checking import conclude

    document = cache(read_document)
    checked = conclude({}, configuration, document, besides=findings)
    if checked.reported:
        count = len({finding.path for finding in checked.reported})
        write(Report(checked.reported, checked.sources, count), "full")
    return bool(checked.reported)


def _print_table(tree: ModuleTree, depth: int | None) -> None:
    from namecheck.printing.output import print_lines
    from namecheck.printing.screen import plain
    from namecheck.printing.terminal import columns, in_colour
    from namecheck.report.module_table import table

    pieces = table(tree, depth, columns())
    if in_colour():
        from namecheck.report.colour import paint

        paint(pieces)
    else:
        print_lines(plain(pieces))


def _write_page(
    tree: ModuleTree, target: str, inputs: Sequence[str], depth: int | None, file: str | None
) -> None:
    """Write the page, or print it. Raises `Trouble` if that fails."""
    from namecheck.commands.page_output import check_place, put_page
    from namecheck.report.page.module_page import module_page

    text = module_page(tree, target, inputs, depth)
    check_place(file)
    put_page(text, file)
