"""All output of commands goes through this module, and so through `escapes`.

`say` prints a line, `print_lines` a text of several lines, `report.colour` coloured text. `pass_on`
prints text for other programs: the changed text of standard input, or a diff. Its characters are
not escaped, unless a person reads them: on a terminal, and for a diff also in the log of a CI
service. `tests/test_escaped_output.py` fails if code prints in another way.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, Final

import click

from namecheck.exit_codes import Trouble
from namecheck.printing.escapes import visible, visible_lines

if TYPE_CHECKING:
    import logging
    from types import TracebackType

__all__ = [
    "encoded",
    "is_looked_at",
    "log_formatter",
    "pass_on",
    "print_encoded",
    "print_lines",
    "print_trouble",
    "say",
    "show_traceback",
]

_SERVICES: Final = ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION")
"""Variables that CI services set, each one of them: a pipe there mostly leads to the log."""


def say(text: str = "", err: bool = False, dim: bool = False) -> None:
    """Print one line. Line breaks in the text are escaped."""
    shown = visible_lines(visible(text))
    click.echo(click.style(shown, dim=True) if dim else shown, err=err)


def print_lines(text: str, err: bool = False, commands: bool = False) -> None:
    """Print lines, each with its line break. `commands`: they may be commands to a CI service."""
    click.echo(visible_lines(text, commands), err=err, nl=False)


def print_encoded(text: str, commands: bool = False) -> None:
    """Print lines in UTF-8, whatever the terminal's encoding: JSON requires it, and our XML
    declares it.
    """
    click.echo(encoded(text, commands), nl=False)


def encoded(text: str, commands: bool = False) -> bytes:
    """Lines in UTF-8, escaped as `print_lines` does."""
    return visible_lines(text, commands).encode("utf-8", "backslashreplace")


def is_looked_at(stream: IO[Any]) -> bool:
    """Whether a person, not a program, reads a stream: on a terminal, or in the log of a CI
    service if the stream is not a file.
    """
    if stream.isatty():
        return True
    if not any(os.environ.get(name) for name in _SERVICES):
        return False
    try:
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # not a stream of the system
        return True


def pass_on(text: str | bytes, style: Mapping[str, Any] | None = None) -> None:
    """Print text as it is for a program, and escaped for a person, in a style of click's if one is
    given.

    Bytes are the text of standard input. They are escaped only on a terminal: the caller takes the
    text back, in CI as well, and must not lose a byte of it.
    """
    for_a_person = sys.stdout.isatty() if isinstance(text, bytes) else is_looked_at(sys.stdout)
    if style is None and not for_a_person:
        click.echo(text, nl=False, color=True)  # else click removes what looks like a colour
        return
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    shown = visible_lines(text.replace("\r\n", "\n"))
    click.echo(click.style(shown, **style) if style else shown, nl=False, color=style is not None)


def print_trouble(trouble: click.ClickException) -> None:
    """Print an exception of click's as click does, with its text escaped."""
    if isinstance(trouble, click.UsageError) and trouble.ctx is not None:
        context = trouble.ctx
        print_lines(f"{context.get_usage()}\n", err=True)
        if context.command.get_help_option(context) is not None:
            option = max(context.command.get_help_option_names(context), key=len)
            say(f"Try '{context.command_path} {option}' for help.", err=True)
        say(err=True)
    lines = trouble.lines if isinstance(trouble, Trouble) else (trouble.format_message(),)
    for number, line in enumerate(lines):
        say(line if number else f"Error: {line}", err=True)


def show_traceback(
    kind: type[BaseException], failure: BaseException, trace: TracebackType | None
) -> None:
    """Print the traceback of an unexpected exception, escaped: its message may be anything."""
    import traceback

    print_lines("".join(traceback.format_exception(kind, failure, trace)), err=True)


def log_formatter(form: str) -> logging.Formatter:
    """A formatter of log records that escapes them."""
    import logging

    class Formatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return visible_lines(super().format(record))

    return Formatter(form)
