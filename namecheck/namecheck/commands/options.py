"""The options of all commands with settings: they become one argument, the `configuration`.

Options of a single command are in its own module.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from namecheck.codes.selection import EXITS, LEVELS
from namecheck.commands.completion import selectors
from namecheck.exit_codes import Trouble
from namecheck.printing.output import print_lines, say

if TYPE_CHECKING:
    from namecheck.running.discovery import Discovered
    from namecheck.settings.config import Configuration

__all__ = ["configured", "with_show_options"]

LISTS: Final = {
    "select": ("CODES", "Codes to report: NC202, NC2, misaligned-broadcast, ALL."),
    "extend-select": ("CODES", "More codes to report."),
    "ignore": ("CODES", "Codes not to report."),
    "exclude": ("PATTERNS", "Files and folders to leave out, as in .gitignore."),
    "extend-exclude": ("PATTERNS", "More files and folders to leave out."),
}
"""The options that are lists with commas: the metavariable of their items, and their help."""

SWITCHES: Final = {
    "strict": "Report implicit rank promotion and contracted names, too (NC209, NC108).",
    "notes": "Report where inference stopped, too (NC801, NC802).",
    "drive": "Follow tests, scripts and examples with their own sizes.",
    "respect-gitignore": "Leave out what git ignores.",
    "force-exclude": "Leave out excluded files even if they are named.",
    "installed": "Follow calls into installed packages that use a tensor library.",
}
"""The options that are on or off, each with a twin `--no-...`, with their help."""

CHOICES: Final = {
    "min-severity": (LEVELS, "Report findings of at least this level (note)."),
    "exit-on": (EXITS, "Exit with 1 if there are findings of at least this level (warning)."),
}
"""The options that name a level: their values, and their help."""

PATHS: Final = {
    "python": "The interpreter or environment that has these packages (the active one).",
}
"""The options that name a file or a folder, with their help."""

KEYS: Final = (*LISTS, *SWITCHES, *CHOICES, *PATHS)


def configured(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of settings, as its argument `configuration`."""

    @functools.wraps(command)
    def with_configuration(
        *args: Any, config: tuple[str, ...], isolated: bool, **others: Any
    ) -> Any:
        given: dict[str, Any] = {key: others.pop(key.replace("-", "_")) for key in KEYS}
        given.update((key, _split(given[key])) for key in LISTS)
        configured_run = configuration(config, isolated, given)
        return command(*args, configuration=configured_run, **others)

    decorators = [
        click.option(
            "--config",
            multiple=True,
            metavar="PATH | KEY=VALUE",
            help="A settings file for all files, or one setting as TOML. May be repeated.",
        ),
        click.option("--isolated", is_flag=True, help="Read no settings files."),
        *(
            click.option(
                f"--{key}",
                multiple=True,
                metavar=items,
                help=text,
                shell_complete=selectors if items == "CODES" else None,
            )
            for key, (items, text) in LISTS.items()
        ),
        *(
            click.option(f"--{key}/--no-{key}", default=None, help=text)
            for key, text in SWITCHES.items()
        ),
        *(
            click.option(f"--{key}", type=click.Choice(levels), help=text)
            for key, (levels, text) in CHOICES.items()
        ),
        *(click.option(f"--{key}", metavar="PATH", help=text) for key, text in PATHS.items()),
    ]
    decorated: Callable[..., Any] = with_configuration
    for decorator in reversed(decorators):
        decorated = decorator(decorated)
    return decorated


def with_show_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command of `paths` the options that print what it would do instead of doing it.

    It goes below the decorators `configured` and `reads_stdin`.
    """

    @functools.wraps(command)
    def with_listing(
        paths: tuple[str, ...],
        configuration: Configuration,
        stdin: str | None,
        show_settings: bool,
        show_files: bool,
        **others: Any,
    ) -> Any:
        if not (show_settings or show_files):
            return command(
                paths=paths or (".",), configuration=configuration, stdin=stdin, **others
            )
        from namecheck.running.discovery import discover

        discovered = discover(paths or (".",), configuration, () if stdin is None else (stdin,))
        if discovered.missing:
            raise Trouble(f"no such file or folder: {', '.join(map(repr, discovered.missing))}")
        if show_settings:
            _print_settings(paths or (".",), configuration)
        if show_files:
            _print_files(discovered, stdin)
        return None

    decorated: Callable[..., Any] = with_listing
    for decorator in (
        click.option("--show-files", is_flag=True, help="Print which files would be checked."),
        click.option(
            "--show-settings",
            is_flag=True,
            help="Print the settings of each PATH (.), and their sources.",
        ),
    ):
        decorated = decorator(decorated)
    return decorated


def _print_files(discovered: Discovered, stdin: str | None) -> None:
    """Print the files to check, and on stderr those that are left out, with the reasons."""
    from namecheck.files.documents import read_document
    from namecheck.files.left_out import LANGUAGE, LeftOut

    left_out = [
        LeftOut(file, False, LANGUAGE)
        for file in discovered.files
        if file.endswith(".ipynb") and file != stdin and read_document(file).passed is not None
    ]
    passed = {entry.path for entry in left_out}
    for file in discovered.files:
        if file not in passed:
            say(file)
    for entry in sorted((*discovered.left_out, *left_out)):
        say(f"Left out: {entry.path} ({entry.reason})", err=True)


def _print_settings(paths: tuple[str, ...], configuration: Configuration) -> None:
    from namecheck.settings.settings_text import settings_text

    texts = []
    for path in paths:
        folder = os.path.abspath(path)
        resolved = (
            configuration.of_folder(folder) if os.path.isdir(folder) else configuration.of(path)
        )
        texts.append(settings_text(path, resolved))
    print_lines("\n".join(texts))


def configuration(config: tuple[str, ...], isolated: bool, given: dict[str, Any]) -> Configuration:
    """The configuration of a run, from `--config`, `--isolated` and the other options, by key."""
    from namecheck.settings.config import Configuration, of_command_line, of_path

    paths = [value for value in config if "=" not in value or os.path.exists(value)]
    assignments = [value for value in config if value not in paths]
    if len(paths) > 1:
        raise click.UsageError(f"--config names two files: {', '.join(paths)}")
    if paths and isolated:
        raise click.UsageError(f"--isolated reads no files, but --config names {paths[0]}")
    fixed = of_path(paths[0]) if paths else ()
    return Configuration(of_command_line(assignments, given), fixed, isolated)


def _split(values: tuple[str, ...]) -> list[str] | None:
    """The items of a list with commas that may be given several times; None if it was not given."""
    if not values:
        return None
    return [part.strip() for value in values for part in value.split(",") if part.strip()]
