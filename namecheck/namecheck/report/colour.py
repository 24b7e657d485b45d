"""Pieces onto a terminal, in colour.  The only module that imports rich, and imported only then."""

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

# Of the sixteen colours that a terminal's own theme defines those that are readable on black and on
# white; plain blue and red are too dark on black.
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
"""Prose in longer lines is tiring; pages of `explain` are no wider, whatever the terminal is."""


class _Console(Console):
    """One that leaves it to the command what is done when nobody reads on."""

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
    """Prints pieces in the colours of their styles; where the terminal can, links are links."""
    linked = can_link()

    def style(piece: Piece) -> Style:
        own = Style.parse(STYLES[piece.style])
        return own + Style(link=piece.link) if linked and piece.link else own

    _print(Text.assemble(*((piece.text, style(piece)) for piece in pieces), end=""))


def _print(page: Text) -> None:
    """Prints a text, of which nothing but its styles is left to the terminal."""
    shown = visible_lines(page.plain)
    if shown != page.plain:  # what was painted has been escaped; of what was not the colours go
        page = Text(shown, end="")
    console().print(page, soft_wrap=True, end="")


def paint_beside(source: str, shapes: Iterable[ShapeAt], width: int) -> None:
    """Prints a file with its dims: the code in the colours of Python, the dims in ours."""
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
    """Prints the pages of `namecheck explain`."""
    page = console()
    page.print(Markdown(text, code_theme="ansi_dark"), width=min(page.width, READABLE))
