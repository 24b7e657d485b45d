"""What commands end with when the question could not be asked, or nobody waits for the answer."""

from __future__ import annotations

from typing import Final

import click

__all__ = ["INTERRUPTED", "Trouble"]

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it: 128 and the number of the signal."""


class Trouble(click.ClickException):
    """The question could not be asked: one line on stderr, and exit code 2."""

    exit_code = 2
