"""click, typer and fire: functions that are commands, and the options that they are called with."""

from __future__ import annotations

from typing import Final

PACKAGES: Final = frozenset({"click", "rich_click", "asyncclick", "typer"})
"""The packages in whose programs a decorator of the name `COMMAND` makes a command."""

COMMAND: Final = frozenset({"command", "callback"})

OPTIONS: Final = frozenset({"click.option", "rich_click.option", "asyncclick.option"})
ARGUMENTS: Final = frozenset({"click.argument", "rich_click.argument", "asyncclick.argument"})
"""Decorators that give a command an option or an argument."""

FLAG: Final = "is_flag"
SEVERAL: Final = ("multiple", "count", "nargs", "prompt", "callback", "type", "envvar")
"""Keywords of options whose values are not simply their defaults."""

DEFAULT: Final = "default"
REQUIRED: Final = "required"

DECLARED: Final = frozenset({"typer.Option", "typer.Argument"})
"""Functions that declare a parameter's default, their first argument."""

RUNS: Final = frozenset({"typer.run", "fire.Fire", "fire.core.Fire"})
"""Functions that call their first argument with the options of the command line."""
