"""`check --watch`: once, and again whenever something changes that could change the findings.

Each round is a run like any other, with settings read anew and what the cache remembers; what a
round cannot do (half of an edit in pyproject.toml) is said, and the next one tries again.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

import click

from namecheck.exit_codes import INTERRUPTED, Trouble
from namecheck.printing.output import print_lines, print_trouble, say
from namecheck.printing.printed_paths import shown
from namecheck.running.baseline import FILE_NAME

if TYPE_CHECKING:
    from watchfiles import Change

__all__ = ["watch"]

SUFFIXES: Final = (".py", ".pyi", ".ipynb")
POLL: Final = 200
"""Milliseconds after which we look whether Ctrl-C was typed."""


def watch(paths: Sequence[str], check: Callable[[], object], quiet: bool = False) -> NoReturn:
    """Checks for as long as nobody types Ctrl-C.  `check` prints, and may end as a command does.

    Raises what the first round raises, so that a mistyped path is told and not watched for.
    """
    # Watching begins before the first round does: nothing that is saved meanwhile is missed.
    changes = changes_of(paths)
    next(changes)
    try:
        for number in range(sys.maxsize):
            one_round(check, patient=number > 0)
            if not quiet:
                print_lines("\nWatching for changes. Ctrl-C ends.\n", err=True)
            changed = next(filter(None, changes))
            click.clear()
            if not quiet:
                named = ", ".join(sorted(shown(path) for path in changed))
                say(f"{time.strftime('%H:%M:%S')}  {named}", err=True)
                say(err=True)
    except KeyboardInterrupt:
        say(err=True)  # the terminal wrote ^C
    sys.exit(INTERRUPTED)


def one_round(check: Callable[[], object], patient: bool) -> None:
    """Checks once.  A patient round says what went wrong and ends well."""
    try:
        check()
    except SystemExit:
        pass
    except click.ClickException as trouble:
        if not patient:
            raise
        print_trouble(trouble)


def changes_of(paths: Iterable[str]) -> Iterator[set[str]]:
    """What changed, a set after the other; an empty one when nothing did for a while."""
    try:
        import watchfiles
    except ImportError:
        raise Trouble("--watch needs the package watchfiles: pip install watchfiles") from None

    folders, files = roots(paths)
    concerns = filter_of(folders, files)

    def seen(_: Change, path: str) -> bool:
        return concerns(path)

    # An editor that saves puts a new file in the place of the old one, which nobody who watches
    # the old one hears of. Its folder does.
    watched = {*folders, *map(os.path.dirname, files)}
    try:
        for changes in watchfiles.watch(
            *watched,
            watch_filter=seen,
            rust_timeout=POLL,
            yield_on_timeout=True,
            recursive=bool(folders),
        ):
            yield {path for _, path in changes}
    except OSError as refused:  # no more watches, a file system that has none
        raise Trouble(f"cannot watch: {refused}") from None


def roots(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """The real paths of the folders and of the files among `paths`; what is missing is neither."""
    real = [os.path.realpath(path) for path in paths]
    return [p for p in real if os.path.isdir(p)], [p for p in real if os.path.isfile(p)]


def filter_of(folders: Sequence[str], files: Sequence[str]) -> Callable[[str], bool]:
    """Whether a changed path matters: a file that is checked, or one with settings."""
    watched = {*folders, *map(os.path.dirname, files)}

    def concerns(path: str) -> bool:
        if path in files:
            return True
        if path.endswith(SUFFIXES):
            return any(is_searched(path, folder) for folder in folders)
        # Our own cache has a .gitignore: what lies in hidden folders does not matter.
        return is_settings(path) and any(is_searched(path, folder) for folder in watched)

    return concerns


def is_settings(path: str) -> bool:
    """Whether a file may hold settings: under any name, as `extend` may name it."""
    return path.endswith(".toml") or os.path.basename(path) in (".gitignore", FILE_NAME)


def is_searched(path: str, folder: str) -> bool:
    """Whether `discover` could come to a path in a folder: what the settings exclude costs a round
    too many, and nothing else.
    """
    if not path.startswith(folder.rstrip(os.sep) + os.sep):
        return False
    between = os.path.relpath(path, folder).split(os.sep)[:-1]
    return not any(part.startswith(".") or part == "__pycache__" for part in between)
