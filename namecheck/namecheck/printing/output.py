"""Everything that a command prints goes through here, and so through `escapes`.

`say` prints a line, `print_lines` a text that has lines of its own, `report.colour` what has
colours. `pass_on` prints what another program reads: the text of a file that came in by standard
input and goes out changed, or a diff. Those stay as they are, unless a person looks at them: on a
terminal, and a diff also in the log of a CI service. `tests/test_escaped_output.py` fails if
something is printed in another way.
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
"""Variables of which a CI service sets one: what is written into a pipe there is mostly its log."""


def say(text: str = "", err: bool = False, dim: bool = False) -> None:
    """Prints one line: whatever the text holds, no second one comes of it."""
    shown = visible_lines(visible(text))
    click.echo(click.style(shown, dim=True) if dim else shown, err=err)


def print_lines(text: str, err: bool = False, commands: bool = False) -> None:
    """Prints lines, each with its end. `commands` to a CI service may stand among them."""
    click.echo(visible_lines(text, commands), err=err, nl=False)


def print_encoded(text: str, commands: bool = False) -> None:
    """Prints lines in UTF-8, whatever the terminal speaks: JSON is nothing else, and our XML says
    so.
    """
    click.echo(encoded(text, commands), nl=False)


def encoded(text: str, commands: bool = False) -> bytes:
    """Lines in UTF-8, as `print_lines` has them."""
    return visible_lines(text, commands).encode("utf-8", "backslashreplace")


def is_looked_at(stream: IO[Any]) -> bool:
    """Whether a person reads what is written to a stream, and no program: on a terminal, or in the
    log of a CI service, which is no file that a shell has opened.
    """
    if stream.isatty():
        return True
    if not any(os.environ.get(name) for name in _SERVICES):
        return False
    try:
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # it is no file of the system's
        return True


def pass_on(text: str | bytes, style: Mapping[str, Any] | None = None) -> None:
    """Prints what another program may read as it is, and for a person so that all of it is seen, in
    a style of click's if one is given.

    Bytes are the text that came in by standard input. Only a terminal is shown something else: the
    caller gave the text and takes it back, also in CI, and must not lose a byte of it.
    """
    shown_to_a_person = sys.stdout.isatty() if isinstance(text, bytes) else is_looked_at(sys.stdout)
    if style is None and not shown_to_a_person:
        click.echo(text, nl=False, color=True)  # or it takes out what looks like a colour
        return
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    shown = visible_lines(text.replace("\r\n", "\n"))
    click.echo(click.style(shown, **style) if style else shown, nl=False, color=style is not None)


def print_trouble(trouble: click.ClickException) -> None:
    """What click's exceptions print of themselves, where arguments are shown as they were typed."""
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
    """What Python prints of an exception that nobody expected: its message may be anything."""
    import traceback

    print_lines("".join(traceback.format_exception(kind, failure, trace)), err=True)


def log_formatter(form: str) -> logging.Formatter:
    """Puts the records of a log into lines that hold nothing but what is seen."""
    import logging

    class Formatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return visible_lines(super().format(record))

    return Formatter(form)
