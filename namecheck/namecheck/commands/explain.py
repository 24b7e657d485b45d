"""`namecheck explain`: the page of a code."""

from __future__ import annotations

import click

from namecheck.commands.completion import code_or_name
from namecheck.exit_codes import Trouble
from namecheck.printing.output import print_lines
from namecheck.printing.terminal import colour_option


@click.command()
@click.argument("code", required=False, shell_complete=code_or_name)
@click.option("--all", "everything", is_flag=True, help="Print the pages of all codes.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The format of the page; json is an array of pages.",
)
@colour_option
def explain(code: str | None, everything: bool, output_format: str) -> None:
    """Explain what a code means and what to do about it.

    CODE is a code such as NC202 or its name, misaligned-broadcast.
    """
    from namecheck.documentation.pages import closest, find, pages
    from namecheck.printing.terminal import in_colour

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
    if output_format == "json":
        from namecheck.printing.escapes import json_text

        print_lines(json_text([page.record() for page in chosen], indent=2) + "\n")
        return
    text = "\n\n".join(page.markdown() for page in chosen)
    if in_colour():
        from namecheck.report.colour import paint_markdown

        paint_markdown(text)
    else:
        print_lines(text + "\n")
