"""What is known of where the output goes: colours or not, and how wide."""

from __future__ import annotations

import os
import re
import sys
from typing import Final

import click

__all__ = ["can_link", "colour_option", "columns", "in_colour"]

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


LINKING: Final = frozenset(
    {"contour", "ghostty", "Hyper", "iTerm.app", "rio", "Tabby", "vscode", "WezTerm", "zed"}
)
"""Terminals that show hyperlinks (OSC 8), by `TERM_PROGRAM`."""


def can_link() -> bool:
    """Whether the terminal shows hyperlinks, as far as its environment says; others print the
    address, or what it is wrapped in. FORCE_HYPERLINK decides it: 0 is no, all else yes.
    """
    said = os.environ.get("FORCE_HYPERLINK")
    if said:
        return said != "0"
    if not sys.stdout.isatty():
        return False
    ask = os.environ.get
    name = ask("TERM_PROGRAM", "")
    if name == "tmux":
        return _version(ask("TERM_PROGRAM_VERSION", "")) >= (3, 4)
    if ask("TERM", "").startswith(("screen", "tmux")):
        return False  # whatever stands behind it
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
    """The width of the terminal; None when nobody is looking at one."""
    if not sys.stdout.isatty() and not in_colour():
        return None
    import shutil

    return shutil.get_terminal_size().columns
