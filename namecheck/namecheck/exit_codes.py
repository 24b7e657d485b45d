"""Exit codes of commands that cannot run, or whose output is no longer read."""

from __future__ import annotations

from typing import Final

import click

__all__ = ["INTERRUPTED", "UNHEARD", "Group", "Trouble"]

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as in shells: 128 plus the number of the signal."""

UNHEARD: Final = 141
"""The exit code if the reader of our output has gone, as `| head` does: 128 plus SIGPIPE."""


class Trouble(click.ClickException):
    """The command cannot run: an error on stderr, and exit code 2."""

    exit_code = 2

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the error; line breaks inside one are escaped when it is printed."""
        return (self.message,)

    def format_message(self) -> str:
        """The whole text of the error."""
        return "\n".join(self.lines)


class Group(click.Group):
    """A group that suggests the command that was probably meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as fault:
            import difflib

            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            if not near:
                raise
            raise click.UsageError(f"{fault.message} Did you mean {near[0]!r}?", ctx) from None
