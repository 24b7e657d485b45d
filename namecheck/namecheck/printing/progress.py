"""A progress bar for long runs: how many files are done. It disappears with the end of the run.

It is for a person at a terminal, and goes to stderr, where it does not disturb piped output.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["is_watched", "progress"]

PATIENCE: Final = 1.0
"""Seconds before the bar appears."""


def is_watched() -> bool:
    """Whether stderr is a terminal that can erase what it shows."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(wanted: bool, work: str = "checking") -> Iterator[Callable[[int, int], None]]:
    """A context that gives a function to call with the number of files done and of all files."""
    bar = _Bar(wanted, work)
    try:
        yield bar.advance
    finally:
        bar.end()


class _Bar:
    """A bar that appears late, since rich takes time to import."""

    def __init__(self, wanted: bool, work: str) -> None:
        self.wanted = wanted
        self.work = work
        self.begun = time.monotonic()
        self.drawn: tuple[Progress, TaskID] | None = None

    def advance(self, done: int, files: int) -> None:
        if not self.wanted or (done < files and time.monotonic() - self.begun < PATIENCE):
            return
        if self.drawn is None:
            if done >= files:
                return  # it would disappear at once
            self.drawn = self._draw(files)
        bar, task = self.drawn
        bar.update(task, completed=done, total=files, refresh=True)

    def _draw(self, files: int) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = TextColumn(self.work), BarColumn(), MofNCompleteColumn(), TextColumn("files")
        # Without a thread that draws: processes are forked from this one.
        bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
        bar.start()
        return bar, bar.add_task("", total=files)

    def end(self) -> None:
        """Remove the bar."""
        if self.drawn is not None:
            self.drawn[0].stop()
            self.drawn = None
