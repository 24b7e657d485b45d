"""`namecheck rules`: all codes in a short list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from namecheck.printing.output import print_lines
from namecheck.printing.terminal import colour_option

if TYPE_CHECKING:
    from namecheck.documentation.pages import Page
    from namecheck.printing.screen import Piece

HEAD: Final = ("code", "name", "level", "default", "fix")


@click.command()
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The format of the list; json is an array with the pages of `explain`.",
)
@colour_option
def rules(output_format: str) -> None:
    """List all codes: name, level, whether they are on by default, and their fixes.

    A fix is safe (--fix), unsafe (--fix --unsafe-fixes) or display-only; `-` means none. `namecheck
    explain CODE` explains a code.
    """
    from namecheck.documentation.pages import pages
    from namecheck.printing.screen import plain
    from namecheck.printing.terminal import in_colour

    known = pages()
    if output_format == "json":
        from namecheck.printing.escapes import json_text

        print_lines(json_text([page.record() for page in known], indent=2) + "\n")
    elif in_colour():
        from namecheck.report.colour import paint

        paint(listed(known))
    else:
        print_lines(plain(listed(known)))


def listed(known: Sequence[Page]) -> Iterator[Piece]:
    """A row for each code, below a header row."""
    from namecheck.documentation.addresses import url_of
    from namecheck.printing.screen import Piece

    rows: list[tuple[str, ...]] = [
        (page.code, page.name, str(page.level), "on" if page.default else "off", page.fix or "-")
        for page in known
    ]
    widths = [max(map(len, column)) for column in zip(HEAD, *rows, strict=True)]

    for row in [HEAD, *rows]:
        for head, text, width in zip(HEAD, row, widths, strict=True):
            style = "message" if row is HEAD else text if head == "level" else ""
            yield Piece(text, style, url_of(text) if head == "code" and row is not HEAD else None)
            yield Piece("\n" if head == HEAD[-1] else " " * (width - len(text) + 2))
