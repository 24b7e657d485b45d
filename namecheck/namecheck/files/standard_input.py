"""Standard input as a file: `-` among the paths, and the name that its text goes by.

The name decides which settings count, which of `per-file-ignores`, what imports mean and what kind
of file it is. Nothing is read or written under it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, Final

import click

__all__ = ["STDIN", "read_stdin", "reads_stdin", "stdin_filename"]

STDIN: Final = "-"
"""The path that means standard input, and what reports call it if it was given no other name."""


def read_stdin() -> bytes:
    """All that standard input holds; nothing if it is closed."""
    return sys.stdin.buffer.read() if sys.stdin is not None else b""


stdin_filename = click.option(
    "--stdin-filename",
    metavar="FILE",
    type=click.Path(),
    help="Read standard input, as if it were this file.",
)


def reads_stdin(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command of `paths` the option `--stdin-filename`, and the argument `stdin`: the path
    that standard input is read as, or None. It is the only path then.
    """

    @functools.wraps(command)
    def with_stdin(
        *args: Any, paths: tuple[str, ...], stdin_filename: str | None, **others: Any
    ) -> Any:
        stdin = None
        if stdin_filename is not None or STDIN in paths:
            from namecheck.printing.printed_paths import shown

            beside = [path for path in paths if path != STDIN]
            if beside:
                raise click.UsageError(
                    f"standard input is checked by itself: leave out {', '.join(beside)}"
                )
            if stdin_filename == "":
                raise click.UsageError("--stdin-filename is empty")
            stdin = shown(stdin_filename or STDIN)
            paths = (stdin,)
        return command(*args, paths=paths, stdin=stdin, **others)

    return stdin_filename(with_stdin)
