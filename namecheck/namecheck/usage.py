"""What commands end with when the question could not be asked."""

from __future__ import annotations

import click

__all__ = ["Trouble"]


class Trouble(click.ClickException):
    """The question could not be asked: one line on stderr, and exit code 2."""

    exit_code = 2
