"""How a run does its work: the cache, the processes, and what the user sees meanwhile."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from namecheck.printing.output import say
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.report.profile import Profile
    from namecheck.settings.config import Configuration

__all__ = ["FOLDER_NAME", "Means", "cache_folder", "cached", "project", "with_means"]

FOLDER_NAME: Final = ".namecheck_cache"
"""The default name of the cache's folder."""


class Means(NamedTuple):
    """Options that do not change the findings.

    `cache` is the folder of the cache, None to use none. `jobs` is how many processes may work at
    once. `advance` is called with the number of files done and of all files, `warn` with a message
    for the user. `project` is the folder at which the project begins; None: the working folder.
    `so_far` is called, after each result that was not in the cache, with a function that gives the
    findings of the results there are (`Checked`); whether a comment is unused is not among them.
    `cluster` is the address of the scheduler of a cluster, whose workers take the processes' place.
    `profile` is where the times of a run are kept, None if they are not wanted.
    """

    cache: str | None = None
    jobs: int = 1
    advance: Callable[[int, int], None] = lambda done, files: None
    warn: Callable[[str], None] = lambda message: None
    project: str | None = None
    cluster: str | None = None
    profile: Profile | None = None
    so_far: Callable[[Callable[[], Any]], None] = lambda findings: None


def cache_folder(given: str | None, configuration: Configuration) -> str:
    """The folder of the cache: the given one, or the default beside the settings in effect here."""
    return given or os.path.join(configuration.home_of(os.getcwd()), FOLDER_NAME)


def project(configuration: Configuration) -> str:
    """The folder at which the project of the working folder begins."""
    from namecheck.files.disk import project_of

    here = os.getcwd()
    return project_of(here, configuration.home_of(here))


def cached(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `--cache-dir`."""
    option = click.option(
        "--cache-dir",
        metavar="FOLDER",
        envvar="NAMECHECK_CACHE_DIR",
        help=f"The folder of the cache ({FOLDER_NAME} beside the settings file).",
    )
    return option(command)


def with_means(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command with a `configuration` these options, as its argument `means`."""

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
        help="Do not use the cache: analyse every file.",
    )
    processes = click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="The most processes to use at once (one for each core).",
    )
    return cached(without(processes(with_options)))


def cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _warn(message: str) -> None:
    say(f"Warning: {message}", err=True)
