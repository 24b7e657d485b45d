"""The options of every command that has settings: they become one argument, the `configuration`.

Options that only one command has stand in its own module.
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
    "select": ("CODES", "Codes to tell: NC202, NC2, misaligned-broadcast, ALL."),
    "extend-select": ("CODES", "Codes to tell besides."),
    "ignore": ("CODES", "Codes not to tell."),
    "exclude": ("PATTERNS", "Files and folders to stay out of, as in .gitignore."),
    "extend-exclude": ("PATTERNS", "Files and folders to stay out of besides."),
}
"""The options that are lists with commas: what they are lists of, and their help."""

SWITCHES: Final = {
    "strict": "Tell implicit rank promotion and contracted names, too (NC209, NC108).",
    "notes": "Tell where inference stopped, too (NC801, NC802).",
    "respect-gitignore": "Stay out of what git ignores.",
    "force-exclude": "Leave out excluded files even if they are named.",
}
"""The options that are on or off, and have a twin with `no-`, with their help."""

CHOICES: Final = {
    "min-severity": (LEVELS, "Report what is at least as grave (note)."),
    "exit-on": (EXITS, "End with 1 if something as grave is found (warning)."),
}
"""The options that name a level: which there are, and their help."""

KEYS: Final = (*LISTS, *SWITCHES, *CHOICES)


def configured(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command's function the options of settings, and a `configuration` made of them."""

    @functools.wraps(command)
    def with_configuration(
        *args: Any, config: tuple[str, ...], isolated: bool, **others: Any
    ) -> Any:
        given: dict[str, Any] = {key: others.pop(key.replace("-", "_")) for key in KEYS}
        given.update((key, _split(given[key])) for key in LISTS)
        made = configuration(config, isolated, given)
        return command(*args, configuration=made, **others)

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
                metavar=several,
                help=text,
                shell_complete=selectors if several == "CODES" else None,
            )
            for key, (several, text) in LISTS.items()
        ),
        *(
            click.option(f"--{key}/--no-{key}", default=None, help=text)
            for key, text in SWITCHES.items()
        ),
        *(
            click.option(f"--{key}", type=click.Choice(levels), help=text)
            for key, (levels, text) in CHOICES.items()
        ),
    ]
    decorated: Callable[..., Any] = with_configuration
    for decorator in reversed(decorators):
        decorated = decorator(decorated)
    return decorated


def with_show_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command of `paths` the options that tell what it would do, instead of doing it.

    Stands under `configured` and `reads_stdin`.
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

        found = discover(paths or (".",), configuration, () if stdin is None else (stdin,))
        if found.missing:
            raise Trouble(f"no such file or folder: {', '.join(map(repr, found.missing))}")
        if show_settings:
            _print_settings(paths or (".",), configuration)
        if show_files:
            _print_files(found, stdin)
        return None

    decorated: Callable[..., Any] = with_listing
    for decorator in (
        click.option("--show-files", is_flag=True, help="Print which files would be checked."),
        click.option(
            "--show-settings",
            is_flag=True,
            help="Print the settings of each PATH (.), and where they come from.",
        ),
    ):
        decorated = decorator(decorated)
    return decorated


def _print_files(found: Discovered, stdin: str | None) -> None:
    """What would be checked, and aside what is left out, each with the reason."""
    from namecheck.files.documents import read_document
    from namecheck.files.left_out import LANGUAGE, LeftOut

    left_out = [
        LeftOut(file, False, LANGUAGE)
        for file in found.files
        if file.endswith(".ipynb") and file != stdin and read_document(file).passed is not None
    ]
    passed = {one.path for one in left_out}
    for file in found.files:
        if file not in passed:
            say(file)
    for one in sorted((*found.left_out, *left_out)):
        say(f"Left out: {one.path} ({one.reason})", err=True)


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
        raise click.UsageError(f"--isolated reads no files, and --config names {paths[0]}")
    fixed = of_path(paths[0]) if paths else ()
    return Configuration(of_command_line(assignments, given), fixed, isolated)


def _split(values: tuple[str, ...]) -> list[str] | None:
    """The parts of a list with commas that may be given several times; None: it was not given."""
    if not values:
        return None
    return [part.strip() for value in values for part in value.split(",") if part.strip()]
