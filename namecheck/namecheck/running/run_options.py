"""How a run goes about its work: the cache, the processes, and what a person sees meanwhile."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from namecheck.printing.output import say
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.settings.config import Configuration

__all__ = ["FOLDER_NAME", "Means", "cache_folder", "cached", "project", "with_means"]

FOLDER_NAME: Final = ".namecheck_cache"
"""The folder of the cache, where nobody names another one."""


class Means(NamedTuple):
    """What is found does not depend on any of these.

    `cache` is the folder of the cache, None where nothing is to be remembered. `jobs` is how many
    processes may work at once. `advance` is told how many files are done, and of how many; `warn`
    what a person should know. `project` is the folder that the project begins at, None: this one.
    """

    cache: str | None = None
    jobs: int = 1
    advance: Callable[[int, int], None] = lambda done, files: None
    warn: Callable[[str], None] = lambda message: None
    project: str | None = None


def cache_folder(given: str | None, configuration: Configuration) -> str:
    """The folder of the cache: the one that was named, or beside the settings that count here."""
    return given or os.path.join(configuration.home_of(os.getcwd()), FOLDER_NAME)


def project(configuration: Configuration) -> str:
    """The folder that the project begins at which the working folder is in."""
    from namecheck.files.disk import project_of

    here = os.getcwd()
    return project_of(here, configuration.home_of(here))


def cached(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command the option `--cache-dir`."""
    option = click.option(
        "--cache-dir",
        metavar="FOLDER",
        envvar="NAMECHECK_CACHE_DIR",
        help=f"Where the cache is ({FOLDER_NAME} beside the settings file).",
    )
    return option(command)


def with_means(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command with a `configuration` the options of these things, and the `means`."""

    @functools.wraps(command)
    def with_options(
        *args: Any, cache_dir: str | None, no_cache: bool, jobs: int | None, **others: Any
    ) -> Any:
        configuration = others["configuration"]
        means = Means(
            None if no_cache else cache_folder(cache_dir, configuration),
            jobs if jobs is not None else cores(),
            warn=_warn,
            project=None if no_cache else project(configuration),
        )
        return command(*args, means=means, **others)

    without = click.option(
        "-n",
        "--no-cache",
        is_flag=True,
        envvar="NAMECHECK_NO_CACHE",
        help="Remember nothing, and analyse every file.",
    )
    processes = click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="How many processes may work at once (one for each core).",
    )
    return cached(without(processes(with_options)))


def cores() -> int:
    """How many processes can work at once on this machine."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        return os.cpu_count() or 1


def _warn(message: str) -> None:
    say(f"Warning: {message}", err=True)
