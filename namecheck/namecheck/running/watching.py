"""`check --watch`: a check, and another one after each change that could change the findings.

Each round is a run like any other, with settings read again and the results in the cache. If a
round fails (pyproject.toml may be half edited), it prints the reason, and the next one tries again.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

import click

from namecheck.exit_codes import INTERRUPTED, Trouble
from namecheck.files.documents import PROSE
from namecheck.printing.output import print_lines, print_trouble, say
from namecheck.printing.printed_paths import shown
from namecheck.running.baseline import FILE_NAME

if TYPE_CHECKING:
    from watchfiles import Change

__all__ = ["watch"]

SUFFIXES: Final = (".py", ".pyi", ".ipynb")
POLL: Final = 200
"""Milliseconds between two looks at whether Ctrl-C was typed."""


def watch(paths: Sequence[str], check: Callable[[], object], quiet: bool = False) -> NoReturn:
    """Check until Ctrl-C is typed. `check` prints the findings, and may exit as a command does.

    Raises what the first round raises, so that a mistyped path is an error and is not watched.
    """
    # Watching begins before the first round, so that a file saved meanwhile is not missed.
    changes = changes_of(paths)
    next(changes)
    try:
        for number in range(sys.maxsize):
            one_round(check, patient=number > 0)
            if not quiet:
                print_lines("\nWatching for changes; press Ctrl-C to stop.\n", err=True)
            changed = next(filter(None, changes))
            click.clear()
            if not quiet:
                names = ", ".join(sorted(shown(path) for path in changed))
                say(f"{time.strftime('%H:%M:%S')}  {names}", err=True)
                say(err=True)
    except KeyboardInterrupt:
        say(err=True)  # the terminal wrote ^C
    sys.exit(INTERRUPTED)


def one_round(check: Callable[[], object], patient: bool) -> None:
    """Check once. A patient round prints an error instead of raising it."""
    try:
        check()
    except SystemExit:
        pass
    except click.ClickException as trouble:
        if not patient:
            raise
        print_trouble(trouble)


def changes_of(paths: Iterable[str]) -> Iterator[set[str]]:
    """The sets of changed paths, one after another; an empty one if nothing changed for a while."""
    try:
        import watchfiles
    except ImportError:
        raise Trouble("--watch needs the package watchfiles: pip install watchfiles") from None

    folders, files = roots(paths)
    concerns = filter_of(folders, files)

    def seen(_: Change, path: str) -> bool:
        return concerns(path)

    # An editor may save by replacing the file with a new one. A watch on the old file does not
    # notice that; a watch on its folder does.
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
    except OSError as refused:  # too many watches, or a file system without them
        raise Trouble(f"cannot watch: {refused}") from None


def roots(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """The real paths of the folders and of the files among `paths`; missing paths are neither."""
    real = [os.path.realpath(path) for path in paths]
    return [p for p in real if os.path.isdir(p)], [p for p in real if os.path.isfile(p)]


def filter_of(folders: Sequence[str], files: Sequence[str]) -> Callable[[str], bool]:
    """A function that answers whether a changed path matters: a checked file, or settings."""
    watched = {*folders, *map(os.path.dirname, files)}

    def concerns(path: str) -> bool:
        if path in files:
            return True
        if path.endswith((*SUFFIXES, *PROSE)):
            return any(is_searched(path, folder) for folder in folders)
        # Our own cache has a .gitignore, so hidden folders do not matter.
        return is_settings(path) and any(is_searched(path, folder) for folder in watched)

    return concerns


def is_settings(path: str) -> bool:
    """Whether a file may hold settings: under any name, as `extend` may name it."""
    return path.endswith(".toml") or os.path.basename(path) in (".gitignore", FILE_NAME)


def is_searched(path: str, folder: str) -> bool:
    """Whether `discover` may find a path in a folder. A change of an excluded file costs a needless
    round, and nothing else.
    """
    if not path.startswith(folder.rstrip(os.sep) + os.sep):
        return False
    between = os.path.relpath(path, folder).split(os.sep)[:-1]
    return not any(part.startswith(".") or part == "__pycache__" for part in between)
