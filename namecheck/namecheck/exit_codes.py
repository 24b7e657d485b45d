"""What commands end with when the question could not be asked, or nobody waits for the answer."""

from __future__ import annotations

from typing import Final

import click

__all__ = ["INTERRUPTED", "UNHEARD", "Group", "Trouble"]

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it: 128 and the number of the signal."""

UNHEARD: Final = 141
"""The exit code when whoever read our output has gone, as `| head` does; the same of SIGPIPE."""


class Trouble(click.ClickException):
    """The question could not be asked: that on stderr, and exit code 2."""

    exit_code = 2

    @property
    def lines(self) -> tuple[str, ...]:
        """What it says, line by line: what is in a line stays in it, whatever that is."""
        return (self.message,)

    def format_message(self) -> str:
        """All that it says."""
        return "\n".join(self.lines)


class Group(click.Group):
    """A group that says which of its commands was probably meant."""

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
