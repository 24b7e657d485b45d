"""Properties of the terminal: colours, hyperlinks and width."""

from __future__ import annotations

import os
import re
import sys
from typing import Final

import click

__all__ = ["can_link", "colour_option", "columns", "columns_of_messages", "in_colour"]

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
    help="Colours: auto means on a terminal unless NO_COLOR is set, or if FORCE_COLOR is.",
)
"""The option of each command that prints in colour; `in_colour` uses it."""


def in_colour() -> bool:
    """Whether to print in colour: by `--color`, else NO_COLOR, FORCE_COLOR, and the terminal."""
    context = click.get_current_context(silent=True)
    if context is not None and context.color is not None:
        return context.color
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (
        sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    )


LINKING: Final = frozenset(
    {"contour", "ghostty", "Hyper", "iTerm.app", "rio", "Tabby", "vscode", "WezTerm", "zed"}
)
"""Terminals that show hyperlinks (OSC 8), by `TERM_PROGRAM`."""


def can_link() -> bool:
    """Whether the terminal shows hyperlinks, by its environment; others would print the escape
    code.

    FORCE_HYPERLINK takes precedence: 0 means no, anything else yes.
    """
    forced = os.environ.get("FORCE_HYPERLINK")
    if forced:
        return forced != "0"
    if not sys.stdout.isatty():
        return False
    ask = os.environ.get
    name = ask("TERM_PROGRAM", "")
    if name == "tmux":
        return _version(ask("TERM_PROGRAM_VERSION", "")) >= (3, 4)
    if ask("TERM", "").startswith(("screen", "tmux")):
        return False  # whatever terminal it runs in
    return (
        name in LINKING
        or bool(ask("WT_SESSION") or ask("KONSOLE_VERSION") or ask("DOMTERM"))
        or ask("TERM", "") in ("alacritty", "foot", "xterm-ghostty", "xterm-kitty")
        or (ask("VTE_VERSION", "").isdecimal() and int(ask("VTE_VERSION", "")) >= 5000)
    )


def _version(text: str) -> tuple[int, ...]:
    """`3.4a` as (3, 4)."""
    return tuple(int(part) for part in re.findall(r"\d+", text)[:2])


def columns() -> int | None:
    """The width of the terminal; None if the output is not for one."""
    if not sys.stdout.isatty() and not in_colour():
        return None
    import shutil

    return shutil.get_terminal_size().columns


def columns_of_messages() -> int | None:
    """The width of the terminal that standard error is shown on; None if there is none."""
    if not sys.stderr.isatty():
        return None
    import shutil

    try:
        width = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        width = 0
    return width or shutil.get_terminal_size().columns
