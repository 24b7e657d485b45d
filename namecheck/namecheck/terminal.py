"""What is known of where the output goes: colours or not, and how wide."""

from __future__ import annotations

import os
import sys
from typing import Final

import click

__all__ = ["colour_option", "columns", "in_colour"]

COLOUR: Final = {"auto": None, "always": True, "never": False}


def remember(context: click.Context, _: click.Parameter, value: str) -> None:
    context.color = COLOUR[value]


colour_option = click.option(
    "--color",
    type=click.Choice(list(COLOUR)),
    default="auto",
    show_default=True,
    expose_value=False,
    is_eager=True,
    callback=remember,
    help="Colours: auto is on a terminal, unless NO_COLOR is set, and if FORCE_COLOR is.",
)
"""The option of each command that prints in colour; `in_colour` knows what was chosen."""


def in_colour() -> bool:
    """As `--color` says; else NO_COLOR, then FORCE_COLOR, then whether there is a terminal."""
    context = click.get_current_context(silent=True)
    if context is not None and context.color is not None:
        return context.color
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
