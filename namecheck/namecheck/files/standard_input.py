"""Standard input as a file: `-` among the paths, and the path that its text is checked under.

The path decides which settings apply, which of `per-file-ignores`, what imports mean and what kind
of file it is. No file is read or written at it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, Final

import click

__all__ = ["STDIN", "read_stdin", "reads_stdin", "stdin_filename"]

STDIN: Final = "-"
"""The path that means standard input, and its name in reports if no other one was given."""


def read_stdin() -> bytes:
    """The bytes of standard input; none if it is closed."""
    return sys.stdin.buffer.read() if sys.stdin is not None else b""


stdin_filename = click.option(
    "--stdin-filename",
    metavar="FILE",
    type=click.Path(),
    help="Read standard input as if it were this file.",
)


def reads_stdin(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command of `paths` the option `--stdin-filename` and the argument `stdin`.

    `stdin` is the path that standard input is checked under, or None. If it is not None, it is the
    only path.
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
