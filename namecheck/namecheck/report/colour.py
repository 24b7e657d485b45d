"""Printing pieces in colour on a terminal. Imported only for that, since it imports rich."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.markdown import Markdown
from rich.style import Style
from rich.syntax import Syntax
from rich.text import Text
from rich.theme import Theme

from namecheck.findings import ShapeAt
from namecheck.printing.escapes import visible_lines
from namecheck.printing.screen import Piece, lay_out
from namecheck.printing.terminal import can_link
from namecheck.report.shapes import code_lines, gutter, margin_of, rows

__all__ = ["paint", "paint_beside", "paint_markdown"]

# Colours of the terminal's own theme that are readable on black and on white; plain blue and red
# are too dark on black.
STYLES = {
    "error": "bold bright_red",
    "warning": "bold yellow",
    "note": "none",
    "message": "bold",
    "gutter": "bright_blue",
    "place": "none",
    "source": "none",
    "label": "bold cyan",
    "hint": "green",
    "dims": "bold cyan",
    "summary": "bold",
    "clean": "green",
    "": "none",
}


READABLE = 88
"""The most columns of the pages of `explain`: longer lines of prose are tiring to read."""


class _Console(Console):
    """A console that leaves a broken pipe to the command."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    return _Console(
        force_terminal=True,
        highlight=False,
        markup=False,
        emoji=False,
        theme=Theme({"markdown.code": "bold cyan"}),
    )


def paint(pieces: Iterable[Piece]) -> None:
    """Print pieces in the colours of their styles, with hyperlinks if the terminal has them."""
    linked = can_link()

    def style(piece: Piece) -> Style:
        plain_style = Style.parse(STYLES[piece.style])
        return plain_style + Style(link=piece.link) if linked and piece.link else plain_style

    _print(Text.assemble(*((piece.text, style(piece)) for piece in pieces), end=""))


def _print(page: Text) -> None:
    """Print a text, escaped except for its styles."""
    shown = visible_lines(page.plain)
    if shown != page.plain:  # some text was not escaped before: it loses its colours
        page = Text(shown, end="")
    console().print(page, soft_wrap=True, end="")


def paint_beside(source: str, shapes: Iterable[ShapeAt], width: int) -> None:
    """Print a file with its dims: the code with syntax colours, the dims in ours."""
    laid = [lay_out(line) for line in code_lines(source)]
    texts = ["".join(line.cells) for line in laid]
    coloured = Syntax("", "python", theme="ansi_dark", background_color="default").highlight(
        "\n".join(texts)
    )
    lines = coloured.split("\n", allow_blank=True)
    margin = margin_of(source)
    page = Text(end="")
    for row in rows(source, shapes, width):
        cells = laid[row.line - 1].cells
        start = len("".join(cells[: row.start]))
        page.append(gutter(row, margin), STYLES["gutter"])
        page.append_text(
            lines[row.line - 1][start : start + len("".join(cells[row.start : row.end]))]
        )
        page.append(" " * row.pad + row.dims, STYLES["dims"])
        page.append("\n")
    _print(page)


def paint_markdown(text: str) -> None:
    """Print the pages of `namecheck explain`."""
    page = console()
    page.print(Markdown(text, code_theme="ansi_dark"), width=min(page.width, READABLE))
